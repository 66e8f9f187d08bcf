"""Pairs of parts that need a closer look: copies in one place stand for each other."""

import numpy as np
import pytest
from clash_parts import LEFT, parts

from solid_forms import moved
from tumble.broad import choice
from tumble.clash import Kind, check_parts
from tumble.clash.assembly import Assembly
from tumble.clash.candidates import candidates_of
from tumble.clash.duplicates import duplicates_of
from tumble.clash.rules import BoundRules


def stacked(places):
    """Boxes of 100 at multiples of 90 along x: each crosses its neighbours."""
    return parts(**{f"box {k}": moved(LEFT, 90.0 * place, 0, 0) for k, place in enumerate(places)})


@pytest.mark.parametrize("places", [[0, 1, 2], [0, 0, 0], [0, 1, 0, 1, 3], [2, 0, 1, 1, 0, 2, 0, 5]])
@pytest.mark.parametrize("offset", [0.0, 1.0])
def test_pairs_are_those_of_all_parts_of_different_places(places, offset):
    given = stacked(places)
    assembly = Assembly(given)
    _, groups = duplicates_of(assembly.meshes, offset)
    found = candidates_of(assembly, groups, BoundRules((), given), None).pairs
    expected = [(i, j) for j in range(len(places)) for i in range(j) if abs(places[i] - places[j]) == 1]
    np.testing.assert_array_equal(found, np.array(sorted(expected), np.int64).reshape(-1, 2))


def test_many_copies_are_not_compared_with_each_other(monkeypatch):
    asked = []
    original = choice.overlapping_pairs

    def counted(meshes, poses, clearance=0.0):
        asked.append(len(meshes))
        return original(meshes, poses, clearance)

    monkeypatch.setattr(choice, "overlapping_pairs", counted)
    checked = check_parts(stacked([0] * 300 + [1]))
    assert asked == [2]
    kinds = [finding.kind for finding in checked.findings]
    assert (kinds.count(Kind.DUPLICATE), kinds.count(Kind.CROSSING)) == (299, 300)
