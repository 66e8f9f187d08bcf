"""What fills the slots of page.md: Table 1 and Figure 10, traversals, memory, Coal's OBB tree."""

from collections.abc import Iterator
from math import isnan, nan

import numpy as np
from numpy.typing import NDArray

from tumble.bench.framework.claims import interval
from tumble.bench.framework.page import Flagged, Page, Rows
from tumble.bench.framework.table import PUBLISHED, Study
from tumble.bench.papers.binary_stack import races
from tumble.bench.papers.binary_stack.claims import lowest_at_rest
from tumble.bench.papers.binary_stack.device_claims import gpus_among
from tumble.bench.papers.binary_stack.device_walks import (
    BY_NUMBERING,
    BY_PARENTS,
    DEVICE_WALKS,
    WALKS,
    WITH_STACK,
    on_device,
)
from tumble.bench.papers.binary_stack.fall import CONTACT, FALL, SIMULATOR
from tumble.bench.papers.binary_stack.measure import DEVICES
from tumble.bench.papers.binary_stack.memory import BOUND, GIVEN, MEMORY, NODE_SIZES
from tumble.bench.papers.binary_stack.obb_race import BINARY_OBB, COAL, OBB, OBB_RACE
from tumble.bench.papers.binary_stack.published import BODIES, COUNTS, CPU, GPU, TIMES
from tumble.bench.papers.binary_stack.slots import DENSE, FILLED, IN_SLOTS, SLOTS_STUDY, by_way
from tumble.bench.papers.binary_stack.stepping import ALL_CORES, CONTACTS, HERE, ONE_CORE, STEP, STEPPING, THERE, points
from tumble.report import Column, Table, count, microseconds, number_columns, ratio, significant
from tumble.traversal.rules import DEFAULT_RULE

# What of ours stands beside the columns of Table 1: it counts and times pairs of leaves.
LIKE = {"leaf narrow": "narrow", "leaf pairs": "faces"}
# The phases of a step that a device may take over, and the one that it does not.
STEP_PHASES = ("narrow phase", "contacts", "solve")
BASE, ORDINARY = races.by_rule(races.BINARY, DEFAULT_RULE), races.by_rule(races.STACK, DEFAULT_RULE)


def mean_step(page: Page) -> str:
    """Milliseconds of a step."""
    return _ms(float(_series(page, "step").mean()))


def _series(page: Page, quantity: str) -> NDArray[np.float64]:
    """A quantity of every step of the simulation."""
    fall = page.study(FALL)
    return fall.series(fall.cases()[0], SIMULATOR, quantity)


def lowest_corner(page: Page) -> str:
    """The height of the lowest corner of all bodies at rest."""
    return lowest_at_rest(page.study(FALL))


def printed_beside(page: Page) -> str:
    """What is dashed in the figure; fewer bodies compare with nothing."""
    paper = " Dashed: the paper's CPU, every 25 steps."
    fall = page.study(FALL)
    return paper if fall.count(fall.cases()[0], "", "bodies") == BODIES else ""


def leaf_words(page: Page) -> str:
    """The paper's faces beside ours, per pair of bodies that has any."""
    paper, study, fall = page.study(PUBLISHED), page.study(races.COLLISIONS), page.study(FALL)
    if fall.count(fall.cases()[0], "", "bodies") != BODIES:
        return ""  # fewer bodies compare with nothing
    common = [case for case in study.cases() if case in paper.cases() and study.value(case, "", "leaf narrow", 0.0)]
    if not common:
        return ""
    last = common[-1]
    theirs = paper.value(last, CPU, "faces") / paper.value(last, CPU, "narrow")
    ours = study.value(last, "", "leaf pairs") / study.value(last, "", "leaf narrow")
    return f" At {last} a pair of bodies has {count(round(ours))} of them here, {count(round(theirs))} in the paper."


