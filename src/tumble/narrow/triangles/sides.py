"""Which vertices of two triangles lie on which side of the other's plane, which edges run in it: exact, many pairs."""

from tumble.core.jit import kernel
from tumble.core.linear import row
from tumble.core.poll import GO_ON, OFTEN, poll
from tumble.narrow.predicates.orientation import orient2d, orient3d
from tumble.narrow.triangles.coplanar import lexicographic, project, projecting_axis
from tumble.narrow.triangles.exact import points_share_segment


@kernel
def write_sides(points_a, faces_a, points_b, faces_b, pairs, sides):
    """Write six signs for each pair: of the vertices of b at the plane of a, and of those of a at the plane of b."""
    for i in range(len(pairs)):
        if i & OFTEN == 0 and poll(0) != GO_ON:
            break
        a, b = pairs[i, 0], pairs[i, 1]
        p, q, r = row(points_a, faces_a[a, 0]), row(points_a, faces_a[a, 1]), row(points_a, faces_a[a, 2])
        x, y, z = row(points_b, faces_b[b, 0]), row(points_b, faces_b[b, 1]), row(points_b, faces_b[b, 2])
        sides[i, 0], sides[i, 1], sides[i, 2] = orient3d(p, q, r, x), orient3d(p, q, r, y), orient3d(p, q, r, z)
        sides[i, 3], sides[i, 4], sides[i, 5] = orient3d(x, y, z, p), orient3d(x, y, z, q), orient3d(x, y, z, r)


@kernel
def write_sharing(points_a, faces_a, points_b, faces_b, pairs, sharing):
    """Write for each pair, both of whose triangles cross the other's plane, whether they share more than a point."""
    for i in range(len(pairs)):
        if i & OFTEN == 0 and poll(0) != GO_ON:
            break
        a, b = pairs[i, 0], pairs[i, 1]
        p, q, r = row(points_a, faces_a[a, 0]), row(points_a, faces_a[a, 1]), row(points_a, faces_a[a, 2])
        x, y, z = row(points_b, faces_b[b, 0]), row(points_b, faces_b[b, 1]), row(points_b, faces_b[b, 2])
        sharing[i] = points_share_segment(p, q, r, x, y, z)


@kernel
def write_degenerate(points, faces, degenerate):
    """Write whether each face is a segment or a point."""
    for i in range(len(faces)):
        if i & OFTEN == 0 and poll(0) != GO_ON:
            break
        p, q, r = row(points, faces[i, 0]), row(points, faces[i, 1]), row(points, faces[i, 2])
        degenerate[i] = projecting_axis(p, q, r) < 0


@kernel
def write_flat(points, faces, twins, which, flat):
    """Write for each edge of some faces whether the surface goes on in one plane there, with one face on each side."""
    for i in range(len(which)):
        if i & OFTEN == 0 and poll(0) != GO_ON:
            break
        face = which[i]
        p, q, r = row(points, faces[face, 0]), row(points, faces[face, 1]), row(points, faces[face, 2])
        axis = projecting_axis(p, q, r)
        for k in range(3):
            flat[i, k] = False
            twin = twins[face, k]
            if twin < 0 or axis < 0:
                continue
            u, v, own = faces[face, k], faces[face, (k + 1) % 3], faces[face, (k + 2) % 3]
            for j in range(3):
                other = faces[twin, j]
                if other != u and other != v and orient3d(p, q, r, row(points, other)) == 0:
                    from_u, to_v = project(row(points, u), axis), project(row(points, v), axis)
                    side = orient2d(from_u, to_v, project(row(points, own), axis))
                    flat[i, k] = orient2d(from_u, to_v, project(row(points, other), axis)) == -side


@kernel
def overlap_on_line(p, q, u, v):
    """Tell whether two segments on one line, p q and u v, share more than a point."""
    # lexicographic order runs along the line
    if lexicographic(q, p):
        p, q = q, p
    if lexicographic(v, u):
        u, v = v, u
    return not lexicographic(q, u) and not lexicographic(v, p)


@kernel
def overlaps(u, v, p, q, r):
    """Tell whether a segment u v in the plane of a triangle p q r shares more than a point with it.

    If it lies outside of an edge, it has one point of the triangle at most. Otherwise its line passes the triangle's
    inside, or a corner, or along an edge; in the first case the segment overlaps what the line has of each of the three
    half-planes, hence what it has of all.
    """
    axis = projecting_axis(p, q, r)
    a, b = project(u, axis), project(v, axis)
    x, y, z = project(p, axis), project(q, axis), project(r, axis)
    side = orient2d(x, y, z)
    corners = (x, y, z)
    above, below = False, False
    for k in range(3):
        s, t = (
            orient2d(corners[k], corners[(k + 1) % 3], a) * side,
            orient2d(corners[k], corners[(k + 1) % 3], b) * side,
        )
        if s == 0 and t == 0:
            first, second = (p, q) if k == 0 else (q, r) if k == 1 else (r, p)
            return overlap_on_line(first, second, u, v)
        if s <= 0 and t <= 0:
            return False
        turn = orient2d(a, b, corners[k])
        above, below = above or turn > 0, below or turn < 0
    return above and below


@kernel
def write_overlapping(starts, ends, triangles, overlapping):
    """Write for each segment whether it shares more than a point with its triangle, which has it in its plane."""
    for i in range(len(starts)):
        if i & OFTEN == 0 and poll(0) != GO_ON:
            break
        p, q, r = row(triangles[i], 0), row(triangles[i], 1), row(triangles[i], 2)
        overlapping[i] = overlaps(row(starts, i), row(ends, i), p, q, r)
