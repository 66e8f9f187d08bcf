"""Split rules: where the top-down builder cuts a range of triangles in two. One file each."""

from typing import Any

from tumble.hierarchy.split.least_volume import least_volume_rule
from tumble.hierarchy.split.look_ahead import look_ahead_rule
from tumble.hierarchy.split.median import Median
from tumble.hierarchy.split.middle import Middle
from tumble.hierarchy.split.sah import sah_rule

RULES: dict[str, Any] = {
    "median": Median,
    "sah": sah_rule,
    "middle": Middle,
    "least-volume": least_volume_rule,
    "look-ahead": look_ahead_rule,
}
"""name → a function that makes the rule's record, with the memory it needs"""

__all__ = ["RULES"]
