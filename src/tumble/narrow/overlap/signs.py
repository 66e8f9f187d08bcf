"""Signs of points, edges and planes of two meshes, b being moved by an infinitely small step: none of them is zero.

H. Edelsbrunner, E. P. Mücke, "Simulation of simplicity", 1990, with a shift in place of a step for each coordinate: b
stands at b + (ε, ε², ε³) for an ε that is smaller than any number. A determinant D of corners of both becomes D + t · m
with t the step and m a normal, or a cross product of two edges. So its sign is that of D, or of the first component of
m that is not zero. One shift for all keeps each mesh as it is, flat faces flat; and whatever an integral over both
meshes tends to for ε → 0 is what it is.

Two things stay undecided, and never matter. A degenerate triangle has no normal: nothing passes through it. Parallel
edges have no cross product: then the one runs parallel to each plane through the other, and pierces nothing there.
"""

from tumble.core.jit import kernel
from tumble.narrow.predicates.cross_sign import cross_sign
from tumble.narrow.predicates.orientation import orient3d

OF_B, OF_A = 1, -1
"""how a height changes when b moves: for a point of b over a triangle of a, and for a point of a over one of b"""


@kernel
def leading_sign(p, q, r, s):
    """Return the sign of the first component of (q - p) × (s - r) that is not zero; 0 for parallels."""
    for axis in range(3):
        found = cross_sign(p, q, r, s, axis)
        if found != 0:
            return found
    return 0


@kernel
def height_sign(p, q, r, x, way):
    """Return whether x is above (1) or below (-1) a triangle, as seen along its normal; 0 for a degenerate one."""
    found = -orient3d(p, q, r, x)
    return found if found != 0 else way * leading_sign(p, q, p, r)


@kernel
def passing_sign(u, v, x, y):
    """Return on which side the edge u v of a passes the edge x y of b; 0 for parallels."""
    found = -orient3d(u, v, x, y)
    return found if found != 0 else leading_sign(x, y, u, v)
