"""`inside_frustum`: which triangles of a mesh are not outside of a frustum, as a camera asks."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tumble.api.rays import chosen_tree, real_numbers
from tumble.errors import RayError
from tumble.hierarchy import BoxTree, build
from tumble.mesh import MeshLike
from tumble.mesh.arrays import MAX_COORDINATE
from tumble.mesh.rigid import as_pose

IDENTITY = np.eye(4)[:3]


def inside_frustum(
    mesh: MeshLike | BoxTree,
    frustum: ArrayLike,
    *,
    pose: ArrayLike | None = None,
    contained: bool = False,
    tree: str = "auto",
) -> NDArray[np.int64]:
    """Return the triangles that no plane of the frustum shuts out, sorted: (k,) int64.

    mesh       a `tumble.Mesh`, a `trimesh.Trimesh`, `(vertices, faces)`, or a BoxTree from `tumble.build`
    frustum    (k, 4) planes a, b, c, d with a x + b y + c z + d >= 0 inside; or a 4×4 matrix that takes points, as
               columns, to OpenGL's clip space, where -w <= x, y, z <= w is inside (projection @ view). Shape (4, 4) is
               a matrix always: of four planes, give one twice.
    pose       where the mesh is, a rigid 4×4 array; the frustum is not posed
    contained  only triangles of which no plane has a vertex outside: those that are inside with all they have
    tree       "auto" (the packed tree of the fast path) or "boxtree": the same answer

    A triangle is shut out when all its vertices lie strictly outside of one and the same plane, decided exactly. So
    nothing that can be seen is left out; near the frustum's edges, some triangles that cannot be seen are not either.
    """
    from tumble.traversal.frustum.walk import frustum_in_boxtree, frustum_in_packed, local_planes

    kept, mesh = chosen_tree(mesh, tree)
    if not isinstance(kept, BoxTree) and kept.repeats:  # boxes of a triangle's pieces say nothing about all of it
        kept = build(mesh, volume="boxtree")
    planes, rows = frustum_planes(frustum), as_pose(pose)
    kernel = frustum_in_boxtree if isinstance(kept, BoxTree) else frustum_in_packed
    local = local_planes(planes, IDENTITY if rows is None else rows, kept.origin, kept.scale, mesh.extent)
    found = np.empty(len(mesh), np.int64)
    places = [0 if array is None else array.ctypes.data for array in (rows, planes, local)]
    end = kernel(kept.address, *places, len(planes), int(bool(contained)), found.ctypes.data)
    return np.sort(found[:end])


def frustum_planes(frustum: ArrayLike) -> NDArray[np.float64]:
    """Return checked (k, 4) planes; of a matrix, the sums and differences of its last row and the others."""
    given = real_numbers(frustum, "frustum").copy()  # what is checked must not change before it is used
    if given.ndim != 2 or given.shape[1] != 4 or len(given) == 0:
        raise RayError(f"frustum must be (k, 4) planes or a 4×4 matrix; found shape {given.shape}")
    wrong = ~(np.abs(given) <= MAX_COORDINATE)
    if wrong.any():
        i, j = (int(k) for k in np.argwhere(wrong)[0])
        limit = f"every number must be finite and within ±{MAX_COORDINATE:g}"
        raise RayError(f"frustum[{i}][{j}] is {given[i, j]}; {limit}")
    if given.shape == (4, 4):
        x, y, z, w = given
        return np.array([w + x, w - x, w + y, w - y, w + z, w - z])
    return np.ascontiguousarray(given)
