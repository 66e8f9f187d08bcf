"""The paper `binary-stack` rerun: 512 falling cows, Table 1, Figure 10, traversals side by side."""

from tumble.bench.framework.benchmark import Benchmark
from tumble.bench.framework.page_text import read_page
from tumble.bench.papers.binary_stack import figures, obb_race, page, published, races
from tumble.bench.papers.binary_stack.claims import CLAIMS
from tumble.bench.papers.binary_stack.goals import GOALS
from tumble.bench.papers.binary_stack.measure import FULL, QUICK, Sizes, tasks

BENCHMARK = Benchmark(
    name="binary-stack",
    page=read_page(__package__, page, figures, published, races, obb_race),
    packages=("tumble", "coal", "pyopencl", "numpy", "numba", "matplotlib"),
    full=FULL,
    quick=QUICK,
    quick_text="fewer and simpler bodies",
    tasks=tasks,
    claims=CLAIMS,
    goals=GOALS,
    published=published.add_published,
)

__all__ = ["BENCHMARK", "FULL", "QUICK", "Sizes"]
