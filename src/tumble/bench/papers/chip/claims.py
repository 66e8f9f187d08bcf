"""The tests of the paper's claims, and the goals of the model."""

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np

from tumble.bench.framework.claims import Verdict, all_alike, graded, over_cases, read_claims, verdict
from tumble.bench.framework.goals import Goal, Outcome
from tumble.bench.framework.statistics import geometric_mean
from tumble.bench.framework.table import PUBLISHED, Study, Table, reads
from tumble.bench.papers.chip import measure, rotation
from tumble.bench.papers.chip.measure import LIST_METHODS, LISTS, METHODS, TRIANGLE_TESTS, contestant
from tumble.bench.papers.chip.published import AVERAGE, BEST_K, LEAST_SPEEDUP, MOST_SPEEDUP, WORST
from tumble.bench.papers.chip.rotation import AS_IT_IS, CHIP, CYCLE_MODEL, LISTED, RECURSIVE, ROTATION, VOLUME, WITHOUT
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
# The paper compares its triangle test with those of others, not with ours, which pay for certainty.
OUR_TESTS = ("unit triangle, with bounds", "exact, its float64 stage")
# What Section 5 takes to be the limit of the throughput.
LIMITS = ("SDRAM", "memory bus", "DOTADD", "DOP registers")
# Lists of at least so many pairs are long: the end of a list is then a small part of it.
LONG_LIST, MOST_APART = 20, 0.10


def _range(values: Sequence[float]) -> str:
    return f"{ratio(min(values))} to {ratio(max(values))}"


def published_times(table: Table) -> Verdict:
    """Does not depend on the run: the equation is either read right or not."""
    paper = table.study(PUBLISHED)
    printed = [(name, part) for name in paper.cases() for part in (AVERAGE, WORST)]
    cycles = [total_cycles(paper.value(*key, "aligned"), paper.value(*key, "tumbled")) for key in printed]
    times = [round(1e6 * seconds(each)) for each in cycles]
    kept = sum(time == paper.count(*key, "hardware") for key, time in zip(printed, times, strict=True))
    return verdict(kept, len(printed), f"{kept} of {len(printed)} to the microsecond")


@reads(ROTATION, CYCLE_MODEL)
def speedup_range(rotations: Study, model: Study) -> Verdict:
    """On average and in the worst case of every object."""
    values = [value for name in rotations.cases() for value in rotation.speedups(rotations, name)]
    kept = sum(LEAST_SPEEDUP <= value <= MOST_SPEEDUP for value in values)
    numbers = f"{_range(values)} by Equation 5, which leaves out the triangles that the software tests"
    both = []  # speed-ups of single poses on the cycle model
    for case in model.cases():
        name = model.text(case, "", "object")
        if name in rotations.cases() and model.value(case, AS_IT_IS, "polygon checks") > 0:
            recursive = rotations.series(name, RECURSIVE, "time")[model.count(case, "", "step")]
            both.append(float(recursive / seconds(model.value(case, AS_IT_IS, "cycles"))))
    if both:
        numbers += f"; {_range(both)} where both test them, in {count(len(both))} poses on the cycle model"
    return verdict(kept, len(values), numbers)


@reads(ROTATION)
def worst_case_higher(rotations: Study) -> Verdict:
    """Object by object."""
    values = {name: rotation.speedups(rotations, name) for name in rotations.cases()}
    return over_cases(
        (worst > mean, f"{name} {ratio(mean)} → {ratio(worst)}") for name, (mean, worst) in values.items()
    )


def triangles_in_the_paper(table: Table) -> str:
    """Triangle tests as a share of the aligned nodes."""
    paper = table.study(PUBLISHED)
    both = {name: _two(paper, name, AVERAGE, "polygon checks", "aligned") for name in paper.cases()}
    return ", ".join(f"{name} {checks / aligned:.0%}" for name, (checks, aligned) in both.items())


@reads(ROTATION)
def triangles_rare(rotations: Study) -> Verdict:
    """As a share of the aligned nodes, over all poses."""
    shares = {
        name: rotations.series(name, CHIP, "checks").sum() / max(1.0, rotations.series(name, CHIP, "aligned").sum())
        for name in rotations.cases()
    }
    return over_cases((share <= RARE, f"{name} {share:.0%}") for name, share in shares.items())


