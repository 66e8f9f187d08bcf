"""Tumble raced against python-fcl, Coal and VTK: same meshes, same poses, same outputs, in turn, in one process."""

from tumble.bench.framework.benchmark import Benchmark
from tumble.bench.framework.page_text import read_page
from tumble.bench.peers import figures, page
from tumble.bench.peers.entrants import Field, find_peers
from tumble.bench.peers.goals import GOALS
from tumble.bench.peers.measure import FULL, QUERIES, QUICK, Sizes, tasks

BENCHMARK = Benchmark(
    name="peers",
    page=read_page(__package__, page, figures),
    packages=("tumble", "python-fcl", "coal", "vtk", "trimesh", "numpy", "numba"),
    full=FULL,
    quick=QUICK,
    quick_text="few rounds",
    tasks=tasks,
    goals=GOALS,
    remark=page.remark,
)

__all__ = ["BENCHMARK", "FULL", "QUERIES", "QUICK", "Field", "Sizes", "find_peers"]
