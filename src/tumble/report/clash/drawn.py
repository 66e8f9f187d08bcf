"""What the picture shows of each finding: touching triangles, where surfaces cross, an arrow as long as it is deep."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tumble.api.collide import collide
from tumble.clash.as_text import size_of
from tumble.clash.finding import Finding, Kind
from tumble.mesh import Part

Array = NDArray[np.float64]
MOST_TRIANGLES, MOST_SEGMENTS = 3000, 4000
"""per part of a finding and per finding; more than can be told apart in a picture"""
MOST_FINDINGS = 2000
"""of which triangles and curves are shown; the others have their place and their numbers"""


class Touching(NamedTuple):
    """Where two parts touch."""

    triangles: tuple[NDArray[np.int64], NDArray[np.int64]]
    segments: Array
    """(n, 2, 3)"""


NOTHING = Touching((np.empty(0, np.int64), np.empty(0, np.int64)), np.empty((0, 2, 3)))


def touching_of(
    parts: Sequence[Part], findings: Sequence[Finding], report: Callable[[int, int], None]
) -> list[Touching]:
    """Return where the parts of each finding touch, as they are drawn: without the poses of a motion."""
    found = []
    for k, finding in enumerate(findings):
        report(k, len(findings))
        wanted = k < MOST_FINDINGS and finding.triangle_pairs and finding.frame is None
        found.append(_touching(parts[finding.a], parts[finding.b]) if wanted else NOTHING)
    return found


def _touching(a: Part, b: Part) -> Touching:
    collision = collide(a.mesh, b.mesh, contacts=True)
    assert collision.contacts is not None
    first, second = (_some(np.unique(collision.pairs[:, side]), MOST_TRIANGLES) for side in (0, 1))
    return Touching((first, second), _some(collision.contacts.segments, MOST_SEGMENTS))


def _some(values: Any, most: int) -> Any:
    return values[:: -(-len(values) // most) or 1]


def drawn(
    finding: Finding, touching: Touching, boxes: Sequence[Array], origin: Array, unit: str | None
) -> dict[str, Any]:
    """Return what the picture needs of a finding, relative to the origin of the meshes."""
    box = np.array(finding.box) if finding.box is not None else _between(boxes[finding.a], boxes[finding.b])
    point = np.array(finding.point) if finding.point is not None else box.mean(axis=0)
    segments = touching.segments[np.isfinite(touching.segments).all(axis=(1, 2))] - origin
    return {
        "a": finding.a,
        "b": finding.b,
        "kind": str(finding.kind),
        "fails": finding.fails,
        "point": _rounded(point - origin),
        "box": _rounded(box - origin),
        "arrow": _arrow(finding, point - origin),
        "size": size_of(finding, unit),
        "triangles_a": touching.triangles[0].tolist(),
        "triangles_b": touching.triangles[1].tolist(),
        "segments": _rounded(segments.reshape(-1)),
    }


def _between(a: Array, b: Array) -> Array:
    """Return where two boxes meet, or what is between them."""
    low, high = np.maximum(a[0], b[0]), np.minimum(a[1], b[1])
    return np.array([np.minimum(low, high), np.maximum(low, high)])


def _arrow(finding: Finding, point: Array) -> list[list[float]] | None:
    """Return an arrow as long as the local depth, or as the shift that parts the two where that is not known."""
    length = finding.depth if finding.local_depth is None else finding.local_depth
    if finding.direction is None or not length or finding.kind is Kind.TOUCHING:
        return None
    half = np.array(finding.direction) * (length / 2)
    return [_rounded(point - half), _rounded(point + half)]


def _rounded(values: Array) -> Any:
    """Return numbers in single precision, which is what is drawn, in few digits."""
    if values.ndim > 1:
        return [_rounded(value) for value in values]
    return [float(f"{value:.7g}") for value in values]
