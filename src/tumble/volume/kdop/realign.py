"""A turned DOP wrapped into one that is not: the matrix C and the correspondence j of paper `chip`, Equations 1 and 3.

DOP d lives in a frame that is turned by R and moved by t as seen from another. In direction b of the other frame, a
point R y + t lies at

    b . (R y + t) = n . y + b . t        with n = R^T b

and n . y is bounded by three sides of d, the three directions whose cone holds n:

    n = c0 b0 + c1 b1 + c2 b2      hence      n . y <= c0 d0 + c1 d1 + c2 d2

with the high side of a direction where its coefficient is positive, and the low side where it is negative. The lower
bound takes the opposite sides. That holds whatever the signs, so nothing is lost when rounding puts n a little outside
of the cone, and for every matrix R, be it a reflection or singular: the bounds hold the image of the DOP. The
coefficients of a direction that lies on b itself are 1, 0, 0.

Cones. Three sides of a DOP that meet in a corner bound it in every direction of the cone that their outward directions
span. Which sides meet depends on the DOP. Zachmann, "Rapid collision detection by dynamically aligned DOP-trees", 1998,
takes those of the generic DOP, whose sides all touch one ball: its corner that lies farthest in direction n names the
sides for all DOPs. Every corner of our generic DOPs is on three sides (there are 2 k - 4 corners), so there is never a
choice.
"""

from functools import cache
from itertools import combinations
from typing import NamedTuple, SupportsIndex

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tumble.core.jit import kernel
from tumble.errors import PoseError
from tumble.volume.kdop.directions import directions_of

# Columns that `realign` fills for each direction.
COEFFICIENTS = 0
LOWS = 3  # places of the three numbers of d that make the lower bound
HIGHS = 6
RESIDUAL = 9  # sum over x, y, z of how far c0 b0 + c1 b1 + c2 b2 is from n, for rounding
COLUMNS = 10

# Columns of a cone; all but the corner are whole numbers, and exact.
CORNER = 0  # the corner of the generic DOP
ADJUGATE = 3  # three rows: times n, divided by the determinant, they give the coefficients of n
DETERMINANT = 12
MEMBERS = 13  # the three directions

LARGEST = 1e100  # entries beyond that might overflow on the way
ROUNDING = 1e-12  # far above the rounding of a corner, far below the distance of another side


class Realignment(NamedTuple):
    """How a k-DOP turns: row i of the new one is the sum of coefficients[i] * old[places[i]], plus direction . t."""

    coefficients: NDArray[np.float64]  # (k, 3); rows i and k/2 + i are equal
    places: NDArray[np.int64]  # (k, 3): row i makes the low side of direction i, row k/2 + i the high side
    residuals: NDArray[np.float64]
    """(k,): times the largest coordinate of the old DOP's content, how far rounded coefficients may be off"""


@cache
def cones_of(k: int) -> NDArray[np.float64]:
    """Return a row for each corner of the generic DOP, one of each two opposite corners."""
    directions = directions_of(k)
    lengths = np.linalg.norm(directions, axis=1)
    rows = []
    for members in combinations(range(len(directions)), 3):
        sides = directions[list(members)]
        adjugate = np.cross(np.roll(sides, -1, axis=0), np.roll(sides, -2, axis=0))
        determinant = float(adjugate[0] @ sides[0])
        if determinant == 0.0:
            continue
        for signs in ((1, 1, 1), (1, 1, -1), (1, -1, 1), (1, -1, -1)):
            corner = (signs * lengths[list(members)]) @ adjugate / determinant
            if (np.abs(directions @ corner) <= lengths * (1 + ROUNDING)).all():
                rows.append([*corner, *adjugate.ravel(), determinant, *members])
    cones = np.array(rows)
    cones.flags.writeable = False
    return cones


def realignment(k: SupportsIndex, rotation: ArrayLike) -> Realignment:
    """Return C and j for a (3, 3) matrix that takes points from the old DOP's frame to the new one's."""
    directions = directions_of(k)
    try:
        matrix = np.array(rotation, np.float64)
    except (TypeError, ValueError) as error:
        raise PoseError(f"a DOP is turned by a (3, 3) matrix, not by {rotation!r}") from error
    if matrix.shape != (3, 3) or not (np.abs(matrix) <= LARGEST).all():
        raise PoseError(f"a DOP is turned by a (3, 3) matrix of numbers up to {LARGEST:g}, not by {rotation!r}")
    half = len(directions)
    rows = np.empty((half, COLUMNS))
    realign(matrix.ravel(), directions, cones_of(2 * half), rows)
    places = np.concatenate([rows[:, LOWS:HIGHS], rows[:, HIGHS:RESIDUAL]]).astype(np.int64)
    return Realignment(np.tile(rows[:, COEFFICIENTS:LOWS], (2, 1)), places, np.tile(rows[:, RESIDUAL], 2))


@kernel
def realign(matrix, directions, cones, rows):
    """Fill a row for each direction, for a flat 3×3 matrix."""
    half = directions.shape[0]
    for i in range(half):
        bx, by, bz = directions[i, 0], directions[i, 1], directions[i, 2]
        x = matrix[0] * bx + matrix[3] * by + matrix[6] * bz
        y = matrix[1] * bx + matrix[4] * by + matrix[7] * bz
        z = matrix[2] * bx + matrix[5] * by + matrix[8] * bz
        cone = nearest_cone(x, y, z, cones)
        write_coefficients(x, y, z, cones, cone, rows, i)
        for m in range(3):
            member = rows[i, LOWS + m]
            positive = rows[i, COEFFICIENTS + m] > 0.0
            rows[i, LOWS + m] = member if positive else member + half
            rows[i, HIGHS + m] = member + half if positive else member
        rows[i, RESIDUAL] = residual(x, y, z, directions, rows, i)


@kernel
def nearest_cone(x, y, z, cones):
    """Return the cone whose corner, or the one opposite, lies farthest in a direction."""
    # one of each two opposite corners is stored, hence the absolute value; the coefficients take their signs from n
    best, farthest = 0, -1.0
    for cone in range(cones.shape[0]):
        distance = abs(cones[cone, CORNER] * x + cones[cone, CORNER + 1] * y + cones[cone, CORNER + 2] * z)
        if distance > farthest:
            best, farthest = cone, distance
    return best


@kernel
def write_coefficients(x, y, z, cones, cone, rows, i):
    """Write the coefficients of a direction and, beside them, the cone's members, those of larger size first."""
    for m in range(3):
        minor = ADJUGATE + 3 * m
        value = cones[cone, minor] * x + cones[cone, minor + 1] * y + cones[cone, minor + 2] * z
        value /= cones[cone, DETERMINANT]  # not times its inverse: a third would not be exact
        place = m
        while place > 0 and abs(rows[i, COEFFICIENTS + place - 1]) < abs(value):
            rows[i, COEFFICIENTS + place] = rows[i, COEFFICIENTS + place - 1]
            rows[i, LOWS + place] = rows[i, LOWS + place - 1]
            place -= 1
        rows[i, COEFFICIENTS + place] = value
        rows[i, LOWS + place] = cones[cone, MEMBERS + m]


@kernel
def residual(x, y, z, directions, rows, i):
    """Return how far the combination of row i, whose high or low places name its members, is from (x, y, z)."""
    for m in range(3):
        value = rows[i, COEFFICIENTS + m]
        member = np.int64(min(rows[i, LOWS + m], rows[i, HIGHS + m]))
        x -= value * directions[member, 0]
        y -= value * directions[member, 1]
        z -= value * directions[member, 2]
    return abs(x) + abs(y) + abs(z)
