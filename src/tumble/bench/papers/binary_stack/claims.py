"""The tests of the paper's claims about the simulation, and what it and its parts must reach here."""

from functools import partial

from tumble.bench.framework.claims import Verdict, graded, over_cases, read_claims, verdict
from tumble.bench.framework.goals import Goal, Outcome, faster_on_average
from tumble.bench.framework.table import PUBLISHED, Study, Table, reads
from tumble.bench.papers.binary_stack import device_claims, walk_claims
from tumble.bench.papers.binary_stack.device_walks import DEVICE_WALKS
from tumble.bench.papers.binary_stack.fall import COLLISION, CONTACT, FALL, MADE, SIMULATOR
from tumble.bench.papers.binary_stack.obb_race import ALL, COAL, FIRST, OBB, OBB_RACE
from tumble.bench.papers.binary_stack.published import BODIES, COUNTS, CPU, GPU, OVERALL, SHARE, STEPS
from tumble.bench.papers.binary_stack.races import BINARY, COLLISIONS, TRAVERSALS, WARP, heap
from tumble.bench.papers.binary_stack.stepping import CONTACTS, STEPPING
from tumble.report import count, ratio, significant

# "A lot of clock cycles": a third and more.
A_LOT = 1 / 3
# What the simulation calls the counts of Table 1.
SIMULATED = dict(zip(COUNTS, ("broad pairs", "touching pairs", "triangle pairs"), strict=True))

MOST_SECONDS, MINOR = 1.0, 0.5
# What falls fast is a little in the plane when it hits it; deeper than this part of its length it is going through.
IN_THE_PLANE = 0.05
# A body may be faster than the highest one would be after a free fall by so much: others push it.
PUSHED = 1.25
# Energy grows in a step by the lift of the push and not by more, up to this part of the start's.
ROUNDING = 1e-9
# m; bodies at rest are no deeper in each other than in the simulator's own tests of piles.
DEEP_AT_REST = 0.005


def share(fall: Study, *phases: str) -> float:
    """What part of the simulation's time some phases took."""
    (what,) = fall.cases()
    total = fall.series(what, SIMULATOR, "step").sum()
    return float(sum(fall.series(what, SIMULATOR, phase).sum() for phase in phases) / total)


@reads(FALL)
def bottleneck(fall: Study) -> Verdict:
    """Alone, or with contact points."""
    alone, with_contacts = share(fall, *COLLISION), share(fall, *COLLISION, CONTACT)
    numbers = f"{alone:.0%} of the simulation, {with_contacts:.0%} with contact points"
    return graded(alone >= SHARE[0], with_contacts >= SHARE[0], numbers)


def _compared(table: Table) -> list[tuple[Study, str, str]]:
    """Study, case and contestant of all whose answers were compared."""
    studies = [table.study(name) for name in (COLLISIONS, TRAVERSALS, DEVICE_WALKS)]
    ways = [(study, case, name) for study in studies for case in study.cases() for name in study.contestants(case)]
    return [(study, case, name) for study, case, name in ways if study.has(case, name, "wrong answers")]


def same_answers(table: Table) -> Verdict | None:
    """Every way beside the default engine, the counts of the simulation, and worlds on devices beside the CPU's."""
    ways, stepping, contacts = _compared(table), table.study(STEPPING), table.study(CONTACTS)
    stepped = [(case, name) for case in stepping.cases() for name in stepping.contestants(case)]
    made = [(case, name) for case in contacts.cases() for name in contacts.contestants(case)]
    wrong = [f"{name} at {case}" for study, case, name in ways if study.value(case, name, "wrong answers")]
    wrong += [f"the simulation at {case}" for case in _otherwise_simulated(table)]
    wrong += [f"{name} after {case}" for case, name in stepped if stepping.value(case, name, "other states")]
    wrong += [f"{name} at {case}" for case, name in made if contacts.value(case, name, "wrong answers")]
    total = len(ways) + len(table.study(COLLISIONS).cases()) + len(stepped) + len(made)
    numbers = f"differ: {', '.join(dict.fromkeys(wrong))}" if wrong else f"in all of {count(total)} comparisons"
    return graded(not wrong, False, numbers) if total else None


