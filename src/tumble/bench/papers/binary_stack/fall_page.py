"""The parts of the page about Table 1 and Figure 10: the fall, collision times, and what a device says about a GPU."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tumble.bench.framework.page import Page
from tumble.bench.framework.table import PUBLISHED, Study, Table
from tumble.bench.papers.binary_stack.claims import gpus
from tumble.bench.papers.binary_stack.contestants import BINARY, DEFAULT, DEFAULT_ONE, EACH, one_each
from tumble.bench.papers.binary_stack.fall import CONTACT, FALL, SIMULATOR
from tumble.bench.papers.binary_stack.figures import draw_accumulated, draw_steps
from tumble.bench.papers.binary_stack.goals import lowest_at_rest
from tumble.bench.papers.binary_stack.measure import DEVICES
from tumble.bench.papers.binary_stack.published import BODIES, COUNTS, CPU, GPU, MACHINE, SLOTS, TIMES
from tumble.bench.papers.binary_stack.races import COLLISIONS
from tumble.report import Column, count, significant
from tumble.report import Table as PageTable


def table_1(page: Page) -> None:
    """What touches and what a step takes, the published values beside ours."""
    fall, document = page.study(FALL), page.document
    if not fall:
        return
    (what,) = fall.cases()
    bodies, steps = (fall.count(what, "", name) for name in ("bodies", "steps"))
    mean = float(fall.series(what, SIMULATOR, "step").mean())
    document.heading("Table 1: the fall")
    document.text(
        f"{count(bodies)} bodies ({what}, {count(fall.count(what, '', 'triangles'))} triangles each) fall on a plane; "
        f"{count(steps)} steps at a mean of {_ms(mean)} ms, the default engine and contact "
        f"points on all cores. The paper's numbers, those of its CPU (512 cows, {MACHINE}), stand beside ours. "
        f"{_depth_words(page.table)}Where bodies sleep, pairs of sleepers are not looked at."
    )
    beside = " Dashed: the paper's CPU, every 25 steps." if bodies == BODIES else ""
    page.figure("steps", draw_steps(page.table), f"Every step.{beside}")
    if page.study(COLLISIONS):
        document.table(_fall_table(page.table))
    document.text(
        f"After {count(fall.count(what, '', 'steps until rest'))} steps, {count(fall.count(what, '', 'asleep'))} of "
        f"{count(bodies)} bodies sleep; the lowest corner of all is at {lowest_at_rest(page.table)}."
    )


def collision_times(page: Page) -> None:
    """How long each contestant takes for the pairs of bodies of each recorded moment."""
    document = page.document
    if not page.study(COLLISIONS) or not page.study(FALL):
        return
    document.heading("Table 1: collision times")
    document.text(
        "The poses before every recorded step were written down, and all ways were asked, in turn, for the touching "
        "triangles of all pairs of bodies that the step looked at. The default engine: packed trees, eight boxes and "
        f"four pairs of triangles at a time. {BINARY.capitalize()}: the paper's traversal over trees of turned boxes "
        "with one triangle per leaf, on one core, queries prepared. "
        f"Devices walk the same trees: with {EACH}, as in the paper, or (last column) drawing from a pool of work. "
        "A device's collision time has everything in it: poses sent, kernel, candidates copied back, exact tests of "
        "what float32 could not decide."
    )
    document.table(_times_table(page.table))
    document.folded("In the form of the paper, times in seconds", _printed_form(page.table))
    _device_words(page)
    document.heading("Figure 10: accumulated time")
    page.figure(
        "figure10",
        draw_accumulated(page.table),
        "Collision times added up, between recorded steps taken to change evenly. Published: from Table 1, as the "
        "figure itself prints no numbers.",
    )


def _published(paper: Study, case: str, processor: str, quantity: str) -> float | None:
    return paper.value(case, processor, quantity) if paper.has(case, processor, quantity) else None


def _depth_words(table: Table) -> str:
    """Why so many more triangles touch in the paper."""
    paper, study = table.study(PUBLISHED), table.study(COLLISIONS)
    common = [case for case in study.cases() if case in paper.cases() and study.value(case, "", "narrow")]
    if not common:
        return ""
    last = common[-1]
    theirs = paper.value(last, CPU, "faces") / paper.value(last, CPU, "narrow")
    ours = study.value(last, "", "faces") / study.value(last, "", "narrow")
    return (
        f"Some of its cows touch at the start, and at {last} two that touch do so with {count(round(theirs))} pairs of "
        f"triangles, ours with {count(round(ours))}: its bodies are far deeper in each other. "
    )


def _fall_table(table: Table) -> PageTable:
    fall, study, paper = table.study(FALL), table.study(COLLISIONS), table.study(PUBLISHED)
    (what,) = fall.cases()
    awake, seconds, contact = (fall.series(what, SIMULATOR, name) for name in ("awake", "step", CONTACT))
    columns = [Column("step", whole=True)]
    for group in ("boxes meet", "meshes touch", "faces"):
        columns += [Column("ours", True, group), Column("paper", True, group, faint=True)]
    columns.append(Column("awake", True))
    for group in ("simulation, ms", "contact, ms"):
        columns += [Column("ours", True, group), Column("paper", True, group, faint=True)]
    rows = []
    for case in study.cases():
        step = study.count(case, "", "step")
        cells = [count(step)]
        for name in COUNTS:
            theirs = _published(paper, case, CPU, name)
            cells += [count(study.count(case, "", name)), count(None if theirs is None else round(theirs))]
        cells += [count(round(awake[step])), _ms(seconds[step]), _ms(_published(paper, case, CPU, "simulation"))]
        rows.append([*cells, _ms(contact[step]), _ms(_published(paper, case, CPU, "contact"))])
    return PageTable(columns, rows)


def _times_table(table: Table) -> PageTable:
    study, paper, devices = table.study(COLLISIONS), table.study(PUBLISHED), table.study(DEVICES).cases()
    columns = [Column("step", whole=True)]
    columns += [Column(name, True, "default engine, ms") for name in ("all cores", "one core")]
    columns.append(Column("one core", True, f"{BINARY}, ms"))
    for device in devices:
        columns += [Column(name, True, f"{device}, ms") for name in ("collision", "copy", "kernel", "pool")]
    columns += [Column(name, True, "paper, ms", faint=True) for name in ("CPU", "GPU", "copy", "kernel")]
    rows = []
    for case in study.cases():
        wanted = [(name, "time") for name in (DEFAULT, DEFAULT_ONE, BINARY)]
        for device in devices:
            wanted += [(one_each(device), name) for name in ("time", "copy", "kernel")] + [(device, "time")]
        cells = [_ms(study.value(case, *key)) for key in wanted]
        printed = [(CPU, "collision"), *((GPU, name) for name in ("collision", "copy", "kernel"))]
        cells += [_ms(_published(paper, case, *key)) for key in printed]
        rows.append([count(study.count(case, "", "step")), *cells])
    return PageTable(columns, rows)


def _printed_form(table: Table) -> PageTable:
    """Table 1 as printed: rows of every step by what computed; the step's other phases are the simulation's."""
    columns = [
        Column("step", whole=True),
        Column("", whole=True),
        *(Column(title, True) for title in (*COUNTS, *TIMES)),
    ]
    return PageTable(columns, [row for case in table.study(COLLISIONS).cases() for row in _printed_rows(table, case)])


def _printed_rows(table: Table, case: str) -> Iterator[list[str]]:
    fall, study, paper = table.study(FALL), table.study(COLLISIONS), table.study(PUBLISHED)
    (what,), step = fall.cases(), study.count(case, "", "step")
    seconds, narrow, contact = (fall.series(what, SIMULATOR, n)[step] for n in ("step", "narrow phase", CONTACT))
    counts = [count(study.count(case, "", name)) for name in COUNTS]
    for name in study.contestants(case):
        collision = study.value(case, name, "time")
        moved = [study.value(case, name, n) if study.has(case, name, n) else None for n in ("copy", "kernel")]
        times = (seconds - narrow + collision, contact, collision, *moved)
        yield [count(step), name, *counts, *map(significant, times)]
    for processor in (CPU, GPU) if case in paper.cases() else ():
        printed = [count(paper.count(case, processor, name)) for name in COUNTS]
        seconds_there = (_published(paper, case, processor, name) for name in TIMES)
        yield [count(step), f"… paper, {processor}", *printed, *map(significant, seconds_there)]


def _device_words(page: Page) -> None:
    """What the devices that were measured say about a GPU, and what not."""
    devices, study = page.study(DEVICES), page.study(COLLISIONS)
    if not devices:
        return
    page.document.text(f"Devices: {'; '.join(_described(devices, devices.cases()))}.")
    if gpus(page.table):
        return
    last = study.cases()[-1], devices.cases()[0]
    certain = 1 - study.value(*last, "unsure") / max(study.value(*last, "candidates"), 1)
    page.document.text(
        "**None of them is a GPU.** PoCL compiles the kernels for the processor and runs the work-items of a group one "
        "after the other on a core. So this run says that the kernels are right, for every answer is the CPU's; what "
        "is moved, which is the same on any device: 64 bytes per pair of bodies go there, 12 bytes per candidate come "
        f"back, where the paper copied {count(SLOTS)} slots per pair of bodies; that float32 decides {certain:.1%} of "
        "the candidates by itself; and how many turns the walks take. It does not say how fast a GPU is: nothing here "
        "shows what its thousands of lanes gain, nor what walks of unequal length, scattered reads and private memory "
        "cost there. How much a GPU of the paper's kind would wait follows from the lengths of the walks, and is given "
        "below; on PoCL no work-item waits, and a pool can only balance the cores."
    )


def _described(devices: Study, names: Sequence[str]) -> Iterator[str]:
    for name in names:
        device, platform, kind = (devices.text(name, "", part) for part in ("device", "platform", "kind"))
        units = count(devices.count(name, "", "units"))
        yield f"`{name}`: {device} by {platform}, a {kind.upper()} of {units} compute units"


def _ms(seconds: float | None) -> str:
    if seconds is None:
        return "–"
    return "< 0.01" if 0 < seconds < 1e-5 else significant(1e3 * seconds)
