"""The bounds of float32 determinants: never exceeded, and not so wide that a mistake in them would not show.

Coordinates are given in float64; float32 gets them rounded, by as much and in such directions as are worst for the
determinant that is looked at.
"""

from typing import Any

import numpy as np
import pytest
from numba import types
from numba.extending import intrinsic

from tumble.core.jit import kernel
from tumble.core.simd.memory import address_of
from tumble.core.simd.vectors import EIGHT_FLOATS, Lanes, dot, minus
from tumble.narrow.triangles.crossing import Bounds, cross_fused, largest_of

LANES = 8
COORDINATES = 18
PLANE, EDGES = 0, 2


@intrinsic
def determinants(typing_context, place, rounding, out):
    """Write how far a corner of the second triangle is above the plane of the first, an edges' determinant, bounds."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        place, rounding, out = arguments
        lanes = Lanes(builder, EIGHT_FLOATS)
        numbers = [lanes.load(place, k, align=4) for k in range(COORDINATES)]
        first, second = ([numbers[k : k + 3] for k in range(start, start + 9, 3)] for start in (0, 9))
        size = largest_of(numbers[:9]) + largest_of(numbers[9:])
        edges = [minus(triangle[k], triangle[0]) for triangle in (first, second) for k in (1, 2)]
        longest = [largest_of([*edges[k], *edges[k + 1]]) for k in (0, 2)]
        bounds = Bounds(lanes, size, lanes.spread(rounding), *longest)
        normal = cross_fused(edges[0], edges[1])
        distance = dot(normal, minus(second[0], first[0]))
        # third edges of both, which are the longest
        ends = [minus(triangle[2], triangle[1]) for triangle in (first, second)]
        crossing = dot(minus(first[1], second[1]), cross_fused(*ends))
        for k, vector in enumerate((distance, bounds.first_plane, crossing, bounds.edges)):
            lanes.store(vector, out, k, align=4)
        return context.get_dummy_value()

    return types.void(types.int64, types.float32, types.int64), generate


@kernel
def write_determinants(rows, rounding, out):
    """Judge eight pairs of triangles at a time."""
    for i in range(rows.shape[0]):
        determinants(address_of(rows) + i * rows[0].size * 4, rounding, address_of(out) + i * out[0].size * 4)


def exact(x):
    """The two determinants of (n, 6, 3) coordinates, in long double, and their gradients."""
    p, q, r, u, v, w = (x[:, k].astype(np.longdouble) for k in range(6))
    cross, along = np.cross, lambda a, b: np.einsum("ni,ni->n", a, b)
    e, f, d = q - p, r - p, u - p
    plane = np.zeros_like(x, np.longdouble)
    plane[:, 1], plane[:, 2], plane[:, 3] = cross(f, d), cross(d, e), cross(e, f)
    plane[:, 0] = -(plane[:, 1] + plane[:, 2] + plane[:, 3])
    g, h, way = r - q, w - v, q - v
    edges = np.zeros_like(plane)
    to_way, to_g, to_h = cross(g, h), cross(h, way), cross(way, g)
    edges[:, 1], edges[:, 2] = to_way - to_g, to_g
    edges[:, 4], edges[:, 5] = -to_way - to_h, to_h
    return (along(cross(e, f), d), plane), (along(way, cross(g, h)), edges)


def shares_of_bounds(rng, count, sizes, rounding):
    """Return the largest part of each bound that an error reaches, for triangles of two sizes about two places."""
    near, first, second = sizes
    # all components about as large as the largest, which is what bounds go by
    x = rng.choice((-1.0, 1.0), (count, 6, 3)) * rng.uniform(0.6, 1.0, (count, 6, 3))
    x[:, :3] *= first
    x[:, 3:] *= second
    away = near * rng.choice((-1.0, 1.0), (count, 1, 3))
    x[:, :3] += away
    x[:, 3:] -= away
    largest = []
    for number, place in ((0, PLANE), (1, EDGES)):
        gradient = exact(x)[number][1]
        # half a step of float32 off, each in the direction that changes the determinant most
        single = x.astype(np.float32)
        step = np.spacing(np.nextafter(np.abs(single), np.float32(0.0))).astype(np.float64)
        worst = single + np.sign(gradient).astype(np.float64) * (0.499 * step + rounding)
        if rounding == 0.0:
            assert (worst.astype(np.float32) == single).all()
        rows = np.ascontiguousarray(single.reshape(count // LANES, LANES, COORDINATES).transpose(0, 2, 1))
        out = np.empty((count // LANES, 4, LANES), np.float32)
        write_determinants(rows, np.float32(rounding), out)
        found, bound = (out[:, place + k].reshape(-1).astype(np.longdouble) for k in range(2))
        share = np.abs(found - exact(worst)[number][0]) / bound
        assert share.max() < 1.0
        largest.append(float(share.max()))
    return largest


@pytest.mark.parametrize("rounding", [0.0, 2.0**-12])
@pytest.mark.parametrize("sizes", [(0.0, 1.0, 1.0), (1.0, 2.0**-8, 1.0), (1.0, 1.0, 2.0**-8), (1.0, 2.0**-8, 2.0**-8)])
def test_errors_stay_below_their_bounds_and_come_near(sizes, rounding):
    """Each bound has several terms, and every case is about one of them."""
    shares = shares_of_bounds(np.random.default_rng(1), 8_000, sizes, rounding)
    assert min(shares) > (0.15 if rounding > 0.0 else 0.015)