def fall_table(page: Page) -> Rows:
    """What touches and what a step takes, the published values beside ours."""
    study, paper = page.study(races.COLLISIONS), page.study(PUBLISHED)
    awake, seconds, contact = (_series(page, name) for name in ("awake", "step", CONTACT))
    rows = []
    for case in study.cases():
        step = study.count(case, "", "step")
        cells = [count(step)]
        for name in ("broad", "leaf narrow", "leaf pairs"):
            theirs = _published(paper, case, CPU, LIKE.get(name, name))
            ours = study.count(case, "", name) if study.has(case, "", name) else None
            cells += [count(ours), count(None if theirs is None else round(theirs))]
        cells += [count(study.count(case, "", name)) for name in ("narrow", "faces")]
        cells += [count(round(awake[step])), _ms(seconds[step]), _ms(_published(paper, case, CPU, "simulation"))]
        rows.append([*cells, _ms(contact[step]), _ms(_published(paper, case, CPU, "contact"))])
    return rows


def _published(paper: Study, case: str, processor: str, quantity: str) -> float | None:
    return paper.value(case, processor, quantity) if paper.has(case, processor, quantity) else None


def times_table(page: Page) -> Table:
    """How long each contestant takes for the pairs of bodies of each recorded moment."""
    study, paper, devices = page.study(races.COLLISIONS), page.study(PUBLISHED), page.study(DEVICES).cases()
    columns = [Column("step", whole=True), *number_columns("all cores", "one core", group="default engine, ms")]
    columns += number_columns("triangles", "leaf pairs", group=f"{races.BINARY}, one core, ms")
    for device in devices:
        columns += number_columns("collision", "copy", "kernel", "pool", group=f"{device}, ms")
    columns += number_columns("CPU", "GPU", "copy", "kernel", group="paper, ms", faint=True)
    wanted = [(name, "time") for name in (races.DEFAULT, races.DEFAULT_ONE, races.BINARY, races.LEAVES)]
    for device in devices:
        wanted += [(races.one_each(device), name) for name in ("time", "copy", "kernel")] + [(device, "time")]
    printed = [(CPU, "collision"), *((GPU, name) for name in ("collision", "copy", "kernel"))]
    rows = [
        [
            count(study.count(case, "", "step")),
            *(_ms(study.value(case, *key) if study.has(case, *key) else None) for key in wanted),
            *(_ms(_published(paper, case, *key)) for key in printed),
        ]
        for case in study.cases()
    ]
    return Table(columns, rows)


def printed_form(page: Page) -> Rows:
    """Table 1 as printed: rows of every step by what computed; the step's other phases are the simulation's."""
    return [row for case in page.study(races.COLLISIONS).cases() for row in _printed_rows(page, case)]


def _printed_rows(page: Page, case: str) -> Iterator[list[str]]:
    study, paper = page.study(races.COLLISIONS), page.study(PUBLISHED)
    step = study.count(case, "", "step")
    seconds, narrow, contact = (_series(page, name)[step] for name in ("step", "narrow phase", CONTACT))
    for name in study.contestants(case):
        columns = ("broad", *LIKE) if name == races.LEAVES else COUNTS
        counts = [count(study.count(case, "", column)) for column in columns]
        collision = study.value(case, name, "time")
        moved = [study.value(case, name, n) if study.has(case, name, n) else None for n in ("copy", "kernel")]
        times = (seconds - narrow + collision, contact, collision, *moved)
        yield [count(step), name, *counts, *map(significant, times)]
    for processor in (CPU, GPU) if case in paper.cases() else ():
        printed = [count(paper.count(case, processor, name)) for name in COUNTS]
        seconds_there = (_published(paper, case, processor, name) for name in TIMES)
        yield [count(step), f"… paper, {processor}", *printed, *map(significant, seconds_there)]


def devices(page: Page) -> str | None:
    """The devices that were measured."""
    study, described = page.study(DEVICES), []
    for name in study.cases():
        device, platform, kind, units = (study.text(name, "", part) for part in ("device", "platform", "kind", "units"))
        described.append(f"`{name}`: {device} by {platform}, a {kind.upper()} of {units} compute units")
    return f"Devices: {'; '.join(described)}." if described else None


def certain_without_gpu(page: Page) -> str | None:
    """The share of candidates that float32 decides by itself; None where a device is a GPU, or where there is none."""
    study, names = page.study(races.COLLISIONS), page.study(DEVICES).cases()
    if not names or gpus_among(page.study(DEVICES)):
        return None
    last = study.cases()[-1], names[0]
    return f"{1 - study.value(*last, 'unsure') / max(study.value(*last, 'candidates'), 1):.1%}"


