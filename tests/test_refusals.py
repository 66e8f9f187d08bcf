"""What compiled code refuses is never taken for an answer, and what other threads write never reaches one."""

import importlib
import multiprocessing
import pickle

import numpy as np
import pytest

import tumble
import tumble.mesh.rigid_kernel
import tumble.traversal.boxtree.query
from tumble.core.interrupts import REFUSED, count_of
from tumble.errors import InternalError, PoseError
from tumble.mesh import shapes, translation

COLLIDE = importlib.import_module("tumble.api.collide")  # the function has the module's name
KNOT = shapes.knot(segments=40, sides=6)
POSE = translation(1.0, 0.25, 0.0)
ELSEWHERE = translation(100.0, 0.0, 0.0)


@pytest.fixture(autouse=True)
def loaded_kernels():
    tumble.collide(KNOT, KNOT)


def unpickled(array):
    return pickle.loads(pickle.dumps(array))


def test_a_code_below_zero_is_no_count():
    assert [count_of(0), count_of(7)] == [0, 7]
    for code in (REFUSED, -2, -(2**63)):
        with pytest.raises(InternalError, match=str(code)):
            count_of(code)


@pytest.mark.parametrize(
    ("door", "ask"),
    [
        ("_first_hit", lambda: tumble.collides(KNOT, KNOT, None, POSE)),
        ("_all_pairs", lambda: tumble.collide(KNOT, KNOT, None, POSE)),
        ("_first_pair", lambda: tumble.collide(KNOT, KNOT, None, POSE, first=True)),
        ("_all_pairs", lambda: tumble.Deformable(KNOT).collide(KNOT, None, POSE)),
    ],
)
def test_a_refusal_of_checked_arguments_is_an_error(door, ask, monkeypatch):
    monkeypatch.setattr(COLLIDE, door, lambda *arguments: REFUSED)
    with pytest.raises(InternalError, match="refused"):
        ask()


def test_a_refusal_of_boxtrees_is_an_error(monkeypatch):
    monkeypatch.setattr(tumble.traversal.boxtree.query, "all_hits", lambda *arguments: REFUSED)
    with pytest.raises(InternalError, match="refused"):
        tumble.collide(KNOT, KNOT, None, POSE, tree="boxtree")


@pytest.mark.parametrize("tree", ["auto", "boxtree"])
def test_a_pose_that_is_not_rigid_is_named_as_such(tree):
    wrong = unpickled(2.0 * POSE)
    with pytest.raises(PoseError):
        tumble.collide(KNOT, KNOT, None, wrong, tree=tree)


def hit(pose):
    return tumble.collides(KNOT, KNOT, None, pose)


@pytest.mark.slow  # by default `unpickled` here
def test_poses_that_go_to_other_processes_collide_there():
    poses = [POSE, ELSEWHERE, np.eye(4)]
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        assert pool.map(hit, poses) == [True, False, True]


def test_a_read_only_pose_of_boxtrees():
    frozen = POSE.copy()
    frozen.flags.writeable = False
    expected = tumble.collide(KNOT, KNOT, None, POSE).pairs
    np.testing.assert_array_equal(tumble.collide(KNOT, KNOT, None, frozen, tree="boxtree").pairs, expected)


def test_boxtrees_do_not_see_what_is_written_into_a_pose_meanwhile(monkeypatch):
    """The buffer is too small at first, so that the kernel runs twice; in between, the caller's array changes."""
    query = tumble.traversal.boxtree.query
    given, kernel = POSE.copy(), query.all_hits
    expected = tumble.collide(KNOT, KNOT, None, POSE).pairs

    def meddling(*arguments):
        found = kernel(*arguments)
        given[...] = ELSEWHERE
        return found

    monkeypatch.setattr(query, "all_hits", meddling)
    monkeypatch.setattr(query, "FIRST_CAPACITY", 8)
    np.testing.assert_array_equal(tumble.collide(KNOT, KNOT, None, given, tree="boxtree").pairs, expected)


def test_a_scene_keeps_the_poses_that_it_checked(monkeypatch):
    given, check = np.stack([POSE, POSE]), tumble.mesh.rigid_kernel.check_poses

    def meddling(*arguments):
        found = check(*arguments)
        given[...] = np.nan
        return found

    scene = tumble.Scene()
    for name in "ab":
        scene.add(name, KNOT)
    monkeypatch.setattr(tumble.mesh.rigid_kernel, "check_poses", meddling)
    scene.move_many(["a", "b"], given)
    np.testing.assert_array_equal(scene.pose("b"), POSE)


def test_faces_are_checked_as_they_are_kept(monkeypatch):
    """A wrong index that is written after the check must not reach a kernel."""
    import tumble.mesh.arrays as arrays

    given, check = KNOT.faces.copy(), arrays._check_indices

    def meddling(*arguments):
        check(*arguments)
        given[...] = 10**9

    monkeypatch.setattr(arrays, "_check_indices", meddling)
    np.testing.assert_array_equal(tumble.Mesh(KNOT.vertices, given).faces, KNOT.faces)


def test_contacts_are_those_of_the_pose_that_was_asked_about(monkeypatch):
    given = POSE.copy()
    expected = tumble.collide(KNOT, KNOT, None, POSE, contacts=True)
    kernel = COLLIDE._all_pairs

    def meddling(*arguments):
        found = kernel(*arguments)
        given[...] = ELSEWHERE
        return found

    monkeypatch.setattr(COLLIDE, "_all_pairs", meddling)
    found = tumble.collide(KNOT, KNOT, None, given, contacts=True)
    np.testing.assert_array_equal(found.contacts.points, expected.contacts.points)
