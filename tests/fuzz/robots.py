"""Robots of random links and joints: poses by SciPy's rotations, contacts by `collides`, files whole and damaged."""

from __future__ import annotations

import tempfile
from pathlib import Path
from xml.sax.saxutils import quoteattr

import numpy as np
from damage import damaged
from scipy.spatial.transform import Rotation

import tumble
import tumble.robot
from tumble.errors import TumbleError

from .limits import memory_limit, time_limit
from .poses import as_matrix

Random = np.random.Generator
SECONDS, MEMORY = 20, 1 << 30
KINDS = ("fixed", "revolute", "continuous", "prismatic", "planar", "floating")
COLUMNS = {"planar": ("x", "y", "theta"), "floating": ("x", "y", "z", "roll", "pitch", "yaw")}
SHAPES = ("box size={}", "sphere radius={}", "cylinder radius={} length={}", "capsule radius={} length={}")
CONFIGURATIONS = 6


class Joint:
    """A joint as it is written, and what it does."""

    def __init__(self, rng: Random, number: int, before: list[Joint]) -> None:
        self.name, self.parent, self.child = f"j{number}", int(rng.integers(number)), number
        self.kind = KINDS[rng.integers(len(KINDS))]
        self.xyz, self.rpy = rng.normal(size=3), rng.uniform(-4, 4, 3) * (rng.random(3) < 0.6)
        whole = np.eye(3)[rng.integers(3)] * rng.choice([-1, 1])
        self.axis = whole if rng.random() < 0.5 else rng.normal(size=3)
        self.follows: Joint | None = None
        moving = [each for each in before if each.kind in KINDS[1:4]]
        if self.kind in KINDS[1:4] and moving and rng.random() < 0.3:
            self.follows = moving[rng.integers(len(moving))]
        self.factor, self.offset = map(float, rng.normal(size=2))

    def text(self) -> str:
        """Return the element."""
        mimic = "" if self.follows is None else (
            f'<mimic joint="{self.follows.name}" multiplier="{self.factor!r}" offset="{self.offset!r}"/>'
        )  # fmt: skip
        return (
            f'<joint name="{self.name}" type="{self.kind}"><origin xyz={_numbers(self.xyz)} rpy={_numbers(self.rpy)}/>'
            f'<parent link="l{self.parent}"/><child link="l{self.child}"/><axis xyz={_numbers(self.axis)}/>'
            f"{mimic}</joint>"
        )

    def value(self, values: dict[str, float]) -> float:
        """Return how far a simple joint is turned or moved."""
        if self.follows is not None:
            return self.factor * self.follows.value(values) + self.offset
        return values[self.name]

    def pose(self, values: dict[str, float]) -> np.ndarray:
        """Return the pose of the child in the frame of the parent."""
        return as_matrix(Rotation.from_euler("xyz", self.rpy).as_matrix(), self.xyz) @ self._motion(values)

    def _motion(self, values: dict[str, float]) -> np.ndarray:
        unit = self.axis / np.linalg.norm(self.axis)
        if self.kind == "fixed":
            return np.eye(4)
        if self.kind == "prismatic":
            return as_matrix(np.eye(3), self.value(values) * unit)
        if self.kind in ("revolute", "continuous"):
            return as_matrix(Rotation.from_rotvec(self.value(values) * unit).as_matrix(), [0, 0, 0])
        given = {name: values[f"{self.name}/{name}"] for name in COLUMNS[self.kind]}
        if self.kind == "floating":
            turn = Rotation.from_euler("xyz", [given["roll"], given["pitch"], given["yaw"]])
            return as_matrix(turn.as_matrix(), [given["x"], given["y"], given["z"]])
        sideways = np.cross([0, 0, 1], unit)
        size = np.linalg.norm(sideways)
        about = sideways / size if size else np.array([1.0, 0.0, 0.0])
        frame = Rotation.from_rotvec(np.arctan2(size, unit[2]) * about).as_matrix()
        return as_matrix(
            Rotation.from_rotvec(given["theta"] * unit).as_matrix(), frame[:, :2] @ [given["x"], given["y"]]
        )


def case(rng: Random) -> None:
    """Read one robot, and damaged ones; compare poses and contacts."""
    joints: list[Joint] = []
    for number in range(1, int(rng.integers(2, 9))):
        joints.append(Joint(rng, number, joints))
    links = [_link(rng, number) for number in range(len(joints) + 1)]
    parts = [*links, *(joint.text() for joint in joints)]
    text = f'<robot name="r">{"".join(parts[k] for k in rng.permutation(len(parts)))}</robot>'
    with tempfile.TemporaryDirectory() as folder:
        urdf, srdf = Path(folder) / "r.urdf", Path(folder) / "r.srdf"
        urdf.write_text(text)
        robot = tumble.robot.Robot.load(urdf)
        _check_poses(rng, robot, joints)
        _check_contacts(rng, robot)
        _check_clearances(rng, robot)
        robot.save_srdf(srdf)
        again = tumble.robot.Robot.load(urdf, srdf)
        if again.stated != robot.stated or again.pairs.tolist() != robot.pairs.tolist():
            raise AssertionError(f"pairs {again.stated}, {robot.stated} were written")
        for path in (urdf, srdf):
            whole = path.read_bytes()
            for _ in range(4):
                path.write_bytes(damaged(rng, whole))
                _read(urdf, srdf)
            path.write_bytes(whole)


