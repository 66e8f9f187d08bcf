"""Scenes made by code, for when the UNC scenes are not at hand: as many objects, about as many triangles, one idea.

Each maker gives all objects in a frame and in the one after it. `shrink` divides the number of triangles.
"""

from collections.abc import Callable
from math import sqrt

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tumble.bench.papers.bsp.published import CLOTH_BALL, FUNNEL, N_BODY
from tumble.mesh import Mesh
from tumble.mesh.shapes import box, icosphere
from tumble.mesh.shapes.grid import grid_faces
from tumble.scenario import SheetOverBall

TwoFrames = tuple[list[Mesh], list[Mesh]]
FRAME = 285
"""of the sheet over the ball: its folds cut through each other"""
BODIES = 305


def cloth_over_ball(shrink: int) -> TwoFrames:
    """A sheet in folds on a ball."""
    sheet = SheetOverBall(max(4, round(sqrt(91_470 / 2 / shrink))), 3 if shrink == 1 else 2)
    before, now = ([sheet.mesh(frame), sheet.ball] for frame in (FRAME - 1, FRAME))
    return before, now


def cloth_in_funnel(shrink: int) -> TwoFrames:
    """A folded sheet that slides down a funnel, a ball on top of it, and the floor."""
    side = max(6, round(sqrt(14_464 / 2 / shrink)))
    rings = max(4, round(sqrt(2_080 / 6 / shrink)))
    floor = _moved(box((2.0, 2.0, 0.1)), (0.0, 0.0, -1.4))
    funnel = _cone(np.linspace(0.1, 1.0, rings), 3 * rings)
    ball = icosphere(2 if shrink > 4 else 3, 0.12)

    def frame(sunk: float) -> list[Mesh]:
        return [_folded(side, sunk), funnel, _moved(ball, (0.0, 0.0, 0.45 - sunk)), floor]

    return frame(0.2), frame(0.205)


def crowd(shrink: int) -> TwoFrames:
    """Balls that fly through a crowded box; some overlap."""
    rng = np.random.default_rng(305)
    count = max(8, BODIES // shrink)
    body = icosphere(2, 0.5)
    side = (count * 0.9) ** (1 / 3)
    places, ways = rng.uniform(0, side, (count, 3)), rng.normal(0, 0.02, (count, 3))
    before, now = ([_moved(body, place) for place in places + step * ways] for step in (0.0, 1.0))
    return before, now


def _moved(mesh: Mesh, way: ArrayLike) -> Mesh:
    return Mesh(mesh.vertices + np.asarray(way), mesh.faces)


def _cone(radii: NDArray[np.float64], sides: int) -> Mesh:
    """Rings as high as they are wide."""
    angle = 2 * np.pi * np.arange(sides) / sides
    rings = [np.stack([r * np.cos(angle), r * np.sin(angle), np.full(sides, r)], axis=1) for r in radii]
    return Mesh(np.concatenate(rings), grid_faces(len(radii), sides, False, True))


def _folded(side: int, sunk: float) -> Mesh:
    """A round sheet pulled into the funnel: the more it sinks, the deeper its folds."""
    ring, turn = np.meshgrid(np.linspace(0.02, 0.9, side), 2 * np.pi * np.arange(side) / side, indexing="ij")
    radius = ring * (1 - sunk) + 0.08 * ring * np.sin(12 * turn + 6 * ring)
    rng = np.random.default_rng(side)
    height = radius + 0.02 * np.sin(9 * turn) - sunk * (1 - ring) * 0.2
    points = np.stack([radius * np.cos(turn), radius * np.sin(turn), height], axis=-1).reshape(-1, 3)
    return Mesh(points + rng.normal(0, 0.02 / side, points.shape), grid_faces(side, side, False, True))


MAKERS: dict[str, Callable[[int], TwoFrames]] = {
    CLOTH_BALL: cloth_over_ball,
    FUNNEL: cloth_in_funnel,
    N_BODY: crowd,
}
