"""The box of what two solids have in common, from the signed triangles that bound it.

Faces that only lie on each other bound a part without volume, and their corners must not count. So from each side of
the box that all corners have, volume is looked for: up to the next corners. Where the signed triangles of that slab
cancel each other, there is none, and the search goes on behind it.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tumble.core.products import cross_product

NOTHING = 1e-10
"""of the sum without signs: what is thinner than this part of its width has no volume here"""
THIN = 1e-14
"""triangles are taken as segments that are thinner than this part of the size"""
NEAR = 1e-12
"""corners that are as near to each other, as a part of the size, are at the same place"""


def box_of(triangles: NDArray[np.float64]) -> NDArray[np.float64]:
    """(2, 3) the lowest and highest corner, from rows as in `integrals.Totals`; there must be some."""
    corners, weights = triangles[:, :9].reshape(-1, 3, 3), triangles[:, 9]
    edges = corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]
    areas = cross_product(*edges) * (0.5 * weights[:, None])
    sizes = np.sqrt((areas * areas).sum(axis=1))
    longest = np.sqrt(((corners - np.roll(corners, 1, axis=1)) ** 2).sum(axis=2).max(axis=1))
    real = sizes > THIN * float(np.ptp(corners.reshape(-1, 3), axis=0).max()) * longest
    if real.any():  # what is thinner is made by rounding, and cancels nothing
        corners, areas, sizes = corners[real], areas[real], sizes[real]
    box = np.empty((2, 3))
    for axis in range(3):
        box[1, axis] = _reach(corners[:, :, axis], areas[:, axis], sizes)
        box[0, axis] = -_reach(-corners[:, :, axis], -areas[:, axis], sizes)
    return box


def _reach(places: NDArray[np.float64], areas: NDArray[np.float64], sizes: NDArray[np.float64]) -> float:
    """Return the largest coordinate at which there is volume.

    places   (k, 3) the coordinates of corners along an axis
    areas    (k,) signed areas, seen along the axis
    sizes    (k,) areas
    """
    highest = places.max(axis=1)
    levels = np.unique(places)[::-1]
    near = NEAR * max(float(levels[0] - levels[-1]), 5e-324)
    reach = float(levels[0])
    while True:
        below = levels[levels < reach - near]
        if len(below) == 0:
            return float(levels[0])  # nothing has a volume: all there is
        floor = float(below[0])
        above = highest > floor
        means = _means_above(np.sort(places[above], axis=1), floor)
        if abs(float((areas[above] * means).sum())) > NOTHING * float((sizes[above] * means).sum()):
            return reach
        reach = floor


def _means_above(places: NDArray[np.float64], floor: float) -> NDArray[np.float64]:
    """Return the mean over each triangle of how far its points are above a floor, zero below; places are sorted."""
    low, middle, high = places.T
    with np.errstate(divide="ignore", invalid="ignore"):
        tip = (high - floor) ** 3 / (3.0 * (high - low) * (high - middle))
        foot = (floor - low) ** 3 / (3.0 * (middle - low) * (high - low))
    mean = (low + middle + high) / 3.0 - floor
    return np.where(floor <= low, mean, np.where(floor >= middle, tip, mean + foot))
