"""What is wrong with an assembly: findings about pairs of parts, with sizes, rules and states, and what they become.

    parts → check → findings → rules, baseline → text, JSON, CSV, BCF

One record, `Finding`, for each two parts that meet or come too close; `check_parts` makes them, worst first.
"""

from tumble.clash.check import Checked, check_parts
from tumble.clash.finding import Finding, Kind, State
from tumble.clash.settings import CheckSettings

__all__ = ["CheckSettings", "Checked", "Finding", "Kind", "State", "check_parts"]
