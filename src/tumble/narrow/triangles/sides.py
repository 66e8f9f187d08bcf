"""On which side of each other's plane do the vertices of two triangles lie, which edges run in it: exact, for many pairs."""

from tumble.core.jit import kernel
from tumble.core.linear import row
from tumble.core.poll import GO_ON, OFTEN, poll
from tumble.narrow.predicates.orientation import orient2d, orient3d
from tumble.narrow.triangles.coplanar import project, projecting_axis


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
def write_degenerate(points, faces, degenerate):
    """Write whether each face is a segment or a point."""
    for i in range(len(faces)):
        p, q, r = row(points, faces[i, 0]), row(points, faces[i, 1]), row(points, faces[i, 2])
        degenerate[i] = projecting_axis(p, q, r) < 0


@kernel
def write_flat(points, faces, twins, which, flat):
    """Write for each edge of some faces whether the surface goes on in one plane there, with one face on each side."""
    for i in range(len(which)):
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
