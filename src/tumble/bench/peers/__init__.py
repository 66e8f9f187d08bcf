"""Tumble raced against python-fcl, Coal and VTK: same meshes, same poses, same outputs, in turn, in one process."""

from tumble.bench.framework.benchmark import collected
from tumble.bench.peers import goals, measure, page

BENCHMARK = collected("peers", page, measure, goals)
