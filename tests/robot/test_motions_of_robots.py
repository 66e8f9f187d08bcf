"""Motions of robots: configurations sampled densely along each edge are the judge, and no contact may be missed."""

import tracemalloc

import numpy as np
import pytest
from small_robots import arm, cluttered, configurations, rod

import tumble
from tumble.errors import InputError, OptionError
from tumble.mesh import random_pose, translation
from tumble.robot import TURNS, Kinematics, Robot
from tumble.robot.motion_levers import levers_of


def first_sample(robot, q0, q1, scene, samples):
    """The time of the first sample that collides, or infinity."""
    times = np.linspace(0.0, 1.0, samples)
    hit = robot.collides(q0 + times[:, None] * (q1 - q0), scene).hit
    return times[np.argmax(hit)] if hit.any() else np.inf


def check(robot, Q0, Q1, scene, samples):
    """No edge is called free on which a sample collides, and no time is late; return the answer."""
    quick, timed = robot.check_motions(Q0, Q1, scene), robot.check_motions(Q0, Q1, scene, times=True)
    assert quick.times is None
    for k in range(len(Q0)):
        first = first_sample(robot, Q0[k], Q1[k], scene, samples)
        if first < np.inf:
            assert not quick.free[k]
            assert not timed.free[k]
        assert timed.times[k] <= first
    assert np.array_equal(quick.free, timed.free)
    assert np.isinf(timed.times[timed.free]).all()
    assert (timed.times[~timed.free] <= 1.0).all()
    return timed


def starts_and_ends(rng, robot, scene, count, step):
    Q = configurations(rng, 30 * count, robot)
    Q = Q[~robot.collides(Q, scene).hit][:count]
    return Q, Q + step * rng.normal(size=Q.shape)


@pytest.mark.parametrize("step", [0.05, 0.4, 2.0])
def test_no_contact_is_missed(step):
    rng = np.random.default_rng(int(100 * step))
    robot, scene = arm(), tumble.Scene()
    for name, other in ((name, cluttered(rng)) for name in "abc"):
        for each in other.names:
            scene.add(name + each, other.mesh(each), other.pose(each))
    Q0, Q1 = starts_and_ends(rng, robot, scene, 60, step)
    found = check(robot, Q0, Q1, scene, 400)
    assert found.free.any()
    assert found.hit.any() or step < 0.4


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(10))
def test_no_contact_is_missed_on_many_edges(seed):
    rng = np.random.default_rng(1000 + seed)
    robot, scene = arm(), cluttered(rng, 20)
    Q0, Q1 = starts_and_ends(rng, robot, scene, 1000, rng.choice([0.05, 0.3, 1.0]))
    check(robot, Q0, Q1, scene, 1000)


def test_what_lies_between_two_free_ends_is_found():
    robot = arm()
    scene = tumble.Scene()
    scene.add("sheet", thin_sheet(), translation(0.0, -0.7, 1.2))
    q0, q1 = np.array([-0.8, 1.0, 0.0, 0.0]), np.array([0.8, 1.0, 0.0, 0.0])
    assert not robot.collides([q0, q1], scene).hit.any()
    motion = robot.check_motion(q0, q1, scene)
    assert motion.hit
    assert not motion
    assert motion.other == "sheet"
    first = first_sample(robot, q0, q1, scene, 100_001)
    assert first - 1e-3 < motion.time <= first
    assert robot.distance(motion.configuration[None], scene).distance[0] <= 1e-4 * robot._prepared.size
    assert robot.check_motions([q0], [q1], scene).hit[0]
    assert robot.check_motion(q0, q0, scene).free


def thin_sheet():
    box = tumble.shapes.box(1.0)
    return tumble.Mesh(box.vertices * [1e-4, 0.8, 0.4], box.faces)


