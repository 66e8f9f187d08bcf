"""The tests of the paper's claims.

Those about a GPU get a verdict where a device is one; elsewhere the numbers stand without a verdict.
"""

from tumble.bench.framework.claims import FAILS, HOLDS, PARTLY, UNKNOWN, Verdict, over_cases, read_claims, verdict
from tumble.bench.framework.table import PUBLISHED, Study, Table, reads
from tumble.bench.papers.binary_stack.fall import COLLISION, CONTACT, FALL, SIMULATOR
from tumble.bench.papers.binary_stack.measure import DEVICES
from tumble.bench.papers.binary_stack.memory import BOUND, GIVEN, MEMORY
from tumble.bench.papers.binary_stack.published import COUNTS, GPU, SHARE
from tumble.bench.papers.binary_stack.races import BINARY, COLLISIONS, SPEEDUPS, STACK, TRAVERSALS, WARP, heap
from tumble.report import count, ratio

# "Greatly": a quarter at most. "A lot of clock cycles": a third of them and more. Times closer than a twentieth are
# equal: "faster" is a gain of more.
GREATLY, A_LOT = 0.25, 1 / 3
# What the simulation calls the counts of Table 1.
SIMULATED = dict(zip(COUNTS, ("broad pairs", "touching pairs", "triangle pairs"), strict=True))


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
    word = HOLDS if alone >= SHARE[0] else PARTLY if with_contacts >= SHARE[0] else FAILS
    return Verdict(word, f"{alone:.0%} of the simulation, {with_contacts:.0%} with contact points")


@reads(TRAVERSALS)
def same_walk(study: Study) -> Verdict:
    """All counters of every query, by descent rule."""
    ways = [(case, name) for case in study.cases() for name in study.contestants(case)]
    ways = [way for way in ways if study.has(*way, "counted alike")]
    queries = sum(study.count(case, "", "body pairs") for case, _ in ways)
    alike = sum(study.count(*way, "counted alike") for way in ways)
    rules = len({name for _, name in ways})
    return verdict(alike, queries, f"{count(alike)} of {count(queries)} queries: pairs of bodies, {rules} rules")


@reads(MEMORY)
def memory(study: Study) -> Verdict:
    """By the paper's bounds and by what is given here."""
    bounds, given = (
        [study.value(case, BINARY, what) / study.value(case, STACK, what) for case in study.cases()]
        for what in (BOUND, GIVEN)
    )
    kept = sum(bound <= GREATLY and here <= GREATLY for bound, here in zip(bounds, given, strict=True))
    numbers = f"bound (2) is {min(bounds):.1%} to {max(bounds):.1%} of bound (1); "
    return verdict(kept, len(bounds), numbers + f"here {min(given):.1%} to {max(given):.1%}")


@reads(MEMORY)
def bound_1(study: Study) -> Verdict:
    """What a stack held at most, by the bound."""
    used = {case: study.value(case, STACK, "in use") / study.value(case, STACK, BOUND) for case in study.cases()}
    worst = max(used, key=used.__getitem__)
    numbers = f"{study.text(worst, '', 'trees')}: {study.count(worst, STACK, 'in use')} bytes in use, "
    numbers += f"bound (1) says {study.value(worst, STACK, BOUND):g}"
    return verdict(sum(part <= 1 for part in used.values()), len(used), numbers)


def same_answers(table: Table) -> Verdict:
    """Every way beside the default engine, and the counts of the simulation."""
    studies = [table.study(name) for name in (COLLISIONS, TRAVERSALS)]
    ways = [(study, case, name) for study in studies for case in study.cases() for name in study.contestants(case)]
    wrong = [f"{name} at {case}" for study, case, name in ways if study.value(case, name, "wrong answers")]
    wrong += [f"the simulation at {case}" for case in _otherwise_simulated(table)]
    total = len(ways) + len(table.study(COLLISIONS).cases())
    numbers = f"differ: {', '.join(wrong)}" if wrong else f"in all of {count(total)} comparisons"
    return verdict(total - len(wrong), total, numbers)


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


@reads(TRAVERSALS)
def waiting(study: Study) -> Verdict:
    """From the lengths of the walks."""
    parts = {case: study.value(case, "", "idle") for case in study.cases()}
    title = f"turns that would wait, {WARP} walks in step: "
    return over_cases([(idle >= A_LOT, f"{idle:.0%} at {case}") for case, idle in parts.items()], title)


CLAIMS = read_claims(__package__, globals())
