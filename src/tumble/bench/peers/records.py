"""What a run of the benchmark collects: timed cases, plain facts, and answers that differ."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from tumble.bench.framework.statistics import Quantiles, per_round
from tumble.bench.peers.ours import OURS


@dataclass(frozen=True)
class Case:
    """One question asked of all: which query, on what, at what distance."""

    query: str
    name: str
    thing: str
    faces: int
    # Poses, bodies or meshes that one timed run goes through.
    items: int
    distance: float | None = None


@dataclass(frozen=True)
class Difference:
    """How a peer's answers to one case differ from ours, which the oracle of the tests holds to be exact."""

    query: str
    case: str
    peer: str
    asked: int
    differ: int
    missing: int
    extra: int


@dataclass(frozen=True)
class Timed:
    """A case with the seconds that each contestant took in every round, for all of its items together."""

    case: Case
    rounds: Mapping[str, Sequence[float]]
    # What the answer was, in words: how many poses touch, how many pairs there are.
    answer: str = ""

    def seconds(self, name: str) -> Quantiles:
        """Seconds for one item."""
        return Quantiles.of([value / self.case.items for value in self.rounds[name]])

    def speedup(self, rival: str) -> Quantiles:
        """How many times as long as Tumble the rival takes, round by round."""
        return per_round(self.rounds[rival], self.rounds[OURS])

    def fastest(self, judged: Sequence[str]) -> str | None:
        """The fastest of the judged rivals in its median round."""
        present = [name for name in self.rounds if name != OURS and base_name(name) in judged]
        return min(present, key=lambda name: self.seconds(name).median, default=None)


@dataclass(frozen=True)
class Fact:
    """A number that is measured once and is no race: bytes a triangle, seconds to the first answer."""

    query: str
    name: str
    contestant: str
    value: float
    unit: str
    how: str


@dataclass
class Findings:
    """Everything that a run found out."""

    timed: list[Timed] = field(default_factory=list)
    facts: list[Fact] = field(default_factory=list)
    differences: list[Difference] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def of(self, query: str) -> list[Timed]:
        """The timed cases of one query."""
        return [timed for timed in self.timed if timed.case.query == query]

    def fact(self, query: str, name: str, contestant: str) -> Fact | None:
        """One fact, if it was measured."""
        wanted = (query, name, contestant)
        return next((fact for fact in self.facts if (fact.query, fact.name, fact.contestant) == wanted), None)


def base_name(contestant: str) -> str:
    """The library behind a contestant: `fcl` for `fcl on 2 threads`."""
    return contestant.split(" ", 1)[0]
