"""Configurations of a robot on a cluster: the same hits as on one machine; without Dask."""

import numpy as np
import pytest
from fake_connection import FakeConnection

import tumble
from tumble.cluster import Cluster
from tumble.errors import ClusterError, OptionError
from tumble.robot import TURNS, Kinematics, Robot

ROD = tumble.Mesh(tumble.shapes.box(1.0).vertices * [0.1, 0.1, 0.8] + [0.0, 0.0, 0.4], tumble.shapes.box(1.0).faces)
COUNT = 200


def arm():
    """Three rods, each turning about another axis at the end of the one before."""
    kinematics = Kinematics.of(
        parents=[-1, 0, 1], kinds=[TURNS] * 3, columns=[0, 1, 2], factors=[1] * 3, offsets=[0] * 3,
        origins=[np.eye(4), *[tumble.translation(0.0, 0.0, 0.75)] * 2], axes=[[0, 0, 1], [1, 0, 0], [0, 1, 0]],
    )  # fmt: skip
    limits = np.tile([-3.0, 3.0], (3, 1))
    return Robot("abc", [ROD] * 3, kinematics, ("one", "two", "three"), limits).with_allowed([("a", "b"), ("b", "c")])


def obstacles():
    scene = tumble.Scene()
    scene.add("ball", tumble.shapes.icosphere(2, 0.3), tumble.translation(0.6, 0.0, 1.0))
    scene.add("box", tumble.shapes.box(0.4), tumble.translation(-0.7, 0.2, 0.8))
    return scene


@pytest.mark.parametrize(
    "options", [{}, {"clearance": 0.05}, {"clearance": {"c": 0.1}}, {"self_collision": False}], ids=str
)
def test_hits_are_those_of_one_machine(options):
    robot, scene = arm(), obstacles()
    Q = robot.random(COUNT, 3)
    expected = robot.collides(Q, scene, **options)
    with Cluster(FakeConnection(), chunk_rows=17) as cluster:
        found = robot.collides(Q, scene, client=cluster, **options)
        assert len(cluster.connection.chunks) == -(-COUNT // 17)
    assert 0 < expected.hit.sum() < COUNT
    np.testing.assert_array_equal(found.hit, expected.hit)
    assert (found.links, found.obstacles, found.hit.flags.writeable) == (expected.links, expected.obstacles, False)


def test_nothing_asked_and_no_obstacles():
    with Cluster(FakeConnection()) as cluster:
        assert len(arm().collides(np.empty((0, 3)), client=cluster)) == 0
        Q = arm().random(COUNT, 4)
        np.testing.assert_array_equal(arm().collides(Q, client=cluster).hit, arm().collides(Q).hit)


def test_names_are_refused():
    with Cluster(FakeConnection()) as cluster, pytest.raises(OptionError, match="leave client= out"):
        arm().collides(np.zeros((1, 3)), links=True, client=cluster)


def test_a_checkpoint_knows_the_robot_and_the_obstacles(tmp_path):
    robot, scene = arm(), obstacles()
    Q = robot.random(COUNT, 5)
    with Cluster(FakeConnection(), checkpoint=tmp_path / "kept", chunk_rows=50) as cluster:
        first = robot.collides(Q, scene, client=cluster)
        again = robot.collides(Q, scene, client=cluster)
        np.testing.assert_array_equal(again.hit, first.hit)
        assert len(cluster.connection.chunks) == COUNT // 50
        with pytest.raises(ClusterError, match="the robot"):
            robot.with_allowed([]).collides(Q, scene, client=cluster)
        scene.move("ball", tumble.translation(0.5, 0.0, 1.0))
        with pytest.raises(ClusterError, match="the obstacles"):
            robot.collides(Q, scene, client=cluster)
        with pytest.raises(ClusterError, match="the options"):
            robot.collides(Q, obstacles(), clearance=0.1, client=cluster)
