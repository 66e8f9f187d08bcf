"""The planning problems of ../shared/meshes/motion-planning/panda: 700 scenes, each with a start and a goal.

    for problem in planning_problems("box_panda"):
        scene = tumble.Scene()
        for each in problem.objects:
            scene.add(each.name, each.mesh, each.pose)
        robot.collides(np.stack([row_of(robot, problem.start), row_of(robot, problem.goal)]), scene)

What the files say, and what is made of it:

- Objects stand in the frame `world`; the files put the robot's root link there too, by the identity (checked here), so
  poses of objects and of links are in one frame. Each object is one primitive; its pose is the position of its centre
  and a quaternion x, y, z, w.
- A box has its three edges as dimensions, a cylinder its height, then its radius; its axis is z. A prism stands for a
  cylinder: around it or inside it, within 0.03 % of the radius.
- A start names all joints, both fingers too. A goal names those of the arm; the fingers stay as in the start.
- `allowed` is the matrix of the scene: the pairs that panda.srdf of the same folder disables, in all problems. Nothing
  is attached to the robot in any of them, and every object is an obstacle for every link.
- panda.urdf there holds the fingers open by fixed joints, at the 0.065 that the starts say: it has seven joints.
"""

from __future__ import annotations

import os
import tarfile
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import yaml

from tumble.mesh import Mesh, shapes
from tumble.mesh.formats.placing import quaternion_matrix
from tumble.mesh.shapes.grid import turned

FOLDER = Path(os.environ.get("TUMBLE_MESHES", Path(__file__).resolve().parents[2] / ".." / "shared" / "meshes"))
PANDA = FOLDER / "motion-planning" / "panda"
"""with panda.urdf, panda.srdf, meshes and problems"""
ARCHIVE = PANDA / "problems.tar.bz2"
SETS = (
    "bookshelf_small_panda", "bookshelf_tall_panda", "bookshelf_thin_panda", "box_panda", "cage_panda",
    "table_pick_panda", "table_under_pick_panda",
)  # fmt: skip
EACH = 100
"""problems in a set, numbered from 1"""
SIDES = 128


class SceneObject(NamedTuple):
    """An obstacle: a mesh around the origin, and where it stands in the world."""

    name: str
    mesh: Mesh
    pose: np.ndarray
    kind: str
    """"box" or "cylinder" """
    dimensions: tuple[float, ...]
    """as in the file: edges of a box, height and radius of a cylinder"""


class Problem(NamedTuple):
    """One planning problem."""

    name: str
    """such as "box_panda/0072" """
    objects: list[SceneObject]
    start: dict[str, float]
    """by joint"""
    goal: dict[str, float]
    allowed: frozenset[tuple[str, str]]
    """pairs of links that may touch, the names of each in alphabetical order"""


def available() -> bool:
    return ARCHIVE.is_file()


def planning_problems(*sets: str, outside: bool = True) -> Iterator[Problem]:
    """The problems of some sets, or of all; with `outside`, prisms contain the cylinders, else they lie in them."""
    for folder in sets or SETS:
        for number in range(1, EACH + 1):
            yield planning_problem(f"{folder}/{number:04}", outside)


def planning_problem(name: str, outside: bool = True) -> Problem:
    folder, number = name.split("/")
    scene = _document(f"problems/{folder}/scene{number}.yaml")
    request = _document(f"problems/{folder}/request{number}.yaml")
    _check_frames(scene, request)
    objects = [_object(each, outside) for each in scene["world"]["collision_objects"]]
    state = request["start_state"]["joint_state"]
    start = dict(zip(state["name"], map(float, state["position"]), strict=True))
    (constraints,) = request["goal_constraints"]
    named = {each["joint_name"]: float(each["position"]) for each in constraints["joint_constraints"]}
    assert named.keys() <= start.keys()
    return Problem(name, objects, start, {**start, **named}, _allowed(scene["allowed_collision_matrix"]))


def row_of(robot: Any, values: Mapping[str, float]) -> np.ndarray:
    """The configuration of a robot with these values of joints; joints that the robot holds or derives are left out."""
    return np.array([values[name] for name in robot.joints])


@cache
def _documents() -> dict[str, bytes]:
    with tarfile.open(ARCHIVE) as archive:
        return {each.name: archive.extractfile(each).read() for each in archive if each.isfile()}


def _document(path: str) -> Any:
    return yaml.load(_documents()[path], getattr(yaml, "CSafeLoader", yaml.SafeLoader))


def _check_frames(scene: Any, request: Any) -> None:
    """Only the identity stands between the world and the root link."""
    transforms = [each["transform"] for each in scene["fixed_frame_transforms"]]
    transforms += scene["robot_state"]["multi_dof_joint_state"]["transforms"]
    transforms += request["start_state"]["multi_dof_joint_state"]["transforms"]
    for each in transforms:
        assert each["translation"] == [0, 0, 0]
        assert each["rotation"] == [0, 0, 0, 1]
    for state in (scene["robot_state"], request["start_state"]):
        assert not state.get("attached_collision_objects")


def _object(given: Any, outside: bool) -> SceneObject:
    (shape,), (place,) = given["primitives"], given["primitive_poses"]
    assert "pose" not in given
    pose = quaternion_matrix([float(each) for each in place["orientation"]])
    pose[:3, 3] = place["position"]
    sizes = tuple(map(float, shape["dimensions"]))
    mesh = {"box": lambda: shapes.box(sizes), "cylinder": lambda: prism(*sizes, outside)}[shape["type"]]()
    return SceneObject(given["id"], mesh, pose, shape["type"], sizes)


def prism(height: float, radius: float, outside: bool) -> Mesh:
    """A prism about a cylinder, or in it."""
    wide = radius * (1.0 + 1e-12) / np.cos(np.pi / SIDES) if outside else radius
    return turned([(0.0, -height / 2), (wide, -height / 2), (wide, height / 2), (0.0, height / 2)], SIDES)


def _allowed(matrix: Any) -> frozenset[tuple[str, str]]:
    names, values = matrix["entry_names"], matrix["entry_values"]
    assert values == [list(column) for column in zip(*values, strict=True)]
    return frozenset(
        (min(a, b), max(a, b))
        for a, row in zip(names, values, strict=True)
        for b, allowed in zip(names, row, strict=True)
        if allowed and a != b
    )
