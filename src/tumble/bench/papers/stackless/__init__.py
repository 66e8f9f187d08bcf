"""The paper `stackless` rerun: its scenes, its five algorithms, its Tables 2 to 8 and Figure 33 beside ours."""

from tumble.bench.framework.benchmark import Benchmark
from tumble.bench.framework.page_text import PageText
from tumble.bench.papers.stackless.claims import CLAIMS
from tumble.bench.papers.stackless.measure import FULL, QUICK, Sizes, tasks
from tumble.bench.papers.stackless.page import METHOD, SECTIONS
from tumble.bench.papers.stackless.published import add_published

BENCHMARK = Benchmark(
    name="stackless",
    page=PageText(
        "BVH traversal without a stack: the paper, rerun",
        "Five traversals of two bounding volume hierarchies on the scenes of the paper `stackless`, its published "
        "figures beside ours.",
        SECTIONS,
        METHOD,
    ),
    packages=("tumble", "numpy", "numba", "matplotlib"),
    full=FULL,
    quick=QUICK,
    quick_text="with few repetitions",
    tasks=tasks,
    claims=CLAIMS,
    published=add_published,
)

__all__ = ["BENCHMARK", "FULL", "QUICK", "Sizes"]
