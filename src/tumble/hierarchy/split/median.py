"""The rule of paper `stackless`: half of the triangles on each side, along the longest axis of their box.

Always balanced, whatever the input, and the cheapest to build; blind to how the halves overlap.
"""

from typing import NamedTuple

from tumble.hierarchy.split.protocol import halve, longest_axis, split


class Median(NamedTuple):
    """Split by count."""


@split.register(Median)
def _split(rule, boxes, order, start, stop):
    axis, _, _ = longest_axis(boxes.bounds, 0, 3, order, start, stop)
    return halve(boxes.centres, axis, order, start, stop)
