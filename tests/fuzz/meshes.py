"""Awkward meshes: everything a triangle mesh may be and nobody likes, small enough for a rational judge."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

import forest
import tumble
from tumble import Mesh

Random = np.random.Generator
Maker = Callable[[Random, int], Mesh]

SHARPNESS = (-3.0, -12.0)
"""exponents of ten: width by length of a needle"""
LARGEST = 1e95
"""coordinates stay below, so that poses have room up to tumble's limit of 1e100"""


def soup(corners: np.ndarray) -> Mesh:
    """Return triangles (n, 3, 3) that share no vertex."""
    corners = np.asarray(corners, float).reshape(-1, 3)
    return Mesh(corners, np.arange(len(corners)).reshape(-1, 3))


def grid_soup(rng: Random, count: int) -> Mesh:
    """Return triangles on a small integer grid: most touch something, often degenerately."""
    return forest.random_mesh(rng, count, size=int(rng.choice([1, 2, 4])))


def crumpled(rng: Random, count: int) -> Mesh:
    """Return faces between random points of a grid: shared vertices and edges, folds, copies, segments, points."""
    points = int(rng.integers(1, 2 * count + 2))
    size = int(rng.choice([1, 2, 4, 9]))
    return Mesh(rng.integers(0, size + 1, (points, 3)), rng.integers(0, points, (count, 3)))


