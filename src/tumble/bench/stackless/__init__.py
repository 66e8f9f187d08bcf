"""The paper `stackless` rerun: its scenes, its five algorithms, its Tables 2 to 8 and Figure 33 beside ours.

from tumble.bench import stackless
results = stackless.run("results/stackless", quick=True)     # writes index.html, results.json and more
"""

from tumble.bench.stackless.driver import run
from tumble.bench.stackless.published import published
from tumble.bench.stackless.rows import METHODS, Results, Row

__all__ = ["METHODS", "Results", "Row", "published", "run"]
