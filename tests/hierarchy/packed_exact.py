"""Containment of triangles in the boxes of a packed tree, in rational arithmetic."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from tumble import Mesh
from tumble.hierarchy.packed.build import Built
from tumble.hierarchy.packed.layout import CHILD, HALF, LANES, MIDDLE, ROWS, SECOND

Box = list[tuple[Fraction, Fraction]]


def exact_local_box(mesh: Mesh, triangle: int, built: Built) -> Box:
    """The least and greatest of (vertex - origin) * scale on each axis."""
    scale = Fraction(built.scale)
    axes = []
    for axis in range(3):
        middle = Fraction(float(built.origin[axis]))
        values = [(Fraction(float(mesh.vertices[v, axis])) - middle) * scale for v in mesh.faces[triangle]]
        axes.append((min(values), max(values)))
    return axes


def nodes_with_triangles(built: Built) -> Iterator[tuple[int, int, list[int]]]:
    """Block, lane and all triangles below, for every node."""
    links = built.blocks.reshape(-1, ROWS, LANES).view(np.int32)

    def below(block: int, lane: int) -> Iterator[tuple[int, int, list[int]]]:
        child, second = int(links[block, CHILD, lane]), int(links[block, SECOND, lane])
        if child < 0:
            yield block, lane, [-1 - child] if second < 0 else [-1 - child, second]
            return
        triangles: list[int] = []
        for k in range(LANES):
            if links[child, CHILD, k] != 0:
                for node in below(child, k):
                    yield node
                    # its last word is the child itself, with everything below
                triangles += node[2]
        yield block, lane, triangles

    if links[0, CHILD, 0] != 0:
        yield from below(0, 0)


def nodes_that_leave_something_out(mesh: Mesh, built: Built) -> list[tuple[int, int, int]]:
    """Block, lane and triangle, wherever a box does not contain a triangle below it; nothing is rounded."""
    fields = built.blocks.reshape(-1, ROWS, LANES)
    boxes = [exact_local_box(mesh, triangle, built) for triangle in range(len(mesh))]
    wrong = []
    for block, lane, triangles in nodes_with_triangles(built):
        middle = [Fraction(float(x)) for x in fields[block, MIDDLE : MIDDLE + 3, lane]]
        half = [Fraction(float(x)) for x in fields[block, HALF : HALF + 3, lane]]
        for triangle in triangles:
            if any(
                low < m - h or high > m + h for (low, high), m, h in zip(boxes[triangle], middle, half, strict=True)
            ):
                wrong.append((block, lane, triangle))
    return wrong
