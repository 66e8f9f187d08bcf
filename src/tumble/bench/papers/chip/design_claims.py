"""The tests of the paper's claims about the design of the chip: what its measures gain, and one list in time."""

from collections.abc import Callable

from tumble.bench.framework.claims import Verdict, graded, over_cases, verdict
from tumble.bench.framework.table import Study, Table, reads
from tumble.bench.papers.chip.hardware_claims import MOST_APART
from tumble.bench.papers.chip.marks import LIST_MARKS, OWN, PAPERS
from tumble.bench.papers.chip.published import MARKS
from tumble.bench.papers.chip.rotation import AS_IT_IS, WITHOUT
from tumble.bench.papers.chip.swept import SWEEP, points_of
from tumble.bench.papers.chip.variants import BARE, ONE_PAIR, USUAL, VARIANTS
from tumble.chip.comparators import UNIT as COMPARATORS
from tumble.chip.cost import comparator_count, register_words
from tumble.chip.design import Design
from tumble.chip.sweep import Point
from tumble.report import count, ratio

# "Crucial": with a quarter of the bus a query takes at least half as long again.
NARROW, CRUCIAL = "64 bits", 1.5
# A unit may be slow where a fast one would gain no more than this.
NO_GAIN = 1.10
# "A factor of two", but for nodes that have no sibling and lists that end in leaves.
NEARLY_HALF = 1.8
# Tumbled nodes that are compared at once, and what more of them cost.
ONE, TWO = "1", "2"
COSTS: dict[str, Callable[[Design], int]] = {"comparator": comparator_count, "register": register_words}


def _settings(table: Table, knob: str) -> dict[str, Point]:
    """The points of one knob of the sweep, by label."""
    return {point.label: point for point in points_of(table.study(SWEEP), knob)}


def _cycles_by_tumbled(table: Table) -> dict[str, Point]:
    """The designs with 1, 2, 4 and 8 tumbled nodes at once; none where the first two are not among them."""
    points = _settings(table, "tumbled")
    return points if {ONE, TWO} <= set(points) else {}


def two_at_once(table: Table) -> Verdict | None:
    """Speed without triangles per unit of cost, by two costs: two at once must be the best, even beside one."""
    points = _cycles_by_tumbled(table)
    if len(points) < 3:
        return None
    speed = {label: points[ONE].plain.seconds / point.plain.seconds for label, point in points.items()}
    return over_cases((_best_value(speed, points, *cost) for cost in COSTS.items()), "", "; ")


def _best_value(
    speed: dict[str, float], points: dict[str, Point], name: str, cost: Callable[[Design], int]
) -> tuple[bool, str]:
    """Whether two at once have the best ratio of speed and one kind of cost; one at once being 1."""
    least = cost(points[ONE].plain.design)
    value = {label: speed[label] * least / cost(point.plain.design) for label, point in points.items()}
    text = ", ".join(f"{label}: {ratio(each)}" for label, each in value.items())
    return max(value, key=value.__getitem__) == TWO, f"speed per {name} {text}"


def tests_halved(table: Table) -> Verdict | None:
    """One tumbled node at once beside two, without triangles: the whole time, or in part that of the comparators."""
    points = _cycles_by_tumbled(table)
    if not points:
        return None
    whole, compared = points[ONE].plain.cycles / points[TWO].plain.cycles, _busy(points, ONE) / _busy(points, TWO)
    return graded(
        whole >= NEARLY_HALF, compared >= NEARLY_HALF, f"a query {ratio(whole)}, the comparators {ratio(compared)}"
    )


def _busy(points: dict[str, Point], label: str) -> int:
    return max(1, points[label].plain.busy.get(COMPARATORS, 0))


@reads(LIST_MARKS)
def list_in_time(study: Study) -> Verdict:
    """Section 5's cycles in every list, with its delay; with the delay that the host derives they are shown."""
    due = [mark for mark in MARKS if study.has(mark, PAPERS, "lists")]
    outcomes = []
    for mark in due:
        exact, lists = (study.count(mark, PAPERS, what) for what in ("as printed", "lists"))
        outcomes.append((exact == lists, f"{MARKS[mark]} in {count(exact)} of {count(lists)} lists"))
    own = [study.count(mark, OWN, "earliest") for mark in due if study.has(mark, OWN, "earliest")]
    found = over_cases(outcomes, f"{PAPERS}: ")
    return found._replace(numbers=f"{found.numbers}; {OWN}: from {', '.join(map(str, own))}")


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
