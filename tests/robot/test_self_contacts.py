"""How often links touch in random configurations, and which pairs may by that."""

import numpy as np
import pytest
from arms import CART, arm_file

from tumble import collides
from tumble.core import memory
from tumble.errors import LimitError, OptionError
from tumble.robot import Robot, self_check
from tumble.robot.self_check import touching
from tumble.robot.statistics import MEASURED


def test_hits_are_those_of_each_configuration(tmp_path):
    robot = Robot.load(arm_file(tmp_path)).with_allowed({})
    Q = robot.random(60, seed=2)
    pairs = robot.shaped_pairs
    found = touching(robot, Q)
    assert np.array_equal(found, touching(robot, Q, threads=3))
    assert 0 < found.sum() < found.size
    for q, row in zip(robot.poses(Q), found, strict=True):
        for (i, j), hit in zip(pairs, row, strict=True):
            assert hit == collides(robot.meshes[i], robot.meshes[j], q[i], q[j])


def test_pieces_and_threads_change_nothing(tmp_path, monkeypatch):
    robot = Robot.load(arm_file(tmp_path, text=CART))
    whole = robot.find_allowed_pairs(300, depths=True, threads=1)
    monkeypatch.setattr(self_check, "MEMORY", 7 * (8 + 6 + 1))
    rows = self_check.pieces(robot, 300, robot.shaped_pairs)
    assert [each.stop - each.start for each in rows] == [7] * 42 + [6]
    assert robot.find_allowed_pairs(300, depths=True, threads=3) == whole


def test_pairs_that_may_touch(tmp_path):
    robot = Robot.load(arm_file(tmp_path, text=CART)).with_allowed({("base", "post"): "User", ("far", "post"): "Never"})
    x = robot.random(500, seed=1)[:, 0]
    within = int((x <= 1).sum())
    assert 200 < within < 300
    found = robot.find_allowed_pairs(500, seed=1)
    assert found.samples == 500
    assert found.colliding == within
    assert [each[:5] for each in found.pairs] == [
        ("base", "far", 0, "Adjacent", ""),
        ("base", "cart", within, "", ""),
        ("base", "post", 500, "Always", "User"),
        ("far", "cart", 0, "Adjacent", ""),
        ("far", "post", 0, "Adjacent", "Never"),
        ("cart", "post", within, "", ""),
    ]
    assert found.allowed == {
        ("base", "far"): "Adjacent",
        ("base", "post"): "Always",
        ("far", "cart"): "Adjacent",
        ("far", "post"): "Adjacent",
    }
    again = robot.with_allowed(found.allowed)
    assert {(again.links[i], again.links[j]) for i, j in again.pairs} == {("base", "cart"), ("cart", "post")}
    far = robot.with_allowed([("base", "cart"), ("cart", "post")])
    assert far.find_allowed_pairs(500, seed=1).colliding == 500  # by the post


def test_a_pair_that_never_touches_in_the_samples(tmp_path):
    robot = Robot.load(arm_file(tmp_path, 'lower="0"', 'lower="1.5"', CART))
    found = {(each.a, each.b): each.found for each in robot.find_allowed_pairs(50).pairs}
    assert found["base", "cart"] == "Never"


def test_depths(tmp_path):
    robot = Robot.load(arm_file(tmp_path, text=CART))
    x = robot.random(400, seed=4)[:, 0]
    found = {(each.a, each.b): each.depth for each in robot.find_allowed_pairs(400, seed=4, depths=True).pairs}
    measured = x[x <= 1][:MEASURED]
    assert len(measured) == MEASURED
    assert found["base", "cart"] == pytest.approx(1 - measured.min(), abs=1e-12)
    assert found["base", "post"] == pytest.approx(0.25)
    assert found["far", "cart"] == 0.0
    unknown = robot.find_allowed_pairs(50).pairs
    assert [np.isnan(each.depth) for each in unknown] == [each.hits > 0 for each in unknown]


def test_more_than_the_memory_holds_is_refused(tmp_path, monkeypatch):
    robot = Robot.load(arm_file(tmp_path))
    monkeypatch.setattr(memory, "SMALL", 0)
    monkeypatch.setattr(memory, "free_memory", lambda: 1000 * 8 * 16)
    with pytest.raises(LimitError, match="1,000 × 6 poses would take"):
        robot.poses(np.zeros((1000, 3)))
    with pytest.raises(LimitError, match="6,000 configurations would take"):
        robot.random(6000)
    monkeypatch.setattr(memory, "free_memory", lambda: 100)
    with pytest.raises(LimitError, match="the pairs of 5 links would take"):
        _ = robot.pairs


def test_samples_do_not_have_to_fit_into_the_memory(tmp_path, monkeypatch):
    robot = Robot.load(arm_file(tmp_path, text=CART))
    monkeypatch.setattr(self_check, "MEMORY", 50 * (8 + 6 + 1))
    monkeypatch.setattr(memory, "SMALL", 0)
    monkeypatch.setattr(memory, "free_memory", lambda: 500 * 8 - 1)
    found = robot.find_allowed_pairs(500)
    monkeypatch.undo()
    assert found.colliding == robot.find_allowed_pairs(500).colliding
    assert [each.hits for each in found.pairs] == [each.hits for each in robot.find_allowed_pairs(500).pairs]


def test_no_samples_are_refused(tmp_path):
    robot = Robot.load(arm_file(tmp_path))
    for samples in (0, -1, 2.5, True):
        with pytest.raises(OptionError, match="the number of configurations must be a whole number from 1"):
            robot.find_allowed_pairs(samples)


def test_a_robot_of_one_link_has_no_pairs(tmp_path):
    path = tmp_path / "box.urdf"
    shape = '<collision><geometry><box size="1 1 1"/></geometry></collision>'
    path.write_text(f'<robot name="box"><link name="a">{shape}</link></robot>')
    found = Robot.load(path).find_allowed_pairs(50, depths=True)
    assert (found.pairs, found.samples, found.colliding) == ([], 50, 0)
