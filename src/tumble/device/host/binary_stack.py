"""The binary stack on a device: trees there, poses there, traverse, make contacts, read candidates, confirm.

The walks of paper `stackless` take the same way with kernels of their own: see `walk_kinds`.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tumble.core.limits import PairCount
from tumble.device.host.candidates import TooMany, Walks, find_candidates
from tumble.device.host.confirm import candidates_of, confirm
from tumble.device.host.contacts import Rows, contacts_of_rows, row_maker, rows_wanted
from tumble.device.host.local_units import Frames, relations
from tumble.device.host.tree_store import PreorderTreeStore, StoredTree, TreeStore, starts, trees_of
from tumble.device.host.walk_kinds import BINARY_STACK, WalkKind
from tumble.device.protocol import Buffer, OpenDevice
from tumble.device.timings import current_timings, phase
from tumble.query.answer import NO_STATS, PairTable, Stats, joined
from tumble.query.bodies import Bodies
from tumble.query.engine import Request
from tumble.traversal.packed.engine import ask as ask_cpu


def ask(device: OpenDevice, request: Request, kind: WalkKind = BINARY_STACK) -> PairTable:
    """Find the touching triangles of pairs of bodies, whose shapes are trees of oriented boxes."""
    if len(request.pairs) == 0:
        return PairTable(np.empty(0, np.int64), np.empty((0, 2), np.int64), NO_STATS if request.stats else None)
    current_timings().pairs += len(request.pairs)
    request = request._replace(pairs=np.require(request.pairs, np.int64, ["C", "W"]))  # kernels refuse read-only arrays
    return _answer(device, request, kind, PairCount())


def _answer(device: OpenDevice, request: Request, kind: WalkKind, found: PairCount) -> PairTable:
    try:
        with device.working():
            with phase("trees"):
                stored = _store(device, request, kind)
            with phase("upload"):
                walks = _walks(request, stored, kind)
            made = _Made(device, request, stored)
            candidates, counts = find_candidates(device, walks, request.settings, request.stats, made.make)
    except TooMany:
        return _answer_in_parts(device, request, kind, found)
    with phase("confirm"):
        table, unsure = confirm(candidates, request.a, request.b, request.pairs, request.first, request.threads)
    current_timings().unsure += unsure
    found.add(len(table.triangles))
    table = made.added(table, candidates)
    return table if counts is None else replace(table, stats=_stats(counts, table))


class _Made:
    """What is made on the device of the candidates there, before they are read, for the columns of the table."""

    def __init__(self, device: OpenDevice, request: Request, stored: _Stored) -> None:
        self._request = request
        self._makers = {
            kernel: row_maker(device, request, stored.buffers[-1], stored.starts, kernel)
            for kernel in rows_wanted(device, request)
        }
        self._rows: dict[str, Rows] = {}

    def make(self, candidates: Buffer, count: int) -> None:
        """Make the rows of all candidates."""
        with phase("contact"):
            self._rows = {kernel: make(candidates, count) for kernel, make in self._makers.items()}

    def added(self, table: PairTable, candidates: NDArray[np.uint32]) -> PairTable:
        """Return the table with its columns; candidates that do not touch are none of its rows."""
        if not self._makers:
            return table
        with phase("contact"):
            which = candidates_of(table, candidates, self._request.a, self._request.b, self._request.pairs)
            kept = {kernel: rows[which] for kernel, rows in self._rows.items()}
            made = contacts_of_rows(kept["contact"]) if "contact" in kept else None
            return replace(table, contacts=made, curves=kept.get("contact_curve"))


class _Stored(NamedTuple):
    """The trees of a request on the device."""

    buffers: list[Buffer]
    trees: tuple[list[StoredTree], list[StoredTree]]  # those of a and those of b
    numbers: NDArray[np.int64]  # (n, 2) the trees of each pair of bodies
    starts: NDArray[np.uint32]  # (n, 4) where they begin


def _store(device: OpenDevice, request: Request, kind: WalkKind) -> _Stored:
    store = device.keep(PreorderTreeStore if kind.preorder else TreeStore)
    a, b = (trees_of(bodies) for bodies in (request.a, request.b))
    places = store.store(a + b)  # all at once: storing a tree may move the others
    trees = places[: len(a)], places[len(a) :]
    numbers = np.stack([request.a.which[request.pairs[:, 0]], request.b.which[request.pairs[:, 1]]], axis=1)
    return _Stored(store.buffers, trees, numbers, starts(*trees, numbers))


def _walks(request: Request, stored: _Stored, kind: WalkKind) -> Walks:
    frames, filled, levels = [], np.ones(len(request.pairs), bool), 0
    for k, (bodies, trees) in enumerate(zip((request.a, request.b), stored.trees, strict=True)):
        frames.append(Frames([tree.units for tree in trees], bodies.which, bodies.poses, bodies.deviations))
        filled &= np.array([tree.size[0] > 0 for tree in trees], bool)[stored.numbers[:, k]]
        levels += max((tree.depth for tree in trees_of(bodies)), default=0)
    relative = relations(frames[0], frames[1], request.pairs)
    return Walks(stored.buffers, stored.starts, relative, np.flatnonzero(filled), levels, request.first, kind)


def _answer_in_parts(device: OpenDevice, request: Request, kind: WalkKind, found: PairCount) -> PairTable:
    """Answer for each half of the list, or for a single pair on the CPU, whose tests are not counted."""
    pairs = request.pairs
    if len(pairs) > 1:
        half = len(pairs) // 2
        parts = pairs[:half], pairs[half:]
        return joined([_answer(device, request._replace(pairs=part), kind, found) for part in parts])
    a, b = (Bodies([tree.mesh for tree in trees_of(each)], each.which, each.poses) for each in (request.a, request.b))
    plain = request._replace(a=a, b=b, tree="auto", device="cpu", settings=None, contacts=False, stats=False)
    table = ask_cpu(plain)
    found.add(len(table.triangles))
    return replace(table, stats=Stats(0, 0, 0, 0, len(table.triangles))) if request.stats else table


def _stats(counts: NDArray[np.uint64], table: PairTable) -> Stats:
    turns, overlaps, leaf_overlaps, triangle_tests = counts.sum(axis=0).tolist()
    return Stats(turns, turns, overlaps, leaf_overlaps, len(table.triangles), turns, triangle_tests)
