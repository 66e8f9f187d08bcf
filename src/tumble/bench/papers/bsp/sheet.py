"""A sheet that falls over a ball in 300 frames: what a frame costs by the rule for its tree.

All rules take turns in every frame, so that what slows the machine for a while slows all.
"""

import gc
from collections.abc import Callable
from time import perf_counter

import numpy as np
from numpy.typing import NDArray

import tumble
from tumble.bench.framework.benchmark import Say
from tumble.bench.framework.machine import resident_bytes
from tumble.bench.framework.table import Study
from tumble.hierarchy.implicit import implicit_trees
from tumble.mesh import Mesh
from tumble.scenario import SheetOverBall
from tumble.scenario.sheet import FRAMES

SHEET, CASE = "sheet", "sheet over ball"
MEASURED, REFIT, REBUILD = "as measured times say", "always refitted", "always rebuilt"
RULES = {MEASURED: None, REFIT: False, REBUILD: True}
IMPLICIT_REFIT, IMPLICIT_REBUILD = "implicit trees, always refitted", "implicit trees, always rebuilt"
UPDATE, QUERIES = "update", "queries"
EARLY = 1 / 3
"""of the frames: until then, memory that is kept for the next frame may still grow"""

# What a frame took, whether the tree was built anew, and how many pairs there were.
Step = tuple[float, float, bool, int]


def follow_sheet(cells: int, every: int, study: Study, say: Say) -> None:
    """Go through the frames."""
    sheet = SheetOverBall(cells)
    steps = {rule: _deformable(sheet, rebuild) for rule, rebuild in RULES.items()}
    steps |= {rule: _implicit(sheet, rule == IMPLICIT_REBUILD) for rule in (IMPLICIT_REFIT, IMPLICIT_REBUILD)}
    taken: dict[str, list[Step]] = {rule: [] for rule in steps}
    frames = range(0, FRAMES, every)
    early = frames[int(EARLY * (len(frames) - 1))]
    study.add_values(CASE, "", {"triangles": len(sheet.faces), "frames": len(frames)})
    for frame in frames:
        say(f"Sheet: frame {frame}")
        for rule, step in steps.items():
            taken[rule].append(step(frame))
        if frame == early:
            _add_megabytes(study, "early")
    _add_megabytes(study, "late")
    for rule, series in taken.items():
        updates, queries, rebuilt, pairs = zip(*series, strict=True)
        study.add_values(CASE, rule, {"rebuilt": sum(rebuilt), "pairs": sum(pairs)})
        for what, seconds in ((UPDATE, updates), (QUERIES, queries)):
            milliseconds = 1e3 * np.array(seconds)
            study.add(CASE, rule, what, float(milliseconds.mean()), "ms per frame")
            study.add_series(CASE, rule, f"{what}, frame by frame", milliseconds.tolist(), "ms")


def smoothed(values: NDArray[np.float64], width: int = 9) -> list[float]:
    """Medians of neighbouring frames, for the eye: what happened to run beside the benchmark is not part of it."""
    half = width // 2
    return [float(np.median(values[max(0, at - half) : at + half + 1])) for at in range(len(values))]


def _add_megabytes(study: Study, when: str) -> None:
    gc.collect()
    held = resident_bytes()
    if held is not None:
        study.add(CASE, "", f"megabytes, {when}", held / 1e6)


def _deformable(sheet: SheetOverBall, rebuild: bool | None) -> Callable[[int], Step]:
    """Return the next frame of a `Deformable`: update, the sheet with itself, and with the ball."""
    cloth = tumble.Deformable(sheet.mesh(0))
    cloth.self_collide(), cloth.collide(sheet.ball)

    def step(frame: int) -> Step:
        cloth.update(sheet.vertices(frame), rebuild=rebuild)
        pairs = len(cloth.self_collide().pairs) + len(cloth.collide(sheet.ball).pairs)
        taken = cloth.timings
        return taken.update, taken.queries, taken.rebuilt, pairs

    return step


def _implicit(sheet: SheetOverBall, rebuild: bool) -> Callable[[int], Step]:
    """Return the same by `collide_all` over trees that are kept, both questions in one."""
    trees = implicit_trees([Mesh(sheet.vertices(0), sheet.faces), sheet.ball], padded=False)
    tumble.collide_all(trees, within=[0])

    def step(frame: int) -> Step:
        vertices, start = sheet.vertices(frame), perf_counter()
        trees.move([vertices, None], rebuild=rebuild)
        moved = perf_counter()
        pairs = int(tumble.collide_all(trees, within=[0]).counts.sum())
        return moved - start, perf_counter() - moved, rebuild, pairs

    return step
