"""The paper's claims.

Those about a GPU get a verdict where a device is one; elsewhere the numbers stand without a verdict.
"""

from __future__ import annotations

from functools import partial

from tumble.bench.framework.claims import (
    FAILS,
    HOLDS,
    NOT_MEASURED,
    PARTLY,
    UNKNOWN,
    Claim,
    Verdict,
    claim,
    over_cases,
    word_for,
)
from tumble.bench.framework.table import PUBLISHED, Table
from tumble.bench.papers.binary_stack.contestants import BINARY, STACK
from tumble.bench.papers.binary_stack.fall import COLLISION, CONTACT, FALL, SIMULATOR
from tumble.bench.papers.binary_stack.measure import DEVICES
from tumble.bench.papers.binary_stack.memory import BOUND, GIVEN, MEMORY
from tumble.bench.papers.binary_stack.published import COUNTS, GPU, SHARE, SPEEDUP, SPEEDUP_WITH_COPIES
from tumble.bench.papers.binary_stack.races import (
    COLLISIONS,
    FROM_STEP,
    KERNEL,
    POOL,
    SPEEDUPS,
    TRAVERSALS,
    WARP,
    WITH_COPIES,
    heap,
)
from tumble.report import count, ratio

# "Greatly": a quarter at most. "A lot of clock cycles": a third of them and more. Times closer than a twentieth are
# equal.
GREATLY, A_LOT, EQUAL = 0.25, 1 / 3, 0.05
# What the simulation calls the counts of Table 1.
SIMULATED = dict(zip(COUNTS, ("broad pairs", "touching pairs", "triangle pairs"), strict=True))


def share(table: Table, *phases: str) -> float:
    """What part of the simulation's time some phases took."""
    study = table.study(FALL)
    (what,) = study.cases()
    total = study.series(what, SIMULATOR, "step").sum()
    return float(sum(study.series(what, SIMULATOR, phase).sum() for phase in phases) / total)


def gpus(table: Table) -> list[str]:
    """The devices that are graphics processors."""
    study = table.study(DEVICES)
    return [name for name in study.cases() if study.text(name, "", "kind") == "gpu"]


@claim("Abstract", "its Table 1: 5 % at step 400, 42 % with contact points")
def bottleneck(table: Table) -> Verdict:
    """Collision detection may consume 80–90 % of the simulation time."""
    if not table.study(FALL):
        return NOT_MEASURED
    alone, with_contacts = share(table, *COLLISION), share(table, *COLLISION, CONTACT)
    word = HOLDS if alone >= SHARE[0] else PARTLY if with_contacts >= SHARE[0] else FAILS
    return Verdict(word, f"{alone:.0%} of the simulation, {with_contacts:.0%} with contact points")


@claim("Sections 2, 6", "by construction", certain=True)
def same_walk(table: Table) -> Verdict:
    """The binary stack works in the same way as the ordinary one: the same node pairs."""
    study = table.study(TRAVERSALS)
    ways = [(case, name) for case in study.cases() for name in study.contestants(case)]
    ways = [way for way in ways if study.has(*way, "counted alike")]
    if not ways:
        return NOT_MEASURED
    queries = sum(study.count(case, "", "body pairs") for case, _ in ways)
    alike = sum(study.count(*way, "counted alike") for way in ways)
    rules = len({name for _, name in ways})
    words = f"{count(alike)} of {count(queries)} queries: pairs of bodies, {rules} rules"
    return Verdict(word_for(alike, queries), words)


@claim("Section 2", "bounds (1) and (2)")
def memory(table: Table) -> Verdict:
    """A binary stack needs far less memory than an ordinary one."""
    study = table.study(MEMORY)
    if not study:
        return NOT_MEASURED
    bounds, given = (
        [study.value(case, BINARY, what) / study.value(case, STACK, what) for case in study.cases()]
        for what in (BOUND, GIVEN)
    )
    kept = sum(bound <= GREATLY and here <= GREATLY for bound, here in zip(bounds, given, strict=True))
    numbers = f"bound (2) is {min(bounds):.1%} to {max(bounds):.1%} of bound (1); "
    return Verdict(word_for(kept, len(bounds)), numbers + f"here {min(given):.1%} to {max(given):.1%}")


