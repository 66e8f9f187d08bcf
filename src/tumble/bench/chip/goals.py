"""What the model of the chip must reach, and whether this run reached it."""

from __future__ import annotations

from tumble.bench.chip.claims import worst_apart
from tumble.bench.chip.records import Findings
from tumble.bench.goals import Judged, Outcome, judged

# Lists of at least so many pairs are long: the end of a list is then a small part of it.
LONG_LIST, MOST_APART = 20, 0.10


def judge_goals(findings: Findings) -> list[Judged]:
    """Every goal with its verdict."""
    return [
        judged(
            "cycle model without triangles, beside Equation 5",
            f"within {MOST_APART:.0%} where lists have {LONG_LIST} pairs or more",
            _model_and_equation(findings),
        ),
        judged("the chip's answers", "those of `tumble.collide`", _answers(findings)),
    ]


def _model_and_equation(findings: Findings) -> Outcome:
    worst = worst_apart(findings, LONG_LIST)
    if worst is None:
        return None
    return f"{worst[0]:.1%} at most ({worst[1]})", MOST_APART / max(worst[0], 1e-9)


def _answers(findings: Findings) -> Outcome:
    samples = findings.samples
    if not samples:
        return None
    same = sum(sample.agrees for _, sample in samples)
    return f"{same} of {len(samples)}", same / len(samples)
