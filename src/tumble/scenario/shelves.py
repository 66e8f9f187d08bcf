"""Furniture for robots to reach into: a bookshelf with cans, and a table, turned as furniture in a room is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tumble.mesh import Mesh, rotation, shapes, translation
from tumble.mesh.shapes.grid import turned

CAN_HEIGHT, CAN_RADIUS, CAN_SIDES = 0.14, 0.03, 64


class Obstacle(NamedTuple):
    """A convex thing that stands still."""

    name: str
    mesh: Mesh
    pose: NDArray[np.float64]
    box: Sequence[float] | None
    """its edges, where it is a box"""


def bookshelf(distance: float = 0.75, angle: float = -1.0) -> list[Obstacle]:
    """Return a shelf of three boards between two sides, with cans, so far from the origin, in metres."""
    place = rotation("z", angle) @ translation(distance, 0.0, 0.0)
    boards = {f"board{k}": ((0.4, 1.0, 0.03), (0.0, 0.0, 0.25 + 0.35 * k)) for k in range(3)}
    sides = {f"side{k}": ((0.4, 0.03, 1.0), (0.0, 0.5 * (2 * k - 1), 0.5)) for k in range(2)}
    return [*_boxes(place, {**boards, **sides}), *_cans(place, 0.25 + 0.015)]


def table(distance: float = 0.6, angle: float = 1.1) -> list[Obstacle]:
    """Return a table with four legs, things to pick and cans on it."""
    place = rotation("z", angle) @ translation(distance, 0.0, 0.0)
    parts = {"top": ((0.8, 1.4, 0.04), (0.0, 0.0, 0.2))}
    parts |= {f"leg{k}": ((0.06, 0.06, 0.7), (0.35 * (-1) ** k, 0.6 * (-1) ** (k // 2), -0.17)) for k in range(4)}
    things = {f"thing{k}": ((0.08, 0.12, 0.2 + 0.08 * k), (0.1, 0.25 * k - 0.35, 0.34 + 0.04 * k)) for k in range(3)}
    return [*_boxes(place, {**parts, **things}), *_cans(place, 0.22)]


FURNITURE = {"bookshelf": bookshelf, "table": table}


def _boxes(place: NDArray[np.float64], parts: dict[str, tuple[Sequence[float], Sequence[float]]]) -> list[Obstacle]:
    return [
        Obstacle(name, shapes.box(sizes), place @ translation(*middle), sizes)
        for name, (sizes, middle) in parts.items()
    ]


def _cans(place: NDArray[np.float64], height: float) -> list[Obstacle]:
    radius, half = CAN_RADIUS, 0.5 * CAN_HEIGHT
    can = turned([(0.0, -half), (radius, -half), (radius, half), (0.0, half)], CAN_SIDES)
    ways = (translation(-0.1, y, height + half + 0.001) for y in (-0.3, 0.05, 0.3))
    return [Obstacle(f"can{k}", can, place @ way, None) for k, way in enumerate(ways)]
