"""Motions: poses that are rigid at every time, and refusals."""

import math
import pickle
from itertools import pairwise

import numpy as np
import pytest

import tumble
from tumble import Motion, Motions
from tumble.errors import PoseError
from tumble.mesh import random_pose

TIMES = np.linspace(0.0, 1.0, 9)


def deviation(pose):
    return np.abs(pose[:3, :3].T @ pose[:3, :3] - np.eye(3)).max()


@pytest.mark.parametrize("turns", [0.0, 0.3, 1.0, -7.5, 64.0])
def test_screws_are_rotations_about_a_moving_centre(turns):
    pose, axis, centre, way = (
        random_pose(1, 2.0),
        (1.0, -2.0, 0.5),
        np.array([3.0, 1.0, 2.0]),
        np.array([1.0, 0.0, 4.0]),
    )
    motion = Motion.screw(pose, way, axis, 2.0 * math.pi * turns, centre)
    np.testing.assert_array_equal(motion.at(0.0), pose)
    for time in TIMES:
        expected = (
            tumble.translation(*(time * way)) @ tumble.rotation(axis, 2.0 * math.pi * turns * time, centre) @ pose
        )
        np.testing.assert_allclose(motion.at(time), expected, atol=1e-12)
        assert deviation(motion.at(time)) < 1e-14


def test_between_two_poses():
    rng = np.random.default_rng(2)
    for _ in range(8):
        start, end, point = random_pose(rng, 3.0), random_pose(rng, 3.0), rng.normal(size=3)
        motion = Motion.between(start, end, point)
        np.testing.assert_array_equal(motion.at(0.0), start)
        np.testing.assert_allclose(motion.at(1.0), end, atol=4e-15 * 8)
        ends = [(pose @ (*point, 1.0))[:3] for pose in (start, end)]
        for time in TIMES:
            pose = motion.at(time)
            assert deviation(pose) < 1e-14
            np.testing.assert_allclose((pose @ (*point, 1.0))[:3], (1 - time) * ends[0] + time * ends[1], atol=1e-13)
        # one rotation, at a constant rate
        steps = [motion.at(b)[:3, :3] @ motion.at(a)[:3, :3].T for a, b in pairwise(TIMES)]
        for step in steps[1:]:
            np.testing.assert_allclose(step, steps[0], atol=1e-13)


def test_half_turns_and_none():
    for axis in "xyz":
        motion = Motion.between(None, tumble.rotation(axis, math.pi))
        np.testing.assert_allclose(motion.at(1.0), tumble.rotation(axis, math.pi), atol=1e-15)
        assert deviation(motion.at(0.5)) < 1e-15
    np.testing.assert_array_equal(Motion.between(None, None).at(0.7), np.eye(4))


def test_a_path_goes_through_its_poses_without_jumps():
    rng = np.random.default_rng(4)
    poses, times = np.stack([random_pose(rng, 2.0) for _ in range(5)]), [0.0, 0.1, 0.15, 0.9, 1.0]
    motion = Motion.path(poses, times)
    assert len(motion) == 4
    np.testing.assert_array_equal(motion.times, times)
    for pose, time in zip(poses[:-1], times, strict=False):
        np.testing.assert_array_equal(motion.at(time), pose)
        if time:
            np.testing.assert_allclose(motion.at(np.nextafter(time, 0.0)), pose, atol=1e-13)
    np.testing.assert_allclose(motion.at(1.0), poses[-1], atol=1e-14)
    for again in (
        pickle.loads(pickle.dumps(motion)),
        Motions([motion, None])[0],
        Motions.between(poses[:1], poses[1:2])[0],
    ):
        np.testing.assert_allclose(again.at(0.0), poses[0], atol=0)
    many = pickle.loads(pickle.dumps(Motions([motion, None])))
    np.testing.assert_array_equal(many[0].at(0.3), motion.at(0.3))


def test_poses_of_a_few_digits_do_not_jump_either():
    rough = [np.round(random_pose(seed, 1.0), 5) for seed in range(4)]
    motion = Motion.path(rough)
    for k, pose in enumerate(rough[:-1]):
        np.testing.assert_allclose(motion.at(k / 3), pose, atol=1e-4)
        assert deviation(motion.at(k / 3)) < 1e-12
        if k:
            np.testing.assert_allclose(motion.at(np.nextafter(k / 3, 0.0)), motion.at(k / 3), atol=1e-13)


def test_motions_are_immutable():
    motion = Motion.screw()
    with pytest.raises(AttributeError):
        motion.pieces = None
    with pytest.raises(ValueError, match="read-only"):
        motion.pieces[0, 0] = 1.0
    with pytest.raises(AttributeError, match="immutable"):
        Motions([motion]).pieces = None


POSE = np.eye(4)
REFUSED = {
    "not finite": lambda: Motion.between(None, np.full((4, 4), math.nan)),
    "finite": lambda: Motion.screw(translation=(math.nan, 0, 0)),
    "not a rigid motion": lambda: Motion.screw(np.diag([2.0, 2.0, 2.0, 1.0])),
    "pose 1 of the path": lambda: Motion.path([POSE, np.diag([2.0, 2.0, 2.0, 1.0])]),
    "at least one pose": lambda: Motion.path([]),
    r"found shape \(3,\)": lambda: Motion.path([POSE, POSE], [0.0, 0.5, 1.0]),
    "from 0 to 1": lambda: Motion.path([POSE, POSE], [0.0, 2.0]),
    "must increase": lambda: Motion.path([POSE] * 4, [0.0, 0.6, 0.5, 1.0]),
    r"times\[1\] is nan": lambda: Motion.path([POSE] * 3, [0.0, math.nan, 1.0]),
    "64 turns": lambda: Motion.screw(angle=1e4),
    "one finite number": lambda: Motion.screw(angle="full"),
    "unknown axis": lambda: Motion.screw(axis="w"),
    "zero vector": lambda: Motion.screw(axis=(0, 0, 0)),
    "beyond the supported": lambda: Motion.screw(translation=(1e101, 0, 0)),
    "time must be from 0 to 1": lambda: Motion.screw().at(1.5),
    r"ends\[1\]": lambda: Motions.between([POSE] * 2, [POSE, 2.0 * POSE]),
    "as many": lambda: Motions.between([POSE] * 2, [POSE]),
    "motion 1": lambda: Motions([None, "fast"]),
}


@pytest.mark.parametrize("message", REFUSED)
def test_refusals_name_what_is_wrong(message):
    if message == "not finite":
        with pytest.raises(PoseError, match="must be finite"):
            REFUSED[message]()
        return
    with pytest.raises(PoseError, match=message):
        REFUSED[message]()
