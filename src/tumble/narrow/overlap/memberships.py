"""How much of one mesh is around each vertex of another, with b moved by an infinitely small step.

Each face has a weight: 1 if the solid is behind it and not before it, -1 the other way round, 0 if it is no boundary.
The *membership* of a point is the sum of the weights of the faces that a ray leaves by, minus those that it enters by;
in a mesh that does not cross itself that is 1 inside and 0 outside. Along an edge it changes where the edge pierces the
other mesh, and nowhere else, so one vertex of each connected part gives those of all.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tumble.core.jit import inlined_kernel, kernel
from tumble.core.linear import row
from tumble.core.poll import GO_ON, OFTEN, poll
from tumble.narrow.overlap.places import EDGE, OWNER, Boundary, Places
from tumble.narrow.overlap.signs import OF_A, OF_B, height_sign
from tumble.narrow.predicates.orientation import orient2d

NOT_KNOWN = -(1 << 62)


@kernel
def side_sign(p, q, v, way):
    """Return on which side of the edge p q the line through v along x passes, seen against x; 0 for p q along x."""
    found = orient2d((p[1], p[2]), (q[1], q[2]), (v[1], v[2]))
    if found != 0:
        return found
    if q[2] != p[2]:
        return -way if q[2] > p[2] else way
    if q[1] != p[1]:
        return way if q[1] > p[1] else -way
    return 0


@kernel
def beside(p, q, r, v):
    """Tell whether the ray from v along x misses the box of a triangle."""
    if max(p[0], q[0], r[0]) < v[0] or max(p[1], q[1], r[1]) < v[1] or min(p[1], q[1], r[1]) > v[1]:
        return True
    return max(p[2], q[2], r[2]) < v[2] or min(p[2], q[2], r[2]) > v[2]


@kernel
def membership_at(points, faces, weights, v, way):
    """Return the membership of v in a mesh: by the faces that the ray along x passes. `way` as in `height_sign`."""
    total = 0
    for i in range(len(faces)):
        if i & OFTEN == 0 and poll(0) != GO_ON:
            break
        p, q, r = row(points, faces[i, 0]), row(points, faces[i, 1]), row(points, faces[i, 2])
        if weights[i] == 0 or beside(p, q, r, v):
            continue
        side = side_sign(p, q, v, way)
        if side == 0 or side_sign(q, r, v, way) != side or side_sign(r, p, v, way) != side:
            continue
        # the sides are alike, and say which way the normal points along x
        if height_sign(p, q, r, v, way) == -side:
            total += side * weights[i]
    return total


@kernel
def root_and_sum(parent, offset, x):
    """Return the vertex that stands for a part, and how much more membership x has; shortens the path to it."""
    root, total = x, 0
    while parent[root] != root:
        total += offset[root]
        root = parent[root]
    rest = total
    while parent[x] != root:
        after, step = parent[x], offset[x]
        parent[x], offset[x] = root, rest
        rest -= step
        x = after
    return root, total


@kernel
def connect_vertices(ends, jumps, parent, offset):
    """Join vertices along edges, on which the membership grows by jumps from the first end to the second.

    Afterwards `parent` is a vertex of the same part, its root, and `offset` how much more membership a vertex has.
    """
    for v in range(len(parent)):
        parent[v], offset[v] = v, 0
    for k in range(len(ends)):
        if k & OFTEN == 0 and poll(0) != GO_ON:
            break
        u, more = root_and_sum(parent, offset, ends[k, 0])
        v, other = root_and_sum(parent, offset, ends[k, 1])
        if u != v:  # value(v) = value(u) + more + jump - other
            parent[v], offset[v] = u, more + jumps[k] - other
    for v in range(len(parent)):
        parent[v], offset[v] = root_and_sum(parent, offset, v)


class Parts(NamedTuple):
    """Memory for how the vertices of a mesh are connected; and for jumps along its edges, all zero."""

    parent: NDArray[np.int64]  # (vertices,)
    offset: NDArray[np.int64]  # (vertices,)
    at_root: NDArray[np.int64]  # (vertices,)
    jumps: NDArray[np.int64]  # (edges,)


def members_of(own: Boundary, other: Boundary, places: Places, owner: int, box: NDArray[np.float64]) -> NDArray[Any]:
    """Return the membership of each vertex of a mesh in another one, in a box; 0 for vertices of no face.

    owner   0 if the mesh is a, which stands still, 1 if it is b
    """
    count = len(own.points)
    parent, offset, at_root = (np.empty(count, np.int64) for _ in range(3))
    parts = Parts(parent, offset, at_root, np.zeros(len(own.ends), np.int64))
    members = np.zeros(count, np.int64)
    write_members(own, other, places, owner, box, parts, members)
    return members


@inlined_kernel
def is_in_box(v, box):
    """Tell whether a point is in a box: (2, 3), lowest and highest corner."""
    for axis in range(3):  # noqa: SIM110  (kernels have no generators)
        if not box[0, axis] <= v[axis] <= box[1, axis]:
            return False
    return True


@kernel
def write_members(own, other, places, owner, box, parts, members):
    """Write the memberships of `members_of`; they are 0 before."""
    for k in range(len(places.features)):
        if places.features[k, OWNER] == owner:
            parts.jumps[places.features[k, EDGE]] += places.jumps[k]
    connect_vertices(own.ends, parts.jumps, parts.parent, parts.offset)
    way = OF_A if owner == 0 else OF_B
    for v in range(len(members)):
        parts.at_root[v] = NOT_KNOWN
    for face in range(len(own.faces)):
        if face & OFTEN == 0 and poll(0) != GO_ON:
            break
        for k in range(3):
            v = own.faces[face, k]
            root = parts.parent[v]
            if parts.at_root[root] == NOT_KNOWN:
                at, found = row(own.points, root), 0
                if is_in_box(at, box):
                    found = membership_at(other.points, other.faces, other.weights, at, way)
                parts.at_root[root] = found
            members[v] = parts.at_root[root] + parts.offset[v]