def moved_once(table: Table) -> Verdict | None:
    """Moves beside the different nodes that must be moved: in software by a walk of its own, on the chip by address."""
    lists, rotations, model = table.study(LISTS), table.study(ROTATION), table.study(CYCLE_MODEL)
    names = [contestant(volume, method) for volume in measure.volumes_of(lists) for method in LIST_METHODS]
    moves = [_two(lists, case, name, "moves", "reached") for case in lists.cases() for name in names]
    for name in rotations.cases():
        moves += zip(rotations.series(name, CHIP, "tumbled"), rotations.series(name, CHIP, "reached"), strict=True)
    moves += [_two(model, case, AS_IT_IS, "tumbled", "different tumbled") for case in model.cases()]
    if not moves:
        return None
    kept = sum(moved == different for moved, different in moves)
    shares = [moved / max(1.0, different) for moved, different in moves]
    recursive = measure.less_work(lists, "moves", VOLUME, LISTED)
    beside = "" if np.isnan(recursive) else f"; {VOLUME}: the recursive traversal moves {ratio(recursive)} as many"
    return verdict(kept, len(moves), f"moves per node: {_range(shares)} in {count(len(moves))} cases{beside}")


def _two(study: Study, case: str, name: str, first: str, second: str) -> tuple[float, float]:
    return study.value(case, name, first), study.value(case, name, second)


def _per_volume(lists: Study, value: Callable[[str], float], least: float, title: str) -> Verdict:
    """Whether a value is large enough for every kind of volume."""
    values = {volume: value(volume) for volume in measure.volumes_of(lists)}
    return over_cases([(value >= least, f"{name} {ratio(value)}") for name, value in values.items()], title)


@reads(LISTS)
def fewer_visits(lists: Study) -> Verdict:
    """Volumes of either tree that are read: two per test in the recursive traversal."""

    def reads_less(volume: str) -> float:
        read = [sum(_two(lists, case, contestant(volume, LISTED), "iterations", "moves")) for case in lists.cases()]
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
    """Faster than the recursive traversal with every kind of volume."""
    title = f"time of {RECURSIVE} / {LISTED}: "
    return _per_volume(lists, lambda volume: measure.gain(lists, volume, LISTED), np.nextafter(1 + EQUAL, 2), title)


@reads(LISTS, ROTATION)
def lists_gain(lists: Study, rotations: Study) -> Verdict:
    """By the better of the two list traversals."""
    gains = {method: measure.gain(lists, VOLUME, method) for method in METHODS if method != RECURSIVE}
    best = max(gains[method] for method in LIST_METHODS)
    chips = geometric_mean([rotation.speedups(rotations, name)[0] for name in rotations.cases()])
    beside = "" if np.isnan(chips) else f"; the chip's speed-up by Equation 5, without triangles: {ratio(chips)}"
    times = ", ".join(f"{name} {ratio(value)}" for name, value in gains.items())
    numbers = f"{VOLUME}, time of {RECURSIVE} / its time: {times}{beside}"
    return graded(best >= GOOD_PART, best > 1 + EQUAL, numbers)


def k_24(table: Table) -> Verdict:
    """Software and chip, each within a little of its best k."""
    series = measure.series_by_k(table)
    kept = sum(min(times.values()) >= 1 - NEARLY for times in series.values())
    texts = [
        f"{name}: " + ", ".join(f"k={k} {ratio(value)}" for k, value in times.items()) for name, times in series.items()
    ]
    return verdict(kept, len(series), f"time, k={BEST_K} = 1. {'; '.join(texts)}")


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


@reads(CYCLE_MODEL)
def limits(model: Study) -> Verdict:
    """Which unit is the busiest."""
    units = {part: [model.text(case, part, "busiest unit") for case in model.cases()] for part in (AS_IT_IS, WITHOUT)}
    kept = sum(unit in LIMITS for unit in units[AS_IT_IS])
    texts = [", ".join(f"{unit} in {found.count(unit)}" for unit in dict.fromkeys(found)) for found in units.values()]
    numbers = f"the busiest unit of {len(model.cases())} runs: {texts[0]}; without triangles: {texts[1]}"
    return verdict(kept, len(model.cases()), numbers)


def same_answers(table: Table) -> Verdict:
    """Pairs of every traversal beside those of `tumble.collide`, and those of every run of the chip."""
    lists, model = table.study(LISTS), table.study(CYCLE_MODEL)
    pairs = [(case, name) for case in lists.cases() for name in lists.contestants(case)]
    wrong = [f"{name} on {case}" for case, name in pairs if lists.value(case, name, "wrong answers")]
    wrong += [
        f"the chip on {model.text(case, '', 'object')}"
        for case in model.cases()
        if not model.value(case, AS_IT_IS, "same pairs")
    ]
    total = len(pairs) + len(model.cases())
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


CLAIMS = read_claims(__package__, globals())
GOALS = (
    Goal(
        "cycle model without triangles, beside Equation 5",
        f"within {MOST_APART:.0%} where lists have {LONG_LIST} pairs or more",
        _model_and_equation,
    ),
    Goal("the chip's answers", "those of `tumble.collide`", _answers),
)
