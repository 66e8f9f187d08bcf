"""`tumble.chip.run`: the host's part of a query. Set up, start, collect, decide what the chip could not."""

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tumble.chip.design import Design
from tumble.chip.image import MAX_COORDINATE
from tumble.chip.machine import Chip
from tumble.chip.memory import Memories, Memory, load
from tumble.chip.result import ChipRun
from tumble.chip.setup import Line, set_up
from tumble.errors import OptionError, PoseError, TreeError
from tumble.hierarchy import Tree
from tumble.mesh import MeshLike, apply_pose, as_pose
from tumble.narrow.triangles.exact import triangles_touch_many
from tumble.narrow.triangles.unit_frames import FLOAT32, unit_frames
from tumble.narrow.triangles.unit_triangle import HIT
from tumble.volume.relative import TRANSLATION, Pose, relative_pose

MOST_CYCLES = 10**9
PROGRESS_CYCLES = 10_000

Trace = Callable[[str], object]
Progress = Callable[[int, int], object]


def run(
    a: MeshLike | Tree | Memory,
    b: MeshLike | Tree | Memory,
    pose_a: ArrayLike | None = None,
    pose_b: ArrayLike | None = None,
    *,
    design: Design | None = None,
    trace: Trace | None = None,
    progress: Progress | None = None,
    most_cycles: int = MOST_CYCLES,
) -> ChipRun:
    """Run a query on the chip and return its pairs, which are those of `tumble.collide`, and what it took.

    a, b         meshes, trees of k-DOPs or images made by `load`; b is tumbled, a is aligned
    design       the chip; None: the paper's
    trace        called with a header and then a line for every cycle: `trace=print`
    progress     called every 10 000 cycles with the cycles and the lists so far
    most_cycles  a watchdog: a run that takes longer is an error
    """
    design = Design() if design is None else design
    poses = as_pose(pose_a), as_pose(pose_b)
    memories = _image(a, design), _image(b, design)
    if not len(memories[0].mesh) or not len(memories[1].mesh):
        return ChipRun(np.empty((0, 2), np.int64), 0, 0, 0, 0, 0, 0, 0, {}, design)
    chip = _chip(design, memories, *poses)
    _turn(chip, trace, progress, most_cycles)
    return _result(chip, design, memories, poses)


def _image(side: MeshLike | Tree | Memory, design: Design) -> Memory:
    memory = side if isinstance(side, Memory) else load(side, design.k, design.leaf_dops)
    if memory.k != design.k:
        raise OptionError(f"an image of {memory.k}-DOPs does not fit Design(k={design.k}); load it with k={design.k}")
    if memory.leaf_dops != design.leaf_dops:
        raise OptionError(
            f"an image with leaf_dops={memory.leaf_dops} does not fit Design(leaf_dops={design.leaf_dops}); "
            f"load it with leaf_dops={design.leaf_dops}"
        )
    if memory.depth >= design.levels:
        raise TreeError(
            f"a tree of depth {memory.depth} is too deep for the {design.levels} levels of the stack engine; "
            f"use Design(levels={memory.depth + 1}) or a flatter tree"
        )
    return memory


def _chip(design: Design, memories: Memories, pose_a: Pose | None, pose_b: Pose | None) -> Chip:
    extents = memories[0].mesh.extent, memories[1].mesh.extent
    relative = relative_pose(pose_a, pose_b, *extents)
    far = float(np.abs(relative[TRANSLATION : TRANSLATION + 3]).max())
    if far > MAX_COORDINATE:
        raise PoseError(f"b is {far:g} away from a; the chip computes with float32 and takes up to {MAX_COORDINATE:g}")
    setup = set_up(design, relative, extents[1], memories[1].reach)
    frames = unit_frames(pose_a, pose_b, *extents, roundoff=FLOAT32)
    ways = [*_lines(frames.a_in_b), *_lines(frames.b_in_a)]
    return Chip(design, memories, setup, ways, (frames.bounds_b, frames.bounds_a))


def _lines(way: NDArray[np.floating]) -> list[Line]:
    """Return the way from frame to frame as lines of the matrix register file."""
    x = [float(value) for value in way]
    return [(x[3 * i], x[3 * i + 1], x[3 * i + 2], x[TRANSLATION + i]) for i in range(3)]


def _turn(chip: Chip, trace: Trace | None, progress: Progress | None, most_cycles: int) -> None:
    """Let cycles pass until the query is answered."""
    if trace is not None:
        trace(chip.line_trace_header())
    while not chip.done:
        chip.tick()
        if trace is not None:
            trace(chip.line_trace())
        if chip.now >= most_cycles:
            raise OptionError(f"the query is not done after most_cycles={most_cycles} cycles")
        if progress is not None and chip.now % PROGRESS_CYCLES == 0:
            progress(chip.now, chip.stack.lists)
    chip.journal.finish(chip.now)


def _reported(chip: Chip, memories: Memories) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the triangles that the chip reported, those that touch and those that it is not sure of."""
    reported: tuple[list[tuple[int, int]], list[tuple[int, int]]] = ([], [])
    for verdict, record_a, record_b in chip.answers:
        reported[verdict != HIT].append((memories[0].triangle(record_a), memories[1].triangle(record_b)))
    sure, unsure = (np.array(pairs, np.int64).reshape(-1, 2) for pairs in reported)
    return sure, unsure


def _result(chip: Chip, design: Design, memories: Memories, poses: tuple[Pose | None, Pose | None]) -> ChipRun:
    sure, unsure = _reported(chip, memories)
    a, b = (
        apply_pose(pose, memory.mesh.vertices)[memory.mesh.faces[unsure[:, side]]]
        for side, (pose, memory) in enumerate(zip(poses, memories, strict=True))
    )
    pairs = np.concatenate([sure, unsure[triangles_touch_many(a, b)]])
    pairs = np.ascontiguousarray(pairs[np.lexsort((pairs[:, 1], pairs[:, 0]))])
    pairs.flags.writeable = False
    return ChipRun(
        pairs=pairs,
        cycles=chip.now,
        bus_bytes=chip.sdram.bytes_read,
        aligned_nodes=chip.master.aligned_nodes,
        tumbled_nodes=chip.master.tumbled_nodes,
        lists=chip.stack.lists,
        polygon_checks=chip.stack.leaf_pairs_found,
        unsure=len(unsure),
        busy=dict(chip.journal.busy),
        design=design,
        waits=dict(chip.journal.waits),
        intervals=chip.journal.intervals,
        different_tumbled_nodes=len(chip.master.tumbled_lines),
        most_list_words=chip.stack.most_words,
    )
