"""The paper `chip` rerun: Table 1, list traversal in software, triangle tests, and the designer's sweep."""

from tumble.bench.framework.benchmark import Benchmark
from tumble.bench.framework.page_text import read_page
from tumble.bench.papers.chip import figures, page, published, rotation
from tumble.bench.papers.chip.claims import CLAIMS, GOALS
from tumble.bench.papers.chip.measure import FULL, QUICK, Sizes, tasks

BENCHMARK = Benchmark(
    name="chip",
    page=read_page(__package__, page, figures, published, rotation),
    packages=("tumble", "numpy", "numba", "matplotlib"),
    full=FULL,
    quick=QUICK,
    quick_text="small objects and few poses",
    tasks=tasks,
    claims=CLAIMS,
    goals=GOALS,
    published=published.add_published,
)

__all__ = ["BENCHMARK", "FULL", "QUICK", "Sizes"]
