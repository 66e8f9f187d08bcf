"""The area that flat faces have in common where they lie on each other: one triangle clipped by the other."""

from typing import Any

from tumble.core.jit import kernel

MOST_CORNERS = 9
"""of a triangle clipped by three lines, with one to spare for each"""


@kernel
def write_common_areas(a: Any, b: Any, scratch: Any, areas: Any, middles: Any) -> None:
    """Write the common area of each two triangles in a plane, and that area times its middle.

    a, b      (k, 3, 2) corners, both counterclockwise
    scratch   (2, MOST_CORNERS, 2)
    areas     (k,); middles (k, 2)
    """
    for t in range(a.shape[0]):
        now, count = 0, 3
        for i in range(3):
            scratch[0, i, 0], scratch[0, i, 1] = a[t, i, 0], a[t, i, 1]
        for side in range(3):
            x, y = b[t, side, 0], b[t, side, 1]
            following = (side + 1) % 3
            u, v = b[t, following, 0] - x, b[t, following, 1] - y
            kept = 0
            for i in range(count):
                j = i + 1 if i + 1 < count else 0
                px, py = scratch[now, i, 0], scratch[now, i, 1]
                qx, qy = scratch[now, j, 0], scratch[now, j, 1]
                height_p, height_q = u * (py - y) - v * (px - x), u * (qy - y) - v * (qx - x)
                if height_p >= 0.0:
                    scratch[1 - now, kept, 0], scratch[1 - now, kept, 1] = px, py
                    kept += 1
                if (height_p > 0.0 and height_q < 0.0) or (height_p < 0.0 and height_q > 0.0):
                    share = height_p / (height_p - height_q)
                    scratch[1 - now, kept, 0] = px + share * (qx - px)
                    scratch[1 - now, kept, 1] = py + share * (qy - py)
                    kept += 1
            now, count = 1 - now, kept
        area, middle_x, middle_y = 0.0, 0.0, 0.0
        x, y = scratch[now, 0, 0], scratch[now, 0, 1]
        for i in range(1, count - 1):
            px, py = scratch[now, i, 0], scratch[now, i, 1]
            qx, qy = scratch[now, i + 1, 0], scratch[now, i + 1, 1]
            part = 0.5 * ((px - x) * (qy - y) - (py - y) * (qx - x))
            area += part
            middle_x += part * (x + px + qx) / 3.0
            middle_y += part * (y + py + qy) / 3.0
        areas[t] = area
        middles[t, 0], middles[t, 1] = middle_x, middle_y
