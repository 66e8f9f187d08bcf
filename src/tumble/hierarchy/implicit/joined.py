"""Many posed meshes as one: vertices where they are, faces that name them, and float32 coordinates in a common frame.

The float32 coordinate of x is float32((x - origin) * scale), the same function for all meshes, and each of its three
steps is monotone: x <= y gives a coordinate of x that is not larger than that of y. So boxes of rounded coordinates
overlap wherever exact boxes do, without any widening; and where they overlap by more than touching, the exact ones do
as well, for a smaller coordinate means a smaller number. Only boxes that touch leave a question to float64.

The origin is the middle of all vertices that faces use, the scale a power of two that brings their coordinates into
[-1, 1]: so the relative precision is the same for a watch and for a city.

Meshes are large and small, so work on them is shared out in blocks of about the same size.
"""

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tumble.core.jit import kernel
from tumble.core.parallel import run_pieces
from tumble.mesh import Mesh

LARGEST_EXPONENT = 1000
"""of the scale: a mesh of denormal numbers stays smaller than 1, so that nothing overflows"""
BLOCK_LEVELS = 12
"""a block of leaves is a whole subtree of this many levels, or the last part of one"""
BLOCK = 1 << BLOCK_LEVELS
PIECES = 16


class JoinedMeshes(NamedTuple):
    """Meshes one behind the other, not yet posed."""

    vertices: NDArray[np.float64]
    """(v, 3)"""
    faces: NDArray[np.int32]
    """(m, 3) indices into all vertices"""
    first_vertex: NDArray[np.int64]
    """(t + 1,) where the vertices of each mesh begin"""
    first_face: NDArray[np.int64]
    """(t + 1,) where the faces of each mesh begin"""


class PlacedMeshes(NamedTuple):
    """Where everything is at one moment."""

    vertices: NDArray[np.float64]
    """(v, 3) posed: the geometry that answers are about; or (v, 6), boxes in the place of vertices: see `elements`"""
    local: NDArray[np.float32]
    """(v, 3) or (v, 6), in the common frame"""
    bounds: NDArray[np.float64]
    """(t, 6) lowest and highest corner of the vertices that each mesh's faces use; infinite without faces"""
    frame: NDArray[np.float64]
    """origin x, y, z and scale"""


