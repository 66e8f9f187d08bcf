"""Triangle tests as papers state them, in plain Python and without care for rounding: to count what they do.

`unit_triangle` is Section 3.3 of paper `chip`. `intervals` is T. Möller, "A fast triangle–triangle intersection test",
1997, the test that the paper compares with. Points are tuples of three numbers of any kind. Coplanar triangles are not
handled: the answer is then False.
"""

from collections.abc import Sequence
from typing import Any

from tumble.core import linear

# The sources of kernels, which take numbers of any kind.
_minus, _dot, _cross = linear.minus.py_func, linear.dot.py_func, linear.cross.py_func
Point = Sequence[Any]
Triangle = Sequence[Point]


def _moved(way: Sequence[Any], p: Point) -> Point:
    """Apply a rotation by rows and a translation."""
    return tuple(_dot(way[3 * k : 3 * k + 3], p) + way[9 + k] for k in range(3))


def _carried(matrix: Sequence[Any], p: Point) -> Point:
    """Apply a 3×4 matrix by rows."""
    return tuple(_dot(matrix[4 * k : 4 * k + 3], p) + matrix[4 * k + 3] for k in range(3))


def _pierces(p: Point, q: Point) -> bool:
    """Tell whether an edge passes through the unit triangle: Equation 4, which turns round for an edge that falls."""
    if (p[2] >= 0 and q[2] >= 0) or (p[2] <= 0 and q[2] <= 0):
        return False
    x = p[0] * q[2] - q[0] * p[2]
    y = p[1] * q[2] - q[1] * p[2]
    rise = q[2] - p[2]
    if rise > 0:
        return bool(x >= 0 and y >= 0 and x + y <= rise)
    return bool(x <= 0 and y <= 0 and x + y >= rise)


def _edges_pierce(triangle: Triangle, way: Sequence[Any], matrix: Sequence[Any]) -> bool:
    p, q, r = (_carried(matrix, _moved(way, vertex)) for vertex in triangle)
    return _pierces(p, q) or _pierces(q, r) or _pierces(r, p)


def unit_triangle(
    a: Triangle,
    matrix_a: Sequence[Any],
    b: Triangle,
    matrix_b: Sequence[Any],
    a_in_b: Sequence[Any],
    b_in_a: Sequence[Any],
) -> bool:
    """Tell whether an edge of a passes through b, or one of b through a; triangles are in their own frames."""
    return _edges_pierce(a, a_in_b, matrix_b) or _edges_pierce(b, b_in_a, matrix_a)


def _plane(triangle: Triangle) -> tuple[Point, Any]:
    normal = _cross(_minus(triangle[1], triangle[0]), _minus(triangle[2], triangle[0]))
    return normal, -_dot(normal, triangle[0])


def _one_side(d: Point) -> bool:
    """Tell whether three distances have one sign, by two products."""
    return bool(d[0] * d[1] > 0 and d[0] * d[2] > 0)


def _interval(at: Point, d: Point) -> tuple[Any, Any]:
    """Return where a triangle with distances d cuts the line on which its vertices project to `at`."""
    if d[0] * d[1] > 0:
        lone, one, other = 2, 0, 1
    elif d[0] * d[2] > 0:
        lone, one, other = 1, 0, 2
    else:
        lone, one, other = 0, 1, 2
    ends = [at[k] + (at[lone] - at[k]) * (d[k] / (d[k] - d[lone])) for k in (one, other)]
    return (ends[0], ends[1]) if ends[0] <= ends[1] else (ends[1], ends[0])


def intervals(a: Triangle, b: Triangle) -> bool:
    """Tell whether two triangles in one frame cut overlapping intervals out of the line of their planes."""
    normal_b, shift_b = _plane(b)
    distances_a = tuple(_dot(normal_b, vertex) + shift_b for vertex in a)
    if _one_side(distances_a):
        return False
    normal_a, shift_a = _plane(a)
    distances_b = tuple(_dot(normal_a, vertex) + shift_a for vertex in b)
    if _one_side(distances_b):
        return False
    line = _cross(normal_a, normal_b)
    axis = 0
    for k in (1, 2):
        if abs(line[k]) > abs(line[axis]):
            axis = k
    if line[axis] == 0:
        return False
    low_a, high_a = _interval(tuple(vertex[axis] for vertex in a), distances_a)
    low_b, high_b = _interval(tuple(vertex[axis] for vertex in b), distances_b)
    return bool(low_a <= high_b and low_b <= high_a)
