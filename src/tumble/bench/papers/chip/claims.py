"""The tests of the paper's claims about its algorithms, and the goals; `hardware_claims` tests those about the chip."""

from collections.abc import Callable, Mapping
from functools import partial

import numpy as np

from tumble.bench.framework.claims import Verdict, all_alike, graded, interval, over_cases, read_claims, verdict
from tumble.bench.framework.goals import Goal, Outcome
from tumble.bench.framework.statistics import Interval, geometric_mean
from tumble.bench.framework.table import Study, Table, reads
from tumble.bench.papers.chip import design_claims, hardware_claims, measure, rotation
from tumble.bench.papers.chip.design_claims import NEARLY_HALF
from tumble.bench.papers.chip.hardware_claims import two_values, value_range
from tumble.bench.papers.chip.measure import LIST_METHODS, LISTS, METHODS, TRIANGLE_TESTS, contestant
from tumble.bench.papers.chip.published import BEST_K
from tumble.bench.papers.chip.rotation import AS_IT_IS, CHIP, CYCLE_MODEL, LISTED, RECURSIVE, ROTATION, VOLUME, WITHOUT
from tumble.bench.papers.chip.speedups import LEAVES, speedups
from tumble.bench.papers.chip.variants import VARIANTS
from tumble.report import count, ratio

# Times closer than this count as equal: what repeated runs on one quiet machine differ by.
EQUAL = 0.02
# "A good part": at least half as fast again; "dramatically" and "several times": at least twice.
GOOD_PART, DRAMATIC, SEVERAL = 1.5, 2.0, 2.0
# An optimum is flat: what is within this of the best k is as good.
NEARLY = 0.05
# The paper compares its triangle test with those of others, not with ours, which pay for certainty.
OUR_TESTS = ("unit triangle, with bounds", "exact, its float64 stage")
# Lists of at least so many pairs are long: the end of a list is then a small part of it.
LONG_LIST, MOST_APART = 20, 0.10


def moved_once(table: Table) -> Verdict | None:
    """Moves beside the different nodes that must be moved: in software by a walk of its own, on the chip by address."""
    lists, rotations, model = table.study(LISTS), table.study(ROTATION), table.study(CYCLE_MODEL)
    names = [contestant(volume, method) for volume in measure.volumes_of(lists) for method in LIST_METHODS]
    moves = [two_values(lists, case, name, "moves", "reached") for case in lists.cases() for name in names]
    for name in rotations.cases():
        moves += zip(rotations.series(name, CHIP, "tumbled"), rotations.series(name, CHIP, "reached"), strict=True)
    moves += [two_values(model, case, AS_IT_IS, "tumbled", "different tumbled") for case in model.cases()]
    if not moves:
        return None
    kept = sum(moved == different for moved, different in moves)
    shares = [moved / max(1.0, different) for moved, different in moves]
    recursive = measure.less_work(lists, "moves", VOLUME, LISTED)
    beside = "" if np.isnan(recursive) else f"; {VOLUME}: the recursive traversal moves {ratio(recursive)} as many"
    return verdict(kept, len(moves), f"moves per node: {value_range(shares)} in {count(len(moves))} cases{beside}")


def _per_volume(lists: Study, value: Callable[[str], float], least: float, title: str) -> Verdict:
    """Whether a value is large enough for every kind of volume."""
    values = {volume: value(volume) for volume in measure.volumes_of(lists)}
    return over_cases([(value >= least, f"{name} {ratio(value)}") for name, value in values.items()], title)


@reads(LISTS)
def visited_again(lists: Study) -> Verdict:
    """How often the recursive traversal moves a node that it reaches: several times is twice and more."""
    nodes = {(case, volume): lists.value(case, contestant(volume, LISTED), "reached") for case in lists.cases()
             for volume in measure.volumes_of(lists)}  # fmt: skip

    def visits(volume: str) -> float:
        moves = {case: lists.value(case, contestant(volume, RECURSIVE), "moves") for case in lists.cases()}
        return geometric_mean([moved / max(1.0, nodes[case, volume]) for case, moved in moves.items()])

    return _per_volume(lists, visits, SEVERAL, "moves per node of the tumbled tree: ")


@reads(LISTS)
def fewer_moves(lists: Study) -> Verdict:
    """Volumes moved into the other frame, recursive beside lists: dramatically fewer is half or less."""
    fewer = partial(measure.less_work, lists, "moves", method=LISTED)
    return _per_volume(lists, lambda volume: fewer(volume=volume), DRAMATIC, "times as many moves: ")


@reads(LISTS)
def fewer_visits(lists: Study) -> Verdict:
    """Volumes of either tree that are read: two per test in the recursive traversal."""

    def reads_less(volume: str) -> float:
        read = [
            sum(two_values(lists, case, contestant(volume, LISTED), "iterations", "moves")) for case in lists.cases()
        ]
        tests = [lists.value(case, contestant(volume, RECURSIVE), "tests") for case in lists.cases()]
        return geometric_mean([2 * more / max(1.0, less) for more, less in zip(tests, read, strict=True)])

    return _per_volume(lists, reads_less, DRAMATIC, "times as many nodes read: ")


