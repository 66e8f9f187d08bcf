"""The paper `chip` rerun: Table 1, list traversal in software, triangle tests, and the designer's sweep.

from tumble.bench import chip
results = chip.run("results/chip", quick=True)     # writes index.html, results.json and more
"""

from tumble.bench.chip.driver import run
from tumble.bench.chip.scope import FULL, QUICK, Scope

__all__ = ["FULL", "QUICK", "Scope", "run"]
