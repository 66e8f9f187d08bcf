"""Kernels for Warp, which compiles them from this file: the nearest point of a mesh, unsigned and signed."""

# mypy: ignore-errors
import warp as wp


@wp.kernel
def closest(
    mesh: wp.uint64,
    points: wp.array(dtype=wp.vec3),
    farthest: float,
    places: wp.array(dtype=wp.vec3),
    faces: wp.array(dtype=int),
    distances: wp.array(dtype=float),
):
    """The nearest point."""
    i = wp.tid()
    found = wp.mesh_query_point_no_sign(mesh, points[i], farthest)
    place = wp.mesh_eval_position(mesh, found.face, found.u, found.v)
    places[i] = place
    faces[i] = found.face
    distances[i] = wp.length(place - points[i])


@wp.kernel
def signed_by_winding(
    mesh: wp.uint64,
    points: wp.array(dtype=wp.vec3),
    farthest: float,
    places: wp.array(dtype=wp.vec3),
    faces: wp.array(dtype=int),
    distances: wp.array(dtype=float),
):
    """The same with a sign by the winding number."""
    i = wp.tid()
    found = wp.mesh_query_point_sign_winding_number(mesh, points[i], farthest)
    place = wp.mesh_eval_position(mesh, found.face, found.u, found.v)
    places[i] = place
    faces[i] = found.face
    distances[i] = found.sign * wp.length(place - points[i])


@wp.kernel
def signed_by_normals(
    mesh: wp.uint64,
    points: wp.array(dtype=wp.vec3),
    farthest: float,
    places: wp.array(dtype=wp.vec3),
    faces: wp.array(dtype=int),
    distances: wp.array(dtype=float),
):
    """The same with a sign by the angle-weighted normal."""
    i = wp.tid()
    found = wp.mesh_query_point_sign_normal(mesh, points[i], farthest)
    place = wp.mesh_eval_position(mesh, found.face, found.u, found.v)
    places[i] = place
    faces[i] = found.face
    distances[i] = found.sign * wp.length(place - points[i])
