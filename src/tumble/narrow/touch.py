"""The triangle test of a query, by the record that stands for it: exact here, others in files of their own.

`touch` is what traversals call for two triangles. All tests give the same answers; see `choice` for their names.
"""

from typing import NamedTuple

from tumble.core.jit import generic, kernel
from tumble.core.linear import posed
from tumble.narrow.triangles.exact import triangles_touch


class ExactTest(NamedTuple):
    """Pose both triangles and ask `triangles_touch`."""


@generic
def touch(test, a, i, b, j, poses):
    """Tell whether triangle i of a and triangle j of b touch where they are posed."""


@kernel
def exact_touch(a, i, b, j, poses):
    """Judge two posed triangles exactly."""
    p1 = posed(poses.a, a.vertices, a.faces[i, 0])
    q1 = posed(poses.a, a.vertices, a.faces[i, 1])
    r1 = posed(poses.a, a.vertices, a.faces[i, 2])
    p2 = posed(poses.b, b.vertices, b.faces[j, 0])
    q2 = posed(poses.b, b.vertices, b.faces[j, 1])
    r2 = posed(poses.b, b.vertices, b.faces[j, 2])
    found = triangles_touch(
        p1[0], p1[1], p1[2], q1[0], q1[1], q1[2], r1[0], r1[1], r1[2],
        p2[0], p2[1], p2[2], q2[0], q2[1], q2[2], r2[0], r2[1], r2[2],
    )  # fmt: skip
    return found != 0


@touch.register(ExactTest)
def _touch(test, a, i, b, j, poses):
    return exact_touch(a, i, b, j, poses)
