"""The paper `boxtree` rerun: Table 1 and Figures 1, 6, 8, 9 and 10 beside ours, its claims and our goals."""

from tumble.bench.framework.benchmark import Benchmark
from tumble.bench.framework.page_text import PageText
from tumble.bench.papers.boxtree.claims import CLAIMS
from tumble.bench.papers.boxtree.goals import GOALS, goals_text
from tumble.bench.papers.boxtree.measure import FULL, QUICK, Sizes, tasks
from tumble.bench.papers.boxtree.page import METHOD, SECTIONS
from tumble.bench.papers.boxtree.published import add_published

BENCHMARK = Benchmark(
    name="boxtree",
    page=PageText(
        "Restricted boxtrees: the paper, rerun",
        "Trees of nine bytes per node, their builders and their four overlap tests, with the table, the figures and "
        "the claims of the paper `boxtree`.",
        SECTIONS,
        METHOD,
    ),
    packages=("tumble", "python-fcl", "numpy", "numba", "matplotlib"),
    full=FULL,
    quick=QUICK,
    quick_text="few rounds",
    tasks=tasks,
    claims=CLAIMS,
    goals=GOALS,
    goals_text=goals_text,
    published=add_published,
)

__all__ = ["BENCHMARK", "FULL", "QUICK", "Sizes"]
