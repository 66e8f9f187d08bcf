"""Nodes that a list traversal must move, counted by a walk of its own, beside what the traversals count."""

from dataclasses import replace

import numpy as np
import pytest

import tumble
from tumble.bench.chip.claims import judge_claims
from tumble.bench.chip.listing import LISTS, VOLUMES
from tumble.bench.chip.reached import nodes_reached
from tumble.bench.chip.records import Findings
from tumble.bench.chip.rotating import chip_tree, counted, prepared, rotate
from tumble.bench.peers.objects import shape_duo
from tumble.bench.peers.tumbling import tumbling_poses
from tumble.bench.verdicts import FAILS, HOLDS

POSES = [
    tumble.translation(0.4, 0.2, -0.1) @ tumble.rotation((1.0, 2.0, 3.0), 0.7),
    tumble.translation(0.9, 0.1, 0.0),
    tumble.translation(50.0, 0.0, 0.0),
]


def queries(volume, method):
    tree = chip_tree(tumble.shapes.torus(segments=12, sides=8), volume)
    return prepared(tree, tree, POSES, method)


@pytest.mark.parametrize("volume", ["aabb", "sphere", "kdop24", "obb"])
def test_lists_move_what_they_reach_and_the_recursive_traversal_more(volume):
    assert volume in VOLUMES
    recursive = [counted(query)[1].moves for query in queries(volume, "stack")]
    for method in LISTS:
        listed = queries(volume, method)
        reached = [nodes_reached(query) for query in listed]
        assert [counted(query)[1].moves for query in listed] == reached
        assert recursive[0] > reached[0] > 10
        assert reached[-1] == 1  # far away: the root, and nothing else


def test_a_traversal_that_moves_nodes_again_is_found_out():
    """What the lists count in a rotation, and what the recursive traversal counts in the same poses."""
    duo = shape_duo("bowl", 600)
    rotation = rotate(duo, "a bowl", 0.6, 3, 1)
    findings = Findings(rotations=[rotation])
    assert rotation.samples
    assert verdict(findings) == HOLDS
    again = prepared(chip_tree(duo.a), chip_tree(duo.b), tumbling_poses(0.6, 3), "stack")
    moves = np.array([counted(query)[1].moves for query in again], float)
    assert (moves > rotation.reached).all()
    samples = [replace(one, tumbled=one.tumbled + 1) for one in rotation.samples]
    findings.rotations = [replace(rotation, tumbled=moves, samples=samples)]
    assert verdict(findings) == FAILS


def verdict(findings):
    return next(one.found.verdict for one in judge_claims(findings) if one.claim.name == "moved-once")
