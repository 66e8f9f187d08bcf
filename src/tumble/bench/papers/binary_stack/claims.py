"""The tests of the paper's claims, and what the simulation and its parts must reach here.

Claims about a GPU get a verdict where a device is one; elsewhere the numbers stand without a verdict.
"""

from functools import partial

from tumble.bench.framework.claims import UNKNOWN, Verdict, all_alike, graded, over_cases, read_claims, verdict
from tumble.bench.framework.goals import Goal, Outcome, faster_on_average
from tumble.bench.framework.table import PUBLISHED, Study, Table, reads
from tumble.bench.papers.binary_stack import walk_claims
from tumble.bench.papers.binary_stack.fall import COLLISION, CONTACT, FALL, SIMULATOR
from tumble.bench.papers.binary_stack.measure import DEVICES
from tumble.bench.papers.binary_stack.obb_race import ALL, COAL, FIRST, OBB, OBB_RACE
from tumble.bench.papers.binary_stack.published import BODIES, COUNTS, CPU, GPU, OVERALL, SHARE, STEPS
from tumble.bench.papers.binary_stack.races import BINARY, COLLISIONS, SLOTS_STUDY, SPEEDUPS, TRAVERSALS, WARP, heap
from tumble.report import count, ratio, significant

# "A lot of clock cycles": a third and more. Times closer than a twentieth are equal: "faster" is a gain of more.
A_LOT = 1 / 3
# "Very inefficient": ten times as many bytes and more.
VERY = 10.0
# What the simulation calls the counts of Table 1.
SIMULATED = dict(zip(COUNTS, ("broad pairs", "touching pairs", "triangle pairs"), strict=True))

MOST_SECONDS, MINOR = 1.0, 0.5
# What falls fast is a little in the plane when it hits it; deeper than this part of its length it is going through.
IN_THE_PLANE = 0.05
# A body may be faster than the highest one would be after a free fall by so much: others push it.
PUSHED = 1.25
# Bodies that are lifted out of each other gain height: that much of the energy of the start, at most.
GAINED = 0.01


def share(fall: Study, *phases: str) -> float:
    """What part of the simulation's time some phases took."""
    (what,) = fall.cases()
    total = fall.series(what, SIMULATOR, "step").sum()
    return float(sum(fall.series(what, SIMULATOR, phase).sum() for phase in phases) / total)


def gpus_among(devices: Study) -> list[str]:
    """The devices that are graphics processors."""
    return [name for name in devices.cases() if devices.text(name, "", "kind") == "gpu"]


@reads(FALL)
def bottleneck(fall: Study) -> Verdict:
    """Alone, or with contact points."""
    alone, with_contacts = share(fall, *COLLISION), share(fall, *COLLISION, CONTACT)
    numbers = f"{alone:.0%} of the simulation, {with_contacts:.0%} with contact points"
    return graded(alone >= SHARE[0], with_contacts >= SHARE[0], numbers)


def _compared(table: Table) -> list[tuple[Study, str, str]]:
    """Study, case and contestant of all whose answers were compared."""
    studies = [table.study(name) for name in (COLLISIONS, TRAVERSALS)]
    return [(study, case, name) for study in studies for case in study.cases() for name in study.contestants(case)]


def same_answers(table: Table) -> Verdict:
    """Every way beside the default engine, and the counts of the simulation."""
    ways = _compared(table)
    wrong = [f"{name} at {case}" for study, case, name in ways if study.value(case, name, "wrong answers")]
    wrong += [f"the simulation at {case}" for case in _otherwise_simulated(table)]
    total = len(ways) + len(table.study(COLLISIONS).cases())
    return all_alike(wrong, total, f"in all of {count(total)} comparisons")


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


@reads(SPEEDUPS, DEVICES)
def on_gpus(study: Study, devices: Study, quantity: str, least: str) -> Verdict | None:
    """Whether a GPU gains enough; without one, only what was measured."""
    gpus = gpus_among(devices)
    leads = {name: study.value(name, quantity, "speed-up") for name in gpus or study.cases()}
    numbers = ", ".join(
        f"{name} ({devices.text(name, '', 'kind').upper()}, {devices.count(name, '', 'units')} units) {ratio(lead)}"
        for name, lead in leads.items()
    )
    if not gpus:
        return Verdict(UNKNOWN, f"no GPU here; {numbers}")
    return verdict(max(leads.values()) >= float(least), 1, numbers)


@reads(COLLISIONS, PUBLISHED, DEVICES)
def compact(study: Study, paper: Study, devices: Study) -> Verdict | None:
    """What came back in the paper, and here: candidates, and only those."""
    if not devices:
        return None
    device = devices.cases()[0]
    ours = [study.value(case, device, "copy") / study.value(case, device, "time") for case in heap(study)]
    theirs = [paper.value(case, GPU, "copy") / paper.value(case, GPU, "collision") for case in heap(paper)]
    numbers = f"copying takes {max(ours):.1%} of {device}'s collision time at most; "
    return verdict(max(ours) < min(theirs), 1, f"{numbers}in the paper {min(theirs):.0%} at least")


@reads(SLOTS_STUDY)
def slots(study: Study) -> Verdict:
    """Bytes of the areas beside those of the candidates, which are the same on every device; times are shown."""
    found = [(case, name) for case in study.cases() for name in study.contestants(case)]
    outcomes = []
    for case, name in found:
        size, time = (study.value(case, name, a) / max(study.value(case, name, b), 1e-9)
                      for a, b in (("slot bytes", "dense bytes"), ("slots", "dense")))  # fmt: skip
        right = not study.value(case, name, "wrong answers")
        outcomes.append(
            (size >= VERY and right, f"{case}, {name}: {count(round(size))}× the bytes, {ratio(time)} the time")
        )
    return over_cases(outcomes)


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
    fastest, energy = (max(_steps(fall, name)) for name in ("fastest", "energy"))
    free_fall, start = _fact(fall, "free fall"), _fact(fall, "start energy")
    words = f"{significant(fastest)} m/s at most, a free fall {significant(free_fall)} m/s; "
    words += f"energy at most {energy / start:.1%} of the start's"
    return words, min(PUSHED * free_fall / max(fastest, 1e-9), (1 + GAINED) * start / energy)


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


CLAIMS = read_claims(__package__, {**vars(walk_claims), **globals()})
GOALS = (
    Goal(f"{BODIES} cows, {STEPS} steps", f"at most {MOST_SECONDS:g} s per step on average", _seconds),
    Goal("collision detection", "less than half of a step", _collision),
    Goal("none tunnels", f"no corner deeper than {IN_THE_PLANE:.0%} of a length, at any step", _deepest),
    Goal(
        "none explodes", f"none faster than {PUSHED:g} × a free fall from the top, energy within {GAINED:.0%}", _fastest
    ),
    Goal("all come to rest", "all sleep, no corner deeper in the plane than the slop", _rest),
    Goal("OBB tree beside Coal's, all pairs", "faster", partial(_faster_than_coal, ALL)),
    Goal("OBB tree beside Coal's, first hit", "faster", partial(_faster_than_coal, FIRST)),
    Goal("answers", "the same from every method and device", _answers),
)
