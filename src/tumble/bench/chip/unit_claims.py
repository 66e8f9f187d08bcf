"""The paper's claims about units of the chip: which of them limits it, and what the triangle test costs."""

from __future__ import annotations

from collections.abc import Sequence

from tumble.bench.chip.records import Findings
from tumble.bench.chip.triangles import arithmetic
from tumble.bench.verdicts import UNKNOWN, Finding, verdict

# The paper compares its test with those of others, not with ours, which pay for certainty.
OURS = ("unit triangle, with bounds", "exact, its float64 stage")
# What Section 5 takes to be the limit of the throughput.
LIMITS = ("SDRAM", "memory bus", "DOTADD", "DOP registers")


def throughput_limits(findings: Findings) -> Finding:
    """Which unit is the busiest."""
    samples = findings.samples
    kept = sum(sample.bottleneck in LIMITS for _, sample in samples)
    told = [_tally([getattr(one, name) for _, one in samples]) for name in ("bottleneck", "plain_bottleneck")]
    numbers = f"the busiest unit of {len(samples)} runs: {told[0]}; without triangles: {told[1]}"
    return Finding(verdict(kept, len(samples)), numbers if samples else "–")


def _tally(names: Sequence[str]) -> str:
    return ", ".join(f"{name} in {names.count(name)}" for name in dict.fromkeys(names))


def cheap_triangles(findings: Findings) -> Finding:
    """Operations of the published triangle test beside those of others."""
    if not any(one.pairs for one in findings.triangle_tests):
        return Finding(UNKNOWN, "–")
    unit, *others = (one for one in findings.triangle_tests if one.name not in OURS)
    kept = [unit.divisions == 0 and arithmetic(unit) < arithmetic(one) for one in others]
    told = ", ".join(f"{one.name}: {arithmetic(one):.0f}" for one in findings.triangle_tests)
    return Finding(verdict(sum(kept), len(kept)), f"additions and multiplications a pair. {told}")
