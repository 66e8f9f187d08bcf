"""Containment of triangles in the boxes of a boxtree, rebuilt here in Python and judged in rational arithmetic."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from fractions import Fraction

from tumble import Mesh
from tumble.hierarchy.boxtree import BoxTree


def nodes_with_boxes(tree: BoxTree) -> Iterator[tuple[int, list[float], list[int]]]:
    """Node, rebuilt box and the triangles that it names (none for an inner node), from the root down."""
    waiting = [(0, [float(x) for x in tree.box])] if len(tree) else []
    while waiting:
        node, box = waiting.pop()
        _, link, kind = struct.unpack("<fiB", tree.nodes[node].tobytes())
        count = kind >> 3
        yield node, box, [int(t) for t in tree.order[link : link + count]]
        children = (link, link + 1) if link >= 0 else (~link,)
        for child in () if count else children:
            offset, _, kind = struct.unpack("<fiB", tree.nodes[child].tobytes())
            axis, own = kind & 3, list(box)
            if kind & 4:
                own[axis] = own[axis] + offset
            else:
                own[3 + axis] = own[3 + axis] - offset
            waiting.append((child, own))


def exact_local_box(mesh: Mesh, triangle: int, tree: BoxTree) -> list[tuple[Fraction, Fraction]]:
    """The least and greatest of (vertex - origin) * scale on each axis."""
    axes = []
    for axis in range(3):
        middle = Fraction(float(tree.origin[axis]))
        values = [
            (Fraction(float(mesh.vertices[v, axis])) - middle) * Fraction(tree.scale) for v in mesh.faces[triangle]
        ]
        axes.append((min(values), max(values)))
    return axes


def check_exactly(tree: BoxTree) -> None:
    """Assert that every leaf's box, and so every box above it, holds its triangles, and that each is in one leaf."""
    seen = []
    for node, box, triangles in nodes_with_boxes(tree):
        for triangle in triangles:
            seen.append(triangle)
            for axis, (low, high) in enumerate(exact_local_box(tree.mesh, triangle, tree)):
                assert Fraction(box[axis]) <= low, f"node {node}, triangle {triangle}, axis {axis}"
                assert Fraction(box[3 + axis]) >= high, f"node {node}, triangle {triangle}, axis {axis}"
    assert sorted(seen) == list(range(len(tree.mesh)))
