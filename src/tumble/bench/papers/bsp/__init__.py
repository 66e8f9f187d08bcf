"""The paper `bsp` rerun: Table 1 and Figures 7, 8 and 9 on the UNC scenes, broad phases of others, trees that move."""

from tumble.bench.framework.benchmark import Benchmark
from tumble.bench.framework.page_text import read_page
from tumble.bench.papers.bsp import figures, page
from tumble.bench.papers.bsp.claims import CLAIMS
from tumble.bench.papers.bsp.goals import GOALS
from tumble.bench.papers.bsp.measure import FULL, QUICK, Sizes, tasks
from tumble.bench.papers.bsp.published import add_published

BENCHMARK = Benchmark(
    name="bsp",
    page=read_page(__name__, page, figures),
    packages=("tumble", "pyopencl", "numpy", "numba", "matplotlib", "ipctk"),
    full=FULL,
    quick=QUICK,
    quick_text="few rounds and settings",
    tasks=tasks,
    claims=CLAIMS,
    goals=GOALS,
    published=add_published,
)

__all__ = ["BENCHMARK", "FULL", "QUICK", "Sizes"]
