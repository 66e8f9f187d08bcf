"""Tumble raced against python-fcl, Coal and VTK: same meshes, same poses, same outputs, in turn, in one process."""

from tumble.bench.framework.benchmark import Benchmark
from tumble.bench.framework.page_text import PageText
from tumble.bench.peers.found import Field, find_peers
from tumble.bench.peers.goals import GOALS, goals_text
from tumble.bench.peers.measure import FULL, QUERIES, QUICK, Sizes, tasks
from tumble.bench.peers.page import METHOD, SECTIONS, remark

BENCHMARK = Benchmark(
    name="peers",
    page=PageText(
        "Tumble and its peers",
        "Tumble raced against python-fcl, Coal, VTK and trimesh, as far as they are installed, on the same meshes and "
        "poses, for the same outputs, in turn in one process.",
        SECTIONS,
        METHOD,
    ),
    packages=("tumble", "python-fcl", "coal", "vtk", "trimesh", "numpy", "numba"),
    full=FULL,
    quick=QUICK,
    quick_text="few rounds",
    tasks=tasks,
    goals=GOALS,
    goals_text=goals_text,
    remark=remark,
)

__all__ = ["BENCHMARK", "FULL", "QUERIES", "QUICK", "Field", "Sizes", "find_peers"]
