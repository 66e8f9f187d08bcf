"""The tests of the paper's claims about the chip: its times, its speed-ups, its units."""

from collections.abc import Sequence

from tumble.bench.framework.claims import NOT_MEASURED, Kept, Verdict, graded, interval, over_cases, verdict
from tumble.bench.framework.statistics import Interval
from tumble.bench.framework.table import PUBLISHED, Study, Table, reads
from tumble.bench.papers.chip.published import AVERAGE, BEST_K, FORCE_FEEDBACK, LEAST_SPEEDUP, MOST_SPEEDUP, WORST
from tumble.bench.papers.chip.rotation import AS_IT_IS, CHIP, CYCLE_MODEL, LAYOUT, ROTATION, SOUP, WITHOUT, apart
from tumble.bench.papers.chip.speedups import (
    BUSES,
    FAST_PCI,
    HOSTS,
    LEAVES,
    LIKE_WITH_LIKE,
    MIXED,
    TRIANGLES,
    chip_times,
    host_seconds,
    speedup_intervals,
    speedups,
    worst_by_mean,
)
from tumble.bench.papers.chip.startup import BUILD, READ, START_UP
from tumble.chip.cost import answer_cycles, seconds, setup_cycles, total_cycles
from tumble.report import count, microseconds, ratio

# What Section 5 takes to be the limit of the throughput.
LIMITS = ("SDRAM", "memory bus", "DOTADD", "DOP registers")
# What may be left out of an estimate: a twentieth. What the equation may be off by, triangles included: a tenth.
LEFT_OUT, MOST_APART = 0.05, 0.10
# "Small": a hundredth of what lies in the SDRAM.
SMALL = 0.01
# "Autonomously": none is left to the host; in part, no more than one in ten.
FEW_LEFT = 0.10
# "Not time-critical": a start-up that reads the meshes anyway does not take twice as long.
NO_LONGER = 1.0


def value_range(values: Sequence[float]) -> str:
    """The smallest and the largest ratio."""
    return f"{ratio(min(values))} to {ratio(max(values))}"


def two_values(study: Study, case: str, name: str, first: str, second: str) -> tuple[float, float]:
    """Two quantities of one contestant."""
    return study.value(case, name, first), study.value(case, name, second)


def published_times(table: Table) -> Verdict:
    """Does not depend on the run: the equation is either read right or not."""
    paper = table.study(PUBLISHED)
    printed = [(name, part) for name in paper.cases() for part in (AVERAGE, WORST)]
    cycles = [total_cycles(paper.value(*key, "aligned"), paper.value(*key, "tumbled")) for key in printed]
    times = [round(1e6 * seconds(each)) for each in cycles]
    kept = sum(time == paper.count(*key, "hardware") for key, time in zip(printed, times, strict=True))
    return verdict(kept, len(printed), f"{kept} of {len(printed)} to the microsecond")


@reads(CYCLE_MODEL)
def equation_5(model: Study) -> Verdict:
    """The cycle model without triangles within a tenth of the equation, run by run, short ones included."""
    parts = [apart(model, case) for case in model.cases()]
    kept = sum(abs(part) <= MOST_APART for part in parts)
    numbers = f"{kept} of {len(parts)} runs within {MOST_APART:.0%}; {min(parts):+.1%} to {max(parts):+.1%}"
    return verdict(kept, len(parts), numbers.replace("-", "−"))


def _forms(rotations: Study, model: Study, forms: Sequence[str]) -> dict[str, dict[str, tuple[float, float]]]:
    """Speed-ups on average and in the worst case, by form and object; what was not measured is left out."""
    found = {form: {name: speedups(rotations, model, name, form) for name in rotations.cases()} for form in forms}
    kept = {form: {name: value for name, value in by_name.items() if value} for form, by_name in found.items()}
    return {form: by_name for form, by_name in kept.items() if by_name}


@reads(ROTATION, CYCLE_MODEL)
def speedup_range(rotations: Study, model: Study) -> Verdict:
    """On average and in the worst case of every object, like beside like; Table 1's own way is shown, not judged."""
    found = _forms(rotations, model, (*LIKE_WITH_LIKE, MIXED))
    measured = [speedup_intervals(rotations, model, name, form)
                for form, by_name in found.items() if form != MIXED for name in by_name]  # fmt: skip
    if not measured:
        return NOT_MEASURED
    word = over_cases((_in_range(value), "") for both in measured for value in both).word
    ranges = {
        form: value_range([value for both in by_name.values() for value in both]) for form, by_name in found.items()
    }
    return Verdict(word, "; ".join(f"{form}: {text}" for form, text in ranges.items()))


