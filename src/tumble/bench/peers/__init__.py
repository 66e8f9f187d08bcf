"""Tumble raced against python-fcl, Coal and VTK: same meshes, same poses, same outputs, in turn, in one process.

from tumble.bench import peers
results = peers.run("results/peers", quick=True)     # writes index.html, results.json and more
"""

from tumble.bench.peers.driver import run
from tumble.bench.peers.found import Field, find_peers
from tumble.bench.peers.scope import FULL, QUERIES, QUICK, Scope

__all__ = ["FULL", "QUERIES", "QUICK", "Field", "Scope", "find_peers", "run"]
