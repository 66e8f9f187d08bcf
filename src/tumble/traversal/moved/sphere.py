"""Spheres ahead of their tests: the moved centre, and the radius with the margin."""

from tumble.traversal.moved.protocol import move, overlap_moved
from tumble.volume.relative import MARGIN, TRANSLATION
from tumble.volume.sphere import ROUND_UP, SAFE_SQUARE, Spheres


@move.register(Spheres)
def _move_sphere(volumes, j, relative, moved, k):
    b = volumes.balls
    x, y, z = b[j, 0], b[j, 1], b[j, 2]
    moved[k, 0] = relative[0] * x + relative[1] * y + relative[2] * z + relative[TRANSLATION]
    moved[k, 1] = relative[3] * x + relative[4] * y + relative[5] * z + relative[TRANSLATION + 1]
    moved[k, 2] = relative[6] * x + relative[7] * y + relative[8] * z + relative[TRANSLATION + 2]
    moved[k, 3] = b[j, 3] + 2.0 * relative[MARGIN]


@overlap_moved.register(Spheres)
def _overlap_sphere(volumes, i, moved, k, relative):
    a = volumes.balls
    dx, dy, dz = moved[k, 0] - a[i, 0], moved[k, 1] - a[i, 1], moved[k, 2] - a[i, 2]
    reach = (a[i, 3] + moved[k, 3]) * ROUND_UP
    return dx * dx + dy * dy + dz * dz <= reach * reach + SAFE_SQUARE
