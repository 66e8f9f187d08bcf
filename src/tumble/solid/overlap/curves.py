"""The curves in which two surfaces cross: segments joined by the places at their ends, never by coordinates.

At a place where an edge of two faces pierces the other mesh one segment ends and one starts. Where more faces meet in
the edge there are several of each; any way to join them gives closed curves.
"""

from __future__ import annotations

from tumble.narrow.overlap.trace import curves_between
from tumble.solid.overlap.crossing import Crossing
from tumble.solid.overlap.records import Curve


def curves_of(crossing: Crossing) -> list[Curve]:
    """Return the curves of two bodies; those without extent, where surfaces only touch in a point, are left out."""
    count, curves = curves_between(crossing.ends, crossing.places)
    curves.points.flags.writeable = False
    found = []
    for k in range(count):
        points = curves.points[curves.offsets[k] : curves.offsets[k + 1]]
        if len(points) > 1:
            found.append(Curve(points, bool(curves.closed[k])))
    return found