def _check_poses(rng: Random, robot: tumble.robot.Robot, joints: list[Joint]) -> None:
    Q = rng.uniform(-4, 4, (CONFIGURATIONS, len(robot.joints)))
    due = {f"{joint.name}/{name}" for joint in joints for name in COLUMNS.get(joint.kind, ())}
    due |= {joint.name for joint in joints if joint.kind in KINDS[1:4] and joint.follows is None}
    if set(robot.joints) != due:
        raise AssertionError(f"joints {robot.joints}, not {due}")
    for q, found in zip(Q, robot.poses(Q), strict=True):
        values = dict(zip(robot.joints, map(float, q), strict=True))
        expected = [np.eye(4)]
        for joint in joints:
            expected.append(expected[joint.parent] @ joint.pose(values))
        for number, pose in enumerate(expected):
            own = found[robot.links.index(f"l{number}")]
            if not np.allclose(own, pose, rtol=0, atol=1e-12 * (1.0 + np.abs(pose).max())):
                raise AssertionError(f"link l{number} stands at {own.tolist()}, not at {pose.tolist()}")


def _check_contacts(rng: Random, robot: tumble.robot.Robot) -> None:
    seed = int(rng.integers(1 << 30))
    found = robot.find_allowed_pairs(CONFIGURATIONS, seed)
    poses = robot.poses(robot.random(CONFIGURATIONS, seed))
    for (i, j), pair in zip(robot.shaped_pairs.tolist(), found.pairs, strict=True):
        hits = sum(tumble.collides(robot.meshes[i], robot.meshes[j], row[i], row[j]) for row in poses)
        if (pair.a, pair.b, pair.hits) != (robot.links[i], robot.links[j], hits):
            raise AssertionError(f"{pair}: {hits} hits")


def _check_clearances(rng: Random, robot: tumble.robot.Robot) -> None:
    """Clearances and distances by link, judged by each pair of links."""
    kept = {name: float(rng.choice([0.0, 0.1, 0.5])) for name in robot.links if rng.random() < 0.5}
    Q = robot.random(CONFIGURATIONS, int(rng.integers(1 << 30)))
    hit, near = robot.collides(Q, clearance=kept).hit, robot.distance(Q, links=True)
    for k, poses in enumerate(robot.poses(Q)):
        due, least = False, np.full(len(robot.links), np.inf)
        for i, j in robot.pairs.tolist():
            a, b, size = robot.meshes[i], robot.meshes[j], max(kept.get(robot.links[each], 0.0) for each in (i, j))
            due |= tumble.collides(a, b, poses[i], poses[j], clearance=size)
            distance = tumble.distance(a, b, poses[i], poses[j]).distance
            least[[i, j]] = np.minimum(least[[i, j]], distance)
        if hit[k] != due:
            raise AssertionError(f"configuration {k} with clearances {kept}: {hit[k]}, not {due}")
        if not np.allclose(near.link_distances[k], least, rtol=1e-12, atol=1e-12):
            raise AssertionError(f"distances of links {near.link_distances[k].tolist()}, not {least.tolist()}")


def _read(urdf: Path, srdf: Path) -> None:
    """Read files that may be refused; all else is a failure."""
    with time_limit(SECONDS), memory_limit(MEMORY):
        try:
            robot = tumble.robot.Robot.load(urdf, srdf)
        except TumbleError:
            return
        if not np.isfinite(robot.poses(robot.random(2))).all():
            raise AssertionError("a pose that is not finite")


def _link(rng: Random, number: int) -> str:
    shapes = []
    for _ in range(int(rng.integers(0, 3)) + (number == 0)):
        name = SHAPES[rng.integers(len(SHAPES))]
        sizes = [rng.uniform(0.1, 1.0, 3 if "box" in name else 1) for _ in range(2)]
        shape = name.format(*map(_numbers, sizes))
        origin = f"<origin xyz={_numbers(0.5 * rng.normal(size=3))} rpy={_numbers(rng.uniform(-3, 3, 3))}/>"
        shapes.append(f"<collision>{origin}<geometry><{shape}/></geometry></collision>")
    return f'<link name="l{number}">{"".join(shapes)}</link>'


def _numbers(values: np.ndarray) -> str:
    return quoteattr(" ".join(map(repr, map(float, values))))
