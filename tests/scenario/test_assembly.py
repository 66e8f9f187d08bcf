"""The sample assembly: its parts are closed, and touch exactly where its docstring says."""

from collections import Counter
from itertools import combinations, product

import numpy as np
import pytest

import oracle
from tumble.mesh import Part
from tumble.scenario import assembly

PARTS = {part.name: part.mesh for part in assembly()}
BEARINGS = {
    f"{shaft}-{level}-bearing": (f"{shaft}-shaft", plate)
    for shaft, (level, plate) in product(
        ("input", "intermediate", "output"), (("lower", "base-plate"), ("upper", "top-plate"))
    )
}
CONTACTS = frozenset(
    tuple(sorted(pair))
    for pair in (
        ("housing", "base-plate"),
        ("housing", "top-plate"),
        ("cover", "top-plate"),
        ("intermediate-lower-bearing-inner", "lower-spacer"),
        ("intermediate-wheel", "lower-spacer"),
        ("intermediate-wheel", "middle-spacer"),
        ("intermediate-pinion", "middle-spacer"),
        ("input-pinion", "input-shaft"),
        ("intermediate-shaft", "intermediate-wheel"),
        ("intermediate-pinion", "intermediate-shaft"),
        ("output-shaft", "output-wheel"),
        ("intermediate-pinion", "output-wheel"),
        *((f"{bearing}-inner", shaft) for bearing, (shaft, _) in BEARINGS.items()),
        *((f"{bearing}-outer", plate) for bearing, (_, plate) in BEARINGS.items()),
        *((f"bolt-{k}", "top-plate") for k in range(1, 6)),
        *((f"bolt-{k}", f"nut-{k}") for k in range(1, 7)),
        *((f"nut-{k}", "base-plate") for k in range(1, 7)),
    )
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
    assert len(PARTS) == 45
    assert all(isinstance(part, Part) for part in assembly())
    assert 5000 < sum(len(mesh.faces) for mesh in PARTS.values()) < 20000
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


def boxes_meet(pair):
    (low_a, high_a), (low_b, high_b) = (PARTS[name].bounds for name in pair)
    return bool((low_a <= high_b).all() and (low_b <= high_a).all())


NEAR = [pair for pair in combinations(sorted(PARTS), 2) if boxes_meet(pair)]
APART = [pair for pair in NEAR if pair not in CONTACTS]
AT_ONCE = {*APART[::8], *sorted(CONTACTS)[::4], ("bolt-6", "top-plate"), ("intermediate-pinion", "output-wheel")}


def test_what_should_touch_has_boxes_that_do():
    assert set(NEAR) >= CONTACTS


@pytest.mark.parametrize(
    "pair",
    [pytest.param(pair, marks=[] if pair in AT_ONCE else pytest.mark.slow, id="+".join(pair)) for pair in NEAR],
)
def test_parts_touch_where_the_docstring_says_and_nowhere_else(pair):
    assert touch_somewhere(PARTS[pair[0]], PARTS[pair[1]]) == (pair in CONTACTS)


def test_the_check_ball_is_sealed_inside_the_shaft():
    ball, shaft = PARTS["check-ball"].vertices, PARTS["output-shaft"].vertices
    assert (shaft.min(0) < ball.min(0)).all()
    assert (ball.max(0) < shaft.max(0)).all()
