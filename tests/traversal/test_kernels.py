"""What the compiler made of the traversals."""

import numpy as np
import pytest
from numba import njit

import forest
import oracle
import tumble
from covering import crossed
from tumble.core.jit import BORROWING, kernel
from tumble.core.linear import posed
from tumble.mesh import apply_pose, as_pose, random_pose
from tumble.narrow.touch import ExactTest
from tumble.query.questions import touching
from tumble.traversal import query
from tumble.traversal.every import METHODS, prepare
from tumble.traversal.query import new_counters


# by default one with a stack, one with lists and one without memory
@crossed(
    1,
    method=[
        name if name in ("stack", "lists", "stackless-post") else pytest.param(name, marks=pytest.mark.slow)
        for name in METHODS
    ],
    kernel=[("aabb", False), ("aabb", True), pytest.param(("sphere", True), marks=pytest.mark.slow)],
)
def test_no_reference_counting(method, kernel):
    """Compiled anew, as machine code from the cache cannot be inspected."""
    volume, counted = kernel
    volume = "auto" if METHODS[method].layout is None else volume
    prepared = prepare(forest.soup(1, 9), forest.soup(2, 9), method=method, tree=volume)
    fresh = njit(**BORROWING)(query.run.py_func)
    fresh(*prepared._arguments, touching.collecting(prepared.narrow, 9), new_counters() if counted else None)
    (code,) = fresh.inspect_llvm().values()
    assert "tumble_triangles_touch" in code  # it is the traversal that we look at
    assert "NRT_incref" not in code
    assert "NRT_decref" not in code


def test_buffer_grows_until_all_pairs_fit():
    """All of 60 × 60 equal triangles touch: several times the first capacity, and not one is lost."""
    mesh = tumble.Mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0]], np.tile([0, 1, 2], (60, 1)))
    assert 2 * touching.FIRST_CAPACITY < 60 * 60
    every = np.stack(np.meshgrid(np.arange(60), np.arange(60), indexing="ij"), axis=-1).reshape(-1, 2)
    for method in METHODS:
        collision = tumble.collide(mesh, mesh, method=method, stats=True)
        np.testing.assert_array_equal(collision.pairs, every)
        assert collision.stats.hits == 3600
    assert prepare(mesh, mesh).count() == 3600


@pytest.mark.parametrize("extra", [-1, 0, 1])
def test_buffer_at_its_brim(extra, monkeypatch):
    monkeypatch.setattr(touching, "FIRST_CAPACITY", 100 + extra)
    mesh = tumble.Mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0]], np.tile([0, 1, 2], (10, 1)))
    assert len(tumble.collide(mesh, mesh)) == 100


def test_repeat_counts_one_run():
    a, b = forest.soup(1, 60, 0.3), forest.soup(2, 60, 0.3)
    prepared = prepare(a, b, method="stackless")
    assert prepared.repeat(5) == prepared.stats().hits == len(tumble.collide(a, b)) > 0


@pytest.mark.parametrize("arity", [2, 3, 8])
@pytest.mark.parametrize("method", ["stack", "alternating"])
def test_nothing_is_written_beyond_the_stack(method, arity):
    """Where all volumes overlap, as many pairs wait as can ever wait."""
    mesh = tumble.Mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0]], np.tile([0, 1, 2], (arity**3, 1)))
    tree = tumble.build(mesh, arity=arity)
    prepared = prepare(tree, tree, method=method)
    record, a, b, poses = prepared._arguments
    size = len(record.stack)
    guarded = np.full((size + 8, 2), -7, np.int32)
    query.run(record._replace(stack=guarded[:size]), a, b, poses, touching.counting(ExactTest()), new_counters())
    used = np.flatnonzero(guarded[:, 0] != -7).max() + 1
    assert used <= size
    if method == "stack" and arity != 3:  # full trees, first down in a, then in b: the bound is reached
        assert used == size


@kernel
def pose_all(pose, points, found):
    for k in range(points.shape[0]):
        found[k, 0], found[k, 1], found[k, 2] = posed(pose, points, k)


def test_vertices_are_posed_in_the_documented_order_of_operations():
    """To the last bit: the kernels, the public function and the judge must speak about the same numbers."""
    rng = np.random.default_rng(8)
    points = rng.normal(size=(400, 3)) * 10.0 ** rng.integers(-3, 4, (400, 3))
    for seed in range(5):
        pose = as_pose(random_pose(seed, 10.0))
        by_kernel = np.empty_like(points)
        pose_all(pose, points, by_kernel)
        np.testing.assert_array_equal(by_kernel, oracle.pose_points(points, pose))
        np.testing.assert_array_equal(by_kernel, apply_pose(pose, points))