def _in_range(speedup: Interval) -> Kept:
    """Whether a speed-up is one of the paper's; None where noise leaves it open."""
    ends = speedup.above(LEAST_SPEEDUP), speedup.below(MOST_SPEEDUP)
    return False if False in ends else None if None in ends else True


@reads(ROTATION, CYCLE_MODEL)
def worst_case_higher(rotations: Study, model: Study) -> Verdict:
    """Object by object, like beside like: how much longer the worst case is in software than on the chip, by passes."""
    outcomes, forms = [], _forms(rotations, model, (LEAVES, TRIANGLES))
    for form, by_name in forms.items():
        for place, (name, (mean, worst)) in enumerate(by_name.items()):
            title = "" if place else f"{form}: "
            higher = worst_by_mean(rotations, model, name, form).above(1.0)
            outcomes.append((higher, f"{title}{name} {ratio(mean)} → {ratio(worst)}"))
    return over_cases(outcomes)


@reads(ROTATION, CYCLE_MODEL)
def setup_small(rotations: Study, model: Study) -> Verdict:
    """Set-up and answers over PCI as a part of the mean time by Equation 5: a twentieth may be left out."""
    outcomes: list[tuple[Kept, str]] = []
    for bus, design in BUSES.items():
        waits = {name: host_seconds(rotations, model, name, design) for name in rotations.cases()}
        parts = {name: float(wait.mean() / rotations.series(name, CHIP, "time").mean())
                 for name, wait in waits.items() if wait is not None}  # fmt: skip
        title = f"{bus}, {count(setup_cycles(design))} cycles and {answer_cycles(1, design):g} per answer: "
        for place, (name, part) in enumerate(parts.items()):
            outcomes.append((part <= LEFT_OUT, f"{'' if place else title}{name} {part:.0%}"))
    return over_cases(outcomes, "beside Equation 5 on average. ")


def setup_in_the_paper(table: Table) -> str:
    """What the set-up alone would be of the paper's own times; it prints no touching pairs."""
    paper = table.study(PUBLISHED)
    time = 1e6 * seconds(setup_cycles(BUSES[FAST_PCI]))
    parts = {name: time / paper.value(name, AVERAGE, "hardware") for name in paper.cases()}
    return f"not counted; set-up over {FAST_PCI}: " + ", ".join(f"{name} {part:.0%}" for name, part in parts.items())


@reads(ROTATION, CYCLE_MODEL)
def force_feedback(rotations: Study, model: Study) -> Verdict:
    """The longest query of each object within a millisecond, triangles, set-up and answers included, on either bus."""
    outcomes: list[tuple[Kept, str]] = []
    for form in HOSTS:
        times = {name: chip_times(rotations, model, name, form) for name in rotations.cases()}
        longest = {name: float(found.max()) for name, found in times.items() if found is not None}
        for place, (name, time) in enumerate(longest.items()):
            outcomes.append((time <= 1 / FORCE_FEEDBACK, f"{'' if place else f'{form}: '}{name} {microseconds(time)}"))
    return over_cases(outcomes, "µs in the worst case ")


def worst_in_the_paper(table: Table) -> str:
    """The published worst cases, by Equation 5."""
    paper = table.study(PUBLISHED)
    return "µs: " + ", ".join(f"{name} {count(paper.count(name, WORST, 'hardware'))}" for name in paper.cases())


@reads(CYCLE_MODEL)
def autonomous(model: Study) -> Verdict | None:
    """Pairs of triangles that float32 cannot decide go to the host."""
    checks, left = model.total("polygon checks"), model.total("unsure")
    if not checks:
        return None
    numbers = (
        f"{count(round(left))} of {count(round(checks))} pairs of triangles are left to the host, {left / checks:.1%}"
    )
    return graded(left == 0, left <= FEW_LEFT * checks, numbers)


def triangles_in_the_paper(table: Table) -> str:
    """Triangle tests as a share of the aligned nodes; it has no cycles for them."""
    paper = table.study(PUBLISHED)
    both = {name: two_values(paper, name, AVERAGE, "polygon checks", "aligned") for name in paper.cases()}
    return "of the aligned nodes: " + ", ".join(f"{name} {c / aligned:.0%}" for name, (c, aligned) in both.items())


