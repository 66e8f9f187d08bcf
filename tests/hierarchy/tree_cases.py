"""Meshes that a builder may trip over, and what two equal trees are."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from tumble import Mesh, Tree, shapes

VOLUMES = ("aabb", "sphere", "obb", "obb-covariance")
SPLITS = ("median", "sah", "middle")


def soup(triangles: np.ndarray) -> Mesh:
    """A mesh of (n, 3, 3) triangles that share no vertex."""
    corners = np.asarray(triangles, np.float64).reshape(-1, 3)
    return Mesh(corners, np.arange(len(corners)).reshape(-1, 3))


def random_soup(count: int, seed: int = 0, size: float = 1.0) -> Mesh:
    rng = np.random.default_rng(seed)
    return soup((rng.uniform(-1, 1, (count, 1, 3)) + rng.normal(0, 0.1, (count, 3, 3))) * size)


def all_equal(count: int = 100) -> Mesh:
    return Mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0]], np.tile([0, 1, 2], (count, 1)))


def one_centre(count: int = 100) -> Mesh:
    """Boxes with the same middle and sizes from 1 to `count`."""
    corner = np.array([[-1.0, -1, -1], [1, 1, 1], [1, -1, 0]])
    return soup(np.arange(1, count + 1)[:, None, None] * corner)


def in_a_line(count: int) -> Mesh:
    small = np.array([[0.0, 0, 0], [0.5, 0, 0], [0, 0.5, 0]])
    return soup(small + np.arange(count)[:, None, None] * np.array([1.0, 0, 0]))


def points(count: int = 60) -> Mesh:
    places = np.random.default_rng(3).integers(0, 5, (count, 3)).astype(float)
    return Mesh(places, np.repeat(np.arange(count), 3).reshape(-1, 3))


def segments(count: int = 60) -> Mesh:
    ends = np.random.default_rng(4).normal(size=(count, 2, 3))
    return soup(ends[:, [0, 1, 0]])


def on_one_axis(count: int = 200) -> Mesh:
    """Segments along x: boxes without any area."""
    return soup(np.arange(count)[:, None, None] * np.array([[1.0, 0, 0]]) + np.array([[0.0], [0.4], [0.2]]) * [1, 0, 0])


def geometric(count: int = 325) -> Mesh:
    """Each triangle 16 times as far away as the one before, from denormals to 1e75: more than a tree may be deep."""
    small = np.array([[1.0, 0, 0], [1, 0.1, 0], [1, 0, 0.1]])
    return soup(np.ldexp(small, (4 * np.arange(count) - 1050)[:, None, None]))


def denormal(count: int = 80) -> Mesh:
    return soup(np.random.default_rng(5).integers(-9, 10, (count, 3, 3)) * 5e-324)


def mixed_sizes(count: int = 120) -> Mesh:
    rng = np.random.default_rng(6)
    return soup(rng.normal(size=(count, 3, 3)) * 10.0 ** rng.uniform(-300, 95, (count, 1, 1)))


def the_limits() -> Mesh:
    """Every corner of the space that is accepted."""
    signs = np.array(np.meshgrid(*[[-1e100, 1e100]] * 3)).T.reshape(-1, 3)
    return Mesh(signs, np.random.default_rng(7).integers(0, 8, (40, 3)))


AWKWARD: dict[str, Callable[[], Mesh]] = {
    "one": lambda: random_soup(1),
    "two": lambda: random_soup(2),
    "three": lambda: random_soup(3),
    "soup of 97": lambda: random_soup(97),
    "huge soup": lambda: random_soup(50, size=1e99),
    "all equal": all_equal,
    "one centre": one_centre,
    "line": lambda: in_a_line(130),
    "points": points,
    "segments": segments,
    "on one axis": on_one_axis,
    "geometric": geometric,
    "denormal": denormal,
    "mixed sizes": mixed_sizes,
    "limits": the_limits,
    "one point": lambda: Mesh([[1, 2, 3]], [[0, 0, 0]] * 33),
}

SHAPES: dict[str, Callable[[], Mesh]] = {
    "box": shapes.box,
    "icosphere": lambda: shapes.icosphere(2),
    "torus": shapes.torus,
    "gear": shapes.gear,
    "knot": shapes.knot,
    "spring": shapes.spring,
    "bowl": shapes.bowl,
    "cloth": shapes.cloth,
    "blob": shapes.blob,
    "closed object": lambda: shapes.closed_object(796),
}


def same_tree(one: Tree, other: Tree) -> bool:
    """Whether two trees are equal to the last bit, their meshes too."""
    return one.volume == other.volume and all(
        x.dtype == y.dtype and x.shape == y.shape and x.tobytes() == y.tobytes()
        for x, y in (
            (one.nodes, other.nodes),
            (one.rows, other.rows),
            (one.order, other.order),
            (one.mesh.vertices, other.mesh.vertices),
            (one.mesh.faces, other.mesh.faces),
        )
    )
