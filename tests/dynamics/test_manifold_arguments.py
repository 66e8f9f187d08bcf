"""Numbers that `manifold` is given: those that point outside are refused before a kernel follows them."""

import numpy as np
import pytest

import oracle
from tumble.dynamics.manifold import gather, manifold
from tumble.errors import InputError, PoseError
from tumble.mesh import shapes, translation

LARGE, SMALL = shapes.box(4.0), shapes.box(1.0)
SURFACES = gather([LARGE, SMALL])
POSES = np.stack([np.eye(4), translation(0.0, 0.0, 2.0)])
TRIANGLES = oracle.touching_pairs(LARGE.vertices, LARGE.faces, SMALL.vertices, SMALL.faces, *POSES)
GOOD = {
    "mesh_of": np.array([0, 1]),
    "poses": POSES,
    "bodies": np.array([[0, 1]]),
    "offsets": np.array([0, len(TRIANGLES)]),
    "triangles": TRIANGLES,
}
FAR = 1 << 40


def changed(name, place, value):
    copy = GOOD[name].copy()
    copy[place] = value
    return copy


def test_what_is_right_is_answered():
    assert len(manifold(SURFACES, **GOOD)) > 0


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("triangles", changed("triangles", (0, 0), FAR), r"triangles\[0\]\[0\] is 1099511627776, but there are 12"),
        ("triangles", changed("triangles", (1, 1), 12), r"triangles\[1\]\[1\] is 12, but there are 12"),
        ("triangles", changed("triangles", (2, 0), -1), r"triangles\[2\]\[0\] is -1"),
        ("triangles", TRIANGLES.astype(np.uint64) + np.uint64(2**63), "triangles"),
        ("triangles", TRIANGLES.astype(float), "whole numbers"),
        ("triangles", TRIANGLES[:-1], "offsets"),
        ("triangles", TRIANGLES.ravel(), "shape"),
        ("triangles", [[1], [1, 2]], "triangles"),
        ("bodies", [[0, 2]], r"bodies\[0\]\[1\] is 2, but there are 2 bodies"),
        ("bodies", [[-1, 0]], "bodies"),
        ("bodies", [0, 1], "bodies"),
        ("mesh_of", [0, 2], r"mesh_of\[1\] is 2, but there are 2 meshes"),
        ("mesh_of", [0, -1], "mesh_of"),
        ("mesh_of", [0], "poses"),
        ("offsets", [0, FAR], "offsets"),
        ("offsets", [-FAR, len(TRIANGLES)], "offsets"),
        ("offsets", [0], "offsets"),
        ("offsets", [], "offsets"),
        ("poses", POSES[:1], "poses"),
        ("poses", np.full((2, 4, 4), np.nan), "poses"),
        ("poses", 2.0 * POSES, "poses"),
        ("poses", "here", "poses"),
    ],
)
def test_what_is_wrong_is_named(name, value, message):
    with pytest.raises(InputError, match=message):
        manifold(SURFACES, **{**GOOD, name: value})


def test_offsets_that_go_down():
    two = {**GOOD, "bodies": np.array([[0, 1], [0, 1]]), "offsets": np.array([0, len(TRIANGLES) + 5, len(TRIANGLES)])}
    with pytest.raises(InputError, match="never down"):
        manifold(SURFACES, **two)


@pytest.mark.parametrize(
    "damage",
    [
        {"faces": SURFACES.faces + np.int32(1 << 28)},
        {"faces": SURFACES.faces - np.int32(1)},
        {"around": SURFACES.around + np.int32(1 << 28)},
        {"around": SURFACES.around[:-1]},
        {"across": SURFACES.across + np.int32(1 << 28)},
        {"across": SURFACES.across - np.int32(2)},
        {"across": SURFACES.across[:-1]},
        {"starts": SURFACES.starts + 1},
        {"starts": SURFACES.starts[::-1].copy()},
        {"first_faces": np.array([0, FAR])},
        {"vertices": SURFACES.vertices[:-1]},
        {"vertices": SURFACES.vertices.astype(np.float32)},
        {"vertices": SURFACES.vertices.tolist()},
    ],
)
def test_surfaces_that_are_none(damage):
    with pytest.raises(InputError, match="gather"):
        manifold(SURFACES._replace(**damage), **GOOD)


def test_something_else_than_surfaces():
    with pytest.raises(InputError, match="gather"):
        manifold([LARGE, SMALL], **GOOD)


def test_no_pairs_at_all():
    nothing = {"bodies": np.empty((0, 2), int), "offsets": [0], "triangles": np.empty((0, 2), int)}
    assert len(manifold(SURFACES, **{**GOOD, **nothing})) == 0
    assert len(manifold(gather([]), [], np.empty((0, 4, 4)), [], [0], [])) == 0


def test_a_pose_that_is_no_pose_is_named_by_its_number():
    with pytest.raises(PoseError, match=r"poses\[1\]"):
        manifold(SURFACES, **{**GOOD, "poses": np.stack([np.eye(4), 2 * np.eye(4)])})