def _ms(seconds: float | None) -> str:
    if seconds is None:
        return "–"
    return "< 0.01" if 0 < seconds < 1e-5 else significant(1e3 * seconds)


def idle_parts(page: Page) -> str:
    """How much waiting each recorded moment would have."""
    study = page.study(races.TRAVERSALS)
    return ", ".join(
        f"{study.value(case, '', 'idle'):.0%} at {case} (the longest walk takes "
        f"{count(study.count(case, '', 'longest walk'))} turns of "
        f"{count(study.count(case, BASE, 'node pairs'))} in all)"
        for case in study.cases()
    )


def rules_table(page: Page) -> Rows:
    """Both stacks by descent rule; where they did not count alike, the row stands out."""
    study, quantities = page.study(races.TRAVERSALS), ("counted alike", *races.COUNTED)
    rows: list[list[str]] = []
    for case in study.cases():
        for rule in races.rules_of(study):
            name, pairs = races.by_rule(races.BINARY, rule), study.count(case, "", "body pairs")
            counts = [study.count(case, name, quantity) for quantity in quantities]
            times = [significant(1e3 * study.value(case, name, "time")), ratio(study.ratio(case, name, BASE))]
            row = [count(study.count(case, "", "step")), rule, *map(count, (pairs, *counts)), *times]
            rows.append(row if counts[0] == pairs else Flagged(row))
    return rows


def ways_table(page: Page) -> Rows:
    """Both stacks and the default engine."""
    study, names = page.study(races.TRAVERSALS), (BASE, ORDINARY, races.DEFAULT_ONE)
    return [
        [
            count(study.count(case, "", "step")),
            *(significant(1e3 * study.value(case, name, "time")) for name in names),
            *(ratio(study.ratio(case, name, BASE)) for name in names[1:]),
        ]
        for case in study.cases()
    ]


def ascents(page: Page) -> Rows:
    """The two ascents beside each other."""
    study, rows = page.study(races.TRAVERSALS), []
    for case in study.cases(races.PARENTS):
        pairs, alike = study.count(case, "", "body pairs"), study.count(case, races.PARENTS, "counted alike")
        nodes = study.count(case, races.PARENTS, "node pairs")
        read = [study.value(case, name, "read on ways up", nan) for name in (races.PARENTS, races.NUMBERED)]
        times = [significant(1e3 * study.value(case, name, "time")) for name in (BASE, races.PARENTS)]
        row = [count(study.count(case, "", "step")), *map(count, (pairs, alike, nodes)), *map(_known, read), *times]
        row.append(ratio(study.ratio(case, races.PARENTS, BASE)))
        rows.append(row if alike == pairs else Flagged(row))
    return rows


def device_walk_rows(page: Page) -> Rows:
    """Kernel times of walks with a stack, by numbering and by parents, and of the binary stack."""
    study, rows = page.study(DEVICE_WALKS), []
    for case in study.cases():
        for device in page.study(DEVICES).cases():
            names = [on_device(device, method) for method in WALKS]
            if not all(study.has(case, name, "time") for name in names):
                continue
            base = on_device(device, BY_NUMBERING)
            ratios = [interval(study.interval(case, on_device(device, m), base)) for m in (WITH_STACK, BY_PARENTS)]
            turns = [count(study.count(case, name, "turns")) for name in names]
            times = [_ms(study.value(case, name, "time")) for name in names]
            wrong = sum(study.count(case, name, "wrong answers") for name in names)
            row = [count(study.count(case, "", "step")), device, turns[0], turns[-1], *times, *ratios]
            rows.append(Flagged(row) if wrong else row)
    return rows


def stepping_table(page: Page) -> Table:
    """Whole steps and their phases, by what finds triangles and contact points."""
    study, rows = page.study(STEPPING), []
    columns = [Column("step", whole=True), Column("with"), *number_columns("bodies", "awake", "contact points")]
    columns += number_columns("step", *STEP_PHASES, group="ms")
    columns += number_columns("one core", "all cores", group="times as fast as the CPU")
    for case in study.cases():
        facts = [count(study.count(case, "", name)) for name in ("bodies", "awake", "points")]
        for name in study.contestants(case):
            times = [_ms(study.value(case, name, what)) for what in (STEP, *STEP_PHASES)]
            known = [study.has(case, base, f"{STEP} / {name}") for base in (ONE_CORE, ALL_CORES)]
            gains = [interval(study.interval(case, base, name, STEP)) if there else "–"
                     for base, there in zip((ONE_CORE, ALL_CORES), known, strict=True)]  # fmt: skip
            rows.append([count(study.count(case, "", "step")), name, *facts, *times, *gains])
    return Table(columns, rows)


