"""Distances of each link: `tumble.distance` of each two bodies is the judge."""

import pickle

import numpy as np
import pytest
from small_robots import arm, cluttered, configurations, rod

import tumble
from tumble.core import memory
from tumble.core.records import frozen
from tumble.errors import InputError, LimitError, OptionError
from tumble.mesh import translation
from tumble.robot import Kinematics, Robot
from tumble.robot.collisions.asked import PIECE


def holding():
    return arm().with_attached("cup", rod(0.3, 0.1), "tool", translation(0.05, 0.05, 0.02), may_touch=["left", "right"])


def judged(robot, q, scene, self_collision=True):
    """The least distance of each link, and from what."""
    poses, best = robot.poses(q[None])[0], [(np.inf, None)] * len(robot.links)

    def compare(link, distance, other):
        if distance < best[link][0]:
            best[link] = (distance, other)

    for link, mesh in enumerate(robot.meshes):
        for name in scene.names if mesh and scene else ():
            near = tumble.distance(mesh, scene.mesh(name), pose_a=poses[link], pose_b=scene.pose(name))
            compare(link, near.distance, name)
    for a, b in robot.pairs if self_collision else ():
        near = tumble.distance(robot.meshes[a], robot.meshes[b], pose_a=poses[a], pose_b=poses[b])
        compare(a, near.distance, robot.links[b])
        compare(b, near.distance, robot.links[a])
    return best


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("alone", [False, True])
@pytest.mark.parametrize("self_collision", [False, True])
def test_distances_are_those_of_all_pairs(seed, alone, self_collision):
    rng = np.random.default_rng(seed)
    robot, scene = holding(), None if alone else cluttered(rng, 7)
    Q = configurations(rng, 40, robot)
    found = robot.distance(Q, scene, links=True, self_collision=self_collision)
    assert found.link_distances.shape == (len(Q), len(robot.links))
    for k, q in enumerate(Q):
        for link, (distance, other) in enumerate(judged(robot, q, scene, self_collision)):
            assert found.link_distances[k, link] == pytest.approx(distance, abs=1e-13)
            gap = np.diff(found.link_points[k, link], axis=0)
            if 0.0 < distance < np.inf:
                assert found.nearest(k, robot.links[link]) == (robot.links[link], other)
                assert np.linalg.norm(gap) == pytest.approx(distance, abs=1e-13)
            elif distance == np.inf:
                assert found.nearest(k, robot.links[link]) is None
                assert np.isnan(gap).all()


def test_the_first_point_is_on_the_link():
    rng, robot = np.random.default_rng(3), holding()
    scene = cluttered(rng, 5)
    Q = configurations(rng, 20, robot)
    found, poses = robot.distance(Q, scene, links=True), robot.poses(Q)
    for k in range(len(Q)):
        for link, mesh in enumerate(robot.meshes):
            if mesh is not None:
                point = found.link_points[k, link, 0]
                assert tumble.closest_points(mesh, [point], poses[k, link]).distances[0] < 1e-12


def test_the_nearest_of_all_is_that_without_links():
    rng, robot = np.random.default_rng(4), holding()
    scene = cluttered(rng)
    Q = configurations(rng, PIECE + 50, robot)
    for options in ({}, {"upper_bound": 0.05}, {"self_collision": False}):
        plain = robot.distance(Q, scene, **options)
        found = robot.distance(Q, scene, links=True, **options)
        assert np.array_equal(plain.distance, found.distance)
        assert np.array_equal(plain.pairs, found.pairs)
        assert np.array_equal(plain.points, found.points, equal_nan=True)
        assert plain.link_distances is None


def test_upper_bound_threads_and_parts():
    rng, robot = np.random.default_rng(5), holding()
    scene = cluttered(rng)
    Q = configurations(rng, PIECE + 50, robot)
    found = robot.distance(Q, scene, links=True, threads=1)
    some, again = robot.distance(Q[300:400], scene, links=True), robot.distance(Q, scene, links=True, threads=3)
    for name in ("link_distances", "link_points", "link_others"):
        whole = getattr(found, name)
        assert np.array_equal(whole, getattr(again, name), equal_nan=True)
        assert np.array_equal(whole[300:400], getattr(some, name), equal_nan=True)
        assert not whole.flags.writeable
    bound = float(np.median(found.link_distances[np.isfinite(found.link_distances)]))
    near = robot.distance(Q, scene, links=True, upper_bound=bound)
    within = found.link_distances <= bound
    assert np.array_equal(near.link_distances[within], found.link_distances[within])
    assert np.array_equal(near.link_others[within], found.link_others[within])
    assert np.isinf(near.link_distances[~within]).all()
    assert not near.link_others[~within].any()


def test_a_link_is_nearer_than_its_clearance_where_it_collides():
    """The two meanings of clearance per link are one: what each has, and what each is to have."""
    rng, robot = np.random.default_rng(6), holding()
    scene = cluttered(rng)
    Q = configurations(rng, 400, robot)
    kept = {"second": 0.05, "third": 0.01, "cup": 0.02}
    sizes = np.array([kept.get(name, 0.0) for name in robot.links])
    had = robot.distance(Q, scene, links=True).link_distances
    hit = robot.collides(Q, scene, clearance=kept).hit
    assert np.array_equal(((had < sizes) | (had == 0.0)).any(axis=1), hit)
    assert 0 < hit.sum() < len(Q)


def test_answers_that_were_not_asked_for_and_pickles():
    robot = arm()
    Q = np.zeros((3, 4))
    found = robot.distance(Q, links=True)
    again = pickle.loads(pickle.dumps(found))
    assert again.nearest(0, "left") == found.nearest(0, "left")
    assert not again.link_points.flags.writeable
    with pytest.raises(InputError, match="there is no link 'thumb'; links are base, "):
        found.nearest(0, "thumb")
    with pytest.raises(OptionError, match="links=True"):
        robot.distance(Q).nearest(0, "left")
    assert robot.distance(np.empty((0, 4)), links=True).link_distances.shape == (0, 9)
    with pytest.raises(OptionError, match="links="):
        robot.distance(Q, links=np.zeros(2))


def test_a_robot_that_may_touch_everything_is_far_from_all():
    robot = arm()
    alone = robot.with_allowed([(a, b) for a in robot.links for b in robot.links if a < b])
    found = alone.distance(np.zeros((2, 4)), links=True)
    assert np.isinf(found.link_distances).all()
    assert np.isinf(found.distance).all()
    assert not found.pairs.any()
    root = Kinematics(*(frozen(column[:1]) for column in robot.kinematics))
    bare = Robot(("one",), (None,), root, (), np.empty((0, 2)))
    assert not bare.collides(np.empty((3, 0)), tumble.shapes.box(), clearance={"one": 1.0}).hit.any()
    assert np.isinf(bare.distance(np.empty((3, 0)), tumble.shapes.box(), links=True).link_distances).all()


def test_more_than_the_memory_holds_is_refused(monkeypatch):
    robot = arm()
    monkeypatch.setattr(memory, "SMALL", 0)
    monkeypatch.setattr(memory, "free_memory", lambda: 64 * 9 * 100 - 1)
    with pytest.raises(LimitError, match="100 × 9 distances would take"):
        robot.distance(np.zeros((100, 4)), links=True)
