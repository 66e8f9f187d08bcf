"""Spatial middle: cut the box of the centres in the middle of its longest axis.

Adapts to uneven meshes at the price of depth: the tree may be as deep as the exponents of its coordinates allow.
Triangles with equal centres are halved by count.
"""

from typing import NamedTuple

from tumble.hierarchy.split.protocol import halve, longest_axis, partition, split


class Middle(NamedTuple):
    """Split by place."""


@split.register(Middle)
def _split(rule, boxes, order, start, stop):
    axis, low, high = longest_axis(boxes.centres, 0, 0, order, start, stop)
    cut = partition(boxes.centres, axis, 0.5 * low + 0.5 * high, order, start, stop)
    if start < cut < stop:
        return cut
    return halve(boxes.centres, axis, order, start, stop)
