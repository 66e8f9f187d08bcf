"""What a paper claims, judged by what a run found: the record, the verdicts and their part of a page.

A claim that follows from the algorithms is certain: where it fails, something is wrong with the program.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from tumble.bench.verdicts import FAILS, MARKS, PARTLY, Finding, tally
from tumble.report import Column, Document, Table


@dataclass(frozen=True)
class Claim:
    """One sentence of a paper, where it stands there, its own number, and how to judge what a run found."""

    name: str
    statement: str
    source: str
    published: str
    judge: Callable[[Any], Finding]
    certain: bool = False


@dataclass(frozen=True)
class Judged:
    """A claim with what was found."""

    claim: Claim
    found: Finding

    @property
    def broken(self) -> bool:
        """Whether a claim that cannot fail has failed."""
        return self.claim.certain and self.found.verdict in (FAILS, PARTLY)

    def as_dict(self) -> dict[str, object]:
        """Plain values for a JSON file."""
        names = ("name", "statement", "source", "published", "certain")
        return {**{name: getattr(self.claim, name) for name in names}, "broken": self.broken, **vars(self.found)}


def judge(claims: Sequence[Claim], findings: Any) -> list[Judged]:
    """Every claim put to what was found."""
    return [Judged(claim, claim.judge(findings)) for claim in claims]


def claims_section(document: Document, claims: Sequence[Judged]) -> None:
    """The part of a page that tells them."""
    document.heading("What the paper claims and what we found")
    broken = [judged.claim.name for judged in claims if judged.broken]
    if broken:
        document.text(
            f"**Something is wrong with this build: what theory fixes came out otherwise ({', '.join(broken)}).**"
        )
    document.text(
        f"Of {len(claims)} claims, {tally(judged.found.verdict for judged in claims)}. Claims marked • follow from the "
        "algorithms and must hold; the others depend on object, machine and compiler."
    )
    columns = [
        Column("claim"),
        Column("in"),
        Column("paper", faint=True),
        Column("ours"),
        Column("verdict", whole=True),
    ]
    rows = [
        [
            f"{'• ' if judged.claim.certain else ''}{judged.claim.statement}",
            judged.claim.source,
            judged.claim.published,
            judged.found.numbers,
            f"{MARKS[judged.found.verdict]} {judged.found.verdict}",
        ]
        for judged in claims
    ]
    document.table(Table(columns, rows, flagged=[i for i, judged in enumerate(claims) if judged.broken]))
