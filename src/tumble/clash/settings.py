"""What counts as a finding, and how much work is put into it. Lengths are in the unit of the parts."""

from dataclasses import dataclass, field
from typing import Any

from tumble.clash.finding import Kind
from tumble.errors import OptionError
from tumble.query.clearance import checked_clearance

FAILING = frozenset(
    {Kind.CROSSING, Kind.PIERCING, Kind.INSIDE, Kind.DUPLICATE, Kind.UNDECIDED, Kind.TOO_CLOSE, Kind.APART}
)
"""kinds that are faults unless a rule or an approval says otherwise; the others are listed only"""


@dataclass(frozen=True)
class CheckSettings:
    """The options of a check."""

    tolerance: float = 0.0
    """an overlap that is no deeper counts as contact: fits are tessellated, and a bolt overlaps its hole a little"""
    clearance: float = 0.0
    """parts that are nearer to each other, and do not touch, are too close"""
    duplicate_offset: float = 0.0
    """copies whose vertices are no farther from each other are duplicates; 0: equal to the last bit"""
    fails: frozenset[Kind] = FAILING
    """which kinds are faults"""
    lines_each: int | None = 1000
    """how many lines along which surfaces meet are looked at to decide the relation of two parts; a line takes about
    0.3 ms. None: all of them"""
    lines_in_all: int = 4000
    """the same for all pairs together"""
    threads: int | None = None
    """how many threads share the work, at most; None: all cores. The result does not depend on it"""
    client: Any = field(default=None, repr=False, compare=False)
    """a Dask client, or a `tumble.cluster.Cluster`, whose workers share the work. The result does not depend on it"""

    def __post_init__(self) -> None:
        for name in ("tolerance", "clearance", "duplicate_offset"):
            object.__setattr__(self, name, checked_clearance(getattr(self, name), name))
        unknown = [kind for kind in self.fails if not isinstance(kind, Kind)]
        if unknown:
            raise OptionError(f"fails must be kinds of findings, not {unknown[0]!r}")
