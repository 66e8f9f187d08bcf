"""Distances of robots: `tumble.distance` of each two bodies is the judge."""

import numpy as np
import pytest
from small_robots import arm, cluttered, configurations

import tumble
from tumble.errors import InputError, OptionError
from tumble.robot.collisions.asked import PIECE


def judged(robot, q, scene):
    """The least distance, and who keeps it."""
    poses, best = robot.poses(q[None])[0], (np.inf, None)
    for link, mesh in enumerate(robot.meshes):
        for name in scene.names if mesh else ():
            near = tumble.distance(mesh, scene.mesh(name), pose_a=poses[link], pose_b=scene.pose(name))
            best = min(best, (near.distance, (robot.links[link], name)), key=lambda each: each[0])
    for a, b in robot.pairs:
        near = tumble.distance(robot.meshes[a], robot.meshes[b], pose_a=poses[a], pose_b=poses[b])
        best = min(best, (near.distance, (robot.links[a], robot.links[b])), key=lambda each: each[0])
    return best


@pytest.mark.parametrize("seed", range(2))
def test_distances_are_those_of_all_pairs(seed):
    rng = np.random.default_rng(seed)
    robot, scene = arm(), cluttered(rng)
    Q = configurations(rng, 60, robot)
    found, hit = robot.distance(Q, scene), robot.collides(Q, scene).hit
    assert np.array_equal(found.distance == 0.0, hit)
    assert 0 < hit.sum() < len(Q)
    for k, q in enumerate(Q):
        distance, pair = judged(robot, q, scene)
        assert found.distance[k] == pytest.approx(distance, abs=1e-13)
        if distance > 0.0:
            assert found.nearest(k) == pair
            assert np.linalg.norm(found.points[k, 0] - found.points[k, 1]) == pytest.approx(distance, abs=1e-13)


def test_upper_bound_threads_and_parts():
    rng = np.random.default_rng(3)
    robot, scene = arm(), cluttered(rng)
    Q = configurations(rng, PIECE + 50, robot)
    found = robot.distance(Q, scene, threads=1)
    for again in (robot.distance(Q, scene, threads=3), robot.distance(Q, scene, upper_bound=found.distance.max())):
        assert np.array_equal(found.distance, again.distance)
        assert np.array_equal(found.pairs, again.pairs)
    some = robot.distance(Q[700:800], scene)
    assert np.array_equal(found.distance[700:800], some.distance)
    bound = float(np.median(found.distance[found.distance > 0.0]))
    near = robot.distance(Q, scene, upper_bound=bound)
    within = found.distance <= bound
    assert np.array_equal(near.distance[within], found.distance[within])
    assert np.isinf(near.distance[~within]).all()
    assert near.nearest(int(np.argmin(within))) is None


def test_empty_and_senseless_questions():
    robot = arm()
    assert len(robot.distance(np.empty((0, 4)))) == 0
    alone = robot.with_allowed([(a, b) for a in robot.links for b in robot.links if a < b])
    assert np.isinf(alone.distance(np.zeros((2, 4))).distance).all()
    with pytest.raises(InputError, match="shape"):
        robot.distance(np.zeros(4))
    with pytest.raises(OptionError, match="upper_bound"):
        robot.distance(np.zeros((1, 4)), upper_bound=np.nan)
