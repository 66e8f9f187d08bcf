"""A mesh cut by a plane across an axis: what is below stays, and segments where the plane cuts the surface."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Points = NDArray[np.float64]
Faces = NDArray[np.int64]


@dataclass(frozen=True)
class Plane:
    """The points x with normal · x = offset; what is beyond, on the side of the normal, is cut away."""

    normal: Points
    offset: float

    def seen_from(self, pose: Points) -> Plane:
        """Return the plane in the frame of something that has a pose."""
        return Plane(pose[:3, :3].T @ self.normal, self.offset - float(self.normal @ pose[:3, 3]))


def cut(vertices: Points, faces: Faces, plane: Plane) -> tuple[Points, Faces, Points]:
    """Return the vertices and faces that are not beyond a plane, and the (k, 2, 3) segments of the cut.

    Triangles that the plane crosses are cut along it; the hole is left open.
    """
    above = vertices @ plane.normal - plane.offset
    beyond = above[faces] > 0.0
    count = beyond.sum(axis=1)
    crossed = (count == 1) | (count == 2)
    if not crossed.any():
        return vertices, faces[count == 0], np.empty((0, 2, 3))
    # turned so that the corner that is alone on its side comes first
    alone = np.where(count[crossed] == 1, beyond[crossed].argmax(axis=1), (~beyond[crossed]).argmax(axis=1))
    turned = np.take_along_axis(faces[crossed], (alone[:, None] + np.arange(3)) % 3, axis=1)
    first, second = (_crossing(vertices, above, turned[:, 0], turned[:, k]) for k in (1, 2))
    start = len(vertices) + np.arange(len(turned))
    at_first, at_second = start, start + len(turned)
    tip = count[crossed] == 2  # only the corner that is alone stays
    kept = [
        faces[count == 0],
        np.stack([turned[tip, 0], at_first[tip], at_second[tip]], axis=1),
        np.stack([at_first[~tip], turned[~tip, 1], turned[~tip, 2]], axis=1),
        np.stack([at_first[~tip], turned[~tip, 2], at_second[~tip]], axis=1),
    ]
    return np.vstack([vertices, first, second]), np.vstack(kept), np.stack([first, second], axis=1)


def _crossing(vertices: Points, above: Points, one: Faces, other: Faces) -> Points:
    share = above[one] / (above[one] - above[other])
    return np.asarray(vertices[one] + share[:, None] * (vertices[other] - vertices[one]))
