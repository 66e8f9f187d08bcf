"""Panda and UR5 among the obstacles of planning problems: published answers, FCL, and one pair after the other."""

from functools import cache

import numpy as np
import pytest
from planning_problems import PANDA, SETS, available, planning_problem, planning_problems, row_of
from small_robots import touching_by_pairs

import oracle
import tumble
from tumble.robot import Robot

pytestmark = pytest.mark.skipif(not available(), reason="the folder of real meshes is not here")
EXAMPLES = PANDA.parents[1] / "example-robot-data"


@cache
def panda():
    return Robot.load(PANDA / "panda.urdf", PANDA / "panda.srdf")


@cache
def ur5():
    robot = Robot.load(EXAMPLES / "ur_description" / "urdf" / "ur5_robot.urdf", package_dirs=EXAMPLES)
    return robot.with_allowed(robot.find_allowed_pairs(2000).allowed)


def scene_of(problem):
    scene = tumble.Scene()
    for each in problem.objects:
        scene.add(each.name, each.mesh, each.pose)
    return scene


def check_published(problem):
    robot = panda().with_allowed(problem.allowed)
    Q = [row_of(robot, problem.start), row_of(robot, problem.goal)]
    assert not robot.collides(Q, scene_of(problem)).hit.any(), problem.name


@pytest.mark.parametrize("name", SETS)
def test_starts_and_goals_are_free_as_published(name):
    for number in (1, 50):
        check_published(planning_problem(f"{name}/{number:04}"))


@pytest.mark.slow
def test_all_starts_and_goals_are_free_as_published():
    for problem in planning_problems():
        check_published(problem)


@pytest.mark.parametrize("make", [panda, ur5])
def test_names_are_those_of_all_pairs(make):
    robot, scene = make(), scene_of(planning_problem("bookshelf_small_panda/0001"))
    Q = robot.random(60, seed=4)
    found = robot.collides(Q, scene, links=True)
    assert [found.touching(k) for k in range(len(Q))] == [touching_by_pairs(robot, q, scene) for q in Q]
    assert np.array_equal(found.hit, robot.collides(Q, scene).hit)
    assert found.hit.sum() > 0


def test_poses_of_yourdfpy_give_the_same():
    yourdfpy = pytest.importorskip("yourdfpy")
    robot, scene = panda(), scene_of(planning_problem("cage_panda/0003"))
    judge = yourdfpy.URDF.load(str(PANDA / "panda.urdf"), load_meshes=False, build_scene_graph=True)
    Q = robot.random(40, seed=5)
    found = robot.collides(Q, scene, links=True)
    for k, q in enumerate(Q):
        judge.update_cfg(q)
        touching = set()
        for link, mesh in zip(robot.links, robot.meshes, strict=True):
            for name in scene.names if mesh is not None else ():
                if tumble.collides(mesh, scene.mesh(name), pose_a=judge.get_transform(link), pose_b=scene.pose(name)):
                    touching.add((link, name))
        assert touching == {pair for pair in found.touching(k) if pair[1] not in robot.links}


def fcl_flags(robot, Q, scene):
    fcl = pytest.importorskip("fcl")

    def body(mesh):
        model = fcl.BVHModel()
        model.beginModel(len(mesh.vertices), len(mesh.faces))
        model.addSubModel(mesh.vertices, mesh.faces)
        model.endModel()
        return fcl.CollisionObject(model)

    links = [None if mesh is None else body(mesh) for mesh in robot.meshes]
    things = [body(scene.mesh(name)) for name in scene.names]
    for thing, name in zip(things, scene.names, strict=True):
        pose = scene.pose(name)
        thing.setTransform(fcl.Transform(pose[:3, :3], pose[:3, 3]))
    pairs = [(links[i], links[j]) for i, j in robot.pairs]
    pairs += [(link, thing) for link in links if link is not None for thing in things]
    hit, request = np.zeros(len(Q), bool), fcl.CollisionRequest()
    for k, poses in enumerate(robot.poses(Q)):
        for link, pose in zip(links, poses, strict=True):
            if link is not None:
                link.setTransform(fcl.Transform(pose[:3, :3], pose[:3, 3]))
        hit[k] = any(fcl.collide(a, b, request, fcl.CollisionResult()) for a, b in pairs)
    return hit


def exactly_touching(robot, q, scene):
    """By rational arithmetic."""
    poses = robot.poses(q[None])[0]
    posed = [None if mesh is None else (mesh.vertices, mesh.faces) for mesh in robot.meshes]
    pairs = [(posed[i], posed[j], poses[i], poses[j]) for i, j in robot.pairs]
    for name in scene.names:
        mesh, pose = scene.mesh(name), scene.pose(name)
        pairs += [(a, (mesh.vertices, mesh.faces), poses[k], pose) for k, a in enumerate(posed) if a is not None]
    return any(len(oracle.touching_pairs(*a, *b, pose_a, pose_b)) for a, b, pose_a, pose_b in pairs)


@pytest.mark.parametrize("make", [panda, ur5])
@pytest.mark.parametrize("count", [150, pytest.param(10_000, marks=pytest.mark.slow)])
def test_hits_are_those_of_fcl_or_exact(make, count):
    robot, scene = make(), scene_of(planning_problem("bookshelf_tall_panda/0007"))
    Q = robot.random(count, seed=6)
    hit = robot.collides(Q, scene).hit
    differ = np.flatnonzero(hit != fcl_flags(robot, Q, scene))
    assert len(differ) <= max(2, count // 200)
    for k in differ:
        assert exactly_touching(robot, Q[k], scene) == hit[k]


@pytest.mark.parametrize("step", [0.1, 1.0])
def test_no_contact_is_missed_on_the_way(step):
    check_edges(panda(), "bookshelf_small_panda/0002", 60, step)


@pytest.mark.slow
@pytest.mark.parametrize("name", SETS)
def test_no_contact_is_missed_on_ten_thousand_edges(name):
    for number, step in ((3, 0.1), (4, 0.5), (5, 1.5)):
        check_edges(panda(), f"{name}/{number:04}", 480, step)


def check_edges(robot, name, count, step, samples=300):
    scene, rng = scene_of(planning_problem(name)), np.random.default_rng(7)
    Q = robot.random(6 * count, seed=8)
    Q0 = Q[~robot.collides(Q, scene).hit][:count]
    Q1 = np.clip(Q0 + step * rng.normal(size=Q0.shape), *robot.limits.T)
    quick, timed = robot.check_motions(Q0, Q1, scene), robot.check_motions(Q0, Q1, scene, times=True)
    times = np.linspace(0.0, 1.0, samples)
    rows = Q0[:, None] + times[:, None] * (Q1 - Q0)[:, None]
    hit = robot.collides(rows.reshape(-1, 7), scene).hit.reshape(len(Q0), samples)
    assert not (hit.any(axis=1) & (quick.free | timed.free)).any()
    first = np.where(hit.any(axis=1), times[hit.argmax(axis=1)], np.inf)
    assert (timed.times <= first).all()
    assert np.array_equal(quick.free, timed.free)
    assert quick.free.any()
    assert not quick.undecided.all()
