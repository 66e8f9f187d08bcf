"""One finding: two parts, what is between them, how large it is, where, and what is thought of it."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from tumble.mesh import Part

Point = tuple[float, float, float]
EXACT = 1e-9
"""a depth is the smallest possible if no shift that is shorter by more than this part of it can do"""


class Kind(str, Enum):
    """How two parts lie to each other."""

    PIERCING = "piercing"
    """they cross, and a goes through b: the surface of a outside of b has several pieces"""
    CROSSING = "crossing"
    """their interiors meet, and each has points outside of the other"""
    INSIDE = "inside"
    """a is buried in b"""
    DUPLICATE = "duplicate"
    """the same shape in the same place"""
    UNDECIDED = "undecided"
    """their surfaces meet along more lines than were looked at"""
    TOO_CLOSE = "too_close"
    """they do not touch, but are nearer to each other than the clearance"""
    APART = "apart"
    """they do not touch, although a rule demands it"""
    CONTACT = "contact"
    """they overlap, no deeper than the tolerance"""
    TOUCHING = "touching"
    """their surfaces meet, their interiors do not"""

    def __str__(self) -> str:
        return str(self.value)


class State(str, Enum):
    """What an earlier run knew of a finding."""

    NEW = "new"
    PERSISTENT = "persistent"
    RESOLVED = "resolved"
    """an earlier run had it, this one does not"""
    APPROVED = "approved"
    """somebody has looked at it and let it pass"""

    def __str__(self) -> str:
        return str(self.value)


SEVERITY = {
    Kind.PIERCING: 0, Kind.CROSSING: 0, Kind.INSIDE: 0, Kind.DUPLICATE: 1, Kind.UNDECIDED: 2, Kind.TOO_CLOSE: 3,
    Kind.APART: 4, Kind.CONTACT: 5, Kind.TOUCHING: 6,
}  # fmt: skip
"""0 is the worst class"""


@dataclass(frozen=True)
class Finding:
    """What is between two parts; lengths, areas and volumes in the unit of the parts, None where not known."""

    id: str
    """the same in every run for the same two parts, whatever is between them"""
    kind: Kind
    a: int
    """the place of the first part in the list of parts: of the two, the one inside or going through"""
    b: int
    name_a: str
    name_b: str
    depth: float | None = None
    """the length of a shift of b that parts the two: the shortest for convex parts, an upper bound where one is open"""
    least_depth: float | None = None
    """no shorter shift parts them; 0 where that is not known"""
    direction: Point | None = None
    """a unit direction in which b leaves a: of that shift, or where the local depth was found"""
    local_depth: float | None = None
    """how far a surface reaches into the other part, to that part's surface, at points that were looked at; it is never
    more than the depth. Only where there is a tolerance, which is about this"""
    volume: float | None = None
    """of what both have in common; None if a part is open"""
    curve_length: float | None = None
    """of the curves in which the surfaces cross"""
    contact_area: float | None = None
    """of flat faces that lie on each other"""
    gap: float | None = None
    """how far the parts are apart, if they are"""
    clearance: float | None = None
    """how far they should be apart, if they are too close"""
    point: Point | None = None
    """the middle of it"""
    box: tuple[Point, Point] | None = None
    """its lowest and highest corner"""
    triangle_pairs: int = 0
    """pairs of triangles that touch"""
    rule: str | None = None
    """the rule that is broken"""
    state: State = State.NEW
    reason: str | None = None
    """why it was approved"""
    fails: bool = False
    """whether it is a fault that nobody has allowed or approved"""
    frames: tuple[int, ...] | None = None
    """of a motion, those in which it is found; sizes are of the worst, `frame`"""
    frame: int | None = None

    @property
    def depth_is_exact(self) -> bool:
        """Whether no shorter shift parts the two, up to rounding."""
        if self.depth is None or self.least_depth is None:
            return False
        return self.depth - self.least_depth <= EXACT * self.depth

    @property
    def severity(self) -> tuple[float, ...]:
        """What findings are sorted by, worst first: class, depth, volume; gaps and contact areas where these count."""
        deepest = (self.depth if self.local_depth is None else self.local_depth) or 0.0
        gap = 0.0 if self.gap is None else self.gap
        return (SEVERITY[self.kind], -deepest, -(self.volume or 0.0), gap, -(self.contact_area or 0.0))


def worst_first(findings: Sequence[Finding]) -> list[Finding]:
    """Return findings in order: faults first, then by severity, then by the order of the parts."""
    return sorted(findings, key=lambda one: (not one.fails, *one.severity, min(one.a, one.b), max(one.a, one.b)))


def keys_of(parts: Sequence[Part]) -> list[str]:
    """Return what each part is known by in every run: its GUID or name, and for the second of that name its number."""
    seen: Counter[str] = Counter()
    keys = []
    for part in parts:
        known_by = part.name if part.guid is None else part.guid
        seen[known_by] += 1
        keys.append(json.dumps([known_by, seen[known_by]]))
    return keys


def pair_id(key_a: str, key_b: str) -> str:
    """Return the id of the finding about two parts, whichever comes first."""
    return hashlib.sha256("\n".join(sorted([key_a, key_b])).encode("utf-8", "surrogatepass")).hexdigest()[:16]