def contact_rows(page: Page) -> Rows:
    """Contacts of what a device found, with points made there or on the host."""
    study, rows = page.study(CONTACTS), []
    for case in study.cases():
        for device in page.study(DEVICES).cases():
            there, here = points(device, THERE), points(device, HERE)
            if study.has(case, there, "time"):
                times = [_ms(study.value(case, name, "time")) for name in (here, there)]
                row = [count(study.count(case, "", "step")), device, count(study.count(case, "", "points")), *times]
                row.append(interval(study.interval(case, here, there)))
                rows.append(Flagged(row) if study.value(case, there, "wrong answers") else row)
    return rows


def _known(value: float) -> str:
    """A count that tables kept from older runs may lack."""
    return "–" if isnan(value) else count(round(value))


def node_rows(page: Page) -> Rows:
    """Bytes of a node, and of all nodes of what falls."""
    study, rows = page.study(NODE_SIZES), []
    (what,) = study.cases()
    nodes = study.count(what, "", "nodes")
    for name in study.contestants(what):
        link, box = (study.count(what, name, part) for part in ("link bytes", "box bytes"))
        rows.append([name, study.text(what, name, "links"), *map(count, (link, box, link + box, nodes * (link + box)))])
    return rows


def slot_rows(page: Page) -> Rows:
    """Copying whole areas of slots beside copying the dense list."""
    study, rows = page.study(SLOTS_STUDY), []
    for case in study.cases():
        for device in page.study(DEVICES).cases():
            areas, dense = by_way(device, IN_SLOTS), by_way(device, DENSE)
            if not study.has(case, areas, "slot bytes"):
                continue
            sizes = [study.count(case, areas, what) for what in ("slot bytes", "dense bytes")]
            times = [_ms(study.value(case, name, "time")) for name in (areas, dense, by_way(device, FILLED))]
            row = [count(study.count(case, "", "step")), device, count(study.count(case, "", "body pairs"))]
            row += [*map(count, sizes), *times, interval(study.interval(case, areas, dense))]
            row.append(count(study.count(case, areas, "lost")))
            rows.append(Flagged(row) if study.value(case, areas, "wrong answers") else row)
    return rows


def rows_over_bound_1(page: Page) -> str:
    """Where an ordinary stack holds more than the paper says."""
    study = page.study(MEMORY)
    over = sum(
        study.value(case, races.STACK, "in use") > study.value(case, races.STACK, BOUND) for case in study.cases()
    )
    return f"{over} of {len(study.cases())}"


def memory_table(page: Page) -> Rows:
    """The paper's bounds and ours."""
    return [_memory_row(page.study(MEMORY), case) for case in page.study(MEMORY).cases()]


def _memory_row(study: Study, case: str) -> list[str]:
    bounds, given = ([study.value(case, name, what) for name in (races.STACK, races.BINARY)] for what in (BOUND, GIVEN))
    return [
        study.text(case, "", "trees"),
        *(count(study.count(case, "", name)) for name in ("triangles", "children", "height")),
        *(count(study.count(case, races.STACK, name)) for name in (BOUND, "in use", GIVEN)),
        f"{bounds[1]:.1f}",
        count(round(given[1])),
        f"{bounds[1] / bounds[0]:.1%}" if bounds[0] else "–",
        f"{given[1] / given[0]:.1%}",
    ]


def coal_table(page: Page) -> Rows:
    """Our OBB tree beside Coal's."""
    study, names = page.study(OBB_RACE), (OBB, BINARY_OBB, COAL)
    return [
        [
            *(study.text(case, "", name) for name in ("object", "query", "answer")),
            *(microseconds(study.value(case, name, "time")) for name in names),
            ratio(study.ratio(case, COAL, OBB)),
        ]
        for case in study.cases()
    ]
