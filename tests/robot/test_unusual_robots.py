"""Robots with little in them, of odd sizes and names, and asked by several threads while the scene changes."""

import pickle
import threading

import numpy as np
import pytest
from small_robots import arm, configurations, rod, touching_by_pairs

import tumble
from tumble.errors import InputError
from tumble.mesh import translation
from tumble.robot import FIXED, SLIDES, TURNS, Kinematics, Robot


def single(kind, limits=((-1.0, 1.0),)):
    """A box that turns about z, slides along it, or stands."""
    columns = [0] if limits else [-1]
    kinematics = Kinematics.of(
        parents=[-1], kinds=[kind], columns=columns, factors=[1], offsets=[0], origins=[np.eye(4)], axes=[[0, 0, 1]]
    )
    return Robot(("box",), (tumble.shapes.box(),), kinematics, ("j",) * len(limits), np.array(limits).reshape(-1, 2))


def gantry(size=1.0):
    """Three slides, one upon the other."""
    ways = np.array([[0, 0, 0], [0, 0, 0.5], [0, 0.5, 0], [0.5, 0, 0]]) * size
    kinematics = Kinematics.of(
        parents=[-1, 0, 1, 2], kinds=[FIXED, *3 * [SLIDES]], columns=[-1, 0, 1, 2], factors=[1] * 4, offsets=[0] * 4,
        origins=[translation(*way) for way in ways], axes=[[1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 0, 0]],
    )  # fmt: skip
    box = tumble.shapes.box(0.4)
    meshes = (tumble.Mesh(box.vertices * size, box.faces),) * 4
    return Robot(("base", "x", "y", "z"), meshes, kinematics, ("a", "b", "c"), np.array([[-1.0, 1.0]] * 3) * size)


def wall(x, size=1.0):
    box = tumble.shapes.box()
    scene = tumble.Scene()
    scene.add("wall", tumble.Mesh(box.vertices * size, box.faces), translation(x * size, 0.1 * size, 0))
    return scene


def check(robot, Q, scene, size=1.0):
    """Every question, judged by pairs; return how many configurations collide."""
    judged = [touching_by_pairs(robot, q, scene) for q in Q]
    found = robot.collides(Q, scene, links=True)
    assert [found.touching(k) for k in range(len(Q))] == judged
    assert robot.collides(Q, scene).hit.tolist() == list(map(bool, judged))
    kept = {robot.links[-1]: 0.1 * size}
    nearer = [touching_by_pairs(robot, q, scene, clearance=kept) for q in Q]
    assert robot.collides(Q, scene, clearance=kept).hit.tolist() == list(map(bool, nearer))
    near = robot.distance(Q, scene, links=True)
    assert np.array_equal(near.distance == 0.0, found.hit)
    assert np.array_equal(near.distance, robot.distance(Q, scene).distance)
    edges = robot.check_motions(Q, Q[::-1], scene)
    assert not (edges.free & found.hit).any()
    robot.find_allowed_pairs(20, depths=True)
    return int(found.hit.sum())


@pytest.mark.parametrize("kind, x", [(TURNS, 1.1), (SLIDES, 0.9)])
def test_robots_of_one_link(kind, x):
    robot = single(kind, ((-1.5, 1.5),))
    Q = robot.random(60)
    assert 0 < check(robot, Q, wall(x)) < len(Q)
    assert check(robot, Q, None) == 0


def test_robots_without_joints():
    robot = single(FIXED, ())
    for Q in (np.empty((4, 0)), np.empty((0, 0))):
        assert check(robot, Q, wall(0.9)) == len(Q)
        assert check(robot, Q, wall(1.1)) == 0


@pytest.mark.parametrize("size", [1e-6, 1.0, 1e8])
def test_robots_that_only_slide_in_any_unit(size):
    robot = gantry(size)
    Q = robot.random(60, seed=2)
    assert 10 < check(robot, Q, wall(1.2, size), size) < 60


def test_names_are_any_text():
    names = 'cup ö "<x>\n', "", "a\ud800", "first "
    robot = arm()
    for k, name in enumerate(names):
        robot = robot.with_attached(name, rod(0.2, 0.05), "tool", translation(0.1 * k, 0.1, 0.05))
    Q = configurations(np.random.default_rng(1), 30, robot)
    kept = dict.fromkeys(names, 0.02)
    judged = [touching_by_pairs(robot, q, None, clearance=kept) for q in Q]
    again = pickle.loads(pickle.dumps(robot))
    found = again.collides(Q, links=True, clearance=kept)
    assert [found.touching(k) for k in range(len(Q))] == judged
    assert again.distance(Q, links=True).nearest(0, "") is not None
    with pytest.raises(InputError, match="there is no link 'cup'"):
        robot.collides(Q, clearance={"cup": 0.1})


def test_names_that_may_be_touched_are_a_list():
    with pytest.raises(InputError, match="may_touch is a list of names of links, not 'left'"):
        arm().with_attached("cup", rod(0.2), "tool", may_touch="left")


def test_a_scene_that_changes_amid_calls_is_taken_as_it_was_at_one_moment():
    robot, scene, near, far = arm(), tumble.Scene(), translation(0, 0, 0.9), translation(0, 0, 9)
    Q = configurations(np.random.default_rng(2), 500, robot)
    hits = []
    for place in (near, far):
        still = tumble.Scene()
        still.add("ball", tumble.shapes.icosphere(2, 0.3), place)
        hits.append(arm().collides(Q, still).hit)
    assert not np.array_equal(*hits)
    scene.add("ball", tumble.shapes.icosphere(2, 0.3), far)
    wrong, over = [], threading.Event()

    def change():
        while not over.is_set():
            scene.move("ball", near)
            scene.add("other", tumble.shapes.box(0.1), translation(0, 0, 50))
            scene.move("ball", far)
            scene.remove("other")

    def ask(threads):
        try:
            for _ in range(12):
                found = robot.collides(Q, scene, threads=threads).hit
                assert any(np.array_equal(found, each) for each in hits)
                robot.collides(Q, scene, links=True, threads=threads, clearance={"tool": 0.01})
                each = robot.distance(Q[:40], scene, links=True, threads=threads)
                assert np.array_equal(each.distance, each.link_distances.min(axis=1))
        except BaseException as error:
            wrong.append(error)

    changing, asking = threading.Thread(target=change), [threading.Thread(target=ask, args=(k,)) for k in (1, 2, 3)]
    for each in (changing, *asking):
        each.start()
    for each in asking:
        each.join()
    over.set()
    changing.join()
    assert not wrong
