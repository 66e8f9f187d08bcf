"""Boxes ahead of their tests: where the middle is, how far the box reaches along a's axes, and its own half sizes."""

from tumble.traversal.moved.protocol import move, overlap_moved
from tumble.volume.aabb import Aabbs
from tumble.volume.relative import ALIGNED, MARGIN, TRANSLATION


@move.register(Aabbs)
def _move_box(volumes, j, relative, moved, k):
    b = volumes.boxes
    margin = relative[MARGIN]
    tx, ty, tz = relative[TRANSLATION], relative[TRANSLATION + 1], relative[TRANSLATION + 2]
    if relative[ALIGNED] != 0.0:
        moved[k, 0], moved[k, 1], moved[k, 2] = b[j, 0] + tx, b[j, 1] + ty, b[j, 2] + tz
        moved[k, 3], moved[k, 4], moved[k, 5] = b[j, 3] + tx + margin, b[j, 4] + ty + margin, b[j, 5] + tz + margin
        return
    hx, hy, hz = 0.5 * (b[j, 3] - b[j, 0]), 0.5 * (b[j, 4] - b[j, 1]), 0.5 * (b[j, 5] - b[j, 2])
    cx, cy, cz = 0.5 * (b[j, 3] + b[j, 0]), 0.5 * (b[j, 4] + b[j, 1]), 0.5 * (b[j, 5] + b[j, 2])
    xx, xy, xz = relative[0], relative[1], relative[2]
    yx, yy, yz = relative[3], relative[4], relative[5]
    zx, zy, zz = relative[6], relative[7], relative[8]
    # the middle, how far it reaches along a's axes, and half the size along its own
    moved[k, 0] = xx * cx + xy * cy + xz * cz + tx
    moved[k, 1] = yx * cx + yy * cy + yz * cz + ty
    moved[k, 2] = zx * cx + zy * cy + zz * cz + tz
    moved[k, 3] = abs(xx) * hx + abs(xy) * hy + abs(xz) * hz + margin
    moved[k, 4] = abs(yx) * hx + abs(yy) * hy + abs(yz) * hz + margin
    moved[k, 5] = abs(zx) * hx + abs(zy) * hy + abs(zz) * hz + margin
    moved[k, 6], moved[k, 7], moved[k, 8] = hx + 2.0 * margin, hy + 2.0 * margin, hz + 2.0 * margin


@overlap_moved.register(Aabbs)
def _overlap_box(volumes, i, moved, k, relative):
    a = volumes.boxes
    if relative[ALIGNED] != 0.0:
        margin = relative[MARGIN]
        if moved[k, 0] > a[i, 3] + margin or a[i, 0] > moved[k, 3]:
            return False
        if moved[k, 1] > a[i, 4] + margin or a[i, 1] > moved[k, 4]:
            return False
        return not (moved[k, 2] > a[i, 5] + margin or a[i, 2] > moved[k, 5])
    hx, hy, hz = 0.5 * (a[i, 3] - a[i, 0]), 0.5 * (a[i, 4] - a[i, 1]), 0.5 * (a[i, 5] - a[i, 2])
    dx = moved[k, 0] - 0.5 * (a[i, 3] + a[i, 0])
    if abs(dx) > hx + moved[k, 3]:
        return False
    dy = moved[k, 1] - 0.5 * (a[i, 4] + a[i, 1])
    if abs(dy) > hy + moved[k, 4]:
        return False
    dz = moved[k, 2] - 0.5 * (a[i, 5] + a[i, 2])
    if abs(dz) > hz + moved[k, 5]:
        return False
    xx, xy, xz = relative[0], relative[1], relative[2]
    yx, yy, yz = relative[3], relative[4], relative[5]
    zx, zy, zz = relative[6], relative[7], relative[8]
    if abs(dx * xx + dy * yx + dz * zx) > moved[k, 6] + abs(xx) * hx + abs(yx) * hy + abs(zx) * hz:
        return False
    if abs(dx * xy + dy * yy + dz * zy) > moved[k, 7] + abs(xy) * hx + abs(yy) * hy + abs(zy) * hz:
        return False
    return abs(dx * xz + dy * yz + dz * zz) <= moved[k, 8] + abs(xz) * hx + abs(yz) * hy + abs(zz) * hz
