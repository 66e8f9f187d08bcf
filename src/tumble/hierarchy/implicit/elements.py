"""Implicit trees over the elements of one mesh: edges, faces, vertices, each with a box in float64.

Elements are triangles that name the same vertices: an edge names one of its ends twice, a vertex itself three times. In
the place of vertices there are boxes, lowest x, y, z and highest x, y, z, and the box of an element is that about its
corners' boxes. Everything else is as with meshes: the frame, the curve, the layout, the traversal.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tumble.core.jit import kernel
from tumble.core.records import frozen
from tumble.hierarchy.implicit.joined import JoinedMeshes, PlacedMeshes, frame_about, localised, run_blocks, span_blocks
from tumble.hierarchy.implicit.posed import Posed
from tumble.hierarchy.implicit.trees import ImplicitTrees

Corners = NDArray[np.int32]
"""(m, 3) vertices of elements"""


class VertexBoxes(NamedTuple):
    """The boxes of vertices."""

    boxes: NDArray[np.float64]
    """(v, 6)"""
    bounds: NDArray[np.float64]
    """(1, 6): the box about all of them"""


def edges_of(faces: NDArray[np.int32]) -> NDArray[np.int64]:
    """Return the edges of faces as `tumble.Candidates.edges`; a face that names a vertex twice has one edge."""
    keys = np.empty(3 * len(faces), np.int64)
    write_edge_keys(faces, keys)
    keys.sort()
    edges = np.empty((len(keys), 2), np.int64)
    edges = edges[: write_edges(keys, edges)].copy()
    edges.flags.writeable = False
    return edges


def vertex_boxes(start: NDArray[np.float64], end: NDArray[np.float64], radius: float, threads: int = 1) -> VertexBoxes:
    """Return boxes about two places of each vertex that reach `radius` farther, and then to the next float64."""
    boxes, blocks = np.empty((len(start), 6)), span_blocks(np.array([0, len(start)]))
    found = np.empty((len(blocks), 6))
    run_blocks(widen_blocks, blocks, threads, frozen(start), frozen(end), radius, boxes, found)
    low, high = found[:, :3].min(axis=0, initial=np.inf), found[:, 3:].max(axis=0, initial=-np.inf)
    return VertexBoxes(boxes, np.concatenate([low, high])[None])


def element_trees(points: VertexBoxes, elements: Sequence[Corners], threads: int) -> ImplicitTrees:
    """Return one tree for each kind of elements; elements are counted through all kinds."""
    first = np.cumsum([0, *(len(corners) for corners in elements)]).astype(np.int64)
    # of lists that stand column by column NumPy makes another one, for which kernels would be compiled anew
    corners = np.ascontiguousarray(np.concatenate(elements))
    bodies = JoinedMeshes(points.boxes, corners, np.array([0, len(points.boxes)]), first)
    frame = frame_about(points.bounds)
    local = localised(points.boxes, span_blocks(bodies.first_vertex), frame, threads)
    world = PlacedMeshes(points.boxes, local, points.bounds.repeat(len(elements), axis=0), frame)
    return ImplicitTrees(Posed(bodies, None, world), padded=False, threads=threads)


@kernel
def widen_blocks(blocks, start, stop, vertices, ends, radius, boxes, found):
    """Write the boxes of the vertices of some blocks, and the box about those of each block."""
    for k in range(start, stop):
        for axis in range(3):
            lowest, highest = np.inf, -np.inf
            for v in range(blocks[k, 1], blocks[k, 2]):
                low, high = min(vertices[v, axis], ends[v, axis]), max(vertices[v, axis], ends[v, axis])
                # the sum is rounded to the nearest, so the next number outward is beyond the exact one
                low, high = np.nextafter(low - radius, -np.inf), np.nextafter(high + radius, np.inf)
                boxes[v, axis], boxes[v, 3 + axis] = low, high
                lowest, highest = min(lowest, low), max(highest, high)
            found[k, axis], found[k, 3 + axis] = lowest, highest


@kernel
def write_edge_keys(faces, keys):
    """Write the three edges of all faces, the larger vertex in the upper half of a number."""
    for i in range(faces.shape[0]):
        p, q, r = np.int64(faces[i, 0]), np.int64(faces[i, 1]), np.int64(faces[i, 2])
        keys[3 * i] = max(p, q) << 32 | min(p, q)
        keys[3 * i + 1] = max(q, r) << 32 | min(q, r)
        keys[3 * i + 2] = max(r, p) << 32 | min(r, p)


@kernel
def write_edges(keys, edges):
    """Write each of the sorted keys once, the smaller vertex first, without those of one vertex; return how many."""
    count, last = 0, np.int64(-1)
    for k in range(keys.shape[0]):
        key = keys[k]
        one, other = key & 0xFFFFFFFF, key >> 32
        if key != last and one != other:
            edges[count, 0], edges[count, 1] = one, other
            count += 1
        last = key
    return count
