"""One triangle against a mesh: as `collide` says of a mesh of that triangle alone."""

import numpy as np
import pytest

from tumble import Mesh, collides, shapes
from tumble.core.jit import kernel
from tumble.core.simd.memory import address_of
from tumble.core.simd.stack_memory import scratch
from tumble.hierarchy.packed import packed
from tumble.solid.body import surface_of
from tumble.traversal.points.near_pieces import POINT_FRAME, POSE_OR_IDENTITY, TREE
from tumble.traversal.points.prepare import POINT_WORDS, prepare_point, read_point
from tumble.traversal.points.single_triangle import meets_triangle

MESHES = {"ball": shapes.icosphere(3), "box": shapes.box(1.5), "torus": shapes.torus(1.0, 0.3, 24, 12)}
TURN = np.array([[0.6, -0.8, 0.0, 0.2], [0.8, 0.6, 0.0, -0.1], [0.0, 0.0, 1.0, 0.3], [0.0, 0.0, 0.0, 1.0]])


@kernel
def ask(solid, middles, radii, corners, found):
    point = scratch(POINT_WORDS)
    for i in range(len(middles)):
        read_point(address_of(middles), i, point)
        prepare_point(solid[POINT_FRAME], point)
        at = address_of(corners) + 72 * i
        found[i] = meets_triangle(solid[TREE], solid[POSE_OR_IDENTITY], point, radii[i], at)


def meeting(body, triangles):
    middles = np.ascontiguousarray(triangles.mean(axis=1))
    radii = np.linalg.norm(triangles - middles[:, None], axis=2).max(axis=1) * (1.0 + 1e-9)
    found = np.empty(len(triangles), np.int64)
    ask(body.addresses, middles, radii, np.ascontiguousarray(triangles), found)
    return found.astype(bool)


@pytest.mark.parametrize("pose", [None, TURN], ids=["as drawn", "posed"])
@pytest.mark.parametrize("name", MESHES)
def test_as_collide_says(name, pose):
    mesh, rng = MESHES[name], np.random.default_rng(7)
    sizes = 10.0 ** rng.uniform(-2, 0, (500, 1, 1))
    triangles = rng.uniform(-1.3, 1.3, (500, 1, 3)) + sizes * rng.normal(size=(500, 3, 3))
    found = meeting(surface_of(mesh, pose), triangles)
    expected = [collides(Mesh(each, [[0, 1, 2]]), mesh, pose_b=pose) for each in triangles]
    assert found.tolist() == expected
    assert 50 < found.sum() < 450


def test_triangles_that_touch_in_a_point_or_not_at_all():
    body = surface_of(shapes.box(2.0), None)
    at = np.array([(1.0, 0.25, 0.5), (2.0, 0.0, 0.5), (2.0, 0.5, 0.5)])
    above = at + np.array([2.0**-52, 0.0, 0.0])
    assert meeting(body, np.stack([at, above])).tolist() == [True, False]
    assert packed(body.mesh).address == body.addresses[TREE]
