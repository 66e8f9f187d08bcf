"""The box of a posed body in the world, from seven numbers about its mesh: conservative, without reading its vertices.

A posed vertex is x' = ((R00·x + R01·y) + R02·z) + t0, every operation rounded (`tumble.mesh.apply_pose`). Two boxes
contain them all, and so does what the two have in common.

From the bounds: rounding is monotone (u <= v implies fl(u) <= fl(v)), and so are addition and, up to the sign of the
constant, multiplication by a constant. The same four operations in the same order, on the larger of R00·low and
R00·high and so on, therefore give a number that no x' exceeds: no margin is needed, however the rotation is off.
Bodies that are not turned get exact bounds.

From the radius r about the middle c of the bounds: |R(v - c)| is at most r times the norm of R, which is at most
1 + 1.5 d for a pose whose RᵀR is within d of the identity in every entry. For rounding, the posed vertex and the posed
middle are each off by at most 4 u (3.1 E + |t0|), E the largest absolute coordinate, u = 2^-53; with the rounding of
the last sum that stays below u (32 E + 9 |t0|).

A turned box has a larger box around it than the body in it needs; the ball around the body keeps its size.

A box is lowest x, y, z, highest x, y, z. What has no triangles has the box NOWHERE, which meets nothing.
"""

import weakref
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tumble.core.growing import Growing
from tumble.core.jit import inlined_kernel, kernel
from tumble.mesh import RIGIDITY_TOLERANCE, Mesh

Boxes = NDArray[np.float64]
Poses = NDArray[np.float64]
Extents = NDArray[np.float64]

# An extent: lowest x, y, z, highest x, y, z and the radius about their middle.
RADIUS = 6
SIZE = 7
NO_EXTENT = np.array([np.inf] * 3 + [-np.inf] * 3 + [0.0])
# covers the rounding of the radius itself, many times over
ROUNDED_UP = 1.0 + 1e-12

_known: weakref.WeakKeyDictionary[Mesh, NDArray[np.float64]] = weakref.WeakKeyDictionary()

NOWHERE = np.array([np.inf] * 3 + [-np.inf] * 3)

# both twice what the derivation above asks for, or more
NORM = 1.0 + 3.0 * RIGIDITY_TOLERANCE
ROUNDING = 64.0 * 2.0**-53
SMALLEST = 64.0 * 5e-324


class KeyBuffer(Growing):
    """Memory for the keys of pairs of bodies that a kernel finds, kept from call to call."""

    def __init__(self) -> None:
        hint = "these are pairs of bodies whose boxes meet: filter groups of them, or ask for fewer"
        super().__init__(4096, hint=hint)

    def fill(self, write: Callable[[NDArray[Any]], int]) -> NDArray[Any]:
        """Overwrite what the last call found; return a view."""
        self.clear()
        return super().fill(write)


def extent_of(mesh: Mesh) -> NDArray[np.float64]:
    """Return lowest x, y, z, highest x, y, z and the radius; NO_EXTENT for an empty mesh."""
    known = _known.get(mesh)
    if known is None:
        known = _known[mesh] = _measured(mesh)
    return known


def _measured(mesh: Mesh) -> NDArray[np.float64]:
    if mesh.bounds is None:
        return NO_EXTENT
    used = np.zeros(len(mesh.vertices), bool)
    used[mesh.faces] = True
    low, high = mesh.bounds
    offsets = mesh.vertices[used] - (0.5 * low + 0.5 * high)  # the middle, rounded as `place` rounds it
    largest = np.abs(offsets).max()
    # scaled, as squares of tiny numbers are zero
    farthest = np.sqrt(((offsets / largest) ** 2).sum(axis=1).max()) if largest > 0 else 0.0
    return np.append(mesh.bounds.ravel(), farthest * largest * ROUNDED_UP)


@kernel
def place(slots: NDArray[np.int64], new_poses: Poses, extents: Extents, poses: Poses, boxes: Boxes) -> None:
    """Store the new pose of each slot, and the world box that follows from the extent of its mesh."""
    for k in range(len(slots)):
        slot = slots[k]
        for i in range(4):
            for j in range(4):
                poses[slot, i, j] = new_poses[k, i, j]
        e = extents[slot]
        if e[0] > e[3]:  # no extent: infinity times zero would be NaN
            continue
        largest = 0.0
        for j in range(6):
            largest = max(largest, abs(e[j]))
        for i in range(3):
            r = poses[slot, i]
            low_x, high_x = span(r[0], e[0], e[3])
            low_y, high_y = span(r[1], e[1], e[4])
            low_z, high_z = span(r[2], e[2], e[5])
            middle_x, middle_y, middle_z = 0.5 * e[0] + 0.5 * e[3], 0.5 * e[1] + 0.5 * e[4], 0.5 * e[2] + 0.5 * e[5]
            middle = ((r[0] * middle_x + r[1] * middle_y) + r[2] * middle_z) + r[3]
            reach = NORM * e[RADIUS] + (ROUNDING * (largest + abs(r[3])) + SMALLEST)
            boxes[slot, i] = max(((low_x + low_y) + low_z) + r[3], middle - reach)
            boxes[slot, 3 + i] = min(((high_x + high_y) + high_z) + r[3], middle + reach)


@inlined_kernel
def span(factor: float, low: float, high: float) -> tuple[float, float]:
    """Return the smallest and the largest rounded product of the factor with a number from low to high."""
    one, other = factor * low, factor * high
    return (one, other) if one <= other else (other, one)


@inlined_kernel
def boxes_meet(boxes: Boxes, i: int, others: Boxes, j: int) -> bool:
    """Tell whether two closed boxes share a point, without branches, which could not be predicted."""
    x = (boxes[i, 0] <= others[j, 3]) & (others[j, 0] <= boxes[i, 3])
    y = (boxes[i, 1] <= others[j, 4]) & (others[j, 1] <= boxes[i, 4])
    z = (boxes[i, 2] <= others[j, 5]) & (others[j, 2] <= boxes[i, 5])
    return x & y & z


@inlined_kernel
def looked_at(filters: NDArray[np.int64], i: int, others: NDArray[np.int64], j: int) -> bool:
    """Tell whether groups and masks, the two columns of the filters, let two bodies see each other."""
    return (filters[i, 0] & others[j, 1]) != 0 and (others[j, 0] & filters[i, 1]) != 0


@kernel
def meeting(
    box: Boxes, its_filter: NDArray[np.int64], boxes: Boxes, filters: NDArray[np.int64], found: NDArray[np.int64]
) -> int:
    """Write the indices of all boxes that meet one box, a (1, 6) array, into `found`; return their number."""
    count = 0
    for j in range(len(boxes)):
        if boxes_meet(box, 0, boxes, j) and looked_at(its_filter, 0, filters, j):
            found[count] = j
            count += 1
    return count
