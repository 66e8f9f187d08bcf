"""Long calls about a robot, for signals at random moments: see `interrupting`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import tumble
from tumble.robot import SLIDES, TURNS, Kinematics, Robot

Ask = Callable[[], tuple[Any, ...]]


def rods() -> Robot:
    """Four rods: three turn, the last slides."""
    ring = tumble.shapes.torus(30, 16)
    rod = tumble.Mesh(ring.vertices * [0.1, 0.1, 0.9] + [0.0, 0.0, 0.4], ring.faces)
    kinematics = Kinematics.of(
        parents=[-1, 0, 1, 2], kinds=[TURNS, TURNS, TURNS, SLIDES], columns=[0, 1, 2, 3], factors=[1] * 4,
        offsets=[0] * 4, origins=[np.eye(4), *[tumble.translation(0.0, 0.0, 0.75)] * 3],
        axes=[[0, 0, 1], [1, 0, 0], [0, 1, 0], [0, 0, 1]],
    )  # fmt: skip
    limits = np.array([*3 * [[-3.0, 3.0]], [0.0, 0.5]])
    return Robot("abcd", [rod] * 4, kinematics, "wxyz", limits).with_allowed([("a", "b"), ("b", "c"), ("c", "d")])


def robot_calls(share: float = 1.0) -> dict[str, Ask]:
    """Return calls by name, which return arrays."""
    robot, scene = rods(), tumble.Scene()
    for k in range(8):
        place = tumble.rotation("z", 0.8 * k) @ tumble.translation(0.9, 0.0, 0.2 * k)
        scene.add(str(k), tumble.shapes.box([0.1, 0.6, 0.4]), place)
    Q = robot.random(round(100_000 * share), seed=1)
    some, few = Q[: len(Q) // 10], Q[: len(Q) // 40]
    ends = few + 0.2 * np.sin(np.arange(few.size)).reshape(few.shape)
    kept = {"a": 0.05, "d": 0.1}

    def fresh() -> tuple[Any, ...]:
        made = rods()  # one that makes its tables amid the call
        made._prepared.asked = 100_000
        return (made.collides(some, scene).hit,)

    def near() -> tuple[Any, ...]:
        found = robot.distance(few, scene, links=True)
        return found.link_distances, found.link_points, found.link_others

    return {
        "robot.collides": lambda: (robot.collides(Q, scene).hit,),
        "robot.collides links": lambda: (robot.collides(some, scene, links=True).rows,),
        "robot.collides clearance": lambda: (robot.collides(some, scene, clearance=kept).hit,),
        "robot.collides one thread": lambda: (robot.collides(some, scene, threads=1).hit,),
        "robot.collides tables": fresh,
        "robot.distance": lambda: (robot.distance(few, scene).points,),
        "robot.distance links": near,
        "robot.check_motions": lambda: (robot.check_motions(few, ends, scene).free,),
        "robot.check_motions times": lambda: (robot.check_motions(few, ends, scene, times=True).times,),
        "robot.poses": lambda: (robot.poses(some),),
        "robot.find_allowed_pairs": lambda: ([each.hits for each in robot.find_allowed_pairs(len(some)).pairs],),
    }
