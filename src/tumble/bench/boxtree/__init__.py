"""The paper `boxtree` rerun: Table 1 and Figures 1, 6, 8, 9 and 10 beside ours, its claims and our goals.

from tumble.bench import boxtree
results = boxtree.run("results/boxtree", quick=True)     # writes index.html, results.json and more
"""

from tumble.bench.boxtree.driver import run
from tumble.bench.boxtree.scope import FULL, QUICK, Scope

__all__ = ["FULL", "QUICK", "Scope", "run"]
