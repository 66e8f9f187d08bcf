"""Touching triangles of different sheets of one body: as all its touching triangles, less those of one sheet."""

import numpy as np
import pytest

import tumble
from solid_forms import BALL, BOX, EXACT_TURN, HALVES, OVERLAPPING, box, joined, moved
from tumble import Mesh, collide, self_collide
from tumble.api.relation import placed, self_pairs
from tumble.api.sheet_pairs import pairs_between_sheets
from tumble.solid.overlap.sheets import patches_of, sheets_of


def fan_of_blocks():
    """Four blocks around an edge that two of them have in common, their vertices there merged."""
    blocks = joined(box((0, 0, 0), (1, 1, 1)), box((-1, -1, 0), (0, 0, 1)))
    places, numbers = np.unique(blocks.vertices, axis=0, return_inverse=True)
    return Mesh(places, numbers.reshape(-1)[blocks.faces])


def blocks_at_a_corner():
    blocks = joined(BOX, moved(BOX, 2, 2, 2), moved(BALL, 0.5, 0, 0))
    places, numbers = np.unique(blocks.vertices, axis=0, return_inverse=True)
    return Mesh(places, numbers.reshape(-1)[blocks.faces])


FORMS = {
    "overlapping": OVERLAPPING,
    "halves": HALVES,
    "around an edge": fan_of_blocks(),
    "at a corner": blocks_at_a_corner(),
    "apart": joined(BOX, moved(BOX, 9, 0, 0)),
}


@pytest.mark.parametrize("pose", [None, EXACT_TURN], ids=["as drawn", "posed"])
@pytest.mark.parametrize("name", FORMS)
def test_all_that_touch_and_are_of_different_sheets(name, pose):
    mesh = FORMS[name]
    body = placed(mesh, pose, 1)
    sheets = sheets_of(body.surface, patches_of(body.surface))
    assert sheets.max() > 0
    touching = collide(mesh, mesh, pose, pose).pairs
    expected = {(i, j) for i, j in touching.tolist() if sheets[i] < sheets[j]}
    found = pairs_between_sheets(body, sheets)
    assert len(found) == len(expected)
    assert set(map(tuple, found.tolist())) == expected
    order = [(*sheets[pair], *pair) for pair in found]
    assert order == sorted(order)


@pytest.mark.parametrize("name", FORMS)
def test_what_meets_within_a_body_is_what_self_collide_says(name):
    mesh = FORMS[name]
    assert np.array_equal(self_pairs(placed(mesh, None, 1)), self_collide(mesh).pairs)
    posed = tumble.transformed(mesh, EXACT_TURN)
    assert np.array_equal(self_pairs(placed(mesh, EXACT_TURN, 1)), self_collide(posed).pairs)
