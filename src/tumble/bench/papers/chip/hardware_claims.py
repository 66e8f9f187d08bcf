"""The tests of the paper's claims about the chip: its times, its speed-ups, its units."""

from collections.abc import Sequence
from itertools import pairwise

from tumble.bench.framework.claims import Verdict, graded, over_cases, verdict
from tumble.bench.framework.table import PUBLISHED, Study, Table, reads
from tumble.bench.papers.chip.published import AVERAGE, BEST_K, FORCE_FEEDBACK, LEAST_SPEEDUP, MOST_SPEEDUP, WORST
from tumble.bench.papers.chip.rotation import AS_IT_IS, CHIP, CYCLE_MODEL, LAYOUT, ROTATION, SOUP, WITHOUT, apart
from tumble.bench.papers.chip.speedups import (
    LEAVES,
    LIKE_WITH_LIKE,
    MIXED,
    SET_UP,
    TRIANGLES,
    chip_times,
    speedups,
    worst_by_mean,
)
from tumble.bench.papers.chip.swept import SWEEP, points_of
from tumble.bench.papers.chip.variants import BARE, ONE_PAIR, USUAL, VARIANTS
from tumble.chip.cost import seconds, setup_cycles, total_cycles
from tumble.chip.sweep import Point
from tumble.report import count, microseconds, ratio

# "Not very often": one comparison in four.
RARE = 0.25
# What Section 5 takes to be the limit of the throughput.
LIMITS = ("SDRAM", "memory bus", "DOTADD", "DOP registers")
# What may be left out of an estimate: a twentieth. What the equation may be off by: a tenth.
LEFT_OUT, MOST_APART = 0.05, 0.10
# "Small": a hundredth of what lies in the SDRAM.
SMALL = 0.01
# "Autonomously": none is left to the host; in part, no more than one in ten.
FEW_LEFT = 0.10
# "Crucial": with a quarter of the bus a query takes at least half as long again.
NARROW, CRUCIAL = "64 bits", 1.5
# A unit may be slow where a fast one would gain no more than this.
NO_GAIN = 1.10
# "Not time-critical": what a user waits for when a program starts, in seconds.
START_UP = 5.0


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
    found = {form: [value for both in by_name.values() for value in both]
             for form, by_name in _forms(rotations, model, (*LIKE_WITH_LIKE, MIXED)).items()}  # fmt: skip
    judged = [value for form, values in found.items() if form != MIXED for value in values]
    kept = sum(LEAST_SPEEDUP <= value <= MOST_SPEEDUP for value in judged)
    return verdict(kept, len(judged), "; ".join(f"{form}: {value_range(values)}" for form, values in found.items()))


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


@reads(ROTATION)
def setup_small(rotations: Study) -> Verdict:
    """Set-up over PCI (64 bits, 66 MHz) as a part of the mean time by Equation 5: a twentieth may be left out."""
    parts = {name: seconds(setup_cycles()) / float(rotations.series(name, CHIP, "time").mean())
             for name in rotations.cases()}  # fmt: skip
    title = (
        f"{count(setup_cycles())} cycles, {microseconds(seconds(setup_cycles()))} µs; beside Equation 5 on average: "
    )
    return over_cases([(part <= LEFT_OUT, f"{name} {part:.0%}") for name, part in parts.items()], title)


def setup_in_the_paper(table: Table) -> str:
    """What the same set-up would be of the paper's own times."""
    paper = table.study(PUBLISHED)
    parts = {n: 1e6 * seconds(setup_cycles()) / paper.value(n, AVERAGE, "hardware") for n in paper.cases()}
    return "not counted; " + ", ".join(f"{name} {part:.0%}" for name, part in parts.items())


@reads(ROTATION, CYCLE_MODEL)
def force_feedback(rotations: Study, model: Study) -> Verdict:
    """The longest query of each object, triangles and set-up included, within a millisecond: every force is needed."""
    longest = {name: chip_times(rotations, model, name, SET_UP) for name in rotations.cases()}
    return over_cases(
        ((float(times.max()) <= 1 / FORCE_FEEDBACK, f"{name} {microseconds(float(times.max()))}")
         for name, times in longest.items() if times is not None),
        "µs in the worst case, with triangles and set-up: ",
    )  # fmt: skip


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
    """Triangle tests as a share of the aligned nodes."""
    paper = table.study(PUBLISHED)
    both = {name: two_values(paper, name, AVERAGE, "polygon checks", "aligned") for name in paper.cases()}
    return ", ".join(f"{name} {checks / aligned:.0%}" for name, (checks, aligned) in both.items())


