"""The triangle tests by name."""

from collections.abc import Callable
from typing import Any

from tumble.core.options import checked_name
from tumble.narrow.touch import ExactTest
from tumble.narrow.triangles.unit_touch import unit_triangle_test

TESTS: dict[str, Callable[..., Any]] = {
    "exact": lambda a, b, pose_a, pose_b: ExactTest(),
    "unit-triangle": unit_triangle_test,
}
"""make the record of a test from two meshes and their checked poses"""


def checked_narrow(name: str) -> str:
    """Return the name of a triangle test, or raise OptionError with the names that there are."""
    return checked_name("narrow", name, tuple(TESTS))
