"""Points against the rational judges: on corners, edges, faces and planes, near them, far away; random solids."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import numpy as np

import tumble
from oracle import pose_points
from points_oracle import is_between, size_of_pair, squared_distance, winding_number
from tumble import Mesh

from .meshes import awkward
from .poses import awkward_pose, point_of

Random = np.random.Generator
LARGEST = 1e100
BOUND, SMALLEST = Fraction(2) ** -48, Fraction(5e-324)
"""of distances: `docs/points.md`"""
CORNERS = ((0, 2, 1), (0, 1, 3), (1, 2, 3), (2, 0, 3))


def case(rng: Random) -> None:
    """Compare nearest points and places of a few points."""
    mesh = tetrahedra(rng) if rng.random() < 0.6 else awkward(rng, 24)
    pose = None if rng.random() < 0.5 else awkward_pose(rng, mesh.extent or 1.0)
    triangles = pose_points(mesh.vertices, pose)[mesh.faces].reshape(-1, 3, 3)
    if len(triangles) == 0 or np.abs(triangles).max() > LARGEST / 4:
        return
    points = some_points(rng, triangles, int(rng.integers(1, 10)))
    check_nearest(tumble.closest_points(mesh, points, pose), points, triangles)
    check_places(rng, mesh, pose, points, triangles)


def tetrahedra(rng: Random) -> Mesh:
    """Return a closed mesh: tetrahedra with corners on a grid or not, flat ones and inside-out ones included."""
    count, size = int(rng.integers(1, 6)), int(rng.choice([1, 2, 4]))
    corners = rng.integers(0, size + 1, (count * 4, 3)) if rng.random() < 0.7 else rng.normal(size=(count * 4, 3))
    corners = corners * 10.0 ** int(rng.choice([0, 0, 0, -90, 90, -300]))
    return Mesh(corners, np.concatenate([np.array(CORNERS) + 4 * k for k in range(count)]))


def some_points(rng: Random, triangles: np.ndarray, count: int) -> np.ndarray:
    """Return points at, near and around triangles."""
    size = float(np.abs(triangles).max()) or 1.0
    points = np.empty((count, 3))
    for k in range(count):
        triangle = triangles[rng.integers(len(triangles))]
        kind = rng.random()
        if kind < 0.35:
            points[k] = point_of(rng, triangle)
        elif kind < 0.5:  # in the plane
            points[k] = triangle[0] + rng.integers(-2, 3, 2) @ (triangle[1:] - triangle[0])
        elif kind < 0.7:  # along an axis from a corner
            points[k] = triangle[0] + np.eye(3)[rng.integers(3)] * size * rng.choice([-1, 1, 0.25])
        else:
            points[k] = point_of(rng, triangle) + rng.normal(size=3) * size * rng.choice([1e-16, 1e-9, 1, 1e3, 1e8])
    return np.clip(points, -LARGEST, LARGEST)


def check_nearest(found: tumble.ClosestPoints, points: np.ndarray, triangles: np.ndarray) -> None:
    """Judge distances, and that the triangle has it."""
    for k, point in enumerate(points):
        squares = [squared_distance(point, triangle) for triangle in triangles]
        slack, distance = BOUND * size_of_pair(point, triangles) + SMALLEST, float(found.distances[k])
        for square in (min(squares), squares[int(found.triangles[k])]):
            if distance < 0 or not is_between(distance, square, slack):
                told = f"distance {distance} from {point.tolist()} to {found.triangles[k]}"
                raise AssertionError(f"{told}, the judge says {float(square) ** 0.5}")


def check_places(rng: Random, mesh: Mesh, pose: np.ndarray | None, points: np.ndarray, triangles: np.ndarray) -> None:
    """Judge what is inside, where the mesh is closed; an open one must be refused."""
    edges = Counter(
        frozenset(each) for face in named_by_place(mesh) for each in zip(face, np.roll(face, 1), strict=True)
    )
    odd = sum(count % 2 for edge, count in edges.items() if len(edge) == 2)
    try:
        found = tumble.contains(mesh, points, pose)
        parity = tumble.contains(mesh, points, pose, rule="parity")
    except tumble.MeshError:
        if odd == 0:
            raise
        return
    if odd:
        raise AssertionError(f"{odd} edges are open, and contains answers")
    signed = np.sign(tumble.signed_distance(mesh, points, pose).distances)
    for k, point in enumerate(points):
        turns = winding_number(point, triangles, rng)
        due = (turns is None, turns is not None and bool(turns % 2 if "odd" in found.rule else turns))
        odd_turns = turns is not None and turns % 2 == 1
        if due != (found.on_surface[k], found.inside[k]) or odd_turns != parity.inside[k]:
            raise AssertionError(f"{point.tolist()}: {due} expected, by {found.rule}: {found}")
        if signed[k] != (0 if due[0] else -1 if due[1] else 1):
            raise AssertionError(f"{point.tolist()}: sign {signed[k]}")


def named_by_place(mesh: Mesh) -> list[list[int]]:
    """Return faces whose vertices are named by where they stand."""
    names: dict[tuple[float, ...], int] = {}
    places = [tuple(x + 0.0 for x in vertex) for vertex in mesh.vertices.tolist()]
    return [[names.setdefault(places[k], len(names)) for k in face] for face in mesh.faces.tolist()]
