"""What Embree calls back, compiled: the box of a triangle, and pairs whose boxes Embree found to meet.

A record is an int64 array; Embree hands its address over. Boxes are rounded to the nearest float32: as rounding is
monotone, none that meet are lost, and the few that only meet after rounding are sorted out again in float64.
"""

from typing import Any

import numpy as np
from numba import cfunc, njit, types

from tumble.core.simd.memory import atomic_add, float64_at, int32_at, int64_at, set_float32, set_int64

VERTICES, FACES, KEYS, CAPACITY, COUNT, NEIGHBOURS, RECORD = range(7)
"""of a record: where vertices, faces and found keys lie, for how many there is room, how many there were, and whether
triangles that share a vertex count"""


@njit(nogil=True)
def _span(record, triangle, axis):
    """Return both ends of a triangle's box along an axis."""
    vertices, faces = int64_at(record, VERTICES), int64_at(record, FACES)
    low = high = float64_at(vertices, 3 * int32_at(faces, 3 * triangle) + axis)
    for corner in range(1, 3):
        value = float64_at(vertices, 3 * int32_at(faces, 3 * triangle + corner) + axis)
        low, high = min(low, value), max(high, value)
    return low, high


@njit(nogil=True)
def _meet(record, i, j):
    for axis in range(3):
        ours, theirs = _span(record, i, axis), _span(record, j, axis)
        if ours[0] > theirs[1] or theirs[0] > ours[1]:
            return False
    return True


@njit(nogil=True)
def _share(record, i, j):
    faces = int64_at(record, FACES)
    for corner in range(3):
        vertex = int32_at(faces, 3 * i + corner)
        for other in range(3):
            if vertex == int32_at(faces, 3 * j + other):
                return True
    return False


def bounds_callback() -> Any:
    """RTCBoundsFunction: arguments are the record, the triangle, a time step, and where its box goes."""

    @cfunc(types.void(types.int64))
    def bounds(arguments):
        record, box = int64_at(arguments, 0), int64_at(arguments, 2)
        triangle = int32_at(arguments, 2)
        for axis in range(3):
            low, high = _span(record, triangle, axis)
            set_float32(box, axis, np.float32(low))
            set_float32(box, 4 + axis, np.float32(high))

    return bounds


def collided_callback() -> Any:
    """RTCCollideFunc: pairs of primitives come in blocks of geometry, primitive, geometry, primitive; several threads.

    Embree tells each pair of a scene with itself in both orders: one is kept.
    """

    @cfunc(types.void(types.int64, types.int64, types.uint32))
    def collided(record, collisions, number):
        kept = 0
        for k in range(np.int64(number)):
            i, j = int32_at(collisions, 4 * k + 1), int32_at(collisions, 4 * k + 3)
            if i < j and _meet(record, i, j) and (int64_at(record, NEIGHBOURS) or not _share(record, i, j)):
                # what was read already is written over
                set_int64(collisions, kept, i << 32 | j)
                kept += 1
        first = atomic_add(record, COUNT, kept)
        room = min(kept, int64_at(record, CAPACITY) - first)
        keys = int64_at(record, KEYS)
        for k in range(room):
            set_int64(keys, first + k, int64_at(collisions, k))

    return collided
