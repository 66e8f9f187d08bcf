"""Section 3.2.5 with both planes in the parent: the pairs, and the node pairs, of the tree that it is made of."""

import numpy as np
import pytest
from boxtree_pairs import boxtree

from tumble import Mesh, shapes
from tumble.errors import OptionError, TreeError
from tumble.mesh import random_pose
from tumble.traversal.boxtree.overlaps import OVERLAPS
from tumble.traversal.boxtree.query import boxtree_collide
from tumble.traversal.boxtree.two_planes import LEAF_BIT, TwoPlanes
from tumble.traversal.boxtree.whole_offsets import WholeOffsets

KNOT, TORUS = shapes.knot(segments=40, sides=6), shapes.torus(segments=12, sides=8)
ONE = Mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]])


@pytest.mark.parametrize("overlap", OVERLAPS)
@pytest.mark.parametrize("meshes", [(KNOT, TORUS), (ONE, TORUS), (ONE, ONE)], ids=["two", "leaf", "leaves"])
def test_both_planes_in_the_parent_change_nothing(meshes, overlap):
    trees = [boxtree(mesh, size, planes="free") for mesh, size in zip(meshes, (1, 3), strict=True)]
    both, hits = [TwoPlanes(tree) for tree in trees], 0
    for seed in range(6):
        for pre_transformed in (True, False):
            options = None, random_pose(seed, 0.1), False, overlap, pre_transformed, True, True
            one, other = boxtree_collide(*trees, *options), boxtree_collide(*both, *options)
            np.testing.assert_array_equal(one.pairs, other.pairs)
            assert one.stats == other.stats
            hits += len(one)
    assert hits > 0


def test_thirteen_bytes_and_the_same_planes():
    tree = boxtree(KNOT, 1, planes="free")
    both = TwoPlanes(tree)
    assert both.nodes.itemsize == 13
    assert len(both.nodes) == len(tree) == 2 * len(KNOT) - 1
    assert (both.nodes["kinds"] & LEAF_BIT > 0).sum() == len(KNOT)


def test_forms_that_cannot_be_walked_are_refused():
    tree = boxtree(TORUS, planes="free")
    both, whole = TwoPlanes(tree), WholeOffsets(tree)
    for trees in ((both, tree), (tree, both), (both, whole), (whole, tree)):
        with pytest.raises(OptionError, match="either both trees"):
            boxtree_collide(*trees, overlap="lookup")
    with pytest.raises(TreeError, match="chains"):
        TwoPlanes(boxtree(KNOT, planes="chained"))
