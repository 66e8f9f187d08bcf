"""The triangle test of a query, by the record that stands for it: exact here, others in files of their own.

`touch` is what traversals call for two triangles. All tests give the same answers; `traversal.query` names them.
"""

from typing import NamedTuple

from tumble.core.jit import generic, inlined_kernel, kernel
from tumble.core.linear import posed
from tumble.narrow.triangles.exact import corners_touch


class ExactTest(NamedTuple):
    """Pose both triangles and ask `triangles_touch`."""


@generic
def touch(test, a, i, b, j, poses):
    """Tell whether triangle i of a and triangle j of b touch where they are posed."""


@inlined_kernel
def posed_triangle(pose, vertices, faces, i):
    """Return the corners of triangle i where a pose puts them."""
    return posed(pose, vertices, faces[i, 0]), posed(pose, vertices, faces[i, 1]), posed(pose, vertices, faces[i, 2])


@kernel
def exact_touch(a, i, b, j, poses):
    """Judge two posed triangles exactly."""
    p, q, r = posed_triangle(poses.a, a.vertices, a.faces, i)
    x, y, z = posed_triangle(poses.b, b.vertices, b.faces, j)
    return corners_touch(p, q, r, x, y, z)


@touch.register(ExactTest)
def _touch(test, a, i, b, j, poses):
    return exact_touch(a, i, b, j, poses)
