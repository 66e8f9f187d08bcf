"""The paper's claims, each with a judge that looks at what was found."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from tumble.bench.chip.listing import LISTS, METHODS, VOLUMES
from tumble.bench.chip.published import BEST_K, LEAST_SPEEDUP, MOST_SPEEDUP, TABLE_1, Visits
from tumble.bench.chip.records import Findings, Listed, Rotation, contestant, gain, less_work
from tumble.bench.chip.rotating import LISTED, RECURSIVE, VOLUME
from tumble.bench.chip.unit_claims import cheap_triangles, throughput_limits
from tumble.bench.claims import Claim, Judged, judge
from tumble.bench.peers.speedup import geometric_mean
from tumble.bench.verdicts import FAILS, HOLDS, PARTLY, UNKNOWN, Finding, verdict
from tumble.chip.cost import seconds, total_cycles
from tumble.report import count, ratio

# Times closer than this count as equal: what repeated runs on one quiet machine differ by.
EQUAL = 0.02
# "A good part": at least half as fast again; "dramatically": at least twice; "not very often": one in four.
GOOD_PART, DRAMATIC, RARE = 1.5, 2.0, 0.25
# An optimum is flat: what is within this of the best k is as good.
NEARLY = 0.05
# Siblings halve the reads of a list, but for the nodes that have no sibling and lists that end in leaves.
NEARLY_HALF = 1.8
NOTHING = Finding(UNKNOWN, "–")


def judge_claims(findings: Findings) -> list[Judged]:
    """Every claim put to what was found."""
    return judge(CLAIMS, findings)


def _published_times(findings: Findings) -> Finding:
    """Does not depend on the run: the equation is either read right or not."""
    printed = [visits for row in TABLE_1.values() for visits in (row.average, row.worst)]
    kept = sum(_rounded_time(visits) == visits.hardware for visits in printed)
    return Finding(verdict(kept, len(printed)), f"{kept} of {len(printed)} to the microsecond")


def _rounded_time(visits: Visits) -> int:
    return round(seconds(total_cycles(visits.aligned, visits.tumbled)) * 1e6)


def _speedup_range(findings: Findings) -> Finding:
    values = [value for one in findings.rotations for value in (one.speedup, one.worst_speedup)]
    kept = sum(LEAST_SPEEDUP <= value <= MOST_SPEEDUP for value in values)
    if not values:
        return NOTHING
    told = f"{_range(values)} by Equation 5, which leaves out the triangles that the software tests"
    both = [value for one in findings.rotations for value in one.speedups_with_triangles]
    if both:
        told += f"; {_range(both)} where both test them, in {count(len(both))} poses on the cycle model"
    return Finding(verdict(kept, len(values)), told)


def _range(values: Sequence[float]) -> str:
    return f"{ratio(min(values))} to {ratio(max(values))}"


def _worst_case_higher(findings: Findings) -> Finding:
    return _each(
        findings.rotations,
        lambda one: one.worst_speedup > one.speedup,
        lambda one: f"{one.name} {ratio(one.speedup)} → {ratio(one.worst_speedup)}",
    )


def _triangles_rare(findings: Findings) -> Finding:
    def share(one: Rotation) -> float:
        return float(one.checks.sum() / max(1.0, one.aligned.sum()))

    return _each(findings.rotations, lambda one: share(one) <= RARE, lambda one: f"{one.name} {share(one):.0%}")


def _each(rotations: Sequence[Rotation], holds: Callable[[Rotation], bool], told: Callable[[Rotation], str]) -> Finding:
    """Judge object by object."""
    kept = sum(holds(one) for one in rotations)
    return Finding(verdict(kept, len(rotations)), ", ".join(map(told, rotations)) or "–")


def _moved_once(findings: Findings) -> Finding:
    """Moves beside the different nodes that must be moved: in software by a walk of its own, on the chip by address."""
    listed = findings.listed
    counts = [
        one.counts[contestant(volume, method)] for one in listed for volume in _volumes(listed) for method in LISTS
    ]
    moves = [(each["moves"], each["reached"]) for each in counts]
    moves += [pair for one in findings.rotations for pair in zip(one.tumbled, one.reached, strict=True)]
    moves += [(sample.tumbled, sample.different_tumbled) for _, sample in findings.samples]
    if not moves:
        return NOTHING
    kept = sum(moved == different for moved, different in moves)
    shares = [moved / max(1.0, different) for moved, different in moves]
    recursive = less_work(listed, "moves", VOLUME, LISTED)
    beside = "" if math.isnan(recursive) else f"; {VOLUME}: the recursive traversal moves {ratio(recursive)} as many"
    return Finding(verdict(kept, len(moves)), f"moves per node: {_range(shares)} in {count(len(moves))} cases{beside}")


def _fewer_visits(findings: Findings) -> Finding:
    """Volumes of either tree that are read: two a test in the recursive traversal."""
    listed = findings.listed
    if not listed:
        return NOTHING
    values = {volume: geometric_mean([_reads(one, volume) for one in listed]) for volume in _volumes(listed)}
    kept = sum(value >= DRAMATIC for value in values.values())
    return Finding(verdict(kept, len(values)), "times as many nodes read: " + _listed(values))


def _reads(one: Listed, volume: str) -> float:
    recursive, lists = one.counts[contestant(volume, RECURSIVE)], one.counts[contestant(volume, LISTED)]
    return 2 * recursive["tests"] / max(1.0, lists["iterations"] + lists["moves"])


def _half_the_reads(findings: Findings) -> Finding:
    values = {
        volume: less_work(findings.listed, "iterations", volume, "lists-pairs", "lists")
        for volume in _volumes(findings.listed)
    }
    kept = sum(value >= NEARLY_HALF for value in values.values())
    return Finding(verdict(kept, len(values)), "fewer aligned nodes read: " + _listed(values) if values else "–")


def _lists_gain(findings: Findings) -> Finding:
    if not findings.listed:
        return NOTHING
    gains = {method: gain(findings.listed, VOLUME, method) for method in METHODS if method != RECURSIVE}
    best = max(gains["lists"], gains["lists-pairs"])
    found = HOLDS if best >= GOOD_PART else PARTLY if best > 1 + EQUAL else FAILS
    chips = geometric_mean([one.speedup for one in findings.rotations])
    beside = "" if math.isnan(chips) else f"; the chip's speed-up by Equation 5, without triangles: {ratio(chips)}"
    return Finding(found, f"{VOLUME}, time of {RECURSIVE} / its time: {_listed(gains)}{beside}")


def _for_all_volumes(findings: Findings) -> Finding:
    values = {volume: gain(findings.listed, volume, LISTED) for volume in _volumes(findings.listed)}
    kept = sum(value > 1 + EQUAL for value in values.values())
    return Finding(verdict(kept, len(values)), f"time of {RECURSIVE} / {LISTED}: {_listed(values)}" if values else "–")


def _listed(values: dict[str, float]) -> str:
    return ", ".join(f"{name} {ratio(value)}" for name, value in values.items())


def _volumes(listed: Sequence[Listed]) -> list[str]:
    return [volume for volume in VOLUMES if listed and contestant(volume, RECURSIVE) in listed[0].rounds]


def times_by_k(listed: Sequence[Listed], method: str) -> dict[int, float]:
    """Time by k over the time at k = 24, a geometric mean over objects."""
    names = {int(volume[4:]): contestant(volume, method) for volume in _volumes(listed) if volume.startswith("kdop")}
    base = names.get(BEST_K)
    if base is None:
        return {}
    return {k: geometric_mean([one.ratio(name, base).median for one in listed]) for k, name in names.items()}


def chip_times_by_k(findings: Findings) -> dict[int, float]:
    """The same on the cycle model, from the sweep over k."""
    times = {point.run.design.k: point.run.seconds for point in findings.sweep if point.knob == "k"}
    return {k: value / times[BEST_K] for k, value in times.items()} if times.get(BEST_K) else {}


def _k_24(findings: Findings) -> Finding:
    tables = {
        f"software, {RECURSIVE}": times_by_k(findings.listed, RECURSIVE),
        f"software, {LISTED}": times_by_k(findings.listed, LISTED),
        "chip": chip_times_by_k(findings),
    }
    present = {name: times for name, times in tables.items() if times}
    kept = sum(min(times.values()) >= 1 - NEARLY for times in present.values())
    told = "; ".join(
        f"{name}: " + ", ".join(f"k={k} {ratio(value)}" for k, value in times.items())
        for name, times in present.items()
    )
    return Finding(verdict(kept, len(present)), f"time, k=24 = 1. {told}" if present else "–")


def _same_answers(findings: Findings) -> Finding:
    wrong = [f"{one.peer} on {one.case}" for one in findings.differences if one.differ]
    wrong += [f"the chip on {name}" for name, sample in findings.samples if not sample.agrees]
    total = len(findings.differences) + len(findings.samples)
    told = f"differ: {', '.join(dict.fromkeys(wrong))}" if wrong else f"all of {count(total)} cases"
    return Finding(verdict(total - len(wrong), total), told)


def worst_apart(findings: Findings, pairs_a_list: float) -> tuple[float, str] | None:
    """The largest difference between cycle model and Equation 5, either way, where lists are at least so long."""
    long = [(abs(one.difference), name) for name, one in findings.samples if one.pairs_a_list >= pairs_a_list]
    return max(long, default=None)


CLAIMS = (
    Claim(
        "published-times",
        "Equation 5, fed with the node counts of Table 1, gives its hardware times.",
        "Section 5, Table 1",
        "10 times",
        _published_times,
        certain=True,
    ),
    Claim(
        "speedup-range",
        "The chip is about 25 to 125 times as fast as the recursive traversal in software.",
        "Section 6",
        f"{LEAST_SPEEDUP} to {MOST_SPEEDUP} (Pentium III)",
        _speedup_range,
    ),
    Claim(
        "worst-case-higher",
        "The speed-up is generally higher in the worst case than on average.",
        "Section 6",
        "on all 5 objects",
        _worst_case_higher,
    ),
    Claim(
        "moved-once",
        "List traversal transforms each tumbled node exactly once.",
        "Section 3.2",
        "exactly once",
        _moved_once,
        certain=True,
    ),
    Claim(
        "fewer-visits",
        "It reduces the nodes visited, the transfers and the transformations dramatically.",
        "Section 3.2",
        "dramatically",
        _fewer_visits,
    ),
    Claim(
        "half-the-reads",
        "Sibling pairs halve how often an aligned node is read.",
        "Section 3.2",
        "a factor of two",
        _half_the_reads,
    ),
    Claim(
        "lists-gain",
        "A good part of the speed-up is due to the list traversal (so it must be faster in software, too).",
        "Section 6",
        "a good part",
        _lists_gain,
    ),
    Claim(
        "all-volumes",
        "List traversal serves all kinds of bounding volumes.",
        "Sections 3.2, 6",
        "all kinds",
        _for_all_volumes,
    ),
    Claim("k-24", f"24-DOPs are optimal (here: within {NEARLY:.0%} of the best k).", "Section 3.1", "k = 24", _k_24),
    Claim(
        "triangles-rare",
        "Triangle tests do not occur very often.",
        "Section 5",
        ", ".join(f"{name} {row.polygon_checks / row.average.aligned:.0%}" for name, row in TABLE_1.items()),
        _triangles_rare,
    ),
    Claim(
        "cheap-triangles",
        "The triangle test takes fewer additions and multiplications than others, and no division.",
        "Section 2, 3.3",
        "fewer",
        cheap_triangles,
    ),
    Claim(
        "limits",
        "Throughput is limited by transformation and memory bandwidth; the stack engine is always fast enough.",
        "Section 5",
        "assumed",
        throughput_limits,
    ),
    Claim(
        "same-answers",
        "All traversals and the chip find the same triangles.",
        "Section 3",
        "–",
        _same_answers,
        certain=True,
    ),
)