def test_a_contact_at_either_end_counts():
    robot, scene = arm(), tumble.Scene()
    scene.add("box", tumble.shapes.box(0.2), translation(0.0, 0.0, 1.3))
    Q = np.array([[0.0, 2.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0]])
    assert robot.collides(Q, scene).hit.tolist() == [False, True]
    there, back = robot.check_motion(*Q, scene), robot.check_motion(*Q[::-1], scene)
    assert 0.0 < there.time < 1.0
    assert there.hit
    assert (back.time, back.hit) == (0.0, True)


def test_what_is_nearly_touched_is_never_called_free_without_proof():
    robot, scene = arm(), tumble.Scene()
    scene.add("box", tumble.shapes.box(0.2), translation(0.0, 0.0, 3.0))
    q0, q1 = np.zeros(4), np.array([3.0, 0.0, 0.0, 0.0])
    gap = robot.distance([q0], scene, self_collision=False).distance[0]
    lower = translation(0.0, 0.0, 3.0 - gap + 1e-3)
    scene.move("box", lower)
    assert robot.check_motion(q0, q1, scene).free
    tilted = np.array([0.0, 0.5, 0.0, 0.0])
    assert robot.check_motion(tilted, q0, scene).free
    rough = robot.check_motion(tilted, q0, scene, tolerance=0.01)
    assert not rough.free
    assert not rough.hit
    assert rough.undecided


@pytest.mark.parametrize("tolerance", [0.02, 0.1, 0.4])
def test_what_is_called_nearly_touched_is_that_near(tolerance):
    """Also where balls around parts of links leave a gap that is smaller than the tolerance."""
    rng = np.random.default_rng(14)
    robot, scene = arm(), cluttered(rng, 12)
    Q0, Q1 = starts_and_ends(rng, robot, scene, 80, 0.5)
    found = robot.check_motions(Q0, Q1, scene, times=True, tolerance=tolerance)
    near = found.undecided
    assert near.sum() > (0 if tolerance < 0.1 else 3)
    there = Q0[near] + found.times[near, None] * (Q1 - Q0)[near]
    assert (robot.distance(there, scene).distance <= tolerance * (1.0 + 1e-9)).all()
    for link, other in (found.touching(edge) for edge in np.flatnonzero(near)):
        assert link in robot.links
        assert other in (*robot.links, *scene.names)


def test_levers_bound_every_motion():
    rng = np.random.default_rng(11)
    for _ in range(10):
        robot = arm(random_pose(rng))
        bodies, levers = robot._prepared.bodies, robot._prepared.levers
        q = configurations(rng, 1, robot)[0]
        dq = 1e-6 * rng.normal(size=4)
        before, after = robot.poses(np.stack([q, q + dq]))
        slides = np.maximum(np.abs(q), np.abs(q + dq))
        lengths = levers.lengths + levers.extensions @ slides
        for body, link in enumerate(bodies.links):
            points = np.c_[robot.meshes[link].vertices, np.ones(len(robot.meshes[link].vertices))]
            ways = np.linalg.norm((points @ (after[link] - before[link]).T)[:, :3], axis=1)
            assert ways.max() <= lengths[body] @ np.abs(dq) * (1 + 1e-4) + 1e-12


def test_levers_of_pairs_leave_out_what_moves_both():
    robot = arm()
    bodies, lengths = robot._prepared.bodies, levers_of(robot.kinematics, robot._prepared.bodies, 4).lengths
    pairs = lengths[len(bodies.links) :]
    for row, (a, _) in zip(pairs, robot.pairs, strict=True):
        assert (row[0] == 0.0) == (robot.links[a] != "base")


def test_threads_parts_and_the_robot_alone():
    rng = np.random.default_rng(12)
    robot, scene = arm(), cluttered(rng)
    Q0, Q1 = starts_and_ends(rng, robot, scene, 150, 0.5)
    one, three = (robot.check_motions(Q0, Q1, scene, times=True, threads=threads) for threads in (1, 3))
    assert np.array_equal(one.times, three.times)
    assert np.array_equal(one.hit, three.hit)
    parts = [robot.check_motions(Q0[k:][:40], Q1[k:][:40], scene, times=True).times for k in range(0, 150, 40)]
    assert np.array_equal(one.times, np.concatenate(parts))
    single = robot.check_motion(Q0[3], Q1[3], scene)
    assert (single.free, single.hit, single.time) == (one.free[3], one.hit[3], one.times[3])
    alone = robot.check_motions(Q0, Q1)
    assert alone.free.sum() > one.free.sum()
    assert robot.check_motions(Q0, Q1, self_collision=False).free.all()


