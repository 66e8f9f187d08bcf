"""Many queries of packed trees in one kernel."""

from typing import NamedTuple

from numba import int64

from tumble.core.jit import fixed_kernel
from tumble.core.simd.memory import float64_at
from tumble.hierarchy.packed.header import REPEATS
from tumble.traversal.packed.each import QUERIES, ask, may_repeat, query_each
from tumble.traversal.packed.query import query


class PackedEngine(NamedTuple):
    """The fast path, which has no options."""

    options: int


@ask.register(PackedEngine)
def _ask(engine, tree_a, pose_a, deviation_a, tree_b, pose_b, deviation_b, first, keys, capacity):
    return query(tree_a, pose_a, deviation_a, tree_b, pose_b, deviation_b, first, keys, capacity, 0)


@may_repeat.register(PackedEngine)
def _may_repeat(engine, tree_a, tree_b):
    return float64_at(tree_a, REPEATS) != 0.0 or float64_at(tree_b, REPEATS) != 0.0


@fixed_kernel(int64(*QUERIES))
def query_many(trees_a, poses_a, deviations_a, trees_b, poses_b, deviations_b, pairs, start, stop, first, counts, keys):
    """Ask as `query_each` does."""
    return query_each(
        PackedEngine(0),
        trees_a, poses_a, deviations_a, trees_b, poses_b, deviations_b, pairs, start, stop, first, counts, keys,
    )  # fmt: skip
