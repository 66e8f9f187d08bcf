"""A sheet that falls over a ball in 300 frames, as a `Deformable`: what a frame costs by the rule for its tree."""

from __future__ import annotations

import gc
import os
from pathlib import Path
from time import perf_counter

import tumble
from tumble.bench.bsp.records import Findings, Moved
from tumble.bench.tasks import Say
from tumble.hierarchy.implicit import implicit_trees
from tumble.mesh import Mesh
from tumble.scenario import SheetOverBall
from tumble.scenario.sheet import FRAMES

MEASURED, REFIT, REBUILD = "as measured times say", "always refitted", "always rebuilt"
RULES = {MEASURED: None, REFIT: False, REBUILD: True}
IMPLICIT_REFIT, IMPLICIT_REBUILD = "implicit trees, always refitted", "implicit trees, always rebuilt"
UPDATE, ITSELF, BALL = "update", "with itself", "with the ball"
EARLY = 1 / 3
"""of the frames: until then, memory that is kept for the next frame may still grow"""


def follow_sheet(cells: int, every: int, findings: Findings, say: Say) -> None:
    """Go through the frames once for each rule."""
    sheet = SheetOverBall(cells)
    for rule, rebuild in RULES.items():
        say(f"Sheet: {rule}")
        findings.moved.append(_deformable(sheet, rule, rebuild, every))
    for rule, again in ((IMPLICIT_REFIT, False), (IMPLICIT_REBUILD, True)):
        say(f"Sheet: {rule}")
        findings.moved.append(_implicit(sheet, rule, again, every))


class _Memory:
    """Resident memory at a third of the way and at the end."""

    def __init__(self, frames: range) -> None:
        self.at = frames[int(EARLY * (len(frames) - 1))]
        self.early: float | None = None

    def look(self, frame: int) -> None:
        """Note it if it is time."""
        if frame == self.at:
            self.early = resident_megabytes()


def _deformable(sheet: SheetOverBall, rule: str, rebuild: bool | None, every: int) -> Moved:
    frames = range(0, FRAMES, every)
    cloth = tumble.Deformable(sheet.mesh(0))
    cloth.self_collide(), cloth.collide(sheet.ball)
    times: dict[str, list[float]] = {name: [] for name in (UPDATE, ITSELF, BALL)}
    memory, rebuilt, pairs = _Memory(frames), 0, 0
    for frame in frames:
        vertices = sheet.vertices(frame)
        cloth.update(vertices, rebuild=rebuild)
        pairs += len(cloth.self_collide().pairs) + len(cloth.collide(sheet.ball).pairs)
        taken = cloth.timings
        rebuilt += taken.rebuilt
        for name, seconds in ((UPDATE, taken.update), (ITSELF, taken.self_collide), (BALL, taken.collide)):
            times[name].append(1e3 * seconds)
        memory.look(frame)
    return Moved(rule, len(cloth), len(frames), times, rebuilt, memory.early, resident_megabytes(), pairs)


def _implicit(sheet: SheetOverBall, rule: str, again: bool, every: int) -> Moved:
    """The same by `collide_all` over trees that are kept; both questions in one."""
    frames = range(0, FRAMES, every)
    trees = implicit_trees([Mesh(sheet.vertices(0), sheet.faces), sheet.ball])
    tumble.collide_all(trees, within=[0])
    times: dict[str, list[float]] = {UPDATE: [], f"{ITSELF}, {BALL}": []}
    memory, pairs = _Memory(frames), 0
    for frame in frames:
        vertices, start = sheet.vertices(frame), perf_counter()
        trees.move([vertices, None], rebuild=again)
        moved = perf_counter()
        pairs += int(tumble.collide_all(trees, within=[0]).counts.sum())
        times[UPDATE].append(1e3 * (moved - start))
        times[f"{ITSELF}, {BALL}"].append(1e3 * (perf_counter() - moved))
        memory.look(frame)
    count, rebuilt = len(sheet.faces), len(frames) if again else 0
    return Moved(rule, count, len(frames), times, rebuilt, memory.early, resident_megabytes(), pairs)


def resident_megabytes() -> float | None:
    """What this process holds in memory, or None where the system does not tell."""
    gc.collect()
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    except (OSError, ValueError, IndexError):
        return None
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6