def _otherwise_simulated(table: Table) -> list[str]:
    """The recorded moments at which the simulation counted otherwise."""
    fall, study = table.study(FALL), table.study(COLLISIONS)
    series = {
        name: fall.series(what, SIMULATOR, quantity) for what in fall.cases() for name, quantity in SIMULATED.items()
    }
    return [
        case
        for case in study.cases()
        if any(values[study.count(case, "", "step")] != study.value(case, "", name) for name, values in series.items())
    ]


def _printed_ratios(paper: Study, first: tuple[str, str], second: tuple[str, str]) -> list[float]:
    """One published column by another, from step 100 on."""
    return [paper.value(case, *first) / paper.value(case, *second) for case in heap(paper)]


@reads(PUBLISHED)
def copy_grows(paper: Study) -> Verdict:
    """Published times alone: five times the pairs of bodies have five times the slots, and take five times as long."""
    few, many = paper.cases()[1], max(paper.cases(), key=lambda case: paper.value(case, GPU, "broad"))
    pairs, times = (paper.value(many, GPU, name) / paper.value(few, GPU, name) for name in ("broad", "copy"))
    numbers = f"its Table 1: {ratio(pairs)} the pairs of bodies at {many} as at {few}, {ratio(times)} the time"
    return verdict(times >= pairs / 2, 1, numbers)


@reads(PUBLISHED)
def overall(paper: Study) -> Verdict:
    """Published times alone: whole steps of the simulation on the CPU beside the GPU, from step 100 on."""
    gains = _printed_ratios(paper, (CPU, "simulation"), (GPU, "simulation"))
    numbers = f"its Table 1, simulation time: {ratio(min(gains))} to {ratio(max(gains))}"
    return verdict(sum(gain >= OVERALL for gain in gains), len(gains), numbers)


def kernel_in_the_paper(table: Table) -> str:
    """The published collision time of the CPU by the kernel's of the GPU."""
    gains = _printed_ratios(table.study(PUBLISHED), (CPU, "collision"), (GPU, "kernel"))
    return f"4–5×; its Table 1: {ratio(min(gains))} to {ratio(max(gains))}"


@reads(TRAVERSALS)
def waiting(study: Study) -> Verdict:
    """From the lengths of the walks."""
    parts = {case: study.value(case, "", "idle") for case in study.cases()}
    title = f"turns that would wait, {WARP} walks in step: "
    return over_cases([(idle >= A_LOT, f"{idle:.0%} at {case}") for case, idle in parts.items()], title)


def _fact(study: Study, quantity: str) -> float:
    return study.value(study.cases()[0], "", quantity)


def _steps(study: Study, quantity: str) -> list[float]:
    return study.series(study.cases()[0], SIMULATOR, quantity).tolist()


def _is_whole(fall: Study) -> bool:
    """Whether it was the paper's simulation."""
    return _fact(fall, "bodies") >= BODIES and _fact(fall, "steps") > STEPS


@reads(FALL)
def _seconds(fall: Study) -> Outcome:
    if not _is_whole(fall) or not _fact(fall, "real"):
        return None
    seconds = _steps(fall, "step")
    mean = sum(seconds) / len(seconds)
    return f"{significant(mean)} s, the longest {significant(max(seconds))} s", MOST_SECONDS / mean


@reads(FALL)
def _collision(fall: Study) -> Outcome:
    if not _is_whole(fall):
        return None
    part = share(fall, *COLLISION)
    return f"{part:.0%}", MINOR / part if part < MINOR else min(MINOR / part, 0.999)


@reads(FALL)
def _deepest(fall: Study) -> Outcome:
    depth, length = max(-min(_steps(fall, "lowest")), 0.0), _fact(fall, "length")
    words = f"{significant(1e3 * depth, 2)} mm at most, {depth / length:.2%} of a length"
    return words, IN_THE_PLANE * length / max(depth, 1e-9)


@reads(FALL)
def _fastest(fall: Study) -> Outcome:
    fastest, free_fall = max(_steps(fall, "fastest")), _fact(fall, "free fall")
    words = f"{significant(fastest)} m/s at most, a free fall {significant(free_fall)} m/s"
    return words, PUSHED * free_fall / max(fastest, 1e-9)


