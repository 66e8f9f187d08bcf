"""Trees that follow moving meshes through a sequence of frames: built anew in each, or refitted since the first.

A pass begins with trees of the first frame and goes through all others: new vertices, boxes or whole trees, a query.
Refitted trees keep the order of the first frame, so that their boxes grow worse from frame to frame. Both rules take
turns in every frame. Frames of a pass depend on each other, so what is compared is whole passes.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import Any, NamedTuple

from numpy.typing import ArrayLike

import tumble
from tumble.bench.framework.benchmark import Say
from tumble.bench.framework.table import TIME, Table
from tumble.bench.papers.bsp import ways
from tumble.bench.papers.bsp.races import questions
from tumble.bench.papers.bsp.scenes import Scene
from tumble.bench.papers.bsp.sheet import CASE, QUERIES, UPDATE
from tumble.bench.papers.bsp.streams import called
from tumble.device import Device
from tumble.mesh import Mesh
from tumble.scenario import SheetOverBall
from tumble.scenario.sheet import FRAMES

SEQUENCES = "sequences"
REBUILT, REFITTED = RULES = ("rebuilt", "refitted")
TIMES = (0.25, 0.5, 0.75, 1.0, 1.25, 1.5, 1.75, 2.0)
"""frames of a scene of which two are known: from the first, at 0, through the second, at 1, and as far again"""

Passes = dict[str, list[tuple[float, float]]]
"""seconds per frame of each pass, to move and to ask, by way and rule"""


class FrameSequence(NamedTuple):
    """Meshes, where their vertices are in each frame after the first (None: as before), and a question."""

    name: str
    first: Sequence[Mesh]
    frames: Sequence[Sequence[ArrayLike | None]]
    count: Callable[[Any], int]
    """asks about trees, and counts the pairs"""


@dataclass
class Follower:
    """Trees that follow a sequence by one rule, and what the pass so far has taken."""

    trees: Any
    rebuild: bool
    update: float = 0.0
    queries: float = 0.0
    pairs: int = 0

    def begin(self, sequence: FrameSequence) -> None:
        """Build trees of the first frame, which no clock counts."""
        self.update = self.queries = 0.0
        self.pairs = 0
        self.trees.move([mesh.vertices for mesh in sequence.first], rebuild=True)

    def step(self, vertices: Sequence[ArrayLike | None], count: Callable[[Any], int]) -> None:
        """Follow one frame."""
        start = perf_counter()
        self.trees.move(vertices, rebuild=self.rebuild)
        moved = perf_counter()
        self.pairs += count(self.trees)
        self.update += moved - start
        self.queries += perf_counter() - moved


def scene_sequence(scene: Scene) -> FrameSequence:
    """The frames of a scene, on straight lines through the two that are known."""
    question = questions(scene.name)[-1]

    def count(trees: Any) -> int:
        return len(ways.ask_bulk(trees, ways.pairs_for(trees, question))())

    return FrameSequence(scene.name, scene.before, [scene.at(time) for time in TIMES], count)


def sheet_sequence(cells: int, every: int) -> FrameSequence:
    """The sheet that falls over a ball, every so many of its frames."""
    sheet = SheetOverBall(cells)
    frames = [[sheet.vertices(frame), None] for frame in range(every, FRAMES, every)]
    return FrameSequence(
        CASE,
        [sheet.mesh(0), sheet.ball],
        frames,
        lambda trees: int(tumble.collide_all(trees, within=[0]).counts.sum()),
    )


def race_sequence(sequence: FrameSequence, devices: Sequence[Device], passes: int, table: Table, say: Say) -> None:
    """Follow a sequence by both rules on the CPU and on every device, and compare what they find."""
    table.study(SEQUENCES).add(sequence.name, "", "frames", len(sequence.frames))
    truth = None
    for device in (None, *devices):
        way = ways.CPU if device is None else device.name
        followers = {
            called(way, rule): Follower(ways.trees_on(device, sequence.first, padded=False), rule == REBUILT)
            for rule in RULES
        }
        taken: Passes = {name: [] for name in followers}
        found: dict[str, list[int]] = {name: [] for name in followers}
        for number in range(1 + passes):
            say(f"Sequence: {sequence.name}, {way}, pass {number}")
            _pass(followers, sequence)
            for name, one in followers.items():
                found[name].append(one.pairs)
                taken[name].append((one.update / len(sequence.frames), one.queries / len(sequence.frames)))
        truth = found[called(way, REBUILT)][0] if truth is None else truth
        for name, pairs in found.items():
            other = next((each for each in pairs if each != truth), truth)
            ways.add_answer(table, f"sequence: {sequence.name}", name, other == truth, other, truth)
        # what happens at the first call only is not part of any comparison
        _add_passes({name: each[1:] for name, each in taken.items()}, sequence.name, table)


def _pass(followers: dict[str, Follower], sequence: FrameSequence) -> None:
    for one in followers.values():
        one.begin(sequence)
    for vertices in sequence.frames:
        for one in followers.values():
            one.step(vertices, sequence.count)


def _add_passes(taken: Passes, case: str, table: Table) -> None:
    """Write seconds per frame, pass by pass: all in all, of moving alone, and of asking alone."""
    anew, refitted = taken
    for what, parts in {TIME: (0, 1), UPDATE: (0,), QUERIES: (1,)}.items():
        rounds = {name: [sum(one[part] for part in parts) for one in each] for name, each in taken.items()}
        table.study(SEQUENCES).add_race(case, rounds, [(anew, refitted)], quantity=what)
