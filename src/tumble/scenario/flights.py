"""Motions of two bodies that fly at each other, short ones as a planner tries them, and recorded ones.

A flight is a motion of the first body and one of the second, of one piece each: the origin of the body moves along a
straight line and the body turns about it, both at constant rates.
"""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tumble.errors import FileError
from tumble.mesh import Mesh, random_pose
from tumble.mesh.motion import Motion, as_motion
from tumble.scenario.objects import Duo

Flight = tuple[Motion, Motion]

START_AT, ASIDE = 1.5, 0.2
"""how far apart the middles are at first, and how far the ways miss them, in lengths of the box"""
TURN = 3.0
"""of a screw, in radians: less than half a turn, from where on an end pose does not tell the way to it"""
SHORTEST, LARGEST_TURN = 0.2, 1.0
"""of the flights of a planner: in parts of the longest, and in radians"""

_FRAME, _OBJECT = re.compile(r"<FRAME(.*?)/>", re.DOTALL), re.compile(r"<OBJECT.*?</OBJECT>", re.DOTALL)
_VERTEX, _TRIANGLE = re.compile(r'x="(.*?)" y="(.*?)" z="(.*?)"'), re.compile(r'g1="(.*?)" g2="(.*?)" g3="(.*?)"')


def flights_at_each_other(count: int, turning: bool, seed: int = 1) -> list[Flight]:
    """Return flights of the second body from all sides into the first or past it, straight or along screws."""
    rng, found = np.random.default_rng(seed), []
    for _ in range(count):
        start, direction = random_pose(rng, 0.0), _unit(rng)
        start[:3, 3] = START_AT * direction
        way = -2.0 * start[:3, 3] + ASIDE * rng.normal(size=3)
        found.append((as_motion(None), Motion.screw(start, way, _unit(rng), TURN if turning else 0.0)))
    return found


def short_flights(count: int, around: NDArray[np.float64], length: float, seed: int = 1) -> list[Flight]:
    """Return flights of the second body from anywhere in a box, (2, 3), up to a length in any direction."""
    rng, found = np.random.default_rng(seed), []
    for _ in range(count):
        start = random_pose(rng, 0.0)
        start[:3, 3] = rng.uniform(around[0], around[1])
        way = length * rng.uniform(SHORTEST, 1.0) * _unit(rng)
        found.append((as_motion(None), Motion.screw(start, way, _unit(rng), rng.uniform(0.0, LARGEST_TURN))))
    return found


def recorded_flights(path: Path) -> tuple[Duo, list[Flight]]:
    """Read two objects and their flights from frame to frame, in the format of FCL's test data."""
    try:
        text = path.read_text(encoding="utf-8")
        first, second = (_object(each) for each in _OBJECT.findall(text))
        frames = [[_pose(frame, body) for body in (1, 2)] for frame in _FRAME.findall(text)]
    except (OSError, ValueError) as error:
        raise FileError(f"cannot read {path} as a recorded motion of two objects: {error}") from error
    each = [[Motion.between(one, other) for one, other in pairwise(poses)] for poses in zip(*frames, strict=True)]
    return Duo(path.stem, "recorded", first, second), list(zip(*each, strict=True))


def _unit(rng: np.random.Generator) -> NDArray[np.float64]:
    vector = rng.normal(size=3)
    return vector / np.sqrt((vector * vector).sum())


def _object(text: str) -> Mesh:
    vertices = [[float(value) for value in row] for row in _VERTEX.findall(text)]
    faces = [[int(value) - 1 for value in row] for row in _TRIANGLE.findall(text)]
    return Mesh(np.array(vertices), np.array(faces))


def _pose(frame: str, body: int) -> NDArray[np.float64]:
    """Return the pose of a body in a frame; rotations are written by rows."""
    pose = np.eye(4)
    pose[:3, 3] = _numbers(frame, f"obj{body}_pos")
    pose[:3, :3] = np.reshape(_numbers(frame, f"obj{body}_dc"), (3, 3))
    return pose


def _numbers(frame: str, name: str) -> list[float]:
    found = re.search(rf'{name}\s*=\s*"([^"]*)"', frame)
    if found is None:
        raise ValueError(f"a frame has no {name}")
    return [float(value) for value in found.group(1).split()]
