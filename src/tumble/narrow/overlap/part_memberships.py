"""How often the parts of two meshes wind around the vertices of each other, each part moved by a step of its own.

Parts are ranked, and every step is infinitely small against the next one's: of two parts the higher one moves, as b
does against a in `signs`. Each vertex has two numbers: how often the other parts of its own mesh wind around it, and
how often those of the other mesh do.
"""

from tumble.core.jit import kernel
from tumble.core.linear import row
from tumble.core.poll import GO_ON, OFTEN, poll
from tumble.narrow.overlap.memberships import beside, root_and_sum, side_sign
from tumble.narrow.overlap.signs import OF_A, OF_B, height_sign

OWN, OTHER = 0, 1


@kernel
def write_part_memberships(points, faces, parts, owners, vertices, vertex_parts, found):
    """Write both numbers for some points; each is a vertex of a part, which does not count."""
    for i in range(len(vertices)):
        found[i, OWN] = found[i, OTHER] = 0
        v, own = row(vertices, i), vertex_parts[i]
        for k in range(len(faces)):
            if k & OFTEN == 0 and poll(0) != GO_ON:
                break
            part = parts[k]
            p, q, r = row(points, faces[k, 0]), row(points, faces[k, 1]), row(points, faces[k, 2])
            if part == own or beside(p, q, r, v):
                continue
            way = OF_A if own < part else OF_B
            side = side_sign(p, q, v, way)
            if side == 0 or side_sign(q, r, v, way) != side or side_sign(r, p, v, way) != side:
                continue
            if height_sign(p, q, r, v, way) == -side:
                found[i, OWN if owners[part] == owners[own] else OTHER] += side


@kernel
def connect_part_vertices(ends, jumps, parent, offset, other_offset):
    """Join vertices along edges, as `connect_vertices` does, for (e, 2) jumps of both numbers."""
    for column in range(2):
        offsets = offset if column == OWN else other_offset
        for v in range(len(parent)):
            parent[v], offsets[v] = v, 0
        for k in range(len(ends)):
            if k & OFTEN == 0 and poll(0) != GO_ON:
                break
            u, more = root_and_sum(parent, offsets, ends[k, 0])
            v, other = root_and_sum(parent, offsets, ends[k, 1])
            if u != v:
                parent[v], offsets[v] = u, more + jumps[k, column] - other
        for v in range(len(parent)):
            parent[v], offsets[v] = root_and_sum(parent, offsets, v)
