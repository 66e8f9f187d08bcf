"""What a claim is, and how the claims are put to a set of results.

A claim is a sentence of the paper and a judge: a function that looks at results and says whether they bear it
out, with the numbers it looked at. The judge sees the published tables as well as ours, so both stand side by
side. Most claims on counts are certain: where one fails on ours, something is wrong with the program.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from tumble.bench.stackless.rows import Results
from tumble.bench.verdicts import FAILS, PARTLY, Finding, verdict


@dataclass(frozen=True)
class Claim:
    """One sentence of the paper, where it stands there, and how to judge it."""

    name: str
    statement: str
    source: str
    certain: bool
    judge: Callable[[Results], Finding]


@dataclass(frozen=True)
class Judged:
    """A claim with what the published figures and what ours say about it."""

    claim: Claim
    paper: Finding
    ours: Finding

    @property
    def broken(self) -> bool:
        """Whether a claim that cannot fail has failed on our results."""
        return self.claim.certain and self.ours.verdict in (FAILS, PARTLY)

    def as_dict(self) -> dict[str, object]:
        """Plain values for a JSON file."""
        return {
            "name": self.claim.name,
            "statement": self.claim.statement,
            "source": self.claim.source,
            "certain": self.claim.certain,
            "broken": self.broken,
            "paper": vars(self.paper),
            "ours": vars(self.ours),
        }


def judge_claims(claims: Iterable[Claim], ours: Results, paper: Results) -> list[Judged]:
    """Every claim put to the published results and to ours."""
    return [Judged(claim, claim.judge(paper), claim.judge(ours)) for claim in claims]


def on_scenes(scenes: Sequence[str], test: Callable[[str], tuple[bool, str]]) -> Finding:
    """Judge scene by scene: the test says whether the claim is kept there and the number to show."""
    outcomes = [test(scene) for scene in scenes]
    kept = sum(ok for ok, _ in outcomes)
    return Finding(verdict(kept, len(outcomes)), ", ".join(number for _, number in outcomes) or "–")


def exceptions(scenes: Sequence[str], broken: Callable[[str], str | None]) -> Finding:
    """Judge scene by scene, show only exceptions: `broken` describes what is wrong, or returns None."""
    complaints = [f"{scene}: {complaint}" for scene in scenes if (complaint := broken(scene)) is not None]
    kept = len(scenes) - len(complaints)
    numbers = "; ".join(complaints) or (f"all {len(scenes)} scenes" if scenes else "–")
    return Finding(verdict(kept, len(scenes)), numbers)
