"""Real robots: poses against yourdfpy, pairs against their SRDF files, contacts against FCL."""

import os
from itertools import combinations
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pinocchio_poses
import pytest

from tumble.robot import Robot

MESHES = Path(os.environ.get("TUMBLE_MESHES", Path(__file__).resolve().parents[2] / ".." / "shared" / "meshes"))
EXAMPLES = "example-robot-data"
ROBOTS = {
    f"{EXAMPLES}/panda_description/urdf/panda.urdf": f"{EXAMPLES}/panda_description/srdf/panda.srdf",
    f"{EXAMPLES}/panda_description/urdf/panda_collision.urdf": None,
    f"{EXAMPLES}/ur_description/urdf/ur5_robot.urdf": None,
    "motion-planning/panda/panda.urdf": "motion-planning/panda/panda.srdf",
    "motion-planning/panda/panda_spherized.urdf": None,
}
WITH_SRDF = [name for name, srdf in ROBOTS.items() if srdf]


def load(name):
    if not (MESHES / name).is_file():
        pytest.skip("the folder of real meshes is not here")
    srdf = ROBOTS[name]
    return Robot.load(MESHES / name, srdf and MESHES / srdf, package_dirs=MESHES / EXAMPLES)


@pytest.mark.parametrize("name", ROBOTS)
def test_poses_against_yourdfpy(name):
    yourdfpy = pytest.importorskip("yourdfpy")
    robot = load(name)
    judge = yourdfpy.URDF.load(str(MESHES / name), load_meshes=False, build_scene_graph=True)
    assert robot.joints == tuple(judge.actuated_joint_names)
    assert set(robot.links) == set(judge.link_map)
    Q = robot.random(25, seed=3)
    for q, poses in zip(Q, robot.poses(Q), strict=True):
        judge.update_cfg(q)
        for link, pose in zip(robot.links, poses, strict=True):
            np.testing.assert_allclose(pose, judge.get_transform(link), rtol=0, atol=1e-13)


@pytest.mark.parametrize("name", ROBOTS)
def test_limits_against_yourdfpy(name):
    yourdfpy = pytest.importorskip("yourdfpy")
    robot = load(name)
    judge = yourdfpy.URDF.load(str(MESHES / name), load_meshes=False, build_scene_graph=False)
    for joint, limits in zip(judge.actuated_joints, robot.limits.tolist(), strict=True):
        assert limits == [joint.limit.lower, joint.limit.upper]


@pytest.mark.parametrize("name", WITH_SRDF)
def test_pairs_of_the_srdf_are_respected(name):
    robot = load(name)
    root = ElementTree.parse(MESHES / ROBOTS[name]).getroot()
    disabled = {frozenset((each.get("link1"), each.get("link2"))) for each in root.findall("disable_collisions")}
    shaped = [link for link, mesh in zip(robot.links, robot.meshes, strict=True) if mesh is not None]
    expected = {frozenset(pair) for pair in combinations(shaped, 2)} - disabled
    assert {frozenset((robot.links[i], robot.links[j])) for i, j in robot.pairs} == expected
    for state in root.findall("group_state"):
        values = {joint.get("name"): float(joint.get("value")) for joint in state.findall("joint")}
        row = dict(zip(robot.joints, robot.states[state.get("name")], strict=True))
        assert all(row[name] == value for name, value in values.items() if name in row)


@pytest.mark.parametrize("name", list(ROBOTS)[:3])
def test_links_that_touch_against_fcl(name):
    fcl = pytest.importorskip("fcl")
    robot = load(name)
    Q = robot.random(100, seed=8)
    found = robot.find_allowed_pairs(100, seed=8)
    models = {}
    for link, mesh in enumerate(robot.meshes):
        if mesh is not None:
            models[link] = fcl.BVHModel()
            models[link].beginModel(len(mesh.vertices), len(mesh.faces))
            models[link].addSubModel(mesh.vertices, mesh.faces)
            models[link].endModel()
    poses = robot.poses(Q)
    for (i, j), pair in zip(robot.shaped_pairs.tolist(), found.pairs, strict=True):
        assert (pair.a, pair.b) == (robot.links[i], robot.links[j])
        hits = 0
        for row in poses:
            objects = [
                fcl.CollisionObject(models[link], fcl.Transform(row[link, :3, :3], row[link, :3, 3])) for link in (i, j)
            ]
            hits += fcl.collide(*objects, fcl.CollisionRequest(), fcl.CollisionResult()) > 0
        assert pair.hits == hits


def test_a_pair_that_an_srdf_takes_for_never():
    robot = load("motion-planning/panda/panda.urdf")
    found = {(each.a, each.b): each for each in robot.find_allowed_pairs().pairs}
    wrong = [names for names, each in found.items() if each.stated == "Never" and each.hits]
    assert wrong == [("panda_link2", "panda_link6")]


def test_a_spherized_robot_contains_its_spheres():
    robot = load("motion-planning/panda/panda_spherized.urdf")
    root = ElementTree.parse(MESHES / "motion-planning/panda/panda_spherized.urdf").getroot()
    for link in root.findall("link"):
        spheres = link.findall("collision")
        mesh = robot.meshes[robot.links.index(link.get("name"))]
        assert (mesh is None) == (not spheres)
        for sphere, corners in zip(spheres, np.split(mesh.triangles, len(spheres)) if spheres else (), strict=True):
            centre = np.array(list(map(float, sphere.find("origin").get("xyz").split())))
            radius = float(sphere.find("geometry/sphere").get("radius"))
            normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
            normals /= np.linalg.norm(normals, axis=1, keepdims=True)
            away = ((corners[:, 0] - centre) * normals).sum(axis=1)
            assert away.min() >= radius
            assert np.linalg.norm(corners - centre, axis=2).max() <= 1.005 * radius


@pytest.mark.parametrize("name", ROBOTS)
def test_poses_against_pinocchio(name):
    pytest.importorskip("pinocchio")
    robot = load(name)
    Q = robot.random(25, seed=4)
    expected = pinocchio_poses.poses(MESHES / name, robot.joints, robot.links, Q)
    np.testing.assert_allclose(robot.poses(Q), expected, rtol=0, atol=1e-13)
