"""The paper `binary-stack` rerun: 512 falling cows, Table 1, Figure 10, traversals side by side, and what they need.

from tumble.bench import binary_stack
results = binary_stack.run("results/binary-stack", quick=True)     # writes index.html, results.json and more
"""

from tumble.bench.binary_stack.driver import run
from tumble.bench.binary_stack.scope import FULL, QUICK, Scope

__all__ = ["FULL", "QUICK", "Scope", "run"]
