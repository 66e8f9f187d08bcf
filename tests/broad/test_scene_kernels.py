"""What the compiler made of the broad phases: one version of each kernel, without reference counts."""

from functools import cache

import numpy as np
import pytest
from numba import njit

import scene_cases
import tumble
from covering import thinned
from tumble.broad import boxes, sweep
from tumble.broad.body_tree import build, nodes, tree
from tumble.core.jit import BORROWING
from tumble.mesh import random_pose

KERNELS = (
    boxes.place,
    boxes.meeting,
    sweep.sort_rows,
    sweep.sweep_rows,
    build.build,
    nodes.follow,
    tree.meeting_leaves,
    tree.tight_keys,
)


@cache
def ask_scenes():
    """Let scenes of every broad phase run the kernels."""
    for broad_phase in scene_cases.BROAD_PHASES:
        scene = scene_cases.random_scene(41, 80, 2.0, broad_phase)
        frozen = random_pose(1)
        frozen.flags.writeable = False
        for turn in range(3):
            scene.collisions()
            scene.move(f"body {turn}", frozen if turn else None)
        scene.move_many({"body 5": frozen.tolist()})
        scene.collisions_with("body 1")
        scene.collisions_with(tumble.shapes.box(), frozen)
        scene.collisions_between(scene.copy())


def test_every_kernel_is_compiled_once():
    ask_scenes()
    for kernel in KERNELS:
        assert len(kernel.signatures) == 1, kernel.py_func.__name__


@pytest.mark.parametrize("kernel", thinned(KERNELS, 6), ids=lambda kernel: kernel.py_func.__name__)
def test_no_reference_counting(kernel):
    """Compiled anew, as machine code from the cache cannot be inspected."""
    ask_scenes()
    fresh = njit(**BORROWING)(kernel.py_func)
    fresh.compile(kernel.signatures[0])
    (code,) = fresh.inspect_llvm().values()
    assert "NRT_incref" not in code
    assert "NRT_decref" not in code


def test_sorting_gives_up_when_it_takes_too_long():
    backwards = np.hstack([np.arange(100.0)[::-1, None]] * 6)
    order, rows = np.arange(100), np.empty((100, 6))
    assert not sweep.sort_rows(backwards, 0, order, rows, 1000)
    assert sorted(order) == list(range(100))
    assert sweep.sort_rows(backwards, 0, order, rows, 10_000)
    np.testing.assert_array_equal(order, np.arange(100)[::-1])
    np.testing.assert_array_equal(rows[:, 0], np.arange(100.0))
