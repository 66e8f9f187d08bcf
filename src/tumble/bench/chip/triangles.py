"""Section 3.3: operations of triangle tests, over the triangle pairs that a query of two close objects meets."""

from __future__ import annotations

from tumble.bench.peers.objects import Duo
from tumble.bench.peers.tumbling import tumbling_poses
from tumble.bench.triangle_operations import TriangleOperations, triangle_operations

STEPS, STEP = 7, 2


def triangle_tests(duo: Duo, distance: float, pairs: int) -> list[TriangleOperations]:
    """The unit-triangle test as published first, then those that it is compared with."""
    return triangle_operations(duo.a, duo.b, None, tumbling_poses(distance, STEPS)[STEP], pairs)


def arithmetic(one: TriangleOperations) -> float:
    """Additions and multiplications of a pair, with those that bring the vertices together."""
    return one.moving + one.additions + one.multiplications
