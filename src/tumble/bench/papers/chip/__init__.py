"""The paper `chip` rerun: Table 1, list traversal in software, triangle tests, and the designer's sweep."""

from tumble.bench.framework.benchmark import Benchmark
from tumble.bench.framework.page_text import PageText
from tumble.bench.papers.chip.claims import CLAIMS, GOALS
from tumble.bench.papers.chip.measure import FULL, QUICK, Sizes, tasks
from tumble.bench.papers.chip.page import METHOD, SECTIONS
from tumble.bench.papers.chip.published import add_published

BENCHMARK = Benchmark(
    name="chip",
    page=PageText(
        "The CollisionChip: the paper, rerun",
        "k-DOP trees, list traversal and a chip that finds touching triangles, with the table and the claims of the "
        "paper `chip`.",
        SECTIONS,
        METHOD,
    ),
    packages=("tumble", "numpy", "numba", "matplotlib"),
    full=FULL,
    quick=QUICK,
    quick_text="small objects and few poses",
    tasks=tasks,
    claims=CLAIMS,
    goals=GOALS,
    published=add_published,
)

__all__ = ["BENCHMARK", "FULL", "QUICK", "Sizes"]
