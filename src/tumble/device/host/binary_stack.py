"""The binary stack on a device: trees there, poses there, traverse, read candidates, confirm, find contacts."""

from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tumble.core.limits import PairCount
from tumble.device.host.candidates import TooMany, Walks, find_candidates
from tumble.device.host.confirm import confirm
from tumble.device.host.local_units import Frames, relations
from tumble.device.host.tree_store import StoredTree, TreeStore, starts, trees_of
from tumble.device.protocol import Buffer, OpenDevice, program
from tumble.device.timings import current_timings, phase
from tumble.query.answer import NO_STATS, PairContacts, PairTable, Stats, contacts_of_arrays, joined
from tumble.query.bodies import Bodies
from tumble.query.engine import Request
from tumble.traversal.packed.engine import ask as ask_cpu

CONTACT = program("contact_vectors", "contact_nearest", "contact_segment", "contact_push", "contact")
NUMBERS = 10  # of a contact: the ends of the segment, the normal, the depth


def ask(device: OpenDevice, request: Request) -> PairTable:
    """Find the touching triangles of pairs of bodies, whose shapes are trees of oriented boxes."""
    if len(request.pairs) == 0:
        return PairTable(np.empty(0, np.int64), np.empty((0, 2), np.int64), NO_STATS if request.stats else None)
    current_timings().pairs += len(request.pairs)
    request = request._replace(pairs=np.require(request.pairs, np.int64, ["C", "W"]))  # kernels refuse read-only arrays
    table = _answer(device, request, PairCount())
    if request.contacts and device.info.fp64:
        with phase("contact"), device.working():
            return replace(table, contacts=_find_contacts(device, request, table))
    return table


def _answer(device: OpenDevice, request: Request, found: PairCount) -> PairTable:
    try:
        with device.working():
            with phase("trees"):
                stored = _store(device, request)
            with phase("upload"):
                walks = _walks(request, stored)
            candidates, counts = find_candidates(device, walks, request.settings, request.stats)
    except TooMany:
        return _answer_in_parts(device, request, found)
    with phase("confirm"):
        table, unsure = confirm(candidates, request.a, request.b, request.pairs, request.first, request.threads)
    current_timings().unsure += unsure
    found.add(len(table.triangles))
    return table if counts is None else replace(table, stats=_stats(counts, table))


class _Stored(NamedTuple):
    """The trees of a request on the device."""

    buffers: list[Buffer]
    trees: tuple[list[StoredTree], list[StoredTree]]  # those of a and those of b
    numbers: NDArray[np.int64]  # (n, 2) the trees of each pair of bodies
    starts: NDArray[np.uint32]  # (n, 4) where they begin


def _store(device: OpenDevice, request: Request) -> _Stored:
    store, (a, b) = device.keep(TreeStore), (trees_of(bodies) for bodies in (request.a, request.b))
    places = store.store(a + b)  # all at once: storing a tree may move the others
    trees = places[: len(a)], places[len(a) :]
    numbers = np.stack([request.a.which[request.pairs[:, 0]], request.b.which[request.pairs[:, 1]]], axis=1)
    return _Stored(store.buffers, trees, numbers, starts(*trees, numbers))


def _walks(request: Request, stored: _Stored) -> Walks:
    frames, filled, levels = [], np.ones(len(request.pairs), bool), 0
    for k, (bodies, trees) in enumerate(zip((request.a, request.b), stored.trees, strict=True)):
        frames.append(Frames([tree.units for tree in trees], bodies.which, bodies.poses, bodies.deviations))
        filled &= np.array([tree.size[0] > 0 for tree in trees], bool)[stored.numbers[:, k]]
        levels += max((tree.depth for tree in trees_of(bodies)), default=0)
    relative = relations(frames[0], frames[1], request.pairs)
    return Walks(stored.buffers, stored.starts, relative, np.flatnonzero(filled), levels, request.first)


def _answer_in_parts(device: OpenDevice, request: Request, found: PairCount) -> PairTable:
    """Answer for each half of the list, or for a single pair on the CPU, whose tests are not counted."""
    pairs = request.pairs
    if len(pairs) > 1:
        half = len(pairs) // 2
        return joined([_answer(device, request._replace(pairs=part), found) for part in (pairs[:half], pairs[half:])])
    a, b = (Bodies([tree.mesh for tree in trees_of(each)], each.which, each.poses) for each in (request.a, request.b))
    table = ask_cpu(request._replace(a=a, b=b, tree="auto", device="cpu", settings=None, contacts=False, stats=False))
    found.add(len(table.triangles))
    return replace(table, stats=Stats(0, 0, 0, 0, len(table.triangles))) if request.stats else table


def _stats(counts: NDArray[np.uint32], table: PairTable) -> Stats:
    turns, overlaps, leaf_overlaps, triangle_tests = counts.sum(axis=0, dtype=np.int64).tolist()
    return Stats(turns, turns, overlaps, leaf_overlaps, len(table.triangles), turns, triangle_tests)


def _find_contacts(device: OpenDevice, request: Request, table: PairTable) -> PairContacts:
    """Return the contacts of all touching triangles of pairs of bodies, from exact corners on the device.

    Paper `binary-stack`, Section 6, names them as the next step. The kernel repeats `tumble.narrow.contact` operation
    by operation in float64, with one work-item for each pair of triangles. The host computes them for devices without
    float64, and for bulk and front, whose trees have no exact corners; the bits are the same.
    """
    stored, pairs, count = _store(device, request), request.pairs, len(table.triangles)
    rows = np.empty((count, NUMBERS))
    if count:
        touching = np.empty((count, 3), np.uint32)
        touching[:, 0] = np.repeat(np.arange(len(pairs)), table.counts)
        touching[:, 1:] = table.triangles
        arrays = stored.starts, pairs.astype(np.uint32), request.a.poses, request.b.poses, touching
        buffers = [device.upload(array) for array in arrays]
        contacts = device.empty(rows.nbytes)
        device.wait(device.launch(CONTACT, "contact", count, None, stored.buffers[-1], *buffers, count, contacts))
        device.read(contacts, rows)
    return contacts_of_arrays(rows[:, :6].reshape(-1, 2, 3), rows[:, 6:9], rows[:, 9])
