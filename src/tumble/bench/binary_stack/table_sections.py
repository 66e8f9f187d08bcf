"""The parts of the page about Table 1 and Figure 10: the fall, collision times, and what a device says about a GPU."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from tumble.bench.binary_stack.contestants import BINARY, DEFAULT, DEFAULT_ONE, EACH, called
from tumble.bench.binary_stack.published import BODIES, CPU, GPU, MACHINE, SLOTS, published
from tumble.bench.binary_stack.published import Row as Printed
from tumble.bench.binary_stack.records import Findings, Row, Simulation
from tumble.report import Column, Document, Table, count, significant


def table_1(document: Document, findings: Findings, figures: Mapping[str, str]) -> None:
    """What touches and what a step takes, then collision times; the published ones beside ours."""
    fall = findings.simulation
    if fall is None:
        return
    document.heading("Table 1: the fall")
    document.text(
        f"{count(fall.bodies)} bodies ({fall.what}, {count(fall.triangles)} triangles each) fall on a plane; "
        f"{count(len(fall.steps))} steps at a mean of {_ms(fall.mean_seconds)} ms, the default engine and contact "
        f"points on all cores. The paper's numbers, those of its CPU (512 cows, {MACHINE}), stand beside ours. "
        f"{_depth_words(findings)}Where bodies sleep, pairs of sleepers are not looked at."
    )
    if "steps" in figures:
        beside = " Dashed: the paper's CPU, every 25 steps." if fall.bodies == BODIES else ""
        document.figure(figures["steps"], "steps.svg", f"Every step.{beside}")
    if findings.rows:
        document.table(_fall_table(findings.rows, fall))
    rest = fall.rest
    document.text(
        f"After {count(rest.steps)} steps, {count(rest.asleep)} of {count(fall.bodies)} bodies sleep; the lowest "
        f"corner of all is at {rest.lowest_text}."
    )


def collision_times(document: Document, findings: Findings, figures: Mapping[str, str]) -> None:
    """Who takes how long for the pairs of bodies of each recorded moment."""
    if not findings.rows or findings.simulation is None:
        return
    document.heading("Table 1: collision times")
    document.text(
        "The poses before every recorded step were written down, and all ways were asked, in turn, for the touching "
        "triangles of all pairs of bodies that the step looked at. The default engine: packed trees, eight boxes and "
        f"four pairs of triangles at a time. {BINARY.capitalize()}: the paper's traversal over trees of turned boxes "
        "with one triangle a leaf, on one core, queries prepared. "
        f"Devices walk the same trees: with {EACH}, as in the paper, or (last column) drawing from a pool of work. "
        "A device's collision time has everything in it: poses sent, kernel, candidates copied back, exact tests of "
        "what float32 could not decide."
    )
    document.table(_times_table(findings))
    document.folded("In the form of the paper, times in seconds", _printed_form(findings, findings.simulation))
    _device_words(document, findings)
    if "figure10" in figures:
        document.heading("Figure 10: accumulated time")
        document.figure(
            figures["figure10"],
            "figure10.svg",
            "Collision times added up, between recorded steps taken to change evenly. Published: from Table 1, as the "
            "figure itself prints no numbers.",
        )


def _depth_words(findings: Findings) -> str:
    """Why so many more triangles touch in the paper."""
    printed = published(CPU)
    last = next((row for row in reversed(findings.rows) if row.step in printed and row.colliding), None)
    if last is None:
        return ""
    theirs = printed[last.step]
    return (
        f"Some of its cows touch at the start, and at step {count(last.step)} two that touch do so with "
        f"{count(round(theirs.faces / theirs.narrow))} pairs of triangles, ours with "
        f"{count(round(last.faces / last.colliding))}: its bodies are far deeper in each other. "
    )


def _fall_table(rows: list[Row], fall: Simulation) -> Table:
    columns = [Column("step", whole=True)]
    for group in ("boxes meet", "meshes touch", "faces"):
        columns += [Column("ours", True, group), Column("paper", True, group, faint=True)]
    columns.append(Column("awake", True))
    columns += [Column("ours", True, "simulation, ms")]
    columns.append(Column("paper", True, "simulation, ms", faint=True))
    columns += [Column("ours", True, "contact, ms"), Column("paper", True, "contact, ms", faint=True)]
    told = []
    for row in rows:
        step, theirs = fall.at(row.step), published(CPU).get(row.step)
        cells = [count(row.step)]
        for ours, name in ((row.broad, "broad"), (row.colliding, "narrow"), (row.faces, "faces")):
            cells += [count(ours), count(getattr(theirs, name, None))]
        cells += [count(step.counts["awake"]), _ms(step.seconds)]
        cells.append(_ms(getattr(theirs, "simulation", None)))
        cells += [_ms(step.contact), _ms(getattr(theirs, "contact", None))]
        told.append(cells)
    return Table(columns, told)


def _times_table(findings: Findings) -> Table:
    columns = [Column("step", whole=True)]
    columns += [Column(name, True, "default engine, ms") for name in ("all cores", "one core")]
    columns.append(Column("one core", True, f"{BINARY}, ms"))
    for device in findings.devices:
        columns += [Column(name, True, f"{device.name}, ms") for name in ("collision", "copy", "kernel")]
        columns.append(Column("pool", True, f"{device.name}, ms"))
    columns += [Column("CPU", True, "paper, ms", faint=True)]
    columns += [Column(name, True, "paper, ms", faint=True) for name in ("GPU", "copy", "kernel")]
    told = []
    for row in findings.rows:
        cells = [count(row.step), *(_ms(row.seconds(name)) for name in (DEFAULT, DEFAULT_ONE, BINARY))]
        for device in findings.devices:
            name, pool = called(device, EACH), called(device)
            times = row.devices[name]
            cells += [_ms(row.seconds(name)), _ms(times.copy), _ms(times.kernel)]
            cells.append(_ms(row.seconds(pool)))
        cpu, gpu = published(CPU).get(row.step), published(GPU).get(row.step)
        cells.append(_ms(getattr(cpu, "collision", None)))
        cells += [_ms(getattr(gpu, name, None)) for name in ("collision", "copy", "kernel")]
        told.append(cells)
    return Table(columns, told)


def _printed_form(findings: Findings, fall: Simulation) -> Table:
    """Table 1 as printed: rows of every step by who computed; the step's other phases are the simulation's."""
    titles = ("broad", "narrow", "faces", "simulation", "contact", "collision", "copy", "kernel")
    columns = [Column("step", whole=True), Column("", whole=True), *(Column(title, True) for title in titles)]
    return Table(columns, [cells for row in findings.rows for cells in _printed_rows(row, fall)])


def _printed_rows(row: Row, fall: Simulation) -> Iterator[list[str]]:
    step = fall.at(row.step)
    others = step.seconds - step.collision
    for name in row.rounds:
        times = row.devices.get(name)
        moved = ("–", "–") if times is None else (_s(times.copy), _s(times.kernel))
        collision = row.seconds(name)
        counts = map(count, (row.broad, row.colliding, row.faces))
        yield [count(row.step), name, *counts, _s(others + collision), _s(step.contact), _s(collision), *moved]
    for processor in (CPU, GPU):
        if row.step in published(processor):
            yield _published_cells(published(processor)[row.step])


def _published_cells(row: Printed) -> list[str]:
    times = (_s(value) for value in (row.simulation, row.contact, row.collision, row.copy, row.kernel))
    return [count(row.step), f"… paper, {row.processor}", *map(count, (row.broad, row.narrow, row.faces)), *times]


def _device_words(document: Document, findings: Findings) -> None:
    """What the devices that were measured say about a GPU, and what not."""
    if not findings.devices:
        return
    listed = "; ".join(
        f"`{device.name}`: {device.device} by {device.platform}, a {device.kind.upper()} of {count(device.units)} "
        "compute units"
        for device in findings.devices
    )
    document.text(f"Devices: {listed}.")
    if findings.gpus:
        return
    last = findings.rows[-1].devices[called(findings.devices[0])]
    certain = 1 - last.unsure / max(last.candidates, 1)
    document.text(
        "**None of them is a GPU.** PoCL compiles the kernels for the processor and runs the work-items of a group one "
        "after the other on a core. So this run says that the kernels are right, for every answer is the CPU's; what "
        "is moved, which is the same on any device: 64 bytes a pair of bodies go there, 12 bytes a candidate come "
        f"back, where the paper copied {count(SLOTS)} slots a pair of bodies; that float32 decides {certain:.1%} of "
        "the candidates by itself; and how many turns the walks take. It does not say how fast a GPU is: nothing here "
        "shows what its thousands of lanes gain, nor what walks of unequal length, scattered reads and private memory "
        "cost there. How much a GPU of the paper's kind would wait follows from the lengths of the walks, and is "
        "told below; on PoCL nobody waits, and a pool can only balance the cores."
    )


def _ms(seconds: float | None) -> str:
    if seconds is None:
        return "–"
    return "< 0.01" if 0 < seconds < 1e-5 else significant(1e3 * seconds)


def _s(seconds: float | None) -> str:
    return significant(seconds)
