"""Overlap tests are worth their name: each of the axes parts what it alone can part, and margins are thin."""

from __future__ import annotations

import numpy as np
import pytest
from exact_containment import HOLDS
from posed_contacts import turned
from volume_calls import call_overlaps, empty

from tumble.mesh.pose import random_pose, translation
from tumble.volume.relative import relative_pose

GAP = 1e-10
UNIT_BOX = [1.0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 1]


def say(volume: str, row_a: np.ndarray, row_b: np.ndarray, pose: np.ndarray | None, swap: bool = False) -> bool:
    """The overlap of a's volume and b's, posed by a (3, 4) pose; or, swapped, of b's and a's."""
    a, b = empty(volume, 1), empty(volume, 1)
    a[0][0], b[0][0] = row_a, row_b
    extents = float(np.abs(row_a).max()), float(np.abs(row_b).max())
    answers = np.zeros(1, np.bool_)
    if swap:
        call_overlaps(b, a, relative_pose(pose, None, *extents[::-1])[None], answers)
    else:
        call_overlaps(a, b, relative_pose(None, pose, *extents)[None], answers)
    return bool(answers[0])


def gaps(box: np.ndarray, other: np.ndarray, pose: np.ndarray) -> np.ndarray:
    """The gap between two boxes on a's three axes and on b's, in plain NumPy."""
    half_a, half_b = (box[3:] - box[:3]) / 2, (other[3:] - other[:3]) / 2
    turn = pose[:, :3]
    between = turn @ (other[3:] + other[:3]) / 2 + pose[:, 3] - (box[3:] + box[:3]) / 2
    on_a = np.abs(between) - half_a - np.abs(turn) @ half_b
    on_b = np.abs(turn.T @ between) - half_b - np.abs(turn.T) @ half_a
    return np.concatenate([on_a, on_b])


def corner_against_face(axis: int, side: float, seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Two boxes and a pose that bring a corner of b just before the middle of a face of a; and the way apart."""
    rng = np.random.default_rng([seed, axis])
    box = np.concatenate([-rng.uniform(1, 2, 3), rng.uniform(1, 2, 3)])
    other = np.concatenate([-rng.uniform(0.5, 1, 3), rng.uniform(0.5, 1, 3)])
    away = np.zeros(3)
    away[axis] = side
    while True:  # a corner points at the face only when all three edges lean towards it
        turn = turned(rng)
        if np.abs(turn[axis]).min() > 0.4:
            break
    nearest = np.where(turn.T @ away > 0, other[:3], other[3:])
    on_face = (box[3:] + box[:3]) / 2
    on_face[axis] = box[3 + axis] if side > 0 else box[axis]
    return box, other, np.column_stack([turn, on_face - turn @ nearest]), away


@pytest.mark.parametrize("swap", [False, True], ids=["axis of a", "axis of b"])
@pytest.mark.parametrize("side", [-1.0, 1.0])
@pytest.mark.parametrize("axis", range(3))
def test_each_axis_of_tumbled_boxes_separates_alone(axis: int, side: float, swap: bool) -> None:
    for seed in range(20):
        box, other, pose, away = corner_against_face(axis, side, seed)
        apart, into = pose.copy(), pose.copy()
        apart[:, 3] += GAP * away
        into[:, 3] -= GAP * away
        separating = gaps(box, other, apart) > 0
        assert separating.tolist() == [k == axis for k in range(6)]
        assert not say("aabb", box, other, apart, swap)
        assert say("aabb", box, other, into, swap)


@pytest.mark.parametrize("posed", [False, True])
@pytest.mark.parametrize("side", [-1.0, 1.0])
@pytest.mark.parametrize("axis", range(3))
def test_each_axis_of_aligned_boxes_separates_alone(axis: int, side: float, posed: bool) -> None:
    box = np.array([-1.0, -2, -3, 2, 3, 4])
    for gap, expected in ((GAP, False), (-GAP, True)):
        shift = np.zeros(3)
        shift[axis] = (box[3 + axis] - box[axis] + gap) * side
        if posed:
            assert say("aabb", box, box, translation(*shift)[:3]) is expected
        else:
            assert say("aabb", box, box + np.tile(shift, 2), None) is expected


@pytest.mark.parametrize("volume", ("aabb", "sphere"))
def test_without_poses_touching_is_exact(volume: str) -> None:
    """No pose, no margin: volumes that touch overlap, and the next float up they do not (the ball: a few floats up)."""
    row = {"aabb": [0.0, 0, 0, 1, 1, 1], "sphere": [0.0, 0, 0, 1]}[volume]
    other = {"aabb": [1.0, 1, 1, 2, 2, 2], "sphere": [3.0, 0, 0, 2]}[volume]
    beyond = other.copy()
    beyond[0] = np.nextafter(1.0, 2) if volume == "aabb" else 3 * (1 + 2.0**-44)
    assert say(volume, np.array(row), np.array(other), None)
    assert not say(volume, np.array(row), np.array(beyond), None)


@pytest.mark.parametrize("size", [1e-100, 1.0, 1e99])
@pytest.mark.parametrize("posed", [False, True])
def test_balls_separate_in_every_direction(posed: bool, size: float) -> None:
    rng = np.random.default_rng(31)
    for _ in range(100):
        way = rng.normal(size=3)
        way /= np.linalg.norm(way)
        radii = rng.uniform(0.1, 1, 2)
        for gap, expected in ((GAP, False), (-GAP, True)):
            centre = way * (radii.sum() + gap) * size
            pose = np.column_stack([turned(rng), centre]) if posed else None
            other = np.append(np.zeros(3) if posed else centre, radii[1] * size)
            assert say("sphere", np.append(np.zeros(3), radii[0] * size), other, pose) is expected


@pytest.mark.parametrize("volume", HOLDS)
def test_far_apart_is_apart_under_any_pose(volume: str) -> None:
    row = np.array({"aabb": [-1.0, -1, -1, 1, 1, 1], "sphere": [0.0, 0, 0, 1]}.get(volume, UNIT_BOX))
    for seed in range(50):
        pose = random_pose(seed, 1.0)[:3]
        pose[:, 3] *= 4 / np.linalg.norm(pose[:, 3])
        assert not say(volume, row, row, pose)
        pose[:, 3] /= 4
        assert say(volume, row, row, pose)
