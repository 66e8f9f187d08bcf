"""The paper `stackless` rerun: its scenes, its five algorithms, its Tables 2 to 8 and Figure 33 beside ours."""

from tumble.bench.framework.benchmark import Benchmark
from tumble.bench.framework.page_text import read_page
from tumble.bench.papers.stackless import page, published
from tumble.bench.papers.stackless.claims import CLAIMS
from tumble.bench.papers.stackless.measure import FULL, QUICK, Sizes, tasks

BENCHMARK = Benchmark(
    name="stackless",
    page=read_page(__package__, page, published),
    packages=("tumble", "numpy", "numba", "matplotlib"),
    full=FULL,
    quick=QUICK,
    quick_text="with few repetitions",
    tasks=tasks,
    claims=CLAIMS,
    published=published.add_published,
)

__all__ = ["BENCHMARK", "FULL", "QUICK", "Sizes"]
