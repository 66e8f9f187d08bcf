"""The paper `bsp` rerun: Table 1 and Figures 7, 8 and 9 on the UNC scenes, broad phases of others, trees that move.

from tumble.bench import bsp
results = bsp.run("results/bsp", quick=True)     # writes index.html, results.json and more
"""

from tumble.bench.bsp.driver import run
from tumble.bench.bsp.scope import FULL, QUICK, Scope

__all__ = ["FULL", "QUICK", "Scope", "run"]
