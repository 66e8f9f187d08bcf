"""The paper `bsp` rerun: Table 1 and Figures 7, 8 and 9 on the UNC scenes, broad phases of others, trees that move."""

from tumble.bench.framework.benchmark import Benchmark
from tumble.bench.framework.page_text import PageText
from tumble.bench.papers.bsp.claims import CLAIMS
from tumble.bench.papers.bsp.goals import GOALS, stand_ins_text
from tumble.bench.papers.bsp.measure import FULL, QUICK, Sizes, tasks
from tumble.bench.papers.bsp.page import METHOD, SECTIONS
from tumble.bench.papers.bsp.published import add_published

BENCHMARK = Benchmark(
    name="bsp",
    page=PageText(
        "Bulk-synchronous traversal of many trees: the paper, rerun",
        "All overlapping leaves of many implicit trees, found in sweeps over frontiers on the CPU and in OpenCL, with "
        "the table and the figures of the paper `bsp`.",
        SECTIONS,
        METHOD,
    ),
    packages=("tumble", "pyopencl", "numpy", "numba", "matplotlib", "ipctk"),
    full=FULL,
    quick=QUICK,
    quick_text="few rounds and settings",
    tasks=tasks,
    claims=CLAIMS,
    goals=GOALS,
    goals_text=stand_ins_text,
    published=add_published,
)

__all__ = ["BENCHMARK", "FULL", "QUICK", "Sizes"]
