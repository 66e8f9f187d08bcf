"""What a library must offer to compete: one small file each, all with these methods.

    solid = peer.prepare(vertices, faces)       # the library's own hierarchy over a mesh: this is the build
    pair = peer.pair(solid, other)              # objects and requests made once, as the library's documentation advises
    poses = pair.native(matrices)               # the second object's poses in the library's own type, made beforehand
    pair.first_hits(poses)                      # a bool for each pose, one call of the library after the other
    pair.all_pairs(poses)                       # a (k, 2) array of triangle ids for each pose
    crowd = peer.crowd(solid, count)            # many bodies of one mesh, or None where the library has no such thing
    crowd.touching(crowd.native(matrices))      # move all bodies, then find who touches whom and where
    crowd.told(found)                           # what the library's answer says, to be compared

The loops over poses are written in each file, so that no call of ours stands between the clock and the library.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

Poses = NDArray[np.float64]
Pairs = NDArray[np.int64]

NO_PAIRS: Pairs = np.empty((0, 2), dtype=np.int64)
# More contacts than any case has: libraries that stop at a number of contacts must not stop before the last.
ALL_CONTACTS = 100_000_000


class Touching(NamedTuple):
    """Who touches whom in a crowd: pairs of bodies (None where the library does not tell) and triangle pairs in all."""

    bodies: set[tuple[int, int]] | None
    triangle_pairs: int


class Pair(Protocol):
    """Two prepared objects; the second one moves."""

    def native(self, poses: Poses) -> Sequence[Any]:
        """The poses in the library's own type."""

    def first_hits(self, poses: Sequence[Any]) -> list[bool]:
        """Whether the two touch, for each pose."""

    def all_pairs(self, poses: Sequence[Any]) -> list[Pairs]:
        """The touching triangles, for each pose."""


class Crowd(Protocol):
    """Many bodies that share a mesh."""

    def native(self, poses: Poses) -> Any:
        """One pose for each body, in the library's own type."""

    def touching(self, poses: Any) -> Any:
        """Move every body, then find all touching triangles: what the library tells, with ids in arrays."""

    def told(self, found: Any) -> Touching:
        """The answer in a form that can be compared."""


class Peer(Protocol):
    """A library that competes."""

    # The name in tables and files, and the package that must be installed.
    name: str
    package: str
    # Whether ratios are taken against it; the others run for context.
    judged: bool
    # Meshes of more triangles are not given to it: it would take the time that the others need.
    most_faces: int
    # A program that imports the library and asks one question of two tiny meshes.
    first_use: str

    def prepare(self, vertices: NDArray[np.float64], faces: NDArray[np.int64]) -> Any:
        """Build the library's hierarchy over a mesh."""

    def pair(self, a: Any, b: Any) -> Pair:
        """Two prepared objects, ready for questions."""

    def crowd(self, solid: Any, count: int) -> Crowd | None:
        """So many bodies of one prepared object."""


def id_array(contacts: list[tuple[int, int]]) -> Pairs:
    """Pairs of ids as the array that every library must deliver."""
    return np.array(contacts, dtype=np.int64) if contacts else NO_PAIRS