def span_blocks(firsts: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return (k, 3): tree, start, stop; the spans from each of `firsts` to the next, cut every BLOCK."""
    sizes = np.diff(firsts)
    parts = (sizes + BLOCK - 1) >> BLOCK_LEVELS
    tree = np.repeat(np.arange(len(sizes)), parts)
    within = np.arange(len(tree)) - np.repeat(np.cumsum(parts) - parts, parts)
    start = firsts[tree] + (within << BLOCK_LEVELS)
    return np.stack([tree, start, np.minimum(start + BLOCK, firsts[tree + 1])], axis=1).astype(np.int64)


def run_blocks(work: Any, blocks: NDArray[np.int64], threads: int, *arguments: Any) -> None:
    """Call work(blocks, start, stop, ...) for pieces of the list of blocks of about equal size."""
    if len(blocks) == 0:
        return
    if threads == 1 or len(blocks) == 1:
        work(blocks, 0, len(blocks), *arguments)
        return
    ends = np.cumsum(blocks[:, 2] - blocks[:, 1])
    bounds = np.searchsorted(ends, np.linspace(0, ends[-1], PIECES + 1)[1:-1], side="right")
    bounds = np.unique([0, *bounds, len(blocks)])

    def run(piece: int) -> None:
        work(blocks, bounds[piece], bounds[piece + 1], *arguments)

    run_pieces(run, len(bounds) - 1, threads)


def bodies_of(meshes: Sequence[Mesh]) -> JoinedMeshes:
    """Return meshes one behind the other."""
    first_vertex, first_face = (
        np.cumsum([0, *sizes]).astype(np.int64)
        for sizes in ([len(mesh.vertices) for mesh in meshes], [len(mesh) for mesh in meshes])
    )
    faces = np.empty((first_face[-1], 3), np.int32)
    for k, mesh in enumerate(meshes):
        np.add(mesh.faces, first_vertex[k], out=faces[first_face[k] : first_face[k + 1]], casting="unsafe")
    vertices = np.concatenate([np.empty((0, 3)), *(mesh.vertices for mesh in meshes)])
    return JoinedMeshes(vertices, faces, first_vertex, first_face)


def world_of(bodies: JoinedMeshes, poses: NDArray[np.float64] | None, threads: int) -> PlacedMeshes:
    """Return bodies where (t, 3, 4) poses put them; None leaves them where they are."""
    vertices = bodies.vertices
    vertex_blocks, face_blocks = span_blocks(bodies.first_vertex), span_blocks(bodies.first_face)
    if poses is not None:
        vertices = np.empty_like(bodies.vertices)
        run_blocks(pose_blocks, vertex_blocks, threads, bodies.vertices, poses, vertices)
    found = np.empty((len(face_blocks), 6))
    run_blocks(bound_blocks, face_blocks, threads, vertices, bodies.faces, found)
    bounds = np.repeat([[np.inf] * 3 + [-np.inf] * 3], len(bodies.first_face) - 1, axis=0)
    # several blocks may belong to one mesh
    np.minimum.at(bounds[:, :3], face_blocks[:, 0], found[:, :3])
    np.maximum.at(bounds[:, 3:], face_blocks[:, 0], found[:, 3:])
    frame = frame_about(bounds)
    return PlacedMeshes(vertices, localised(vertices, vertex_blocks, frame, threads), bounds, frame)


def localised(
    vertices: NDArray[np.float64], blocks: NDArray[np.int64], frame: NDArray[np.float64], threads: int
) -> NDArray[np.float32]:
    """Return vertices, points or boxes, in a frame."""
    local = np.empty(vertices.shape, np.float32)
    run_blocks(localise_blocks, blocks, threads, vertices, frame, local)
    return local


def frame_about(bounds: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the common frame of meshes with these bounds."""
    low, high = bounds[:, :3].min(axis=0, initial=np.inf), bounds[:, 3:].max(axis=0, initial=-np.inf)
    # no faces at all: any frame will do
    if not low[0] <= high[0]:
        return np.array([0.0, 0.0, 0.0, 1.0])
    middle = 0.5 * (low + high)
    size = float(np.maximum(high - middle, middle - low).max())
    exponent = -math.frexp(size)[1] if size > 0.0 else 0
    return np.array([*middle, math.ldexp(1.0, min(exponent, LARGEST_EXPONENT))])


@kernel
def pose_blocks(blocks, start, stop, vertices, poses, posed):
    """Pose the vertices of some blocks."""
    for k in range(start, stop):
        m = blocks[k, 0]
        for v in range(blocks[k, 1], blocks[k, 2]):
            x, y, z = vertices[v, 0], vertices[v, 1], vertices[v, 2]
            for i in range(3):  # in the order of operations of `tumble.mesh.apply_pose`
                posed[v, i] = ((poses[m, i, 0] * x + poses[m, i, 1] * y) + poses[m, i, 2] * z) + poses[m, i, 3]


@kernel
def bound_blocks(blocks, start, stop, vertices, faces, found):
    """Write the lowest and the highest corner of the faces of each block."""
    for k in range(start, stop):
        for axis in range(3):
            low, high = np.inf, -np.inf
            for i in range(blocks[k, 1], blocks[k, 2]):
                for corner in range(3):
                    x = vertices[faces[i, corner], axis]
                    low, high = min(low, x), max(high, x)
            found[k, axis], found[k, 3 + axis] = low, high


@kernel
def localise_blocks(blocks, start, stop, vertices, frame, local):
    """Write the float32 coordinates of the vertices of some blocks."""
    for k in range(start, stop):
        for v in range(blocks[k, 1], blocks[k, 2]):
            for first in range(0, vertices.shape[1], 3):  # vertices are points, or boxes
                for axis in range(3):
                    local[v, first + axis] = np.float32((vertices[v, first + axis] - frame[axis]) * frame[3])
