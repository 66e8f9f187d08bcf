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
from tumble.hierarchy.implicit.blocks import run_blocks, span_blocks
from tumble.hierarchy.implicit.joined import JoinedMeshes, PlacedMeshes, frame_about, localise_blocks
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


def vertex_boxes(start: NDArray[np.float64], end: NDArray[np.float64], radius: float, threads: int = 1) -> VertexBoxes:
    """Return boxes about two places of each vertex that reach `radius` farther, and then to the next float64."""
    boxes, blocks = np.empty((len(start), 6)), span_blocks(np.array([0, len(start)]))
    found = np.empty((len(blocks), 6))
    run_blocks(widen_blocks, blocks, threads, start, end, radius, boxes, found)
    low, high = found[:, :3].min(axis=0, initial=np.inf), found[:, 3:].max(axis=0, initial=-np.inf)
    return VertexBoxes(boxes, np.concatenate([low, high])[None])


def element_trees(points: VertexBoxes, elements: Sequence[Corners], threads: int) -> ImplicitTrees:
    """Return one tree for each kind of elements; elements are counted through all kinds."""
    first = np.cumsum([0, *(len(corners) for corners in elements)]).astype(np.int64)
    bodies = JoinedMeshes(points.boxes, np.concatenate(elements), np.array([0, len(points.boxes)]), first)
    frame = frame_about(points.bounds)
    local = np.empty(points.boxes.shape, np.float32)
    run_blocks(localise_blocks, span_blocks(bodies.first_vertex), threads, points.boxes, frame, local)
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
                low, high = np.nextafter(low - radius, -np.inf), np.nextafter(high + radius, np.inf)
                boxes[v, axis], boxes[v, 3 + axis] = low, high
                lowest, highest = min(lowest, low), max(highest, high)
            found[k, axis], found[k, 3 + axis] = lowest, highest
