"""The paper `boxtree` rerun: Table 1 and Figures 1, 6, 8, 9 and 10 beside ours, its claims and our goals."""

from tumble.bench.framework.benchmark import Benchmark
from tumble.bench.framework.page_text import read_page
from tumble.bench.papers.boxtree import figures, page
from tumble.bench.papers.boxtree.claims import CLAIMS
from tumble.bench.papers.boxtree.goals import GOALS
from tumble.bench.papers.boxtree.measure import FULL, QUICK, Sizes, tasks
from tumble.bench.papers.boxtree.published import add_published

BENCHMARK = Benchmark(
    name="boxtree",
    page=read_page(__name__, page, figures),
    packages=("tumble", "python-fcl", "numpy", "numba", "matplotlib"),
    full=FULL,
    quick=QUICK,
    quick_text="few rounds",
    tasks=tasks,
    claims=CLAIMS,
    goals=GOALS,
    published=add_published,
)

__all__ = ["BENCHMARK", "FULL", "QUICK", "Sizes"]
