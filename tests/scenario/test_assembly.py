"""The sample assembly: its parts are closed, and touch exactly where its docstring says."""

from collections import Counter
from itertools import combinations

import numpy as np
import pytest

import oracle
from tumble.mesh import Part
from tumble.scenario import assembly

PARTS = {part.name: part.mesh for part in assembly()}
CONTACTS = frozenset(
    {
        ("base-plate", "lower-spacer"),
        ("intermediate-wheel", "lower-spacer"),
        ("intermediate-wheel", "middle-spacer"),
        ("intermediate-pinion", "middle-spacer"),
        ("cover", "top-plate"),
        ("input-pinion", "input-shaft"),
        ("intermediate-shaft", "intermediate-wheel"),
        ("intermediate-pinion", "intermediate-shaft"),
        ("output-shaft", "output-wheel"),
        ("intermediate-pinion", "output-wheel"),
    }
)


def touch_somewhere(a, b):
    """Whether any two triangles touch, by the exact oracle; it stops at the first such pair."""
    triangles_a, triangles_b = a.vertices[a.faces], b.vertices[b.faces]
    low_a, high_a, low_b, high_b = (
        triangles_a.min(1)[:, None],
        triangles_a.max(1)[:, None],
        triangles_b.min(1),
        triangles_b.max(1),
    )
    near = np.argwhere(((low_a <= high_b) & (low_b <= high_a)).all(-1))
    return any(oracle.triangles_touch(triangles_a[i], triangles_b[j]) for i, j in near)


def test_a_believable_size():
    assert 8 <= len(PARTS) <= 14
    assert all(isinstance(part, Part) for part in assembly())
    assert 2000 < sum(len(mesh.faces) for mesh in PARTS.values()) < 10000
    assert {name for pair in CONTACTS for name in pair} <= set(PARTS)


def test_the_caller_may_change_the_list():
    assembly().clear()
    assert len(assembly()) == len(PARTS)


@pytest.mark.parametrize("name", PARTS)
def test_every_part_is_closed_and_turned_outwards(name):
    mesh = PARTS[name]
    edges = Counter((int(f[k]), int(f[(k + 1) % 3])) for f in mesh.faces for k in range(3))
    assert set(edges.values()) == {1}
    assert all((b, a) in edges for a, b in edges)
    a, b, c = mesh.vertices[mesh.faces].transpose(1, 0, 2)
    assert np.einsum("ij,ij->", a, np.cross(b, c)) > 0


PAIRS = list(combinations(sorted(PARTS), 2))
APART = [pair for pair in PAIRS if pair not in CONTACTS]


@pytest.mark.parametrize(
    "pair",
    [
        pytest.param(pair, marks=pytest.mark.slow, id="+".join(pair))
        if pair in APART and pair not in APART[::6]
        else pytest.param(pair, id="+".join(pair))
        for pair in PAIRS
    ],
)
def test_parts_touch_where_the_docstring_says_and_nowhere_else(pair):
    assert touch_somewhere(PARTS[pair[0]], PARTS[pair[1]]) == (pair in CONTACTS)


def test_the_check_ball_is_sealed_inside_the_shaft():
    ball, shaft = PARTS["check-ball"].vertices, PARTS["output-shaft"].vertices
    assert (shaft.min(0) < ball.min(0)).all()
    assert (ball.max(0) < shaft.max(0)).all()
