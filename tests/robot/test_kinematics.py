"""Poses of links: products of matrices, one configuration at a time, are the judge."""

import pickle
from dataclasses import replace

import numpy as np
import pytest

from tumble.errors import InputError, OptionError
from tumble.mesh import random_pose, rotation, translation
from tumble.robot import FIXED, SLIDES, TURNS, Kinematics, Robot
from tumble.robot.kinematics import BLOCK, MOST_ANGLE, reaches
from tumble.robot.poses import PIECE, poses

LINKS = 9
RNG = np.random.default_rng(1)
COLUMNS = 4


def some_kinematics():
    """A tree of links, joints of every kind, two that follow others and one that nothing drives."""
    axes = RNG.normal(size=(LINKS, 3))
    return Kinematics.of(
        parents=[-1, 0, 1, 1, 3, 2, 5, 6, 4],
        kinds=[FIXED, TURNS, SLIDES, TURNS, FIXED, TURNS, SLIDES, TURNS, TURNS],
        columns=[-1, 0, 1, 2, -1, 3, 1, 0, -1],
        factors=[1, 1, 1, 1, 1, 1, -0.5, 2, 1],
        offsets=[0, 0, 0, 0, 0, 0, 0.25, 0, 0.75],
        origins=[random_pose(RNG) for _ in range(LINKS)],
        axes=axes / np.linalg.norm(axes, axis=1, keepdims=True),
    )


KINEMATICS = some_kinematics()


def expected_poses(kinematics, q):
    found = []
    for link, parent in enumerate(kinematics.parents):
        column = kinematics.columns[link]
        value = kinematics.offsets[link] + (0.0 if column < 0 else kinematics.factors[link] * q[column])
        motion = np.eye(4)
        if kinematics.kinds[link] == TURNS:
            motion = rotation(kinematics.axes[link], value)
        elif kinematics.kinds[link] == SLIDES:
            motion = translation(*(value * kinematics.axes[link]))
        before = np.eye(4) if parent < 0 else found[parent]
        found.append(before @ kinematics.origins[link] @ motion)
    return np.array(found)


def robot(kinematics=KINEMATICS):
    names = [f"link{k}" for k in range(len(kinematics.parents))]
    limits = np.array([[-1.0, 1.0]] * COLUMNS)
    return Robot(names, [None] * len(names), kinematics, [f"joint{k}" for k in range(COLUMNS)], limits)


def test_poses_are_products():
    Q = RNG.uniform(-7, 7, (40, COLUMNS))
    found = robot().poses(Q)
    assert found.shape == (40, LINKS, 4, 4)
    for q, pose in zip(Q, found, strict=True):
        assert np.allclose(pose, expected_poses(KINEMATICS, q), rtol=0, atol=2e-13)
    assert (found[:, :, 3] == [0, 0, 0, 1]).all()


@pytest.mark.parametrize("count", [0, 1, PIECE, 3 * PIECE + 5])
def test_threads_do_not_change_a_bit(count):
    Q = RNG.uniform(-3, 3, (count, COLUMNS))
    one = robot().poses(Q, threads=1)
    assert one.shape == (count, LINKS, 4, 4)
    assert one.tobytes() == robot().poses(Q, threads=3).tobytes() == robot().poses(Q).tobytes()
    for row in range(0, count, 977):
        assert robot().poses(Q[row : row + 1]).tobytes() == one[row].tobytes()


def test_a_robot_without_joints_stands():
    only = Kinematics.of(
        parents=[-1],
        kinds=[FIXED],
        columns=[-1],
        factors=[1],
        offsets=[0],
        origins=[translation(1, 2, 3)],
        axes=[[1, 0, 0]],
    )
    assert (poses(only, np.empty((5, 0))) == translation(1, 2, 3)).all()


def test_limits_are_told_and_not_enforced():
    Q = np.array([[0.0, 0, 0, 0], [1, -1, 1, 1], [0, 0, 1.0000001, 0]])
    assert robot().within_limits(Q).tolist() == [True, True, False]
    assert len(robot().poses(Q)) == 3


@pytest.mark.parametrize(
    "Q, words",
    [
        (np.zeros(COLUMNS), r"found shape \(4,\); for one configuration write Q\[None\]"),
        (np.zeros((3, 5)), r"must have shape \(n, 4\), one number for each joint; found shape \(3, 5\)"),
        (np.zeros((3, 4, 1)), "found shape"),
        ([[0, 0, 0, 0], [0, np.nan, 0, 0]], r"Q\[1\]\[1\] is nan: not finite"),
        ([[0, 0, np.inf, 0]], r"Q\[0\]\[2\] is inf: not finite"),
        ([[0, 0, 2 * MOST_ANGLE, 0]], r"Q\[0\]\[2\] is 200000.0: beyond the supported ±100000"),
        ([["a", "b", "c", "d"]], "must be real numbers"),
        ([[True, False, True, True]], "must be real numbers"),
    ],
)
def test_what_is_no_configuration_is_refused(Q, words):
    for ask in (robot().poses, robot().within_limits):
        with pytest.raises(InputError, match=words):
            ask(Q)


def test_a_number_at_fault_is_found_in_any_block():
    for row in (0, BLOCK - 1, BLOCK, 2 * BLOCK + 7):
        Q = np.zeros((2 * BLOCK + 8, COLUMNS), ">f4")
        Q[row, 3] = np.inf
        with pytest.raises(InputError, match=rf"Q\[{row}\]\[3\] is inf: not finite"):
            robot().configurations(Q)
    Q = RNG.uniform(-3, 3, (COLUMNS, 2 * BLOCK + 8)).T
    assert robot().configurations(Q).tobytes() == np.ascontiguousarray(Q).tobytes()


def test_random_configurations_are_the_same_in_any_blocks():
    many, rng = robot().random(2 * BLOCK + 8, seed=3), np.random.default_rng(3)
    assert np.array_equal(many, np.concatenate([robot().random(count, rng) for count in (5, BLOCK, BLOCK + 3)]))
    assert (robot().within_limits(many)).all()


def test_threads_are_checked():
    with pytest.raises(OptionError, match="threads must be"):
        robot().poses(np.zeros((1, COLUMNS)), threads=0)


def test_a_column_reaches_as_far_as_the_joints_that_follow_it():
    assert reaches(KINEMATICS, COLUMNS).tolist() == [MOST_ANGLE / 2, 1e9, MOST_ANGLE, MOST_ANGLE]


def test_pairs_without_a_reason_are_the_users(tmp_path):
    own = replace(robot(), allowed=frozenset([("link2", "link3"), ("link0", "link1")]))
    assert list(own.stated.items()) == [(("link0", "link1"), "User"), (("link2", "link3"), "User")]
    own.save_srdf(tmp_path / "own.srdf")
    assert (tmp_path / "own.srdf").read_text().count('reason="User"') == 2


def test_a_robot_comes_back_from_a_pickle():
    own = robot().with_allowed([("link1", "link0")])
    again = pickle.loads(pickle.dumps(own))
    assert not any(column.flags.writeable for column in again.kinematics)
    Q = RNG.uniform(-3, 3, (3, COLUMNS))
    assert again.poses(Q).tobytes() == own.poses(Q).tobytes()
    assert again.reasons == own.reasons == {("link0", "link1"): "User"}
