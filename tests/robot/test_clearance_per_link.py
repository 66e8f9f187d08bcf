"""Clearances of links by name: `tumble.collides` with the clearance of each pair is the judge."""

import pickle
from dataclasses import replace

import numpy as np
import pytest
from small_robots import arm, cluttered, configurations, rod, touching_by_pairs

import tumble
from tumble.errors import InputError, OptionError
from tumble.mesh import translation

KEPT = {"first": 0.04, "third": 0.15, "tool": 0.3, "left": 0.02, "frame": 9.0, "base": 0.1}


def holding(robot):
    return robot.with_attached("cup", rod(0.3, 0.1), "tool", translation(0.05, 0.05, 0.02), may_touch=["left", "right"])


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("kept", [KEPT, {**KEPT, "cup": 0.25}, {"cup": 0.1}, {"second": 0.2}], ids=str)
def test_hits_and_names_are_those_of_all_pairs(seed, kept):
    rng = np.random.default_rng(seed)
    robot, scene = holding(arm()), cluttered(rng, 7)
    Q = configurations(rng, 70, robot)
    judged = [touching_by_pairs(robot, q, scene, clearance=kept) for q in Q]
    plain = [touching_by_pairs(robot, q, scene) for q in Q]
    assert sum(map(bool, judged)) > sum(map(bool, plain)) > 0
    found = robot.collides(Q, scene, links=True, clearance=kept)
    assert [found.touching(k) for k in range(len(Q))] == judged
    assert robot.collides(Q, scene, clearance=kept, threads=3).hit.tolist() == list(map(bool, judged))
    alone = [touching_by_pairs(robot, q, None, clearance=kept) for q in Q]
    assert robot.collides(Q, clearance=kept).hit.tolist() == list(map(bool, alone))
    outside = [touching_by_pairs(robot, q, scene, self_collision=False, clearance=kept) for q in Q]
    assert robot.collides(Q, scene, clearance=kept, self_collision=False).hit.tolist() == list(map(bool, outside))


def test_the_same_for_all_links_is_one_number():
    rng = np.random.default_rng(4)
    robot, scene = arm(), cluttered(rng)
    Q = configurations(rng, 300, robot)
    for size in (0.0, 0.07):
        every = dict.fromkeys(robot.links, size)
        assert np.array_equal(
            robot.collides(Q, scene, clearance=every).hit, robot.collides(Q, scene, clearance=size).hit
        )
    assert np.array_equal(robot.collides(Q, scene, clearance={}).hit, robot.collides(Q, scene).hit)


def test_exactly_as_far_as_the_clearance_is_enough():
    robot = arm().with_attached("plate", tumble.shapes.box(0.5), "frame", translation(0, 0, -1.75))
    wall = tumble.transformed(tumble.shapes.box(1.0), translation(0, 0, -2.5))  # a quarter below the plate
    q = np.zeros((1, 4))
    away = robot.distance(q, wall, self_collision=False).distance[0]
    assert 0.2 < away < 0.8
    for name, hit in (("plate", True), ("first", False)):
        beyond = {name: np.nextafter(away, 9.0)}
        assert robot.collides(q, wall, self_collision=False, clearance=beyond).hit[0] == hit
        assert not robot.collides(q, wall, self_collision=False, clearance={name: away}).hit[0]


def test_tables_of_gaps_change_no_answer(monkeypatch):
    monkeypatch.setattr("tumble.robot.collisions.gap_tables.MANY", 1)
    rng, plain, quick = np.random.default_rng(6), arm(), arm()
    plain._prepared.has_tables = True  # and so it never makes them
    Q = configurations(rng, 400, plain)
    hits = [each.collides(Q, clearance=KEPT).hit for each in (plain, quick)]
    assert (quick._prepared.bodies.tables.number >= 0).any()
    assert np.array_equal(*hits)
    assert 0 < hits[0].sum() < len(Q)


def test_links_of_an_unpickled_robot_have_the_same_names():
    rng, robot = np.random.default_rng(7), holding(arm())
    again, Q = pickle.loads(pickle.dumps(robot)), configurations(rng, 100, robot)
    kept = {"cup": 0.4}
    assert np.array_equal(again.collides(Q, clearance=kept).hit, robot.collides(Q, clearance=kept).hit)


def test_links_of_one_name_have_one_clearance():
    robot = arm()
    same = replace(robot, links=("base", "first", "rod", "rod", *robot.links[4:]), allowed=frozenset())
    both = replace(robot, allowed=frozenset())
    Q = configurations(np.random.default_rng(8), 60, robot)
    found = same.collides(Q, links=True, clearance={"rod": 0.1}).rows
    assert np.array_equal(found, both.collides(Q, links=True, clearance={"second": 0.1, "third": 0.1}).rows)


@pytest.mark.parametrize(
    "given, error, words",
    [
        ({"hand": 0.1}, InputError, "there is no link 'hand'; links are base, first"),
        ({"turn": 0.1}, InputError, "there is no link 'turn'"),
        ({3: 0.1}, InputError, "there is no link 3"),
        ({"tool": -0.1}, OptionError, "the clearance of link 'tool' must be a finite number from 0, not -0.1"),
        ({"tool": np.nan}, OptionError, "the clearance of link 'tool' must be a finite number from 0, not nan"),
        ({"tool": np.inf}, OptionError, "the clearance of link 'tool'"),
        ({"tool": "far"}, OptionError, "the clearance of link 'tool'"),
        ({"tool": None}, OptionError, "the clearance of link 'tool'"),
        ({"tool": [0.1]}, OptionError, "the clearance of link 'tool'"),
        ([0.1] * 9, OptionError, "one number, or a mapping from names of links to numbers"),
        (np.full(9, 0.1), OptionError, "one number, or a mapping"),
        ("tool", OptionError, "must be a finite number from 0, not 'tool'"),
        (np.nan, OptionError, "must be a finite number from 0, not nan"),
    ],
)
def test_what_is_no_clearance_is_refused(given, error, words):
    with pytest.raises(error, match=words):
        arm().collides(np.zeros((1, 4)), clearance=given)
