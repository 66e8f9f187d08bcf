"""Triangles of two leaves, four pairs at a time: posed, filtered by their planes, decided exactly."""

from tumble.core.jit import inlined_kernel
from tumble.core.simd.memory import int64_at
from tumble.hierarchy.packed.header import FACES, VERTICES
from tumble.narrow.triangles.adjacent import corner
from tumble.narrow.triangles.four_pairs import keep_first_leaf, open_pairs


@inlined_kernel
def keep_leaf(tree, pose, one, two, place):
    """Pose the triangles of a leaf and keep them for `meeting_pairs`; `two` may be negative: there is no second one."""
    vertices, faces = int64_at(tree, VERTICES), int64_at(tree, FACES)
    # lanes without a second triangle repeat the first: no branch, and `present_pairs` drops them
    two = one if two < 0 else two
    keep_first_leaf(
        vertices, pose,
        corner(faces, one, 0), corner(faces, one, 1), corner(faces, one, 2),
        corner(faces, two, 0), corner(faces, two, 1), corner(faces, two, 2), place,
    )  # fmt: skip


@inlined_kernel
def meeting_pairs(tree, pose, one, two, kept, place):
    """Compare a kept leaf with this one: the word of `four_pairs`."""
    vertices, faces = int64_at(tree, VERTICES), int64_at(tree, FACES)
    two = one if two < 0 else two
    return open_pairs(
        vertices, pose,
        corner(faces, one, 0), corner(faces, one, 1), corner(faces, one, 2),
        corner(faces, two, 0), corner(faces, two, 1), corner(faces, two, 2), kept, place,
    )  # fmt: skip


@inlined_kernel
def present_pairs(second, other_second):
    """Return the lanes that stand for a pair of their own, when leaves may have no second triangle."""
    if second < 0:
        return 0b0001 if other_second < 0 else 0b0101
    return 0b0011 if other_second < 0 else 0b1111
