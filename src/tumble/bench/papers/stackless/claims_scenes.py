"""The tests of claims on times that belong to one table: set-up, intersection, scalability, sizes, counts, overlap."""

from collections.abc import Iterable
from itertools import combinations
from math import inf
from statistics import median

from tumble.bench.framework.claims import Kept, Verdict, graded, interval, over_cases, verdict
from tumble.bench.framework.statistics import DECIDING_ROUNDS, Interval, mean_interval
from tumble.bench.framework.table import TIME, Study
from tumble.bench.papers.stackless.cases import (
    ALIKE,
    EQUAL,
    FAMILY,
    STACKLESS,
    all_kept,
    counts,
    ordered,
    others,
    scenes,
    set_up,
    time_ratio,
)
from tumble.bench.papers.stackless.measure import EXCHANGED, STACKS
from tumble.bench.papers.stackless.published import METHODS
from tumble.report import ratio, significant

# "Significantly better": the paper's own factor is 5 and more; half as fast again is beyond any noise of rounds.
SIGNIFICANT = 1.5
# Where trees and stacks lie in memory is one thing for all rounds of a run, and another in the next run: what differs
# between two runs by that, beyond their intervals, is up to a quarter. It matters to claims on small differences.
PLACEMENT = 1.25


# Separation and small proximity: what setting up a stack costs


def set_up_significant(study: Study) -> Verdict:
    """Both stackless methods against each stack, whose memory is made for each query: by at least half."""

    def outcome(scene: str, stack: str) -> tuple[Kept, str]:
        found = [time_ratio(study, scene, set_up(study, scene, stack), other) for other in STACKLESS]
        return all_kept(each.above(SIGNIFICANT) for each in found), interval(min(found))

    outcomes = [outcome(scene, stack) for scene in scenes(study, "separation") for stack in STACKS]
    return over_cases(outcomes, "stack and alternating, memory per query / the slower stackless: ")


def set_up_faster(study: Study, prefix: str, method: str) -> Verdict:
    """A method against the stack whose memory is made for each query."""
    found = [time_ratio(study, scene, method, set_up(study, scene, "stack")) for scene in scenes(study, prefix)]
    return over_cases([(each.below(1), interval(each)) for each in found], f"{method} / stack, memory per query: ")


def set_up_explains(study: Study, prefix: str) -> Verdict | None:
    """Of what the stack takes longer than stackless with new memory, most must go when the memory is kept: half.

    The paper names the reason and does not separate it: both are in the same rounds here.
    """
    chosen = [scene for scene in scenes(study, prefix) if set_up(study, scene, "stack") != "stack"]
    if not chosen:
        return None

    def outcome(scene: str) -> tuple[Kept, str]:
        made = time_ratio(study, scene, set_up(study, scene, "stack"), "stackless").widened(PLACEMENT)
        kept = time_ratio(study, scene, "stack", "stackless")
        goes = Interval(
            *((k - 1) - 0.5 * (m - 1) for k, m in zip(kept, (made.value, made.high, made.low), strict=True))
        )
        return all_kept([made.above(1), goes.below(0)]), f"{interval(made)}, kept {interval(kept)}"

    return over_cases(map(outcome, chosen), "stack / stackless, memory per query: ", "; ")


# Intersection


def leaf_beats_family(study: Study) -> Verdict:
    """In the first two intersections, against each of the three that alternate."""

    def outcome(scene: str) -> tuple[Kept, str]:
        found = [time_ratio(study, scene, "leaf", other) for other in FAMILY]
        return all_kept(each.below(1) for each in found), interval(max(found))

    chosen = [scene for scene in scenes(study, "intersection") if not scene.endswith("3")]
    return over_cases(map(outcome, chosen), "leaf / the fastest of the three: ")


