"""What a library must offer to compete: one small file each, all with these methods.

    solid = peer.prepare(vertices, faces)       # the library's own hierarchy over a mesh: this is the build
    pair = peer.pair(solid, other)              # objects and requests made once, as the library's documentation advises
    poses = pair.native(matrices)               # the second object's poses in the library's own type, made beforehand
    pair.first_hits(poses)                      # a bool for each pose, one call of the library after the other
    pair.all_pairs(poses)                       # a (k, 2) array of triangle ids for each pose
    crowd = peer.crowd(solid, count)            # many bodies of one mesh, or None where the library has no such thing
    crowd.touching(crowd.native(matrices))      # move all bodies, then find who touches whom and where
    crowd.as_touching(found)                           # what the library's answer says, to be compared

A pair may answer more or other questions, those in `peer.questions`, each again for all poses:

    pair.distances(poses)                       # an array of distances; float32, where the library computes so
    pair.within(poses, clearance)               # whether the two are nearer than that
    pair.pairs_within(poses, clearance)         # a (k, 2) array of triangle ids for each pose
    pair.signed_distances(poses)                # negative where one is inside the other
    pair.relations(poses)                       # the words of `tumble.relation`

The loops over poses are written in each file, so that no call of ours stands between the clock and the library.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

Poses = NDArray[np.float64]
Pairs = NDArray[np.int64]

NO_PAIRS: Pairs = np.empty((0, 2), dtype=np.int64)
# More contacts than any case has: libraries that stop at a number of contacts must not stop before the last.
ALL_CONTACTS = 100_000_000


# A program that imports NumPy and has two arrays of a tetrahedron: what programs of first use begin with.
TETRAHEDRON = """
import numpy
corners = numpy.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], dtype=float)
sides = numpy.array([[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])
"""


class Touching(NamedTuple):
    """What touches in a crowd: pairs of bodies (None where the library does not tell) and triangle pairs in all."""

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

    def as_touching(self, found: Any) -> Touching:
        """The answer in a form that can be compared."""


class Peer:
    """A library that competes."""

    name: str
    """in tables and files"""
    library: Any = None
    """its module, or whatever its pairs and crowds are made with"""
    pair_type: Callable[..., Any]
    crowd_type: Callable[..., Crowd] | None = None
    """None where it looks at two objects at a time"""
    judged = True
    """whether ratios are taken against it; the others run for context"""
    most_faces = 10**9
    """meshes of more triangles are not given to it: it would take the time that the others need"""
    brief = False
    """whether it takes so long that it runs a few rounds only"""
    questions: tuple[str, ...] = ("first_hits", "all_pairs")
    """what its pairs answer"""
    first_use = ""
    """a program that imports the library and asks one question of two tiny meshes"""

    def prepare(self, vertices: NDArray[np.float64], faces: NDArray[np.int64]) -> Any:
        """Build the library's hierarchy over a mesh."""
        raise NotImplementedError

    def pair(self, a: Any, b: Any) -> Any:
        """Two prepared objects, ready for questions."""
        return self.pair_type(self.library, a, b)

    def crowd(self, solid: Any, count: int) -> Crowd | None:
        """So many bodies of one prepared object."""
        return None if self.crowd_type is None else self.crowd_type(self.library, solid, count)


def id_array(contacts: Iterable[Any]) -> Pairs:
    """The ids of contacts, or of whatever has a `b1` and a `b2`, as the array that every library must deliver."""
    ids = [(contact.b1, contact.b2) for contact in contacts]
    return np.array(ids, dtype=np.int64) if ids else NO_PAIRS


class Transforms:
    """What FCL and Coal take as poses."""

    transform: Callable[..., Any]

    def native(self, poses: Poses) -> list[Any]:
        """Made of a rotation and a translation."""
        return [self.transform(pose[:3, :3], pose[:3, 3]) for pose in poses]