def test_empty_and_senseless_questions():
    robot = arm()
    assert len(robot.check_motions(np.empty((0, 4)), np.empty((0, 4)))) == 0
    with pytest.raises(InputError, match="Q0 has 2"):
        robot.check_motions(np.zeros((2, 4)), np.zeros((1, 4)))
    with pytest.raises(InputError, match="Q1"):
        robot.check_motion(np.zeros(4), [0.0, 0.0, np.inf, 0.0])
    with pytest.raises(InputError):
        robot.check_motion(np.zeros(3), np.zeros(4))
    for tolerance in (0.0, -1.0, np.nan, "small"):
        with pytest.raises(OptionError, match="tolerance"):
            robot.check_motion(np.zeros(4), np.ones(4), tolerance=tolerance)


def test_what_a_robot_holds_collides_too():
    robot, scene = arm(), tumble.Scene()
    way, fingers = translation(0, 0, 0.5), ["left", "right"]
    held = robot.with_attached("cup", tumble.shapes.box(0.2), "tool", way, may_touch=fingers)
    poses = held.poses(np.zeros((1, 4)))[0]
    assert np.allclose(poses[-1], poses[robot.links.index("tool")] @ translation(0, 0, 0.5))
    scene.add("box", tumble.shapes.box(0.1), poses[-1] @ translation(0.1, 0, 0))
    assert not robot.collides(np.zeros((1, 4)), scene).hit[0]
    assert held.collides(np.zeros((1, 4)), scene, links=True).touching(0) == [("cup", "box")]
    for wrong in ({"name": "tool"}, {"link": "nowhere"}, {"may_touch": ["nobody"]}):
        with pytest.raises(InputError):
            robot.with_attached(**{"name": "cup", "mesh": tumble.shapes.box(0.1), "link": "tool", **wrong})


@pytest.mark.parametrize("times", [False, True])
def test_threads_and_neighbours_in_the_list_do_not_matter(times):
    """Which contact is named must not depend on what the same thread was asked before."""
    rng = np.random.default_rng(12)
    robot, scene = arm(), cluttered(rng)
    Q0, Q1 = configurations(rng, 400, robot), configurations(rng, 400, robot)
    found = robot.check_motions(Q0, Q1, scene, times=times, threads=1)
    again = robot.check_motions(Q0, Q1, scene, times=times, threads=4)
    back = robot.check_motions(Q0[::-1], Q1[::-1], scene, times=times, threads=2)
    for name in ("free", "hit", "pairs", *(("times",) if times else ())):
        assert np.array_equal(getattr(found, name), getattr(again, name)), name
        assert np.array_equal(getattr(found, name), getattr(back, name)[::-1]), name
    assert 100 < found.hit.sum() < 400
    assert len({found.touching(k) for k in range(400)}) > 10


def test_levers_of_many_joints_fit_into_the_memory():
    """A table of joints by joints for each pair of links, of which only slides make use, would take 400 MB."""
    count = 100
    kinematics = Kinematics.of(
        parents=range(-1, count - 1), kinds=[TURNS] * count, columns=range(count), factors=[1] * count,
        offsets=[0] * count, origins=[translation(0, 0, 0.5)] * count, axes=[[1, 0, 0]] * count,
    )  # fmt: skip
    names, limits = [str(k) for k in range(count)], np.tile([-0.3, 0.3], (count, 1))
    snake = Robot(names, [rod(0.4)] * count, kinematics, names, limits)
    tracemalloc.start()
    levers = levers_of(kinematics, snake._prepared.bodies, count)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 100e6
    assert levers.lengths.shape == (count + len(snake.pairs), count)
    assert levers.extensions.shape[0] == 0
