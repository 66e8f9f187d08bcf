"""Section 5: results in areas of 4 095 slots per pair of bodies, all of which are copied back, whatever is in them.

A device walks the trees as in the paper: one work-item per pair of bodies, up to pairs of leaves whose boxes overlap,
no triangle tested. What the walk left in its buffer is then copied in two ways, in turn, round after round: the areas,
which a kernel filled from that buffer, and the dense list itself. A pair of bodies with more pairs of leaves than slots
loses the rest, as in the paper; its count says so.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

import tumble
from tumble.bench.framework.answers import Pairs, pair_keys
from tumble.bench.framework.table import Study
from tumble.bench.framework.timing import Effort, race
from tumble.bench.papers.binary_stack.fall import Moment
from tumble.bench.papers.binary_stack.published import SLOTS_PER_PAIR, at_step
from tumble.device import Device
from tumble.device.host.candidates import CANDIDATE_BYTES, CERTAIN, Walks, find_candidates
from tumble.device.host.local_units import Frames, relations
from tumble.device.host.tree_store import TreeStore, starts
from tumble.device.host.walk_kinds import BINARY_STACK, BINARY_STACK_FILES
from tumble.device.opencl import open_device
from tumble.device.protocol import Buffer, OpenDevice, program
from tumble.hierarchy import Tree
from tumble.mesh import Mesh
from tumble.query.bodies import Bodies
from tumble.query.settings import DeviceSettings

SLOTS_STUDY = "slots"
CODE = program("slots")
AREA = SLOTS_PER_PAIR + 1  # the number of slots in use comes first
SLOT_BYTES = 8
# The ways to copy, and how long the areas take to be filled, which the paper's kernel does as it walks.
IN_SLOTS, DENSE, FILLED = "slots", "dense", "filling"
UNTESTED = tuple("untested" if name == "triangles" else name for name in BINARY_STACK_FILES)
UP_TO_LEAVES = BINARY_STACK._replace(files=UNTESTED)
PAPERS_WAY = DeviceSettings(pool=False)


class Copied(NamedTuple):
    """What came back: pairs of leaves by pair of bodies in both ways, those beyond the slots, and seconds by round."""

    in_slots: list[Pairs]
    dense: list[Pairs]
    lost: int
    seconds: dict[str, list[float]]

    @property
    def sizes(self) -> dict[str, int]:
        """Bytes that each way copies."""
        dense = sum(map(len, self.dense)) * CANDIDATE_BYTES
        return {"slot bytes": len(self.in_slots) * AREA * SLOT_BYTES, "dense bytes": dense}

    def wrong(self, truth: Sequence[Pairs]) -> int:
        """Pairs of bodies whose areas hold something else than the list, or whose list lacks what touches."""
        return sum(map(_differ, self.in_slots, self.dense, truth))


def _differ(slots: Pairs, dense: Pairs, touching: Pairs) -> bool:
    keys, full = pair_keys(dense), len(slots) == SLOTS_PER_PAIR < len(dense)
    same = np.isin(pair_keys(slots), keys).all() if full else np.array_equal(pair_keys(slots), keys)
    return not (same and np.isin(pair_keys(touching), keys).all())


def race_copies(device: Device, tree: Tree, moment: Moment, effort: Effort) -> Copied | None:
    """Walk once, copy in turn; None where nothing overlaps, or where the device has no room for the areas."""
    opened = open_device(device.name)
    if not 0 < len(moment.pairs) * AREA * SLOT_BYTES <= opened.limits.buffer_bytes:
        return None
    copies = _Copies(opened, len(moment.pairs), effort)
    with opened.working():
        find_candidates(opened, _walks(opened, tree, moment), PAPERS_WAY, False, copies.race)
    return copies.result(tree) if len(copies.dense) else None


def _walks(device: OpenDevice, tree: Tree, moment: Moment) -> Walks:
    """The pairs of bodies of a moment as the kernel takes them."""
    bodies, store = Bodies([tree], np.zeros(len(moment.poses), np.int64), moment.poses), device.keep(TreeStore)
    (stored,) = store.store([tree])
    frames = Frames([stored.units], bodies.which, bodies.poses, bodies.deviations)
    begin = starts([stored], [stored], np.zeros_like(moment.pairs))
    live = np.arange(len(moment.pairs))
    related = relations(frames, frames, moment.pairs)
    return Walks(store.buffers, begin, related, live, 2 * tree.depth, False, UP_TO_LEAVES)


class _Copies:
    """The two ways to copy what a walk left on a device."""

    def __init__(self, device: OpenDevice, pairs: int, effort: Effort) -> None:
        self.device, self.effort = device, effort
        self.slots = np.empty((pairs, AREA, 2), np.uint32)
        self.areas = device.empty(self.slots.nbytes)
        self.dense = np.empty((0, 3), np.uint32)
        self.seconds: dict[str, list[float]] = {}

    def race(self, candidates: Buffer, count: int) -> None:
        """Fill the areas from the candidates, and copy areas and candidates in turn."""
        if count == 0:
            return
        device, self.dense = self.device, np.empty((count, 3), np.uint32)
        width = device.preferred_width(CODE, "to_slots")

        def fill() -> None:
            device.fill(self.areas, 0)
            device.wait(device.launch(CODE, "to_slots", count, width, candidates, count, self.areas, AREA))

        ways = {
            FILLED: fill,
            IN_SLOTS: lambda: device.read(self.areas, self.slots),
            DENSE: lambda: device.read(candidates, self.dense),
        }
        for way in ways.values():
            way()
        self.seconds = race(ways, self.effort)

    def result(self, tree: Tree) -> Copied:
        """What came back, by the numbers of triangles."""
        counts, order = self.slots[:, 0, 0].astype(np.int64), tree.order.astype(np.int64)
        kept = np.minimum(counts, SLOTS_PER_PAIR)
        in_slots = [order[area[1 : 1 + count]] for area, count in zip(self.slots, kept.tolist(), strict=True)]
        return Copied(in_slots, self._by_pair(order), int((counts - kept).sum()), self.seconds)

    def _by_pair(self, numbers: NDArray[np.int64]) -> list[Pairs]:
        owner = (self.dense[:, 0] & ~CERTAIN).astype(np.int64)
        order = np.argsort(owner, kind="stable")
        ends = np.cumsum(np.bincount(owner, minlength=len(self.slots)))
        return np.split(numbers[self.dense[order, 1:]], ends[:-1])


def copy_moment(
    mesh: Mesh, moment: Moment, truth: Sequence[Pairs], devices: Sequence[Device], effort: Effort, study: Study
) -> None:
    """Write what copying whole areas of slots takes on each device, beside the dense list; `truth` is what touches."""
    tree, case = tumble.build(mesh, "obb", leaf_size=1), at_step(moment.step)
    for device in devices:
        copied = race_copies(device, tree, moment, effort)
        if copied is None:
            continue
        study.add_values(case, "", {"step": moment.step, "body pairs": len(moment.pairs)})
        names = {way: by_way(device.name, way) for way in copied.seconds}
        rounds = {names[way]: seconds for way, seconds in copied.seconds.items()}
        study.add_race(case, rounds, [(names[IN_SLOTS], names[DENSE])])
        values = {**copied.sizes, "lost": copied.lost, "wrong answers": copied.wrong(truth)}
        study.add_values(case, names[IN_SLOTS], {"device": device.name, **values})


def by_way(device: str, way: str) -> str:
    """How a way to copy is called in the study."""
    return f"{device}, {way}"
