"""What a scene answers: which bodies touch, and with which triangles."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import overload

import numpy as np
from numpy.typing import NDArray

from tumble.query.answer import PairContacts, PairTable


@dataclass(frozen=True, eq=False)
class BodyCollision:
    """Two bodies that touch, and the triangles with which they do."""

    a: str | None
    """a body's name; None for a mesh that was asked about and is no body of the scene"""
    b: str
    pairs: NDArray[np.int64]
    """(k, 2): triangle of a and triangle of b, sorted; one pair of them all if only the first was asked for"""
    contacts: PairContacts | None = None
    """where each pair meets, in the order of `pairs`; None unless asked for"""

    def __len__(self) -> int:
        return len(self.pairs)

    def __repr__(self) -> str:
        return f"<BodyCollision of {self.a!r} and {self.b!r}: {len(self.pairs)} triangle pairs>"


@dataclass(frozen=True, eq=False, repr=False)
class SceneCollisions(PairTable, Sequence[BodyCollision]):
    """The touching bodies, a `BodyCollision` for each two of them, in the order in which the bodies were added.

    A table of pairs, with a row of `counts` for each two bodies: a record is made when it is asked for.
    """

    _names: list[tuple[str | None, str]] = field(default_factory=list)

    @property
    def names(self) -> list[tuple[str | None, str]]:
        """The names of each two touching bodies."""
        return list(self._names)

    @overload
    def __getitem__(self, index: int) -> BodyCollision: ...
    @overload
    def __getitem__(self, index: slice) -> list[BodyCollision]: ...
    def __getitem__(self, index: int | slice) -> BodyCollision | list[BodyCollision]:
        if isinstance(index, slice):
            return [self[k] for k in range(*index.indices(len(self)))]
        at = range(len(self))[index]
        return BodyCollision(*self._names[at], self.triangles[self.rows(at)], self.contacts_of(at))

    def __repr__(self) -> str:
        return f"<SceneCollisions of {len(self)} body pairs, {len(self.triangles)} triangle pairs>"


def touching(
    pairs: NDArray[np.int64], found: PairTable, names_a: Sequence[str | None], names_b: Sequence[str]
) -> SceneCollisions:
    """Keep the pairs of bodies that touch, by the names of their slots."""
    hit = found.hit
    names = [(names_a[i], names_b[j]) for i, j in pairs[hit].tolist()]
    # pairs of bodies that do not touch have no rows among the triangles
    return SceneCollisions(found.counts[hit], found.triangles, found.stats, found.contacts, _names=names)
