"""Which way the sides of a k-DOP face: k/2 directions, each with a low and a high side.

Axes, edges and corners are those of a cube. Components are 0, 1 and -1, so that products are exact and only sums are
rounded; the directions are not of unit length.

    6   axes: a box
    14  axes and corners
    18  axes and edges
    24  axes, edges and three of the four corners
    26  axes, edges and corners

24 is 26 without one corner, like the 24-DOP of FCL. How well a set wraps can be told from the DOP around a ball: it has
1.91, 1.28, 1.21, 1.16 and 1.14 times the ball's volume for k = 6, 14, 18, 24 and 26. A search over nine directions
beside the axes with components up to 2 found no 24-DOP below 1.15: not worth sums of five terms in place of three.
"""

from typing import SupportsIndex

import numpy as np
from numpy.typing import NDArray

from tumble.errors import OptionError

AXES = ((1, 0, 0), (0, 1, 0), (0, 0, 1))
EDGES = ((1, 1, 0), (1, -1, 0), (1, 0, 1), (1, 0, -1), (0, 1, 1), (0, 1, -1))
CORNERS = ((1, 1, -1), (1, -1, 1), (-1, 1, 1), (1, 1, 1))


def _rows(*directions: tuple[int, int, int]) -> NDArray[np.float64]:
    rows = np.array(directions, np.float64)
    rows.flags.writeable = False
    return rows


DIRECTIONS: dict[int, NDArray[np.float64]] = {
    6: _rows(*AXES),
    14: _rows(*AXES, *CORNERS),
    18: _rows(*AXES, *EDGES),
    24: _rows(*AXES, *EDGES, *CORNERS[:3]),
    26: _rows(*AXES, *EDGES, *CORNERS),
}
"""k: (k/2, 3) directions, the three axes first"""


def directions_of(k: SupportsIndex) -> NDArray[np.float64]:
    """Return the directions of a k-DOP, or raise OptionError with the k that there are."""
    if isinstance(k, bool) or not isinstance(k, (int, np.integer)) or int(k) not in DIRECTIONS:
        raise OptionError(f"there is no DOP with k={k!r}; choose one of: {', '.join(map(str, DIRECTIONS))}")
    return DIRECTIONS[int(k)]
