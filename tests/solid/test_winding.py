"""Winding numbers: compiled rays and whole numbers against a judge in fractions."""

from fractions import Fraction

import numpy as np
import pytest

import tumble
from covering import crossed, sized
from oracle import pose_points
from tumble import Mesh, shapes
from tumble.mesh import random_pose
from tumble.solid import winding
from tumble.solid.body import body_of
from tumble.solid.exact import Point, Scale
from tumble.solid.winding import Question, answers
from tumble.traversal.rays.winding import UNSURE

SHELLS = Mesh(
    np.concatenate([shapes.icosphere(1).vertices * size for size in (3, 2, 1)]),
    np.concatenate([
        shapes.icosphere(1).faces,
        shapes.icosphere(1).faces[:, ::-1] + 42,
        shapes.icosphere(1).faces[:, ::-1] + 84,
    ]),
)  # fmt: skip
MESHES = {
    "box": shapes.box(2.0),
    "torus": shapes.torus(1.0, 0.4, 8, 5),
    "shells": SHELLS,  # 1, 0 and -1 from the outside to the middle
    "needles": Mesh(shapes.box(2.0).vertices * [1, 1e-9, 1e6], shapes.box(2.0).faces),
}


def judge(corners, point):
    """The winding number at a point off the surface by a ray in fractions; None on it."""
    x = [Fraction(value) for value in point]
    exact = [[[Fraction(float(value)) - x[k] for k, value in enumerate(corner)] for corner in face] for face in corners]
    for seed in range(50):
        way = [Fraction(int(value)) for value in np.random.default_rng(seed).integers(-99, 100, 3)]
        total, tie = 0, False
        for a, b, c in exact:
            weights = [det(way, b, c), det(way, c, a), det(way, a, b)]
            slope, height = sum(weights), det(a, b, c)
            if slope == 0:
                tie |= height == 0
                continue
            if min(weights) * max(weights) < 0:
                continue
            if height == 0:
                return None
            if height * slope > 0:
                tie |= 0 in weights
                total += 1 if slope > 0 else -1
        if not tie:
            return total
    raise AssertionError("every ray meets an edge")


def det(a, b, c):
    return a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) + a[2] * (b[0] * c[1] - b[1] * c[0])


def awkward_points(rng, corners, count):
    """Anywhere, on the planes of faces, on lines of edges, at corners, and beside these by a unit in the last place."""
    low, high = corners.min(axis=(0, 1)), corners.max(axis=(0, 1))
    points = []
    for _ in range(count):
        face = corners[rng.integers(len(corners))]
        kind = rng.integers(5)
        if kind == 0:
            point = rng.uniform(low, high)
        elif kind == 1:
            weights = rng.integers(-2, 4, 3)
            point = (weights / (weights.sum() or 1)) @ face
        elif kind == 2:
            point = face[0] + (face[1] - face[0]) * rng.choice([0.25, 0.5, 2.0])
        else:
            point = face[rng.integers(3)].copy()
            if kind == 4:
                point = np.nextafter(point, rng.choice([-np.inf, np.inf], 3))
        points.append(point)
    return np.array(points)


@crossed(1, name=MESHES, posed=[False, True])
@sized(6, 1500)
def test_points(name, posed, count):
    rng = np.random.default_rng(3)
    mesh, pose = MESHES[name], random_pose(5, 2.0) if posed else None
    body = body_of(mesh, pose, "mesh", "test")
    corners = pose_points(mesh.vertices, pose)[mesh.faces]
    points = awkward_points(rng, corners, count)
    expected = [judge(corners, point) for point in points.tolist()]
    scale = Scale(points, body.points)
    questions = [Question(Point(*scale.vector(point), 1)) for point in points.tolist()]
    assert [answer.winding for answer in answers(body, scale, questions)] == expected
    found = body.windings(points, np.tile([311.0, -97.0, 523.0], (count, 1)))
    assert all(w in (UNSURE, e) for w, e in zip(found.tolist(), expected, strict=True))
    # the same points as vertices of another mesh
    other = body_of(Mesh(points, np.repeat(np.arange(count), 3).reshape(-1, 3)), None, "points", "test")
    around = body.around(other, np.arange(count))
    assert around == expected


def test_points_that_float64_cannot_name():
    """Thirds of edges, whole numbers alone deciding, and with what rounds."""
    mesh = shapes.torus(1.0, 0.4, 8, 5)
    body = body_of(mesh, None, "mesh", "test")
    scale = Scale(body.points)
    for face in range(0, len(mesh), 7):
        a, b, c = (scale.vector(corner) for corner in body.corners[face].tolist())
        x, y, z = (a[k] + b[k] + c[k] for k in range(3))
        (on,) = answers(body, scale, [Question(Point(x, y, z, 3))])
        assert on.winding is None
        normal = winding.normal_of((a, b, c))
        (beside,) = answers(body, scale, [Question(Point(x, y, z, 3), [face], [normal])])
        out = winding.dot(normal, beside.direction) > 0
        assert beside.winding == (0 if out else 1)


def test_a_triangle_in_many_leaves_counts_once():
    """Long thin triangles are cut into several boxes, and named by several leaves."""
    ring = shapes.torus(1.0, 0.2, 16, 3)
    needles = Mesh(ring.vertices @ [[1.0, 0, 0], [0, 1, 0], [30, 21, 1]], ring.faces)
    body = body_of(needles, None, "mesh", "test")
    assert body.tree.repeats
    rng = np.random.default_rng(0)
    points = awkward_points(rng, body.corners, 30)
    corners = needles.triangles
    scale = Scale(points, body.points)
    found = answers(body, scale, [Question(Point(*scale.vector(point), 1)) for point in points.tolist()])
    assert [answer.winding for answer in found] == [judge(corners, point) for point in points.tolist()]


def test_far_away_is_outside():
    body = body_of(shapes.box(2.0), None, "mesh", "test")
    other = body_of(Mesh([[1e90, 0, 0], [0, -1e90, 0], [5e-324, 0, 3]], [[0, 1, 2]] * 2), None, "points", "test")
    assert body.around(other, np.arange(3)) == [0, 0, 0]


def test_open_edges_are_those_of_an_odd_number_of_faces():
    box = shapes.box(1.0)
    for left_out in range(12):
        with pytest.raises(tumble.MeshError, match="3 open edges"):
            body_of(Mesh(box.vertices, np.delete(box.faces, left_out, axis=0)), None, "mesh", "test")


@pytest.mark.parametrize("pose", [None, random_pose(1)])
def test_posed_vertices_cannot_be_written_to(pose):
    """Whether they were moved or not: so that one kernel does for both."""
    assert not body_of(MESHES["box"], pose, "a", "a solid").points.flags.writeable
