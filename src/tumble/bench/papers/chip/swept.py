"""The sweep over designs in a run: one object on every design, and its points read back from the table."""

from typing import Any

import numpy as np

import tumble
from tumble import chip
from tumble.bench.framework.benchmark import Run, Say
from tumble.bench.framework.table import Study
from tumble.bench.papers.chip import rotation
from tumble.chip.sweep import Point, designs, sweep
from tumble.report import count
from tumble.scenario.paper_chip import close_distance
from tumble.scenario.tumbling import tumbling_poses

SWEEP = "sweep"
# What the study keeps of a run on the cycle model, beside the busy cycles of every unit.
RUN_COUNTS = ("cycles", "bus_bytes", "aligned_nodes", "tumbled_nodes", "lists", "polygon_checks", "unsure")
BUSY = "busy: "


def run_sweep(run: Run[Any], say: Say) -> None:
    """The most expensive pose of a rotation, on every design."""
    sizes, study = run.sizes, run.study(SWEEP)
    one = next(one for one in sizes.stand_ins if one.name == sizes.sweep_of)
    duo = one.duo(sizes.sweep_shrink)
    distance = close_distance(duo, one.touching, sizes.steps)
    step = rotation.chosen_steps(rotation.rotate(duo, one.why, distance, sizes.steps, Study("not kept")), 1)[0]
    what = f"{one.name}, {count(duo.faces)} triangles, step {step + 1} of {sizes.steps} at a distance of {distance:.2f}"
    study.add("query", "", "what", what)
    pose = tumbling_poses(distance, sizes.steps)[step]
    truth = tumble.collide(duo.a, duo.b, None, pose).pairs
    points = sweep(
        duo.a,
        duo.b,
        pose_b=pose,
        image=rotation.image_for,
        progress=lambda done, total, label: say(f"Sweep: {label}", done / total),
    )
    for point in points:
        case = f"{point.knob}: {point.label}"
        for name, one_run in ((rotation.AS_IT_IS, point.run), (rotation.WITHOUT, point.plain)):
            study.add_values(case, name, {what: getattr(one_run, what) for what in RUN_COUNTS})
            study.add(case, name, "same pairs", bool(np.array_equal(one_run.pairs, truth)))
            study.add_values(case, name, {BUSY + unit: cycles for unit, cycles in one_run.busy.items()}, "cycles")


def points_of(study: Study, only: str = "") -> list[Point]:
    """The points of the sweep, or those of one knob; a design follows from its knob and its label."""
    points = []
    for knob, label, design in designs(chip.Design()):
        case = f"{knob.name}: {label}"
        if only in ("", knob.name) and study.has(case, rotation.AS_IT_IS, "cycles"):
            runs = [_run(study, case, contestant, design) for contestant in (rotation.AS_IT_IS, rotation.WITHOUT)]
            points.append(Point(knob.name, label, design == chip.Design(), *runs))
    return points


def _run(study: Study, case: str, contestant: str, design: chip.Design) -> chip.ChipRun:
    counts: dict[str, Any] = {name: study.count(case, contestant, name) for name in RUN_COUNTS}
    units = [name for name in study.quantities(case, contestant) if name.startswith(BUSY)]
    busy = {name.removeprefix(BUSY): study.count(case, contestant, name) for name in units}
    return chip.ChipRun(np.empty((0, 2), np.int64), busy=busy, design=design, **counts)
