"""How much of two bodies lies flat on each other: the area of faces in one plane, and the middle of it."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tumble.core.records import frozen
from tumble.solid.body import Body

Array = NDArray[np.float64]


class FlatContact(NamedTuple):
    """Faces of two bodies that lie on each other."""

    area: float
    middle: Array | None
    """(3,); None where the area is zero"""


def flat_contact(bodies: tuple[Body, Body], pairs: NDArray[np.int64]) -> FlatContact:
    """Return the area of contact, from the touching triangles of two bodies whose interiors do not meet.

    So faces in one plane that have an area in common look at each other, however a mesh is turned.
    """
    from tumble.narrow.contact.flat_area import flat_pairs, write_flat_pairs

    a, b = bodies
    found = flat_pairs(len(pairs))
    count = write_flat_pairs(a.points, a.surface.faces, b.points, b.surface.faces, frozen(pairs), found)
    total = float(found.areas[:count].sum())
    if not total > 0.0:
        return FlatContact(0.0, None)
    return FlatContact(total, found.moments[:count].sum(axis=0) / total)
