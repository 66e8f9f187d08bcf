"""Contacts of axis-aligned boxes in all 26 positions next to each other, by a judge in fractions."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest

import push_oracle
import tumble
from covering import thinned
from tumble import shapes, translation

SIDES = [side for side in product((-1, 0, 1), repeat=3) if any(side)]
# how far b's middle is from a's along the axes of a side, for boxes of size 2, and the size of b
PLACES = {
    "flush": (2.0, 2.0),
    "overlapping": (1.5, 2.0),
    "nearly apart": (2.0 - 2.0**-20, 2.0),
    "smaller and flush": (1.5, 1.0),
    "smaller, from within": (0.5, 1.0),
    "smaller, half in": (1.0, 1.0),
}
CASES = [(place, side) for place in PLACES for side in SIDES]


def fractions(triangle):
    return [[Fraction(x) for x in corner] for corner in triangle]


@pytest.mark.parametrize("case", thinned(CASES, 13), ids=str)
def test_the_push_parts_the_triangles_and_none_that_counts_is_shorter(case):
    place, side = case
    step, size = PLACES[place]
    a, b = shapes.box(2.0), tumble.transformed(shapes.box(size), translation(*(step * np.array(side))))
    found = tumble.collide(a, b, contacts=True)
    assert len(found) > 0
    normals, depths = found.contacts.normals, found.contacts.depths
    for (i, j), normal, depth in zip(found.pairs.tolist(), normals.tolist(), depths.tolist(), strict=True):
        one, other = fractions(a.triangles[i]), fractions(b.triangles[j])
        way = [Fraction(x) for x in normal]
        assert abs(push_oracle.exact_dot(way, way) - 1) < Fraction(1, 10**14)
        # moved by the depth, and a rounding more, nothing of a is behind what is farthest of b
        assert push_oracle.exact_push(way, one, other) <= Fraction(depth) + Fraction(1, 10**14)
        assert abs(depth - float(push_oracle.exact_shortest(one, other)) ** 0.5) < 1e-14


@pytest.mark.parametrize("case", thinned(CASES, 26), ids=str)
def test_no_pair_of_flush_boxes_is_deeper_than_the_boxes(case):
    """The depth of a pair is at most what parts the boxes, along the axis on which they overlap least."""
    place, side = case
    step, size = PLACES[place]
    offset = step * np.array(side)
    b = tumble.transformed(shapes.box(size), translation(*offset))
    found = tumble.collide(shapes.box(2.0), b, contacts=True)
    overlap = float((1.0 + 0.5 * size - np.abs(offset)).min())
    if overlap == 0.0:
        assert found.contacts.depths.max() <= 1e-14
