"""Around a line: which sectors does space have next to it, when triangles of two meshes run into it?

Near a point x in the middle of a piece of a line, between all points where anything changes, every triangle through x
contains a piece of the line too. It is one half-plane there, when the line runs along one of its edges, or two. The
half-planes divide space into sectors, in each of which both winding numbers are constant. Going round, a winding number
grows by one where a triangle is entered through its front, and shrinks by one where it is left by its front; so one
sector's number gives all. Ordering the half-planes takes signs of products of whole numbers, nothing else.
"""

from collections.abc import Sequence
from functools import cmp_to_key
from typing import NamedTuple

from tumble.errors import InternalError
from tumble.solid.exact import Point, Vector, cross, determinant, dot


class Half(NamedTuple):
    """A half-plane that ends in the line: a part of a triangle."""

    direction: Vector
    """at a right angle to the line"""
    side: int
    """whose triangle: 0 for a, 1 for b"""
    step: int
    """what the winding number grows by, going round the line's direction by the right hand"""


class Fan(NamedTuple):
    """The half-planes about a point of a line, in order, those in one direction together."""

    point: Point
    axis: Vector
    groups: Sequence[Sequence[Half]]
    through: tuple[list[int], list[int]]
    """the triangles of a and of b that contain the point"""
    normals: Sequence[Vector]


def halves(axis: Vector, normal: Vector, third: Vector | None, side: int) -> list[Half]:
    """Return the half-planes of a triangle; `third`, from the line to its third corner if an edge is on the line."""
    across = cross(normal, axis)
    found = []
    for sign in (1, -1):
        direction = (sign * across[0], sign * across[1], sign * across[2])
        if third is None or dot(direction, third) > 0:
            forward = dot(cross(axis, direction), normal) > 0  # out through the front
            found.append(Half(direction, side, -1 if forward else 1))
    return found


def in_order(axis: Vector, found: Sequence[Half]) -> list[list[Half]]:
    """Return half-planes in the order of the right hand about the axis, from the first on, equal ones together."""
    first = found[0].direction

    def quarter(half: Half) -> int:
        sine = determinant(axis, first, half.direction)
        if sine == 0:
            return 0 if dot(first, half.direction) > 0 else 2
        return 1 if sine > 0 else 3

    def compare(one: tuple[int, Half], other: tuple[int, Half]) -> int:
        if one[0] != other[0]:
            return one[0] - other[0]
        sine = determinant(axis, one[1].direction, other[1].direction)
        return (sine < 0) - (sine > 0)

    ordered = sorted(((quarter(half), half) for half in found), key=cmp_to_key(compare))
    groups: list[list[Half]] = []
    for k, item in enumerate(ordered):
        if k and compare(ordered[k - 1], item) == 0:
            groups[-1].append(item[1])
        else:
            groups.append([item[1]])
    return groups


def sector_of(fan: Fan, direction: Vector) -> int:
    """Return the sector into which a direction points, which lies in no half-plane: the group before it."""
    axis = fan.axis
    length = dot(axis, axis)
    slope = dot(direction, axis)
    x, y, z = (direction[k] * length - slope * axis[k] for k in range(3))
    marker = Half((x, y, z), 0, 0)
    order = in_order(axis, [*(group[0] for group in fan.groups), marker])
    place = next(k for k, group in enumerate(order) if marker in group)
    if len(order[place]) != 1:
        raise InternalError("a direction lies in a half-plane that it was chosen to avoid; please report this")
    return place - 1


def pass_through(groups: Sequence[Sequence[Half]]) -> bool:
    """Tell whether one mesh has half-planes on two sides of the other's, none of which is one of the other's."""
    for side in (0, 1):
        walls = [any(half.side == side for half in group) for group in groups]
        if sum(walls[k - 1] and not walls[k] for k in range(len(walls))) > 1:
            return True
    return False


def sectors(fan: Fan, numbers: Sequence[tuple[int, Vector] | None], oriented: Sequence[bool]) -> list[tuple[int, int]]:
    """Return both winding numbers of each sector; number k is that of the sector behind group k.

    numbers    for each mesh, a winding number and the direction in which it was found; None: 0 everywhere
    oriented   whether a mesh is; of one that is not, only the parity of the numbers means anything
    """
    columns = []
    for side, found in enumerate(numbers):
        if found is None:
            columns.append([0] * len(fan.groups))
            continue
        winding, direction = found
        steps = [sum(half.step for half in group if half.side == side) for group in fan.groups]
        start, count = sector_of(fan, direction), len(steps)
        column = [winding] * count
        for k in range(start + 1, start + count):
            column[k % count] = column[(k - 1) % count] + steps[k % count]
        gap = column[start - 1] + steps[start] - winding
        if gap % 2 or (gap and oriented[side]):
            raise InternalError(f"the faces of mesh {'ab'[side]} do not add up around a line; please report this")
        columns.append(column)
    return list(zip(*columns, strict=True))
