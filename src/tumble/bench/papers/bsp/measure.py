"""What a run measures, and how much of it: all of the paper, or a look within a few minutes."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TypeVar

from tumble.bench.framework.benchmark import NO_DEVICE, Run, Say, Task
from tumble.bench.framework.table import Table
from tumble.bench.framework.timing import Effort
from tumble.bench.papers.bsp.broad_phases import EMBREE, IPC, Ipc, race_elements, race_faces
from tumble.bench.papers.bsp.counts import CountGrid, add_counts
from tumble.bench.papers.bsp.device_work import race_variants
from tumble.bench.papers.bsp.embree import Embree
from tumble.bench.papers.bsp.formulas import add_formulas
from tumble.bench.papers.bsp.races import add_loads, race_queries, race_scenes, race_trees
from tumble.bench.papers.bsp.scenes import Scene, scene_folder, scenes
from tumble.bench.papers.bsp.sequences import FrameSequence, race_sequence, scene_sequence, sheet_sequence
from tumble.bench.papers.bsp.sheet import SHEET, follow_sheet
from tumble.bench.papers.bsp.streams import StreamsGrid, race_streams
from tumble.bench.papers.bsp.sweeps import Grid, add_sweep
from tumble.bench.papers.bsp.ways import DEVICES
from tumble.device import Device, devices

Competitor = TypeVar("Competitor")

POCL = (
    "PoCL runs work-items on the cores of the CPU: it tells that kernels are right, and how methods compare there, not "
    "how fast a GPU is."
)


@dataclass(frozen=True)
class Sizes:
    """Sizes and times of a run."""

    # Table 1, the race of broad phases, and trees: how long each race takes; the paper ran all at least eight times.
    effort: Effort = field(default=Effort(12.0, least_rounds=8, most_rounds=15))
    # Figure 7: milliseconds per call, so that others disturb it more; hence more rounds.
    streams_effort: Effort = field(default=Effort(15.0, least_rounds=9, most_rounds=60))
    # The settings of streams that are tried before.
    streams: StreamsGrid = field(default=StreamsGrid())
    # Figure 8: entry levels and depth steps; Figure 9: queues and groups; how often each combination is asked.
    entry_levels: Sequence[int] = (0, 1, 2, 3, 4, 5, 6)
    depth_steps: Sequence[int] = (1, 2, 3, 4)
    # Counts take no rounds, so there may be more levels: two periods of the largest step.
    count_levels: Sequence[int] = (0, 1, 2, 3, 4, 5, 6, 7)
    queues: Sequence[int] = (2, 8, 32, 64, 128, 512)
    groups: Sequence[int] = (2, 8, 32, 64, 256)
    sweep_rounds: int = 8
    # The depth step of Figure 9.
    sweep_step: int = 2
    # The sheet: cells per side, and every how many frames it is looked at.
    sheet_cells: int = 100
    sheet_every: int = 1
    # Trees rebuilt and refitted: how often they follow a sequence, and every how many frames of the sheet.
    passes: int = 8
    pass_every: int = 5
    # Stand-ins: by how much they are smaller than the scenes whose place they take.
    shrink: int = 1

    def grid(self, figure: int) -> Grid:
        """What a figure sweeps."""
        swept = (self.entry_levels, self.depth_steps) if figure == 8 else (self.queues, self.groups)
        return Grid(figure, *swept, self.sweep_rounds, self.sweep_step)

    def counted(self) -> CountGrid:
        """What is counted for Figure 8."""
        return CountGrid(self.count_levels, self.depth_steps)


FULL = Sizes()
QUICK = Sizes(
    effort=Effort(2.0, least_rounds=8, most_rounds=8),
    streams_effort=Effort(3.0, least_rounds=8, most_rounds=25),
    streams=StreamsGrid(segments=(4, 64), effort=Effort(1.0, least_rounds=8, most_rounds=8)),
    entry_levels=(0, 1, 5),
    count_levels=(0, 1, 2, 3, 4, 5, 6),
    queues=(8, 64, 512),
    groups=(8, 64),
    sweep_rounds=2,
    sheet_cells=30,
    sheet_every=5,
    passes=6,
    pass_every=20,
    shrink=16,
)


def tasks(run: Run[Sizes]) -> list[Task]:
    """All tasks of a run, in the order of the page."""
    sizes, table = run.sizes, run.table
    found, notes = scenes(scene_folder(run.options.get("scenes")), sizes.shrink)
    for note in notes:
        table.note(note)
    at_hand = _devices(table)
    ipc = _competing(Ipc, IPC, ' Install it with `pip install "tumble[bench]"`.', table)
    embree = _competing(lambda: Embree(run.options.get("embree")), EMBREE, "", table)
    table.study("run").add("versions", "", "embree", "not installed" if embree is None else embree.version)

    def each(label: str, work: Callable[[Scene], None]) -> list[Task]:
        return [Task(f"{label}: {scene.name}", lambda say, scene=scene: work(scene)) for scene in found]  # type: ignore[misc]

    add_formulas(table)
    return [
        *each("Leaf pairs", lambda scene: add_loads(scene, table)),
        *each("Table 1", lambda scene: race_queries(scene, at_hand, sizes.effort, table)),
        Task("Table 1: scenes beside each other", lambda say: race_scenes(found, at_hand, sizes.effort, table)),
        *each("Figure 7", lambda scene: race_streams(scene, at_hand, sizes.streams, sizes.streams_effort, table)),
        *(Task(f"Counts: {scene.name}", partial(add_counts, scene, sizes.counted(), table)) for scene in found),
        *(each("Variants", lambda scene: race_variants(scene, at_hand, sizes.effort, table)) if at_hand else ()),
        *(
            Task(f"Figure {figure}: {scene.name}", partial(add_sweep, scene, sizes.grid(figure), at_hand, table))
            for figure in (8, 9)
            for scene in found
        ),
        *each("Broad phases", lambda scene: race_faces(scene, ipc, embree, sizes.effort, table)),
        *(each("Contact candidates", lambda scene: race_elements(scene, ipc, sizes.effort, table)) if ipc else ()),
        *each("Trees", lambda scene: race_trees(scene, at_hand, sizes.effort, table)),
        *(
            Task(f"Sequence: {scene.name}", partial(_follow, partial(scene_sequence, scene), at_hand, run))
            for scene in found
        ),
        Task(
            "Sequence: sheet",
            partial(_follow, partial(sheet_sequence, sizes.sheet_cells, sizes.pass_every), at_hand, run),
        ),
        Task("Sheet", partial(follow_sheet, sizes.sheet_cells, sizes.sheet_every, table.study(SHEET))),
    ]


def _follow(sequence: Callable[[], FrameSequence], at_hand: Sequence[Device], run: Run[Sizes], say: Say) -> None:
    """Make a sequence when its turn comes, and follow it."""
    race_sequence(sequence(), at_hand, run.sizes.passes, run.table, say)


def _devices(table: Table) -> list[Device]:
    found = devices()
    for device in found:
        table.study(DEVICES).add_values(device.name, "", {"device": device.device, "kind": device.kind})
    kinds = ", ".join(f"{device.name} is {device.device} ({device.kind})" for device in found)
    table.note(f"**Devices.** {kinds}. {POCL}" if found else NO_DEVICE)
    return found


def _competing(make: Callable[[], Competitor], name: str, hint: str, table: Table) -> Competitor | None:
    """A library, or None with a note where it is not installed."""
    try:
        return make()
    except ImportError as error:
        table.note(f"{name} did not compete: {error}.{hint}")
        return None
