"""Configurations of a robot on a cluster: the same hits as on one machine; without Dask."""

from dataclasses import fields

import numpy as np
import pytest
from fake_connection import FakeConnection

import tumble
from tumble.cluster import Cluster
from tumble.errors import ClusterError
from tumble.robot import TURNS, Kinematics, Robot
from tumble.robot.collisions import elsewhere

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


def same(found, expected):
    """Every column has the same bits, and nothing can be written to."""
    assert type(found) is type(expected)
    for column in fields(expected):
        one, other = getattr(found, column.name), getattr(expected, column.name)
        assert type(one) is type(other), column.name
        if isinstance(other, np.ndarray):
            assert (one.dtype, one.flags.writeable) == (other.dtype, False), column.name
            np.testing.assert_array_equal(one, other, column.name)
        else:
            assert one == other, column.name


ASKED = {
    "links": lambda robot, Q, **how: robot.collides(Q, links=True, **how),
    "links and clearance": lambda robot, Q, **how: robot.collides(Q, links=True, clearance=0.05, **how),
    "links and their clearances": lambda robot, Q, **how: robot.collides(Q, links=True, clearance={"c": 0.1}, **how),
    "distance": lambda robot, Q, **how: robot.distance(Q, **how),
    "distance of each link": lambda robot, Q, **how: robot.distance(Q, links=True, **how),
    "near distance": lambda robot, Q, **how: robot.distance(Q, upper_bound=0.1, self_collision=False, **how),
    "motions": lambda robot, Q, **how: robot.check_motions(Q, 0.8 * Q, **how),
    "times": lambda robot, Q, **how: robot.check_motions(Q, 0.8 * Q, times=True, tolerance=0.01, **how),
}


@pytest.mark.parametrize("ask", ASKED.values(), ids=ASKED)
@pytest.mark.parametrize("rows", [1, 77])
def test_all_columns_are_those_of_one_machine(ask, rows, tmp_path):
    Q, scene = arm().random(COUNT, 6), obstacles()
    expected = ask(arm(), Q, scene=scene)
    with Cluster(FakeConnection(), chunk_rows=rows, checkpoint=tmp_path / "kept") as cluster:
        same(ask(arm(), Q, scene=scene, client=cluster), expected)
        chunks = len(cluster.connection.chunks)
        assert chunks >= (COUNT // 77 if "motions" not in str(ask) else 2)
        same(ask(arm(), Q, scene=scene, client=cluster), expected)
        assert len(cluster.connection.chunks) == chunks
        assert len(ask(arm(), Q[:0], scene=scene, client=cluster)) == 0
        assert len(cluster.connection.chunks) == chunks


@pytest.mark.parametrize("many", [32 * COUNT, 32 * COUNT + 1])
def test_tables_of_gaps_travel_and_workers_make_none(monkeypatch, many):
    """Motions advance by other steps where there are tables, so workers have those of whoever asks."""
    monkeypatch.setattr("tumble.robot.collisions.gap_tables.MANY", many)
    seen, prepared = [], elsewhere._prepared
    monkeypatch.setattr(elsewhere, "_prepared", lambda shared: seen.append(prepared(shared)) or seen[-1])
    robot, Q = arm(), arm().random(COUNT, 7)
    with Cluster(FakeConnection(), chunk_rows=64) as cluster:
        found = robot.check_motions(Q, 0.9 * Q, times=True, client=cluster)
    same(found, arm().check_motions(Q, 0.9 * Q, times=True))
    here = robot._prepared.bodies.tables
    assert (len(here.gaps) > 0) == (many == 32 * COUNT)
    assert len(seen) > 3
    for each in seen:
        assert each is not robot._prepared
        for ours, theirs in zip(here, each.bodies.tables, strict=True):
            np.testing.assert_array_equal(theirs, ours)


def test_a_robot_travels_once_and_again_when_obstacles_move():
    robot, scene = arm(), obstacles()
    with Cluster(FakeConnection(), chunk_rows=50) as cluster:
        for _ in range(2):
            robot.collides(robot.random(COUNT, 8), scene, client=cluster)
            robot.distance(robot.random(COUNT, 8), scene, client=cluster)
        assert len(cluster.connection.shared) == 1
        scene.move("ball", tumble.translation(0.0, 0.4, 1.1))
        Q = robot.random(COUNT, 8)
        same(robot.collides(Q, scene, links=True, client=cluster), arm().collides(Q, scene, links=True))
        assert len(cluster.connection.shared) == 2


def test_workers_warm_up_for_each_question():
    said = []
    Q = arm().random(COUNT, 10)
    with Cluster(FakeConnection(), report=lambda *progress: said.append(progress[0])) as cluster:
        for _ in range(2):
            for ask in ASKED.values():
                ask(arm(), Q, client=cluster)
    warmed = [k for k, what in enumerate(said) if what == "warming up workers" and said[k - 1] != what]
    assert len(warmed) == len(ASKED)


def test_errors_name_the_rows_and_reports_count_them():
    said = []
    connection = FakeConnection()
    Q = arm().random(COUNT, 9)
    with Cluster(connection, report=lambda *progress: said.append(progress), chunk_rows=40) as cluster:
        arm().check_motions(Q, Q, client=cluster)
        assert said[-1] == ("edges", COUNT, COUNT)

        def fail(number, rows):
            raise ZeroDivisionError("why")

        connection.before_chunk = fail
        with pytest.raises(
            ClusterError, match=r"configurations \d+ to \d+ failed on the cluster: ZeroDivisionError: why"
        ):
            arm().distance(Q, client=cluster)


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
        with pytest.raises(ClusterError, match=r"the call, .*the options"):
            robot.check_motions(Q, Q, obstacles(), client=cluster)