def intersection_leaf_more_iterations(study: Study) -> Verdict:
    """Both in the first intersection: more iterations than the two stackless methods, and less time than each."""

    def outcomes(scene: str) -> list[tuple[Kept, str]]:
        leaf, *family = counts(study, scene, "iterations", ("leaf", *STACKLESS))
        found = [time_ratio(study, scene, "leaf", other) for other in STACKLESS]
        faster = all_kept(each.below(1) for each in found)
        return [
            (leaf > max(family), f"{ratio(leaf / max(family))} iterations"),
            (faster, f"{' and '.join(map(interval, found))} time"),
        ]

    found = [each for scene in scenes(study, "intersection-1") for each in outcomes(scene)]
    return over_cases(found, "leaf / stackless and stackless-post: ")


def lead_by_iterations(study: Study, prefix: str) -> Verdict | None:
    """The scene with the least stackless / stack iterations is the one with the least stackless / stack time.

    There the stack saves the smallest part of the iterations: it leads least, or stackless leads most.
    """
    chosen = scenes(study, prefix)
    if len(chosen) < 2:
        return None
    found = [counts(study, scene, "iterations", ("stackless", "stack")) for scene in chosen]
    saved = {scene: both[0] / both[1] for scene, both in zip(chosen, found, strict=True)}
    lead = {scene: time_ratio(study, scene, "stackless", "stack") for scene in chosen}
    least = min(saved, key=saved.__getitem__)
    kept = all_kept(lead[least].over(lead[scene]).below(1) for scene in chosen if scene != least)
    numbers = "; ".join(f"{ratio(saved[scene])} iterations, {interval(lead[scene])} time" for scene in chosen)
    return graded(kept, False, f"stackless / stack: {numbers}")


# Scalability


def _growth(study: Study, method: str, other: str) -> Interval:
    """How much more a method's time grows than another's, from the smallest scalability scene to the largest."""
    chosen = scenes(study, "scalability")
    first, last = (time_ratio(study, scene, method, other) for scene in (chosen[0], chosen[-1]))
    return last.over(first)


def _grow_alike(study: Study, methods: Iterable[str]) -> Kept:
    pairs = combinations(methods, 2)
    return all_kept(_growth(study, *pair).widened(PLACEMENT).within(1 + ALIKE) for pair in pairs)


def _describe(study: Study, methods: list[str]) -> str:
    chosen = scenes(study, "scalability")
    grown = [study.value(chosen[-1], method, TIME) / study.value(chosen[0], method, TIME) for method in methods]
    pairs = zip(methods, grown, strict=True)
    return "time grows " + ", ".join(f"{method} {significant(value)}×" for method, value in pairs)


def stack_scales_best(study: Study) -> Verdict | None:
    """Growth alone flatters what is slow on the small scene: the time on the last must be least as well."""
    chosen = scenes(study, "scalability")
    if len(chosen) < 2:
        return None
    least = all_kept(time_ratio(study, chosen[-1], other, "stack").above(1) for other in others("stack"))
    slower = all_kept(_growth(study, "stack", other).below(1 + EQUAL) for other in others("stack"))
    first = f"fastest on the largest: {ordered(study, chosen[-1])[0]}"
    return over_cases([(least, first), (slower, _describe(study, list(METHODS)))], between="; ")


def leaf_scales_worst(study: Study) -> Verdict | None:
    """By growth alone."""
    if len(scenes(study, "scalability")) < 2:
        return None
    kept = all_kept(_growth(study, "leaf", other).above(1) for other in others("leaf"))
    return graded(kept, False, _describe(study, list(METHODS)))


def family_scales_alike(study: Study) -> Verdict | None:
    """The growth of any two of the three differs by less than 10 %."""
    if len(scenes(study, "scalability")) < 2:
        return None
    kept = _grow_alike(study, FAMILY)
    return graded(kept, False, _describe(study, list(FAMILY)))


def all_scale_alike(study: Study) -> Verdict | None:
    """The growth of any two of the five differs by less than 10 %."""
    if len(scenes(study, "scalability")) < 2:
        return None
    kept = _grow_alike(study, METHODS)
    return graded(kept, False, _describe(study, list(METHODS)))