@reads(ROTATION)
def triangles_rare(rotations: Study) -> Verdict:
    """As a share of the aligned nodes, over all poses."""
    shares = {
        name: rotations.series(name, CHIP, "checks").sum() / max(1.0, rotations.series(name, CHIP, "aligned").sum())
        for name in rotations.cases()
    }
    return over_cases((share <= RARE, f"{name} {share:.0%}") for name, share in shares.items())


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


@reads(ROTATION)
def built_at_start(rotations: Study) -> Verdict | None:
    """Seconds for one tree: a user waits for it once, when a program starts."""
    times = {n: rotations.value(n, "", "build") for n in rotations.cases() if rotations.has(n, "", "build")}
    return over_cases([(time <= START_UP, f"{name} {time:.2f}") for name, time in times.items()], "seconds per tree: ")


def _settings(table: Table, knob: str) -> dict[str, Point]:
    """The points of one knob of the sweep, by label."""
    return {point.label: point for point in points_of(table.study(SWEEP), knob)}


def two_at_once(table: Table) -> Verdict | None:
    """What each doubling of the comparators gains, without triangles: the first must gain the most."""
    times = {label: point.plain.seconds for label, point in _settings(table, "tumbled").items()}
    if len(times) < 3:
        return None
    labels = list(times)
    gains = {f"{a} → {b}": times[a] / times[b] for a, b in pairwise(labels)}
    first, *others = gains.values()
    texts = ", ".join(f"{name} {ratio(gain)}" for name, gain in gains.items())
    return verdict(first > max(others), 1, f"times as fast without triangles: {texts}")


@reads(SWEEP)
def any_design(study: Study) -> Verdict | None:
    """The pairs of `tumble.collide` on every design of the sweep, 1 to 8 tumbled nodes at once among them."""
    runs = [
        (case, part) for case in study.cases() for part in (AS_IT_IS, WITHOUT) if study.has(case, part, "same pairs")
    ]
    return verdict(sum(bool(study.value(*run, "same pairs")) for run in runs), len(runs), f"{len(runs)} runs")


def bandwidth(table: Table) -> Verdict | None:
    """A quarter of the bus, without triangles; crucial is half as long again and more."""
    points = _settings(table, "bus")
    base = next((point for point in points.values() if point.is_base), None)
    if base is None or NARROW not in points:
        return None
    plain, whole = (getattr(points[NARROW], part).seconds / getattr(base, part).seconds for part in ("plain", "run"))
    numbers = f"{NARROW} instead of 256: {ratio(plain)} as long without triangles, {ratio(whole)} with them"
    return graded(whole >= CRUCIAL, plain >= CRUCIAL, numbers)


def slow_it_unit(table: Table) -> Verdict | None:
    """What an IT-unit that takes a pair of operands per cycle gains: slow arithmetic will do where it gains a tenth."""
    points = _settings(table, "operands")
    base = next((point for point in points.values() if point.is_base), None)
    if base is None or "1" not in points:
        return None
    gain = base.run.seconds / points["1"].run.seconds
    return verdict(
        gain <= NO_GAIN, 1, f"one cycle per pair of operands instead of {base.run.design.operand_cycles}: {ratio(gain)}"
    )


@reads(VARIANTS)
def leaf_dops(study: Study) -> Verdict:
    """Cycles of a whole query with and without DOPs in the leaves, over both kinds of trees."""
    longer = {case: study.value(case, BARE, "cycles") / study.value(case, USUAL, "cycles") for case in study.cases()}
    title = "cycles without leaf DOPs / with: "
    return over_cases([(factor < 1, f"{case} {ratio(factor)}") for case, factor in longer.items()], title)


@reads(VARIANTS)
def one_pair_buffer(study: Study) -> Verdict:
    """With a buffer of one pair, cycles without triangles beside Equation 5: within a tenth, as with two."""
    parts = {c: study.value(c, ONE_PAIR, "without triangles") / study.value(c, ONE_PAIR, "Equation 5") - 1
             for c in study.cases()}  # fmt: skip
    outcomes = [(part <= MOST_APART, f"{case} {part:+.1%}".replace("-", "−")) for case, part in parts.items()]
    return over_cases(outcomes, "beside Equation 5: ")
