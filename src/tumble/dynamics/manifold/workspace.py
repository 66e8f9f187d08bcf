"""The memory in which contact patches are found, for the largest body pair of a piece of work.

Small records, since a kernel that is handed a large one pays for each of its arrays; and arrays of several columns, as
what is needed together lies together. Columns are named behind their record, and last how many there are: kernels write
`lines[k, col.PUSH]`. What fills a table or an index empties it again, entry by entry: a body pair pays for what it has,
not for the size of the memory.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tumble.dynamics.manifold.surfaces import Surfaces
from tumble.narrow.contact.segment import POLYGON_SHAPE

EMPTY = -1
KNOWN = -2  # state of a face that touches the other body or is inside of it
WALL = -3  # less the number of a patch: one of its faces that do not look at the other body
SIDE_A = 0
SIDE_B = 1

POINTS_IN_PATCH = 4  # contact points of one connected patch, at most
MOST_POINTS = 8  # contact points of two bodies, at most
MOST_PATCHES = 8  # patches of a body pair that get points: those with the longest curves
MOST_FLOODED = 4096  # vertices of two bodies inside of each other that are visited beyond those of touching triangles
MOST_EDGES = 512  # edges of each body in a patch that may cross
MOST_CROSSINGS = 4096  # edges of a times edges of b, up to which it is found out where they cross
FACES_PER_NODE = 4  # faces that are visited for each of them; there are about two for each vertex of a mesh


class BodyPair(NamedTuple):
    """Two bodies and their k touching triangle pairs."""

    surfaces: Surfaces
    pose_a: NDArray[np.float64]
    first_a: int  # the number of a's first face among those of all meshes
    pose_b: NDArray[np.float64]
    first_b: int
    triangles: NDArray[np.int64]  # (k, 2)
    curves: NDArray[np.float64]  # (k, 13) segments that a device has made, see `PairTable.curves`; or (0, 13)


class Curve(NamedTuple):
    """A row for each of k touching pairs of triangles."""

    lines: NDArray[np.float64]  # (k, LINES)
    marks: NDArray[np.int64]  # (k, MARKS)


# Of lines, three numbers each: the ends of the segment, directed along normal a × normal b, the normals, and the
# direction in which the two triangles separate, where it was needed.
FIRST, SECOND, NORMAL_A, NORMAL_B, PUSH, LINES = 0, 3, 6, 9, 12, 15
# Of marks, a column for the first end, the next for the second: a number for the edge that an end is on and for the
# triangle that the edge pierces there; the node of that edge behind the triangle, EMPTY for none; and, for the first of
# the ends at one place, where the edge starts: twice (three times the face plus the corner) plus the side, or EMPTY.
EDGE, BEHIND, CORNER, MARKS = 0, 2, 4, 6


class Joints(NamedTuple):
    """What neighbours on the curve have in common, and the pair that had it first: a table with open addressing."""

    entries: NDArray[np.int64]  # (size, ENTRIES)
    used: NDArray[np.int64]  # the places of all keys, in the order in which they came


KEY, VALUE, ENTRIES = 0, 1, 2  # KEY is EMPTY where there is no entry


class Nodes(NamedTuple):
    """The vertices that count: n of them."""

    of_vertex: NDArray[np.int32]  # (2, v): the node of each vertex of each side, EMPTY for none
    facts: NDArray[np.int64]  # (n, FACTS)
    at: NDArray[np.float64]  # (n, AT)


VERTEX, SIDE, STATE, HOME, FACTS = 0, 1, 2, 3, 4  # HOME is the triangle pair that the node belongs to
# Of at: three numbers, and the squared distance from there to the nearest end of the curve on its edges.
POSITION, GAP, AT = 0, 3, 4


class Faces(NamedTuple):
    """The faces of each side that touch the other or are inside of it."""

    state: NDArray[np.int32]  # (2, f): EMPTY for all others, KNOWN, or as the last patch has marked it
    flooded: NDArray[np.int64]  # (m, FLOODED_COLUMNS): those inside that do not touch


# A patch marks the faces of its cap with its number, and its other faces with WALL less its number.
# FLOODED_NODE is the node from which the flood came to the face.
FLOODED_SIDE, FLOODED_FACE, FLOODED_NODE, FLOODED_COLUMNS = 0, 1, 2, 3


class Sets(NamedTuple):
    """Elements are k triangle pairs, then n nodes, then m flooded faces."""

    parent: NDArray[np.int64]  # (k + n,): union-find
    patch: NDArray[np.int64]  # (k + n,): the number of an element's patch, EMPTY for none
    after: NDArray[np.int64]  # (k + n + m,): the next element of the same patch
    head: NDArray[np.int64]  # (k,): the first element of each patch
    sums: NDArray[np.float64]  # (k, SUMS): what is added up for each patch


# Of sums, over the segments of a patch:
#   MIDDLE    three numbers: the mean of the segments' middles, weighted by length
#   AREA      three numbers: the vector area ½ ∮ x × dx
#   FACING    three numbers: the sum of the directions in which the faces look at each other, weighted by length
#   FACINGS   the sum of the lengths of the vectors that FACING adds up
#   LEAKY     1 where the flood has leaked
#   SPLIT     1 for a part of a patch that was split
#   DEEPEST   the deepest of the single triangle pairs, where their pushes were needed
LENGTH, MIDDLE, AREA, FACING, FACINGS, COUNT, LEAKY, SPLIT, DEEPEST, SUMS = 0, 1, 4, 7, 10, 11, 12, 13, 14, 15


class PatchView(NamedTuple):
    """A patch seen along its normal: two coordinates across, one along it."""

    cap: NDArray[np.float64]  # (c, CORNERS): the faces of a from the start, those of b from the end
    spots: NDArray[np.float64]  # (s, SPOTS): candidates for contact points, s = 2k + n + MOST_CROSSINGS + 1
    kinds: NDArray[np.int64]  # (s, KINDS)
    chosen: NDArray[np.float64]  # (POINTS_IN_PATCH, CHOSEN)


CORNER_P, CORNER_Q, CORNER_R, CORNERS = 0, 3, 6, 9  # the corners of a face, three numbers each
# Coordinates across the normal and along it; the distance to where an edge of this vertex leaves the other body, or
# that of two edges that cross; and the depth of a vertex.
X, Y, HEIGHT, LEAVES, DEEP, SPOTS = 0, 1, 2, 3, 4, 5
# SIDE_A or SIDE_B for a vertex, RIM for an end of a segment, CROSSING for two edges, or CENTRE; and the node, or twice
# the triangle pair plus the number of the end, or MOST_EDGES times the number of a's edge plus that of b's.
KIND, ELEMENT, KINDS = 0, 1, 2
SPOT, SPOT_DEPTH, SPOT_HEIGHT, CHOSEN = 0, 1, 2, 3  # the height is that of the middle between the two surfaces


class Edges(NamedTuple):
    """The edges of a patch that may cross, those of each side."""

    ends: NDArray[np.float64]  # (2, MOST_EDGES, 6): both ends, three numbers each, as they are seen
    corners: NDArray[np.int64]  # (2, MOST_EDGES): three times the face plus the corner at which the edge starts


class PatchPoints(NamedTuple):
    """The points of the patches of one body pair."""

    rows: NDArray[np.float64]  # (MOST_PATCHES, POINTS_IN_PATCH, ROW)
    keys: NDArray[np.int64]  # (MOST_PATCHES, POINTS_IN_PATCH)
    patches: NDArray[np.int64]  # (MOST_PATCHES,): the numbers of the patches that get points
    sizes: NDArray[np.int64]  # (MOST_PATCHES,): how many points each has


POINT, NORMAL, DEPTH, ROW = 0, 3, 6, 7  # of rows: a point and a normal of three numbers each, and the depth


class Workspace(NamedTuple):
    """All that a thread needs."""

    curve: Curve
    joints: Joints
    nodes: Nodes
    faces: Faces
    sets: Sets
    patch_view: PatchView
    edges: Edges
    found: PatchPoints
    counts: NDArray[np.int64]  # (COUNTS,): how much of the above is in use
    scratch: NDArray[np.float64]  # in which coplanar triangles are clipped


NODES, JOINTS, OPEN_ENDS, FLOODED, COUNTS = 0, 1, 2, 3, 4  # of counts


def make_workspace(pairs: int, vertices: int, faces: int) -> Workspace:
    """Return memory for body pairs of at most `pairs` triangle pairs, on surfaces of these sizes."""
    nodes = 4 * pairs + MOST_FLOODED
    flooded = FACES_PER_NODE * MOST_FLOODED
    spots = 2 * pairs + nodes + MOST_CROSSINGS + 1
    table = 1 << (16 * pairs - 1).bit_length()  # twice as many places as keys, and a power of two
    return Workspace(
        Curve(np.empty((pairs, LINES)), _integers(pairs, MARKS)),
        Joints(np.full((table, ENTRIES), EMPTY, np.int64), _integers(8 * pairs)),
        Nodes(np.full((2, vertices), EMPTY, np.int32), _integers(nodes, FACTS), np.empty((nodes, AT))),
        Faces(np.full((2, faces), EMPTY, np.int32), _integers(flooded, FLOODED_COLUMNS)),
        Sets(
            *(_integers(pairs + nodes), _integers(pairs + nodes), _integers(pairs + nodes + flooded), _integers(pairs)),
            np.empty((pairs, SUMS)),
        ),
        PatchView(
            np.empty((2 * pairs + flooded, CORNERS)),
            np.empty((spots, SPOTS)),
            _integers(spots, KINDS),
            np.empty((POINTS_IN_PATCH, CHOSEN)),
        ),
        Edges(np.empty((2, MOST_EDGES, 6)), _integers(2, MOST_EDGES)),
        PatchPoints(
            np.empty((MOST_PATCHES, POINTS_IN_PATCH, ROW)),
            _integers(MOST_PATCHES, POINTS_IN_PATCH),
            *(_integers(MOST_PATCHES), _integers(MOST_PATCHES)),
        ),
        _integers(COUNTS),
        np.empty(POLYGON_SHAPE),
    )


def _integers(*shape: int) -> NDArray[np.int64]:
    return np.empty(shape, np.int64)
