"""Refitted boxtrees: sound whatever the motion, the same bits where nothing moved, the pairs of a new tree."""

from __future__ import annotations

import numpy as np
import pytest
from boxtree_exact import check_exactly
from tree_cases import AWKWARD, random_soup

import tumble
from covering import crossed
from tumble import Mesh, shapes
from tumble.errors import TreeError
from tumble.mesh import random_pose

KNOT = shapes.knot(segments=40, sides=6)


def bent(mesh: Mesh, amount: float) -> Mesh:
    vertices = mesh.vertices.copy()
    vertices[:, 0] += amount * np.sin(5 * vertices[:, 1])
    vertices[:, 2] *= 1 + amount * np.cos(7 * vertices[:, 0])
    return Mesh(vertices, mesh.faces)


@pytest.mark.parametrize("planes", ["free", "chained"])
def test_a_mesh_that_did_not_move_gives_the_same_bits(planes: str) -> None:
    tree = tumble.build(KNOT, "boxtree", planes=planes)
    again = tree.refit(Mesh(KNOT.vertices, KNOT.faces))
    for part in ("nodes", "order", "box", "origin", "scale"):
        assert np.array_equal(getattr(again, part), getattr(tree, part))


@pytest.mark.parametrize("amount", [0.01, 0.3, 3.0])
def test_a_refitted_tree_is_sound_and_finds_what_a_new_one_finds(amount: float) -> None:
    tree, moved = tumble.build(KNOT, "boxtree"), bent(KNOT, amount)
    before = tree.nodes.tobytes()
    refitted = tree.refit(moved)
    refitted.validate()
    check_exactly(refitted)
    assert tree.nodes.tobytes() == before
    assert refitted.mesh is moved
    assert len(refitted) == len(tree)
    found = [tumble.collide(refitted, refitted, None, random_pose(seed, 0.3)) for seed in range(4)]
    truth = [tumble.collide(moved, moved, None, random_pose(seed, 0.3)) for seed in range(4)]
    assert any(truth)
    assert all(np.array_equal(one.pairs, other.pairs) for one, other in zip(found, truth, strict=True))


@crossed(1, name=AWKWARD, planes=("coplanar", "free", "chained"))
def test_awkward_meshes(name: str, planes: str) -> None:
    """Trees over triangles that are thrown about: the worst that a refit can meet."""
    mesh = AWKWARD[name]()
    tree = tumble.build(mesh, "boxtree", leaf_size=2, planes=planes)
    moved = Mesh(np.random.default_rng(5).permutation(mesh.vertices), mesh.faces)
    for target in (mesh, moved):
        refitted = tree.refit(target)
        refitted.validate()
        check_exactly(refitted)


def test_boxes_follow_what_shrinks() -> None:
    tree = tumble.build(KNOT, "boxtree")
    half = tree.refit(Mesh(0.5 * KNOT.vertices, KNOT.faces))
    # a power of two: the same local coordinates, another scale
    assert np.array_equal(half.nodes, tree.nodes)
    assert half.scale == 2 * tree.scale


def test_other_numbers_of_triangles_are_refused() -> None:
    tree = tumble.build(KNOT, "boxtree")
    with pytest.raises(TreeError, match="cannot be refitted to 7"):
        tree.refit(random_soup(7))
    empty = Mesh(np.empty((0, 3)), np.empty((0, 3), int))
    assert len(tumble.build(empty, "boxtree").refit(empty)) == 0
