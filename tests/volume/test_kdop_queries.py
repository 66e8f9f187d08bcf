"""Queries over k-DOP trees give the judge's pairs: every method, every k, touching, far away, minute and huge."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from kdop_exact import KS
from numba import njit

import forest
import oracle
import tumble
from covering import crossed, sized
from matrix import k_cases, method_cases, methods_with
from tumble.core.jit import BORROWING
from tumble.mesh import random_pose
from tumble.narrow.touch import ExactTest
from tumble.query.questions.touching import counting
from tumble.traversal import query
from tumble.traversal.every import prepare
from tumble.traversal.query import new_counters

# the two that test the same volumes in the same order
FACTORS = [3e-322, 1e-310, 1e99, *(pytest.param(each, marks=pytest.mark.slow) for each in (1e-200, 1e-9, 1e9))]
STACKS = ("stack", "stack-ahead")


def judged(a: tumble.Mesh, b: tumble.Mesh, pose_a: Any = None, pose_b: Any = None) -> np.ndarray:
    return oracle.touching_pairs(a.vertices, a.faces, b.vertices, b.faces, pose_a, pose_b)


def scaled(mesh: tumble.Mesh, factor: float, offset: float = 0.0) -> tumble.Mesh:
    return tumble.Mesh((mesh.vertices - 4.0) * factor + offset, mesh.faces)


def found(a: Any, b: Any, pose_a: Any, pose_b: Any, k: int, method: str) -> np.ndarray:
    """The pairs by the kernel that counts, which other tests have compiled for these volumes already."""
    return tumble.collide(a, b, pose_a, pose_b, tree=f"kdop{k}", method=method, stats=True).pairs


@pytest.mark.parametrize(("method", "volume"), method_cases(f"kdop{k}" for k in KS))
def test_methods_agree_with_the_judge(volume: str, method: str) -> None:
    k = int(volume.removeprefix("kdop"))
    a, b = forest.soup(1, 90), forest.soup(2, 70)
    hits = 0
    for pose_a, pose_b in [(None, pose) for pose in forest.POSES] + [(forest.POSES[3], forest.POSES[2])]:
        expected = judged(a, b, pose_a, pose_b)
        np.testing.assert_array_equal(found(a, b, pose_a, pose_b, k, method), expected)
        hits += len(expected)
    assert hits > 30


@pytest.mark.parametrize("k", [24, *(pytest.param(k, marks=pytest.mark.slow) for k in KS if k != 24)])
def test_all_ways_test_the_same_and_ahead_finds_no_other_overlaps(k: int) -> None:
    a, b = forest.soup(1, 90), forest.soup(2, 70)
    stack, ahead = (
        tumble.collide(a, b, None, forest.POSES[3], tree=f"kdop{k}", method=method, stats=True).stats
        for method in STACKS
    )
    assert (stack.tests, stack.overlaps, stack.leaf_overlaps) == (ahead.tests, ahead.overlaps, ahead.leaf_overlaps)


@pytest.mark.slow
def test_more_directions_make_fewer_tests() -> None:
    mesh = tumble.shapes.torus(1.0, 0.4, 40, 20)
    tests = {}
    for k in KS:
        stats = [
            tumble.collide(mesh, mesh, None, random_pose(seed, 0.8), tree=f"kdop{k}", method="stack", stats=True).stats
            for seed in range(5)
        ]
        tests[k] = sum(each.tests for each in stats)
    assert tests[6] > tests[14] > tests[18] > tests[24] > tests[26]


@crossed(1, k=k_cases(KS), factor=FACTORS)
@sized(15, 25)
def test_minute_and_huge_meshes(k: int, factor: float, count: int) -> None:
    rng = np.random.default_rng(21)
    a, b = (scaled(forest.random_mesh(rng, count), factor / 8) for _ in range(2))
    for pose in (None, tumble.rotation((1.0, 2.0, 3.0), 0.7), tumble.rotation("z", np.pi / 2)):
        expected = judged(a, b, None, pose)
        for method in methods_with(f"kdop{k}"):
            np.testing.assert_array_equal(found(a, b, None, pose, k, method), expected)
        assert len(expected) > 10


@crossed(1, k=k_cases(KS), offset=[pytest.param(1e6, marks=pytest.mark.slow), 1e15, -1e99])
@sized(12, 25)
def test_far_from_the_origin(k: int, offset: float, count: int) -> None:
    rng = np.random.default_rng(22)
    size = abs(offset) * 2.0**-48
    a, b = (scaled(forest.random_mesh(rng, count), size, offset) for _ in range(2))
    back = tumble.rotation((1.0, 2.0, 3.0), 0.7, point=[offset] * 3)
    for pose_a, pose_b in ((None, None), (back, None), (back, back), (None, tumble.rotation("y", 0.0))):
        expected = judged(a, b, pose_a, pose_b)
        for method in methods_with(f"kdop{k}"):
            np.testing.assert_array_equal(found(a, b, pose_a, pose_b, k, method), expected)


@pytest.mark.parametrize("k", k_cases(KS))
def test_bodies_that_just_touch(k: int) -> None:
    """Boxes face to face, edge to edge and corner to corner, plain and turned by quarters: nothing is rounded."""
    box = tumble.shapes.box()
    quarter = np.eye(4)
    quarter[:3, :3] = [[0.0, -1, 0], [1, 0, 0], [0, 0, 1]]
    for shift in ((1, 0, 0), (0, -1, 0), (1, 1, 0), (0, 1, -1), (1, 1, 1), (-1, 1, -1)):
        for pose in (tumble.translation(*shift), tumble.translation(*shift) @ quarter):
            expected = judged(box, box, None, pose)
            assert len(expected) > 0
            for method in methods_with(f"kdop{k}"):
                np.testing.assert_array_equal(found(box, box, None, pose, k, method), expected)


@pytest.mark.parametrize(("method", "volume"), method_cases(["kdop14", "kdop24"]))
@given(data=st.data(), pose_a=st.sampled_from(forest.POSES), pose_b=st.sampled_from(forest.POSES))
@settings(max_examples=settings().max_examples // 3)
def test_random_trees(volume: str, method: str, data: st.DataObject, pose_a: Any, pose_b: Any) -> None:
    k = int(volume.removeprefix("kdop"))
    a, b = (data.draw(forest.trees(volume, 25)) for _ in range(2))
    expected = judged(a.mesh, b.mesh, pose_a, pose_b)
    np.testing.assert_array_equal(found(a, b, pose_a, pose_b, k, method), expected)


def test_a_first_hit_of_dops() -> None:
    box = tumble.build(tumble.shapes.box(), "kdop24")
    assert len(tumble.collide(box, box, None, tumble.translation(1, 1, 1), first=True, stats=True)) == 1
    assert not tumble.collide(box, box, None, tumble.translation(1.001, 0, 0), first=True, stats=True)


@pytest.mark.slow
def test_collides_takes_trees_of_dops() -> None:
    box = tumble.build(tumble.shapes.box(), "kdop24")
    assert tumble.collides(box, box, None, tumble.translation(1, 1, 1))
    assert not tumble.collides(box, box, None, tumble.translation(1.001, 0, 0))


@pytest.mark.parametrize(
    ("method", "k"),
    [("stack", 24), *(pytest.param(*each, marks=pytest.mark.slow) for each in product(STACKS, (14, 26)))],
)
def test_no_reference_counting(k: int, method: str) -> None:
    """Compiled anew, as machine code from the cache cannot be inspected."""
    prepared = prepare(forest.soup(1, 9), forest.soup(2, 9), method=method, tree=f"kdop{k}")
    assert prepared is not None
    fresh = njit(**BORROWING)(query.run.py_func)
    fresh(*prepared._arguments, counting(ExactTest()), new_counters())
    (code,) = fresh.inspect_llvm().values()
    assert "tumble_triangles_touch" in code
    assert "NRT_incref" not in code
    assert "NRT_decref" not in code