def needles(rng: Random, count: int) -> Mesh:
    """Return needles, many of which share a tip."""
    tips = rng.normal(size=(max(count // 3, 1), 3))
    tip = tips[rng.integers(0, len(tips), count)]
    along = rng.normal(size=(count, 3)) * 10.0 ** rng.uniform(-1, 1, (count, 1))
    if rng.random() < 0.3:
        along = np.round(along)  # along axes and diagonals
    width = 10.0 ** rng.uniform(*sorted(SHARPNESS), (count, 1))
    return soup(np.stack([tip, tip + along, tip + along + rng.normal(size=(count, 3)) * width], axis=1))


def blocks(rng: Random, count: int) -> Mesh:
    """Return boxes on an integer grid whose sides lie flush on each other."""
    box, parts, faces = tumble.shapes.box(), [], []
    for k in range(max(count // len(box), 1)):
        parts.append((box.vertices + 0.5) * rng.integers(1, 4, 3) + rng.integers(0, 4, 3))
        faces.append(box.faces + k * len(box.vertices))
    return Mesh(np.concatenate(parts), np.concatenate(faces))


def flat(rng: Random, count: int) -> Mesh:
    """Return triangles in one plane, along an axis or not."""
    steps = rng.integers(-3, 4, (count, 3, 2))
    u, v = rng.integers(-2, 3, (2, 3)) if rng.random() < 0.5 else rng.normal(size=(2, 3))
    return soup(steps[..., :1] * u + steps[..., 1:] * v + rng.integers(-1, 2, 3))


def degenerate(rng: Random, count: int) -> Mesh:
    """Return segments and points, on a grid or not."""
    ends = rng.integers(0, 4, (count, 2, 3)) * 1.0 if rng.random() < 0.6 else rng.normal(size=(count, 2, 3))
    corners = ends[np.arange(count)[:, None], rng.integers(0, 2, (count, 3))]
    middles = rng.random(count) < 0.3
    corners[middles, 2] = (ends[middles, 0] + ends[middles, 1]) / 2
    return soup(corners)


def shape(rng: Random, count: int) -> Mesh:
    """Return one of tumble's shapes, coarse."""
    makers = (
        lambda: tumble.shapes.box(rng.uniform(0.1, 2, 3) if rng.random() < 0.5 else 1.0),
        lambda: tumble.shapes.icosphere(int(rng.integers(0, 2)), float(rng.uniform(0.2, 2))),
        lambda: tumble.shapes.torus(
            1.0, float(rng.uniform(0.05, 0.9)), int(rng.integers(3, 8)), int(rng.integers(3, 6))
        ),
        lambda: tumble.shapes.cloth(int(rng.integers(1, 6)), int(rng.integers(1, 6)), wave=float(rng.choice([0, 0.3]))),
        lambda: tumble.shapes.closed_object(24 + 2 * int(rng.integers(0, 20))),
    )
    return part(rng, makers[rng.integers(len(makers))](), count)


def scattered(rng: Random, count: int) -> Mesh:
    """Return triangles of random shape and of sizes far apart."""
    spread = rng.uniform(0, 3)
    sizes = 10.0 ** rng.uniform(-spread, 0, (count, 1, 1))
    return soup(rng.uniform(-1, 1, (count, 1, 3)) + rng.normal(size=(count, 3, 3)) * sizes * 0.7)


def mixed_sizes(rng: Random, count: int) -> Mesh:
    """Return triangles about the origin whose sizes have little in common."""
    reach = float(rng.choice([10, 30, 90]))
    corners = rng.normal(size=(count, 3, 3)) if rng.random() < 0.5 else rng.integers(-2, 3, (count, 3, 3))
    return soup(corners * 10.0 ** rng.uniform(-reach, reach, (count, 1, 1)))


def nested(rng: Random, count: int) -> Mesh:
    """Return one triangle in many sizes about one point."""
    corner = rng.integers(-3, 4, (3, 3))
    return soup(corner * rng.integers(1, count + 1, count)[:, None, None])


def nothing(rng: Random, count: int) -> Mesh:
    """Return a mesh without triangles, with or without vertices."""
    return Mesh(rng.normal(size=(int(rng.integers(0, 3)), 3)), np.empty((0, 3), int))


KINDS: dict[Maker, float] = {
    grid_soup: 3, crumpled: 3, needles: 4, blocks: 2, flat: 2, degenerate: 2, shape: 3, scattered: 3, mixed_sizes: 1,
    nested: 1, nothing: 0.2,
}  # fmt: skip


def part(rng: Random, mesh: Mesh, count: int) -> Mesh:
    """Return a mesh with at most so many of its faces: often those about a vertex, so that it stays in one piece."""
    if len(mesh) <= count:
        return mesh
    middles = mesh.triangles.mean(axis=1)
    order = np.argsort(np.abs(middles - middles[rng.integers(len(mesh))]).max(axis=1), kind="stable")
    return Mesh(mesh.vertices, mesh.faces[np.sort(order[:count])])


def awkward(rng: Random, most: int = 40) -> Mesh:
    """Return a mesh of at most so many triangles, of any kind, then treated badly."""
    kinds = list(KINDS)
    weights = np.array(list(KINDS.values()))
    maker = kinds[rng.choice(len(kinds), p=weights / weights.sum())]
    count = 1 if rng.random() < 0.05 else int(rng.integers(1, most + 1))
    return mistreated(rng, maker(rng, count))


def mistreated(rng: Random, mesh: Mesh) -> Mesh:
    """Return a mesh with some of: holes, doubled or turned faces, unused vertices, float32, nudges, another size."""
    vertices, faces = np.array(mesh.vertices), np.array(mesh.faces)
    if len(faces) and rng.random() < 0.15:
        faces = faces[rng.random(len(faces)) < 0.7]
    if len(faces) and rng.random() < 0.15:
        faces = np.concatenate([faces, faces[rng.integers(0, len(faces), 1 + len(faces) // 5)]])
    if rng.random() < 0.2:
        faces = rng.permutation(faces)[:, rng.permutation(3)]
    if rng.random() < 0.1:
        vertices = np.concatenate([vertices, rng.normal(size=(2, 3)) * 1e30])
    if rng.random() < 0.1:
        with np.errstate(over="ignore", under="ignore"):
            narrow = vertices.astype(np.float32).astype(float)
        vertices = np.where(np.isfinite(narrow), narrow, vertices)
    if rng.random() < 0.2:
        chosen = rng.random(vertices.shape) < rng.choice([0.05, 0.5])
        vertices = np.where(chosen, np.nextafter(vertices, rng.choice([-np.inf, np.inf], vertices.shape)), vertices)
    return Mesh(resized(rng, vertices), faces)


def resized(rng: Random, vertices: np.ndarray) -> np.ndarray:
    """Return vertices in another size or place, mostly by powers of two, which round nothing."""
    kind = rng.random()
    if kind < 0.6 or len(vertices) == 0:
        return vertices
    with np.errstate(under="ignore", over="ignore"):
        if kind < 0.75:
            sized = np.ldexp(vertices, int(rng.integers(-100, 100)))
        elif kind < 0.8:
            sized = vertices * 10.0 ** rng.uniform(-30, 30)
        elif kind < 0.85:
            sized = np.ldexp(vertices, rng.integers(-60, 60, 3))
        elif kind < 0.9:
            sized = np.ldexp(vertices, int(rng.integers(-1074, -1000)))
        else:
            sized = vertices + rng.integers(-1, 2, 3) * 10.0 ** rng.integers(0, 17)
    return sized if np.abs(sized).max() < LARGEST else vertices
