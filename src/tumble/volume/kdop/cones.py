"""The DOP around a ball, corner by corner: which three sides bound a DOP in which direction.

Three sides of a DOP that meet in a corner bound it in every direction n of the cone that their outward directions
span: n = c0 b0 + c1 b1 + c2 b2 with coefficients of the right signs, and what bounds each b bounds n. Which sides meet
depends on the DOP. Zachmann, "Rapid collision detection by dynamically aligned DOP-trees", 1998, takes those of the
generic DOP, whose sides all touch one ball: its corner that lies farthest in direction n names the sides for all DOPs.

Every corner of our generic DOPs is on three sides (there are 2 k - 4 corners), so there is never a choice.
"""

from functools import cache
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from tumble.volume.kdop.directions import directions_of

# Columns of a cone; all but the corner are whole numbers, and exact.
CORNER = 0
"""the corner of the generic DOP"""
ADJUGATE = 3
"""three rows: times n, divided by the determinant, they give the coefficients of n"""
DETERMINANT = 12
MEMBERS = 13
"""the three directions"""
COLUMNS = 16

ROUNDING = 1e-12
"""far above the rounding of a corner, far below the distance of another side"""


@cache
def cones_of(k: int) -> NDArray[np.float64]:
    """Return a row for each corner of the generic DOP, one of each two opposite corners."""
    directions = directions_of(k)
    lengths = np.linalg.norm(directions, axis=1)
    rows = []
    for members in combinations(range(len(directions)), 3):
        sides = directions[list(members)]
        adjugate = np.stack([np.cross(sides[1], sides[2]), np.cross(sides[2], sides[0]), np.cross(sides[0], sides[1])])
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
