"""Split rules: where the top-down builder cuts a range of triangles in two. One file each."""

from typing import Any

from tumble.hierarchy.split.median import Median
from tumble.hierarchy.split.middle import Middle
from tumble.hierarchy.split.sah import sah_rule

RULES: dict[str, Any] = {"median": Median, "sah": sah_rule, "middle": Middle}
"""name → a function that makes the rule's record, with the memory it needs"""

__all__ = ["RULES"]
