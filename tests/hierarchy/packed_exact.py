"""Containment of triangles in the boxes of a packed tree, in rational arithmetic."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from tumble import Mesh
from tumble.hierarchy.packed.build import BuiltBlocks
from tumble.hierarchy.packed.layout import CHILD, HALF, LANES, MIDDLE, ROWS, SECOND

Box = list[tuple[Fraction, Fraction]]
Polygon = list[tuple[Fraction, ...]]


def nodes_with_triangles(built: BuiltBlocks) -> Iterator[tuple[int, int, list[int]]]:
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


def leaves_with_boxes(built: BuiltBlocks) -> Iterator[tuple[list[int], Box]]:
    """The triangles of every leaf, and what all boxes on the way to it have in common: where a query finds them."""
    fields = built.blocks.reshape(-1, ROWS, LANES)
    links = fields.view(np.int32)

    def below(block: int, lane: int, around: Box | None) -> Iterator[tuple[list[int], Box]]:
        middle = [Fraction(float(x)) for x in fields[block, MIDDLE : MIDDLE + 3, lane]]
        half = [Fraction(float(x)) for x in fields[block, HALF : HALF + 3, lane]]
        box = [(m - h, m + h) for m, h in zip(middle, half, strict=True)]
        if around is not None:
            box = [(max(a, c), min(b, d)) for (a, b), (c, d) in zip(box, around, strict=True)]
        child, second = int(links[block, CHILD, lane]), int(links[block, SECOND, lane])
        if child < 0:
            yield [-1 - child] if second < 0 else [-1 - child, second], box
            return
        for k in range(LANES):
            if links[child, CHILD, k] != 0:
                yield from below(child, k, box)

    if links[0, CHILD, 0] != 0:
        yield from below(0, 0, None)


def triangles_left_out(mesh: Mesh, built: BuiltBlocks) -> list[int]:
    """The triangles with a point in none of their leaves, or outside a box on the way there; nothing is rounded."""
    boxes: dict[int, list[Box]] = {}
    for triangles, box in leaves_with_boxes(built):
        for triangle in triangles:
            boxes.setdefault(triangle, []).append(box)
    return [
        triangle
        for triangle in range(len(mesh))
        if not covered(exact_local_triangle(mesh, triangle, built), boxes.get(triangle, []))
    ]


def exact_local_triangle(mesh: Mesh, triangle: int, built: BuiltBlocks) -> Polygon:
    """The corners (vertex - origin) * scale."""
    scale, origin = Fraction(built.scale), [Fraction(float(x)) for x in built.origin]
    return [
        tuple((Fraction(float(mesh.vertices[v, axis])) - origin[axis]) * scale for axis in range(3))
        for v in mesh.faces[triangle]
    ]


def covered(polygon: Polygon, boxes: list[Box]) -> bool:
    """Whether every point of a convex polygon is in one of some closed boxes.

    What a box leaves of it is cut off plane by plane. A part that has a corner beyond the plane also has inner points
    there, and near that corner, whatever is cut off later.
    """
    if not boxes:
        return False
    for axis, (low, high) in enumerate(boxes[0]):
        for sign, border in ((1, high), (-1, -low)):
            if any(sign * point[axis] > border for point in polygon):
                if not covered(_beyond(polygon, axis, sign, border), boxes[1:]):
                    return False
                polygon = _beyond(polygon, axis, -sign, -border)
                if not polygon:
                    return True
    return True


def _beyond(polygon: Polygon, axis: int, sign: int, border: Fraction) -> Polygon:
    """The part of a convex polygon where sign * coordinate >= border."""
    part: Polygon = []
    for p, q in zip(polygon, polygon[1:] + polygon[:1], strict=True):
        a, b = sign * p[axis] - border, sign * q[axis] - border
        if a >= 0:
            part.append(p)
        if a * b < 0:
            t = a / (a - b)
            part.append(tuple(x + t * (y - x) for x, y in zip(p, q, strict=True)))
    return part
