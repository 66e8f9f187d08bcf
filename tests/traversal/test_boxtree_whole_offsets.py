"""Section 3.2.2 as printed: offsets that are table entries give the pairs, and the node pairs, of the lookup test."""

import numpy as np
import pytest
from boxtree_pairs import FORMS, boxtree

import tumble
from tumble import Mesh, shapes
from tumble.errors import OptionError
from tumble.hierarchy.boxtree.layout import NODE
from tumble.mesh import random_pose
from tumble.traversal.boxtree.query import boxtree_collide
from tumble.traversal.boxtree.whole_offsets import ENTRIES, TAG, WholeOffsets

FLAT = Mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]], [[0, 1, 2], [1, 3, 2]])
MESHES = [shapes.knot(segments=40, sides=6), shapes.torus(segments=12, sides=8), FLAT]


@pytest.mark.parametrize("planes", ["free", "chained"])
@pytest.mark.parametrize("number", range(len(MESHES)))
def test_whole_offsets_do_what_lookup_does(number, planes):
    a, b = boxtree(MESHES[0], planes=planes), boxtree(MESHES[number], leaf_size=1, planes=planes)
    whole, hits = WholeOffsets(b), 0
    for seed in range(6):
        pose = random_pose(seed, 0.2)
        for pre_transformed, plain in FORMS:
            options = False, "lookup", pre_transformed, True, plain
            one, other = (boxtree_collide(a, tree, None, pose, *options) for tree in (b, whole))
            np.testing.assert_array_equal(one.pairs, other.pairs)
            assert one.stats == other.stats
            hits += len(one)
    assert hits > 0


def test_entries_are_offsets_rounded_down():
    tree = boxtree(MESHES[0], planes="free")
    entries = WholeOffsets(tree).nodes.view(NODE)[:, 0]["offset"].view(np.int32) - TAG
    records = tree.nodes.view(NODE)[:, 0]
    steps = (tree.box[3:] - tree.box[:3])[records["kind"] & 3] / (ENTRIES - 1)
    assert (entries * steps <= records["offset"] * (1 + 1e-12)).all()
    assert ((entries + 1) * steps > records["offset"]).all()
    assert len(set(entries.tolist())) > 50


def test_other_tests_and_calls_refuse_them():
    tree = boxtree(MESHES[1])
    whole = WholeOffsets(tree)
    for overlap in ("axis", "sat-lite", "sat"):
        with pytest.raises(OptionError, match="whole offsets"):
            boxtree_collide(tree, whole, overlap=overlap)
    with pytest.raises(tumble.TumbleError):
        tumble.collide(tree, whole)