@reads(ROTATION, CYCLE_MODEL)
def triangles_rare(rotations: Study, model: Study) -> Verdict:
    """Triangles as a share of the chip's cycles over all poses: what an estimate within a tenth could leave out."""
    outcomes: list[tuple[Kept, str]] = []
    for name in rotations.cases():
        whole = chip_times(rotations, model, name, TRIANGLES)
        if whole is not None:
            share = 1 - float(rotations.series(name, CHIP, "time").sum() / whole.sum())
            checks, aligned = (rotations.series(name, CHIP, what).sum() for what in ("checks", "aligned"))
            outcomes.append((share <= MOST_APART, f"{name} {share:.0%} ({checks / max(1.0, aligned):.0%})"))
    return over_cases(outcomes, "of the cycles (of the aligned nodes): ")


@reads(CYCLE_MODEL)
def limits(model: Study) -> Verdict:
    """Which unit is the busiest."""
    units = {part: [model.text(case, part, "busiest unit") for case in model.cases()] for part in (AS_IT_IS, WITHOUT)}
    kept = sum(unit in LIMITS for unit in units[AS_IT_IS])
    texts = [", ".join(f"{unit} in {found.count(unit)}" for unit in dict.fromkeys(found)) for found in units.values()]
    numbers = f"the busiest unit of {len(model.cases())} runs: {texts[0]}; without triangles: {texts[1]}"
    return verdict(kept, len(model.cases()), numbers)


@reads(CYCLE_MODEL)
def small_stack(model: Study) -> Verdict | None:
    """What lay in the SRAM of the lists at once, beside the two images."""
    runs = [case for case in model.cases() if model.has(case, AS_IT_IS, "list bytes")]
    parts = {case: two_values(model, case, AS_IT_IS, "list bytes", "image bytes") for case in runs}
    if not parts:
        return None
    used = [lists / images for lists, images in parts.values()]
    most = max(lists for lists, _ in parts.values())
    numbers = f"{count(round(most))} bytes at most; {min(used):.3%} to {max(used):.3%} of the two images"
    return verdict(sum(part <= SMALL for part in used), len(used), numbers)


@reads(CYCLE_MODEL)
def three_k(model: Study) -> Verdict | None:
    """Lines fed to DOTADD for each tumbled node, three products each: exactly 3 k."""
    runs = [case for case in model.cases() if model.has(case, WITHOUT, "DOTADD lines per node")]
    products = [3 * model.value(case, WITHOUT, "DOTADD lines per node") for case in runs]
    if not products:
        return None
    kept = sum(each == 3 * BEST_K for each in products)
    return verdict(kept, len(products), f"{min(products):g} to {max(products):g} in {len(products)} runs")


@reads(LAYOUT)
def record_fits(layout: Study) -> Verdict:
    """By the layout of the image: numbers of a triangle record beside those of a DOP."""
    (case,) = layout.cases()
    record, dop = (layout.count(case, "", what) for what in ("record", "DOP"))
    return verdict(record <= dop, 1, f"{record} numbers, a {BEST_K}-DOP has {dop}")


@reads(LAYOUT)
def stored_moves(layout: Study) -> Verdict:
    """By the layout of a node: its DOP twice, pointer, flags and triangle once. A factor of two within a tenth."""
    (case,) = layout.cases()
    dop, others = (layout.value(case, "", what) for what in ("DOP", "other words"))
    factor = (2 * dop + others) / (dop + others)
    return graded(abs(factor / 2 - 1) <= MOST_APART, factor > 1.5, f"{ratio(factor)} the words of a node")


@reads(CYCLE_MODEL)
def polygon_soups(model: Study) -> Verdict | None:
    """Triangles that share nothing: the chip must find the pairs of `tumble.collide`, and there must be some."""
    if SOUP not in model.cases():
        return None
    same, found = model.value(SOUP, AS_IT_IS, "same pairs"), model.count(SOUP, AS_IT_IS, "touching")
    return verdict(
        bool(same and found), 1, f"{count(found)} touching pairs, {'all' if same else 'not those'} of the exact answer"
    )


@reads(START_UP)
def built_at_start(study: Study) -> Verdict:
    """Reading a mesh beside building its tree, round by round: building must take no longer."""
    ratios = {name: study.interval(name, READ, BUILD) for name in study.cases(READ, BUILD)}
    outcomes = [(ratio.above(NO_LONGER), f"{name} {interval(ratio)}, {study.value(name, BUILD, 'time'):.2g} s")
                for name, ratio in ratios.items()]  # fmt: skip
    return over_cases(outcomes, "time to read the mesh / to build its tree, seconds to build: ", "; ")
