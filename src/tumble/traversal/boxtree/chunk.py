"""Many queries of boxtrees in one kernel, by any of the overlap tests."""

from typing import NamedTuple

from numba import int64

from tumble.core.jit import fixed_kernel
from tumble.traversal.boxtree.query import boxtree_query
from tumble.traversal.packed.each import QUERIES, ask, may_repeat, query_each


class BoxtreeEngine(NamedTuple):
    """The walk of boxtrees: the number of its overlap test, and whether states are computed ahead of the pairs."""

    overlap: int
    pre_transformed: int


@ask.register(BoxtreeEngine)
def _ask(engine, tree_a, pose_a, deviation_a, tree_b, pose_b, deviation_b, first, keys, capacity):
    return boxtree_query(
        engine.overlap, engine.pre_transformed,
        tree_a, pose_a, deviation_a, tree_b, pose_b, deviation_b, first, keys, capacity, 0,
    )  # fmt: skip


@may_repeat.register(BoxtreeEngine)
def _may_repeat(engine, tree_a, tree_b):
    return False


@fixed_kernel(int64(int64, int64, *QUERIES))
def query_boxtrees(
    overlap, pre_transformed,
    trees_a, poses_a, deviations_a, trees_b, poses_b, deviations_b, pairs, start, stop, first, counts, keys, used,
):  # fmt: skip
    """Ask as `query_each` does."""
    return query_each(
        BoxtreeEngine(overlap, pre_transformed),
        trees_a, poses_a, deviations_a, trees_b, poses_b, deviations_b, pairs, start, stop, first, counts, keys, used,
    )  # fmt: skip
