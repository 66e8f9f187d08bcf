"""Collisions of many configurations: asking `tumble.collides` about each two bodies is the judge."""

import pickle
import threading
from dataclasses import replace

import numpy as np
import pytest
from small_robots import arm, cluttered, configurations, touching_by_pairs

import tumble
from tumble.errors import InputError, MeshError, OptionError
from tumble.hierarchy.packed import packed
from tumble.hierarchy.packed.header import ELONGATED
from tumble.mesh import random_pose, translation
from tumble.robot.collisions.asked import PIECE

COUNT = 150


def expected(robot, Q, scene, **options):
    return [touching_by_pairs(robot, q, scene, **options) for q in Q]


@pytest.mark.parametrize("seed", range(3))
def test_hits_and_names_are_those_of_all_pairs(seed):
    rng = np.random.default_rng(seed)
    robot, scene = arm(random_pose(rng) if seed else None), cluttered(rng)
    Q = configurations(rng, COUNT, robot)
    judged = expected(robot, Q, scene)
    assert 10 < sum(map(bool, judged)) < COUNT - 10 or seed
    found = robot.collides(Q, scene, links=True)
    assert [found.touching(k) for k in range(COUNT)] == judged
    assert found.hit.tolist() == list(map(bool, judged))
    assert robot.collides(Q, scene).hit.tolist() == found.hit.tolist()


def test_long_thin_triangles_of_links_beside_turned_obstacles():
    """Their own extents tell more than boxes do, but only in a frame in which the obstacles' boxes are."""
    rng, plain = np.random.default_rng(11), arm()
    needles = [mesh if mesh is None else cut_into_strips(mesh) for mesh in plain.meshes]
    robot = replace(plain, meshes=tuple(needles))
    assert any(mesh is not None and packed(mesh).header[ELONGATED] for mesh in robot.meshes)
    scene, turn = tumble.Scene(), tumble.rotation((1.0, 2.0, -1.0), 0.7)
    for k in range(40):
        place = translation(*(rng.normal(size=3) * 0.8 + [0.0, 0.0, 0.8]))
        scene.add(f"box{k}", tumble.shapes.box(0.05), place @ turn)
    Q = configurations(rng, COUNT, robot)
    judged = expected(robot, Q, scene, self_collision=False)
    assert 10 < sum(map(bool, judged)) < COUNT - 10
    found = robot.collides(Q, scene, links=True, self_collision=False)
    assert [found.touching(k) for k in range(COUNT)] == judged
    assert robot.collides(Q, scene, self_collision=False).hit.tolist() == list(map(bool, judged))


def cut_into_strips(mesh, count=40):
    """The same surface, each triangle as so many from one of its edges to the corner opposite."""
    shares = np.linspace(0.0, 1.0, count + 1)[:, None]
    strips = []
    for a, b, c in mesh.triangles:
        edge = a + shares * (b - a)
        strips += [np.stack([edge[:-1], edge[1:], np.broadcast_to(c, (count, 3))], axis=1)]
    corners = np.concatenate(strips)
    return tumble.Mesh(corners.reshape(-1, 3), np.arange(3 * len(corners)).reshape(-1, 3))


def test_the_robot_alone_and_the_scene_alone():
    rng = np.random.default_rng(4)
    robot, scene = arm(), cluttered(rng)
    Q = configurations(rng, COUNT, robot)
    alone = expected(robot, Q, None)
    assert any(alone)
    assert robot.collides(Q).hit.tolist() == list(map(bool, alone))
    outside = expected(robot, Q, scene, self_collision=False)
    assert robot.collides(Q, scene, self_collision=False).hit.tolist() == list(map(bool, outside))


def test_with_a_clearance():
    rng = np.random.default_rng(5)
    robot, scene = arm(), cluttered(rng)
    Q = configurations(rng, 60, robot)
    judged = expected(robot, Q, scene, clearance=0.05)
    found = robot.collides(Q, scene, links=True, clearance=0.05)
    assert [found.touching(k) for k in range(len(Q))] == judged
    hit = robot.collides(Q, scene, clearance=0.05).hit
    assert hit.tolist() == list(map(bool, judged))
    assert hit.sum() > robot.collides(Q, scene).hit.sum()