@reads(LISTS)
def half_the_reads(lists: Study) -> Verdict:
    """Lists of sibling pairs beside plain ones."""
    fewer = partial(measure.less_work, lists, "iterations", method="lists-pairs", base="lists")
    return _per_volume(lists, lambda volume: fewer(volume=volume), NEARLY_HALF, "fewer aligned nodes read: ")


@reads(LISTS)
def all_volumes(lists: Study) -> Verdict:
    """Faster than the recursive traversal with every kind of volume, by more than repeated runs differ."""
    gains = {volume: measure.gain_interval(lists, volume, LISTED) for volume in measure.volumes_of(lists)}
    outcomes = [(gain.above(1 + EQUAL), f"{volume} {interval(gain)}") for volume, gain in gains.items()]
    return over_cases(outcomes, f"time of {RECURSIVE} / {LISTED}: ")


@reads(LISTS, ROTATION, CYCLE_MODEL)
def lists_gain(lists: Study, rotations: Study, model: Study) -> Verdict:
    """By the better of the two list traversals; a good part of a speed-up is at least half as fast again."""
    gains = {method: measure.gain_interval(lists, VOLUME, method) for method in METHODS if method != RECURSIVE}
    best = max((gains[method] for method in LIST_METHODS), key=lambda gain: gain.value)
    found = [speedups(rotations, model, name, LEAVES) for name in rotations.cases()]
    chips = geometric_mean([each[0] for each in found if each])
    beside = "" if np.isnan(chips) else f"; the chip's speed-up, both without triangles: {ratio(chips)}"
    times = ", ".join(f"{name} {interval(gain)}" for name, gain in gains.items())
    numbers = f"{VOLUME}, time of {RECURSIVE} / its time: {times}{beside}"
    return graded(best.above(GOOD_PART), best.above(1 + EQUAL), numbers)


def k_24(table: Table) -> Verdict | None:
    """Software and chip, each within a little of its best k; the chip's cycles have no noise."""
    outcomes = [_is_best(name, times) for name, times in measure.series_by_k(table).items()]
    return over_cases(outcomes, f"time, k={BEST_K} = 1. ", "; ") if outcomes else None


def _is_best(name: str, times: Mapping[int, Interval]) -> tuple[bool | None, str]:
    """Whether no k takes less time by more than a little; None where noise leaves it open for one, and none does."""
    slower = [time.above(1 - NEARLY) for time in times.values()]
    kept = False if False in slower else None if None in slower else True
    return kept, f"{name}: " + ", ".join(f"k={k} {ratio(time.value)}" for k, time in times.items())


@reads(TRIANGLE_TESTS)
def cheap_triangles(study: Study) -> Verdict | None:
    """Operations of the published triangle test beside those of others."""
    if not study.total("pairs"):
        return None
    (case,) = study.cases()
    work = {
        name: sum(study.value(case, name, part) for part in ("moving", "additions", "multiplications"))
        for name in study.contestants()
    }
    unit, *others = (name for name in work if name not in OUR_TESTS)
    kept = [study.value(case, unit, "divisions") == 0 and work[unit] < work[other] for other in others]
    numbers = ", ".join(f"{name}: {value:.0f}" for name, value in work.items())
    return verdict(sum(kept), len(kept), f"additions and multiplications per pair. {numbers}")


def same_answers(table: Table) -> Verdict:
    """Pairs of every traversal beside those of `tumble.collide`, and those of every run of the chip."""
    lists, model, variants = table.study(LISTS), table.study(CYCLE_MODEL), table.study(VARIANTS)
    pairs = [(case, name) for case in lists.cases() for name in lists.contestants(case)]
    designs = [(case, name) for case in variants.cases() for name in variants.contestants(case)]
    wrong = [f"{name} on {case}" for case, name in pairs if lists.value(case, name, "wrong answers")]
    wrong += [
        f"the chip on {model.text(case, '', 'object')}"
        for case in model.cases()
        if not model.value(case, AS_IT_IS, "same pairs")
    ]
    wrong += [f"{name} on {case}" for case, name in designs if not variants.value(case, name, "same pairs")]
    total = len(pairs) + len(model.cases()) + len(designs)
    return all_alike(wrong, total, f"all of {count(total)} cases")


@reads(CYCLE_MODEL)
def _model_and_equation(model: Study) -> Outcome:
    """The largest difference between cycle model and Equation 5, either way, where lists are long."""
    long = [case for case in model.cases() if model.value(case, WITHOUT, "pairs per list") >= LONG_LIST]
    if not long:
        return None
    worst = max(long, key=lambda case: abs(rotation.apart(model, case)))
    value = abs(rotation.apart(model, worst))
    return f"{value:.1%} at most ({model.text(worst, '', 'object')})", MOST_APART / max(value, 1e-9)


@reads(CYCLE_MODEL)
def _answers(model: Study) -> Outcome:
    same, total = round(model.total("same pairs")), len(model.cases())
    return f"{same} of {total}", same / total


CLAIMS = read_claims(__package__, {**vars(hardware_claims), **vars(design_claims), **globals()})
GOALS = (
    Goal(
        "cycle model without triangles, beside Equation 5",
        f"within {MOST_APART:.0%} where lists have {LONG_LIST} pairs or more",
        _model_and_equation,
    ),
    Goal("the chip's answers", "those of `tumble.collide`", _answers),
)
