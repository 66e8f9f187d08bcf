"""The answer of a scene, by the names of bodies: a view of the table of pairs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import overload

import numpy as np
from numpy.typing import NDArray

from tumble.core.records import FrozenArrays
from tumble.query.answer import PairContacts, PairTable


@dataclass(frozen=True, eq=False)
class BodyCollision(FrozenArrays):
    """Two bodies that touch, and the triangles with which they do."""

    a: str | None
    """a body's name; None for a mesh that is not a body of the scene"""
    b: str
    pairs: NDArray[np.int64]
    """(k, 2): triangle of a and triangle of b, sorted; a single pair with `first`"""
    contacts: PairContacts | None = None
    """where each pair meets, in the order of `pairs`; None unless asked for"""
    distances: NDArray[np.float64] | None = None
    """(k,): how far each pair is apart, 0 where it touches; None unless asked with a clearance for all pairs"""
    buried: bool = False
    """whether one body is inside the other, and no triangles touch; known only where asked for by `solid`"""

    def __len__(self) -> int:
        return len(self.pairs)

    def __repr__(self) -> str:
        buried = ", one inside the other" if self.buried else ""
        return f"<BodyCollision of {self.a!r} and {self.b!r}: {len(self.pairs)} triangle pairs{buried}>"


@dataclass(frozen=True, eq=False, repr=False)
class SceneCollisions(PairTable, Sequence[BodyCollision]):
    """The touching bodies, a `BodyCollision` for each two of them, in the order in which the bodies were added.

    A table of pairs, with a row of `counts` for each two bodies: a record is made on request.
    """

    _names: list[tuple[str | None, str]] = field(default_factory=list)
    buried: NDArray[np.bool_] | None = None
    """(n,): of which two bodies one is inside the other with no triangles touching; None unless asked for by `solid`"""

    @property
    def hit(self) -> NDArray[np.bool_]:
        """(n,): True, as only bodies that collide have a record"""
        return np.ones(len(self), bool)

    def __bool__(self) -> bool:
        return len(self) > 0

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
        buried = self.buried is not None and bool(self.buried[at])
        a, b = self._names[at]
        return BodyCollision(a, b, self.triangles[self.rows(at)], self.contacts_of(at), self.distances_of(at), buried)

    def __repr__(self) -> str:
        return f"<SceneCollisions of {len(self)} body pairs, {len(self.triangles)} triangle pairs>"
