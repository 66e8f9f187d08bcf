"""The winding number of a mesh at any exact point: by compiled rays, or in whole numbers where those are unsure.

`Question` is a point and the triangles through it; the answer is the winding number just beside the point, on the way
along some direction, and that direction. Different questions may get different directions.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tumble.core.products import cross_product
from tumble.errors import InternalError
from tumble.narrow.rays.ray_triangle import ERROR, VOLUME_ERROR
from tumble.narrow.triangles.filter import SAFE_BOUND, SAFE_PRODUCT
from tumble.solid.body import DIRECTIONS, ROUNDS, Body
from tumble.solid.exact import Point, Scale, Vector, determinant, dot, normal_of, seen_from

ON_SURFACE = "on surface"
WAYS: list[Vector] = [(x, y, z) for x, y, z in DIRECTIONS.astype(np.int64).tolist()]


class Question(NamedTuple):
    """Where a winding number is wanted."""

    point: Point
    through: Sequence[int] = ()
    """triangles that contain the point, which are left out"""
    normals: Sequence[Vector] = ()
    """normals of planes in which the direction must not lie"""


class Answer(NamedTuple):
    """A winding number, or None for a point on a triangle that was not named."""

    winding: int | None
    direction: Vector


def answers(body: Body, scale: Scale, questions: Sequence[Question]) -> list[Answer]:
    """Return the winding numbers of a body at exact points."""
    from tumble.traversal.rays.winding import UNSURE

    rounded = [scale.rounded(question.point) for question in questions]
    points = np.array([numbers for numbers, _ in rounded]).reshape(-1, 3)
    slacks = np.array([slack for _, slack in rounded])
    usable = [_directions(question.normals) for question in questions]
    found: dict[int, Answer] = {}
    for _ in range(ROUNDS):
        left = [k for k in range(len(questions)) if k not in found]
        if not left:
            break
        chosen = [next(usable[k]) for k in left]
        through = [questions[k].through for k in left]
        numbers = body.windings(points[left], np.array(chosen, np.float64), slacks[left], through)
        for k, direction, number in zip(left, chosen, numbers.tolist(), strict=True):
            if number != UNSURE:
                found[k] = Answer(number, direction)
    for k, question in enumerate(questions):
        if k not in found:
            found[k] = _exact_answer(body, scale, question, points[k], float(slacks[k]), usable[k])
    return [found[k] for k in range(len(questions))]


def _directions(normals: Sequence[Vector]) -> Iterator[Vector]:
    """Return the directions that lie in none of some planes."""
    return (way for way in WAYS if all(dot(normal, way) for normal in normals))


def _exact_answer(
    body: Body, scale: Scale, question: Question, near: NDArray[np.float64], slack: float, usable: Iterable[Vector]
) -> Answer:
    for direction in usable:
        found = _exact_winding(body, scale, question, near, slack, direction)
        if found == ON_SURFACE:
            return Answer(None, direction)
        if isinstance(found, int):
            return Answer(found, direction)
    raise InternalError(f"all rays from {near.tolist()} meet an edge or a vertex; please report this")


def _exact_winding(
    body: Body, scale: Scale, question: Question, near: NDArray[np.float64], slack: float, direction: Vector
) -> int | str | None:
    """Return the winding number, ON_SURFACE, or None where the ray meets an edge or a vertex."""
    total, unsure = _certain_part(body.corners, near, slack, np.array(direction, np.float64))
    left_out, on_edge = set(question.through), False
    for face in unsure.tolist():
        if face in left_out:
            continue
        a, b, c = (scale.vector(corner) for corner in body.corners[face].tolist())
        turn = dot(normal_of((a, b, c)), direction)
        p, q, r = (seen_from(question.point, corner) for corner in (a, b, c))
        volume = determinant(p, q, r)
        if turn == 0:  # degenerate, or the ray runs along its plane
            on_edge |= volume == 0 and normal_of((a, b, c)) != (0, 0, 0)
            continue
        sign = 1 if turn > 0 else -1
        weights = [sign * determinant(direction, *pair) for pair in ((q, r), (r, p), (p, q))]
        if min(weights) < 0:
            continue
        if volume == 0:
            return ON_SURFACE
        if sign * volume > 0:
            on_edge |= min(weights) == 0
            total += sign
    # left out triangles were among the unsure ones: a ray from a point of theirs is never certain to pass them
    return None if on_edge else total


def _certain_part(
    corners: NDArray[np.float64], near: NDArray[np.float64], slack: float, d: NDArray[np.float64]
) -> tuple[int, NDArray[np.int64]]:
    """Return the sum over triangles that float64 is certain of, and the others: as in `traversal.rays.winding`."""
    with np.errstate(all="ignore"):
        a = corners[:, 0]
        e, f, s = corners[:, 1] - a, corners[:, 2] - a, near - a
        p, q = cross_product(d, f), cross_product(s, e)
        turn, u, v, volume = ((x * y).sum(axis=1) for x, y in ((e, p), (s, p), (d, q), (f, q)))
        w = (turn - u) - v
        edge, far = np.maximum(np.abs(e).max(axis=1), np.abs(f).max(axis=1)), np.abs(s).max(axis=1)
        across, square = np.abs(d).max() * edge, edge * edge
        bound = ERROR * across * (far + edge) + 16.0 * slack * across
        volume_bound = VOLUME_ERROR * square * far + 8.0 * slack * square
        safe = (np.minimum.reduce([square, far * edge, across, across * edge]) > SAFE_PRODUCT) & np.isfinite(bound)
        safe &= (np.minimum(bound, volume_bound) > SAFE_BOUND) & np.isfinite(u + v + w + volume)
        weights = np.stack([u, v, w])
        above, below = weights > bound, weights < -bound
        beside = above.any(axis=0) & below.any(axis=0)
        ahead = above.all(axis=0), below.all(axis=0)
        up, down = volume > volume_bound, volume < -volume_bound
        entered, left = ahead[0] & up, ahead[1] & down
        behind = (ahead[0] & down) | (ahead[1] & up)
    known = safe & (beside | entered | left | behind)
    total = int((left & known).sum()) - int((entered & known).sum())
    return total, np.flatnonzero(~known)