@reads(FALL)
def _energy(fall: Study) -> Outcome:
    """What energy a step made: more than the lift of its push would come from nowhere."""
    if not fall.has(fall.cases()[0], SIMULATOR, MADE):
        return None
    lift, start = _steps(fall, "lift"), _fact(fall, "start energy")
    most, allowed = max(_steps(fall, MADE)), ROUNDING * abs(start)
    words = f"{significant(max(most, 0.0) / abs(start), 2)} of the start's energy beyond the lift, at most; "
    return f"{words}the lift is {sum(lift) / abs(start):.2%} of it in all", allowed / max(most, 1e-3 * allowed)


@reads(FALL)
def _between_bodies(fall: Study) -> Outcome:
    """How deep bodies are in each other: on impact, no more than a fall makes in a step; at rest, what piles may."""
    what = fall.cases()[0]
    if not fall.has(what, SIMULATOR, "deepest"):
        return None
    deepest, rest = max(_steps(fall, "deepest")), _fact(fall, "deepest at rest")
    way = _fact(fall, "free fall") * _fact(fall, "time step")
    words = f"{significant(1e3 * deepest, 2)} mm at most, a free fall makes {significant(1e3 * way, 2)} mm in a step; "
    words += f"{significant(1e3 * rest, 3)} mm at rest"
    return words, min(way / max(deepest, 1e-9), DEEP_AT_REST / max(rest, 1e-9))


@reads(FALL)
def _rest(fall: Study) -> Outcome:
    asleep, bodies = _fact(fall, "asleep"), _fact(fall, "bodies")
    words = f"{count(round(asleep))} of {count(round(bodies))} sleep after "
    words += f"{count(round(_fact(fall, 'steps until rest')))} steps, the lowest corner at {lowest_at_rest(fall)}"
    return words, asleep / bodies * (_fact(fall, "lowest at rest") >= -_fact(fall, "slop"))


def lowest_at_rest(fall: Study) -> str:
    """The height of the lowest corner in words."""
    tenths = round(1e4 * _fact(fall, "lowest at rest"))
    return f"{'−' if tenths < 0 else ''}{abs(tenths) / 10} mm"


def _faster_than_coal(query: str, table: Table) -> Outcome:
    study = table.study(OBB_RACE)
    leads = study.ratios(COAL, OBB, [case for case in study.cases() if study.text(case, "", "query") == query])
    return faster_on_average({study.text(case, "", "object"): lead for case, lead in leads.items()})


def _answers(table: Table) -> Outcome:
    ways = _compared(table)
    if not ways:
        return None
    asked, wrong = (
        sum(study.count(case, name, what) for study, case, name in ways) for what in ("body pairs", "wrong answers")
    )
    words = f"{count(asked - wrong)} of {count(asked)} pairs of bodies, "
    words += f"{len({name for *_, name in ways})} ways ({BINARY} among them)"
    return words, (asked - wrong) / asked if asked else 1.0


CLAIMS = read_claims(__package__, {**vars(walk_claims), **vars(device_claims), **globals()})
GOALS = (
    Goal(f"{BODIES} cows, {STEPS} steps", f"at most {MOST_SECONDS:g} s per step on average", _seconds),
    Goal("collision detection", "less than half of a step", _collision),
    Goal("none tunnels", f"no corner deeper than {IN_THE_PLANE:.0%} of a length, at any step", _deepest),
    Goal(
        "none melts",
        f"bodies no deeper in each other than a free fall goes in a step, at rest {1e3 * DEEP_AT_REST:g} mm",
        _between_bodies,
    ),
    Goal("none explodes", f"none faster than {PUSHED:g} × a free fall from the top", _fastest),
    Goal("no energy from nowhere", f"no step makes more than its lift, to {ROUNDING:g} of the start's", _energy),
    Goal("all come to rest", "all sleep, no corner deeper in the plane than the slop", _rest),
    Goal("OBB tree beside Coal's, all pairs", "faster", partial(_faster_than_coal, ALL)),
    Goal("OBB tree beside Coal's, first hit", "faster", partial(_faster_than_coal, FIRST)),
    Goal("answers", "the same from every method and device", _answers),
)