def test_threads_and_pieces_do_not_matter():
    rng = np.random.default_rng(6)
    robot, scene = arm(), cluttered(rng)
    Q = configurations(rng, 2 * PIECE + 77, robot)
    found = robot.collides(Q, scene, links=True, threads=1)
    assert np.array_equal(found.rows, robot.collides(Q, scene, links=True, threads=3).rows)
    few = np.concatenate([robot.collides(part, scene, threads=3).hit for part in np.array_split(Q, 7)])
    assert np.array_equal(found.hit, few)
    assert np.array_equal(robot.collides(Q, scene, threads=3).hit, few)


def test_many_touching_triangles_and_rows_fit():
    robot = arm()
    scene = tumble.Scene()
    for k in range(40):
        scene.add(f"ball{k}", tumble.shapes.icosphere(4, 0.9), translation(0, 0, 0.01 * k))
    Q = np.zeros((60, 4))
    found = robot.collides(Q, scene, links=True, self_collision=False)
    judged = touching_by_pairs(robot, Q[0], scene, self_collision=False)
    assert len(found.rows) == len(Q) * len(judged) > 2000
    assert found.touching(-1) == judged


def test_what_is_fixed_to_the_world_counts():
    robot = arm()
    # no joint moves the base: it touches in every configuration, or in none
    assert robot.collides(
        np.zeros((3, 4)), tumble.transformed(tumble.shapes.box(0.1), translation(0.1, 0, 0))
    ).hit.all()
    touching = robot.collides(np.zeros((3, 4)), tumble.shapes.box(0.3), links=True).touching(2)
    assert ("base", None) in touching


def test_the_scene_is_looked_at_anew():
    robot, scene = arm(), tumble.Scene()
    scene.add("box", tumble.shapes.box(0.2), translation(0, 0, 9))
    assert not robot.collides(np.zeros((2, 4)), scene).hit.any()
    scene.move("box", translation(0, 0, 0.8))
    assert robot.collides(np.zeros((2, 4)), scene).hit.all()
    scene.remove("box")
    assert not robot.collides(np.zeros((2, 4)), scene).hit.any()
    assert not robot.collides(np.zeros((2, 4)), tumble.Mesh(np.zeros((0, 3)), np.zeros((0, 3), int))).hit.any()


def test_pickles_of_a_robot_that_was_asked():
    robot, scene = arm(), cluttered(np.random.default_rng(7))
    Q = configurations(np.random.default_rng(8), 50, robot)
    found = robot.collides(Q, scene, links=True)
    again = pickle.loads(pickle.dumps(robot))
    assert np.array_equal(again.collides(Q, scene).hit, found.hit)
    copied = pickle.loads(pickle.dumps(found))
    assert copied.touching(3) == found.touching(3)
    with pytest.raises(ValueError, match="read-only"):
        copied.hit[0] = True


def test_threads_share_a_robot():
    robot, rng = arm(), np.random.default_rng(9)
    scenes = [cluttered(rng) for _ in range(4)]
    Q = configurations(rng, 400, robot)
    expected_hits = [arm().collides(Q, scene).hit for scene in scenes]
    wrong = []

    def ask(k):
        for _ in range(5):
            if not np.array_equal(robot.collides(Q, scenes[k]).hit, expected_hits[k]):
                wrong.append(k)

    workers = [threading.Thread(target=ask, args=(k,)) for k in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert not wrong


def test_empty_and_senseless_questions():
    robot = arm()
    assert len(robot.collides(np.empty((0, 4)), tumble.Scene())) == 0
    assert robot.collides([], links=True).rows.shape == (0, 3)
    with pytest.raises(InputError, match="shape"):
        robot.collides(np.zeros((3, 5)))
    with pytest.raises(InputError, match=r"Q\[1\]\[2\] is nan"):
        robot.collides([[0, 0, 0, 0], [0, 0, np.nan, 0]])
    with pytest.raises(MeshError):
        robot.collides(np.zeros((1, 4)), "scene")
    with pytest.raises(OptionError, match="clearance"):
        robot.collides(np.zeros((1, 4)), clearance=-1.0)
    with pytest.raises(OptionError, match="threads"):
        robot.collides(np.zeros((1, 4)), threads=0)
    with pytest.raises(OptionError, match="links=True"):
        robot.collides(np.zeros((1, 4))).touching(0)
    with pytest.raises(IndexError):
        robot.collides(np.zeros((1, 4)), links=True).touching(1)
