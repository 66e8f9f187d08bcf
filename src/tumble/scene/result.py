"""What a scene answers: which bodies touch, and with which triangles."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, overload

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from tumble.query.answer import Collisions


@dataclass(frozen=True, eq=False)
class BodyCollision:
    """Two bodies that touch, and the triangles with which they do."""

    a: str | None
    """a body's name; None for a mesh that was asked about and is no body of the scene"""
    b: str
    pairs: NDArray[np.int64]
    """(k, 2): triangle of a and triangle of b, sorted; one pair of them all if only the first was asked for"""

    def __len__(self) -> int:
        return len(self.pairs)

    def __repr__(self) -> str:
        return f"<BodyCollision of {self.a!r} and {self.b!r}: {len(self.pairs)} triangle pairs>"


class SceneCollisions(Sequence[BodyCollision]):
    """The touching bodies, a `BodyCollision` for each two of them, in the order in which the bodies were added.

    All triangle pairs lie in one read-only array; a record is made when it is asked for.
    """

    __slots__ = ("_names", "_offsets", "_triangles")

    def __init__(
        self, names: list[tuple[str | None, str]], offsets: NDArray[np.int64], triangles: NDArray[np.int64]
    ) -> None:
        self._names = names
        self._offsets = offsets
        self._triangles = triangles.view()
        self._triangles.flags.writeable = False

    def __reduce__(self) -> tuple[Any, ...]:
        return SceneCollisions, (self._names, self._offsets, self._triangles)

    @property
    def names(self) -> list[tuple[str | None, str]]:
        """The names of each two touching bodies."""
        return list(self._names)

    @property
    def counts(self) -> NDArray[np.int64]:
        """How many triangle pairs each two bodies touch with."""
        return np.diff(self._offsets)

    @property
    def triangles(self) -> NDArray[np.int64]:
        """The triangle pairs of all, one pair of bodies after the other, (k, 2)."""
        return self._triangles

    def __len__(self) -> int:
        return len(self._names)

    @overload
    def __getitem__(self, index: int) -> BodyCollision: ...
    @overload
    def __getitem__(self, index: slice) -> list[BodyCollision]: ...
    def __getitem__(self, index: int | slice) -> BodyCollision | list[BodyCollision]:
        if isinstance(index, slice):
            return [self[k] for k in range(*index.indices(len(self)))]
        at = range(len(self))[index]
        a, b = self._names[at]
        return BodyCollision(a, b, self._triangles[self._offsets[at] : self._offsets[at + 1]])

    def __repr__(self) -> str:
        return f"<SceneCollisions of {len(self)} body pairs, {len(self._triangles)} triangle pairs>"


def touching(
    pairs: NDArray[np.int64], found: Collisions, names_a: Sequence[str | None], names_b: Sequence[str]
) -> SceneCollisions:
    """Keep the pairs of bodies that touch, by the names of their slots."""
    hits = np.flatnonzero(found.hit)
    names = [(names_a[i], names_b[j]) for i, j in pairs[hits].tolist()]
    # pairs of bodies that do not touch take no room among the triangles
    offsets = np.append(found.offsets[hits], found.offsets[-1])
    return SceneCollisions(names, offsets, found.triangles)