@claim("Section 2, bound (1)", "upper bound")
def bound_1(table: Table) -> Verdict:
    """An ordinary stack never holds more than k (c − 1) max(h) bytes."""
    study = table.study(MEMORY)
    if not study:
        return NOT_MEASURED
    used = {case: study.value(case, STACK, "in use") / study.value(case, STACK, BOUND) for case in study.cases()}
    worst = max(used, key=used.__getitem__)
    numbers = f"{study.text(worst, '', 'trees')}: {study.count(worst, STACK, 'in use')} bytes in use, "
    numbers += f"bound (1) says {study.value(worst, STACK, BOUND):g}"
    return Verdict(word_for(sum(part <= 1 for part in used.values()), len(used)), numbers)


@claim("Section 5", "1 face at step 100, 4 485 at step 250", certain=True)
def same_answers(table: Table) -> Verdict:
    """CPU and GPU find the same triangles (in the paper they drift apart from step 100 on, by rounding)."""
    studies = [table.study(name) for name in (COLLISIONS, TRAVERSALS)]
    ways = [(study, case, name) for study in studies for case in study.cases() for name in study.contestants(case)]
    wrong = [f"{name} at {case}" for study, case, name in ways if study.value(case, name, "wrong answers")]
    wrong += [f"the simulation at {case}" for case in _otherwise_simulated(table)]
    total = len(ways) + len(table.study(COLLISIONS).cases())
    numbers = f"differ: {', '.join(wrong)}" if wrong else f"in all of {count(total)} comparisons"
    return Verdict(word_for(total - len(wrong), total), numbers) if total else NOT_MEASURED


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


def _on_gpus(table: Table, quantity: str, least: float) -> Verdict:
    """A verdict where there is a GPU; without one, only what was measured."""
    study, devices = table.study(SPEEDUPS), table.study(DEVICES)
    leads = {name: study.value(name, quantity, "speed-up") for name in gpus(table) or study.cases()}
    if not leads:
        return NOT_MEASURED
    numbers = ", ".join(
        f"{name} ({devices.text(name, '', 'kind').upper()}, {devices.count(name, '', 'units')} units) {ratio(lead)}"
        for name, lead in leads.items()
    )
    if not gpus(table):
        return Verdict(UNKNOWN, f"no GPU here; {numbers}")
    return Verdict(HOLDS if max(leads.values()) >= least else FAILS, numbers)


@claim("Section 5", "0.125 s per step, 4 096 slots per pair of bodies")
def compact(table: Table) -> Verdict:
    """Copying whole slots back is inefficient; bringing back less would be better.

    What came back in the paper, and here: candidates, and only those.
    """
    study, paper, devices = table.study(COLLISIONS), table.study(PUBLISHED), table.study(DEVICES).cases()
    if not devices or not study:
        return NOT_MEASURED
    ours = [study.value(case, devices[0], "copy") / study.value(case, devices[0], "time") for case in heap(study)]
    theirs = [
        paper.value(case, GPU, "copy") / paper.value(case, GPU, "collision")
        for case in paper.cases()
        if paper.value(case, "", "step") >= FROM_STEP
    ]
    numbers = f"copying takes {max(ours):.1%} of {devices[0]}'s collision time at most; "
    numbers += f"in the paper {min(theirs):.0%} at least"
    return Verdict(HOLDS if max(ours) < min(theirs) else FAILS, numbers)


@claim("Sections 4, 5", "a lot")
def waiting(table: Table) -> Verdict:
    """With one work-item per pair of bodies, a lot of cycles are spent waiting for the longest walk."""
    study = table.study(TRAVERSALS)
    parts = {case: study.value(case, "", "idle") for case in study.cases()}
    title = f"turns that would wait, {WARP} walks in step: "
    return over_cases([(idle >= A_LOT, f"{idle:.0%} at {case}") for case, idle in parts.items()], title)


CLAIMS = (
    bottleneck,
    same_walk,
    memory,
    bound_1,
    same_answers,
    Claim(
        "kernel",
        "On a GPU the traversal is 4 to 5 times as fast as on one core of the CPU.",
        "Abstract, Table 1",
        "4–5×",
        partial(_on_gpus, quantity=KERNEL, least=SPEEDUP[0]),
    ),
    Claim(
        "with-copies",
        "With all copying, a GPU is more than twice as fast from step 100 on.",
        "Section 5, Figure 10",
        "> 2×",
        partial(_on_gpus, quantity=WITH_COPIES, least=SPEEDUP_WITH_COPIES),
    ),
    compact,
    waiting,
    Claim(
        "pool",
        "A pool of work that idle work-items draw from would be faster.",
        "Section 6",
        "future work",
        partial(_on_gpus, quantity=POOL, least=1 + EQUAL),
    ),
)