def post_beats_stackless_but_last(study: Study) -> Verdict:
    """Faster on each scene but the largest, slower there."""

    def outcome(scene: str) -> tuple[Kept, str]:
        found = time_ratio(study, scene, "stackless-post", "stackless")
        return found.above(1) if scene.endswith("4") else found.below(1), interval(found)

    return over_cases(map(outcome, scenes(study, "scalability")), "stackless-post / stackless: ")


def post_suffers_from_size(study: Study) -> Verdict | None:
    """If cache misses are what costs stackless-post, it falls behind as trees outgrow the cache: by 5 % or more.

    The trees of the smallest scene take 0.3 MB, those of the largest 67 MB.
    """
    chosen = scenes(study, "scalability")
    if len(chosen) < 2:
        return None
    ends = [interval(time_ratio(study, scene, "stackless-post", "stackless")) for scene in (chosen[0], chosen[-1])]
    numbers = f"stackless-post / stackless: {ends[0]} on the smallest, {ends[1]} on the largest"
    return graded(_growth(study, "stackless-post", "stackless").above(1 + EQUAL), False, numbers)


# Different sizes and numbers


def sizes_exchanged(study: Study) -> Verdict | None:
    """The leaf method with A and B exchanged, in the same rounds."""
    chosen = [scene for scene in scenes(study, "different-sizes") if study.has(scene, EXCHANGED, TIME)]
    found = [time_ratio(study, scene, EXCHANGED, "leaf") for scene in chosen]
    outcomes = [(each.below(1), interval(each)) for each in found]
    return over_cases(outcomes, "exchanged / as printed: ") if found else None


def by_order(study: Study, *methods: str) -> Verdict | None:
    """Whether methods take less with the smallest object first.

    These are two scenes, which have no rounds in common: the deciles of both are the noise, where there are enough.
    """
    if len(scenes(study, "different-counts")) < 2:
        return None
    largest, smallest = (f"different-counts-{which}-first" for which in ("largest", "smallest"))
    changes = {method: _time(study, smallest, method).over(_time(study, largest, method)) for method in methods}
    outcomes = [(change.below(1), f"{method} {interval(change)}") for method, change in changes.items()]
    return over_cases(outcomes, "smallest first / largest first: ")


def _time(study: Study, scene: str, method: str) -> Interval:
    value = study.value(scene, method, TIME)
    if study.value(scene, method, "rounds", DECIDING_ROUNDS) < DECIDING_ROUNDS:
        return Interval(value, 0.0, inf)
    return Interval(value, *(study.value(scene, method, f"{TIME}, {end}", value) for end in ("low", "high")))


# All scenes


def leaf_wins_with_overlap(study: Study) -> Verdict | None:
    """Scenes on which leaf is faster than stackless have more overlaps (median) than the others; there must be some.

    Scenes on which that is not decided are left out.
    """
    won = {scene: time_ratio(study, scene, "leaf", "stackless").below(1) for scene in scenes(study)}
    if not won:
        return None
    here, elsewhere = (
        [study.count(scene, "stack", "overlaps") for scene, faster in won.items() if faster is wanted]
        for wanted in (True, False)
    )
    medians = [significant(median(each)) if each else "–" for each in (here, elsewhere)]
    numbers = f"faster on {len(here)} of {len(won)}; overlaps there {medians[0]}, elsewhere {medians[1]}"
    return verdict(bool(here) and (not elsewhere or median(here) > median(elsewhere)), 1, numbers)


def overlap_decides(study: Study) -> Verdict | None:
    """The means of stackless / stack: above 1 where much overlaps, below 1 apart and in small proximity."""
    much = [s for group in ("intersection", "scalability", "close") for s in scenes(study, group)]
    little = [s for group in ("separation", "small") for s in scenes(study, group)]
    if not much or not little:
        return None
    means = [
        mean_interval([time_ratio(study, scene, "stackless", set_up(study, scene, "stack")) for scene in chosen])
        for chosen in (much, little)
    ]
    outcomes = [(means[0].above(1), f"{interval(means[0])} with much overlap")]
    outcomes += [(means[1].below(1), f"{interval(means[1])} with little or none")]
    return over_cases(outcomes, "stackless / stack: ")
