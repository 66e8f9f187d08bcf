"""Tumble raced against python-fcl, Coal, VTK and others: same meshes, poses and outputs, in turn, in one process."""

from tumble.bench.framework.benchmark import collected
from tumble.bench.peers import goals, measure, page, page_of_motions, page_of_points

BENCHMARK = collected("peers", page, page_of_motions, page_of_points, measure, goals)
