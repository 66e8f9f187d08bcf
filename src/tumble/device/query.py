"""A query on a device, step by step: trees there, poses there, traverse, copy back, confirm."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tumble.core.limits import PairCount
from tumble.core.parallel import thread_count
from tumble.device.confirm import Meshes, confirm, meshes_of
from tumble.device.contacts import DeviceContacts, find_contacts
from tumble.device.device import OpenDevice, open_device, working
from tumble.device.launch import TooMany, Work, find_candidates
from tumble.device.relations import Frames, relations
from tumble.device.timings import DeviceTimings, current_timings, phase
from tumble.device.tree_store import EMPTY, Planted, forest_of, starts
from tumble.hierarchy import Tree
from tumble.query.answer import PairTable, joined
from tumble.query.bodies import Bodies, checked_deviations
from tumble.query.engine import TOUCHING, Request
from tumble.query.settings import DeviceSettings

DEFAULT = DeviceSettings()


class DeviceBodies(NamedTuple):
    """Trees and where they are."""

    trees: list[Tree]
    which: NDArray[np.int64]
    """(m,) the number of each body's tree"""
    poses: NDArray[np.float64]
    """(m, 4, 4)"""


class Found(NamedTuple):
    """What a device query gives."""

    collisions: PairTable
    counts: NDArray[np.uint32] | None
    """(n, 4) turns, overlaps, overlaps of leaves, triangle tests; None unless asked for"""
    contacts: DeviceContacts | None = None
    """of all touching pairs, in their order; None unless asked for"""


@dataclass(frozen=True, eq=False)
class _Question:
    """What all parts of a list of pairs share."""

    device: OpenDevice
    bodies: tuple[DeviceBodies, DeviceBodies]
    deviations: tuple[NDArray[np.float64], NDArray[np.float64]]
    meshes: tuple[Meshes, Meshes]
    first: bool
    threads: int | None
    counting: bool
    settings: DeviceSettings
    timings: DeviceTimings
    count: PairCount


def collide_on_device(
    name: str,
    a: DeviceBodies,
    b: DeviceBodies,
    pairs: NDArray[np.int64],
    *,
    first: bool = False,
    threads: int | None = None,
    counting: bool = False,
    contacts: bool = False,
    settings: DeviceSettings = DEFAULT,
    called: tuple[str, str] = ("poses", "poses"),
) -> Found:
    """Ask for each of `pairs`, (n, 2) numbers of bodies of a and of b, which triangles touch.

    counting   also what each pair took
    contacts   also where and how the triangles touch
    """
    device, timings = open_device(name), current_timings()
    timings.pairs += len(pairs)
    deviations = checked_deviations(a.poses, called[0]), checked_deviations(b.poses, called[1])
    meshes = meshes_of(*a), meshes_of(*b)
    question = _Question(
        device, (a, b), deviations, meshes, bool(first), threads, counting, settings, timings, PairCount()
    )
    pairs = np.ascontiguousarray(pairs, np.int64)
    found = _answer(question, pairs)
    return found._replace(contacts=_contacts(question, pairs, found.collisions)) if contacts else found


def _answer(question: _Question, pairs: NDArray[np.int64]) -> Found:
    device, timings = question.device, question.timings
    try:
        with working(device):
            with phase(timings, "trees"):
                planted, forest = _planted(question)
            with phase(timings, "upload"):
                work = _work(question, planted, forest, pairs)
            candidates, counts = find_candidates(device, work, question.settings, timings, question.counting)
    except TooMany:
        return _answer_in_parts(question, pairs)
    with phase(timings, "confirm"):
        collisions, unsure = confirm(candidates, *question.meshes, pairs, question.first, question.threads)
    timings.unsure += unsure
    question.count.add(len(collisions.triangles))
    return Found(collisions, counts)


def _planted(question: _Question) -> tuple[list[list[Planted]], list[Any]]:
    """Return where the trees are on the device, those of a and those of b, and the buffers."""
    forest = forest_of(question.device)
    trees = [tree for bodies in question.bodies for tree in bodies.trees]
    places = iter(forest.plant([tree for tree in trees if len(tree)]))
    found = [[next(places) if len(tree) else EMPTY for tree in bodies.trees] for bodies in question.bodies]
    return found, forest.buffers


def _work(question: _Question, planted: list[list[Planted]], forest: list[Any], pairs: NDArray[np.int64]) -> Work:
    frames, trees, levels = [], [], 0
    for bodies, places, deviations, column in zip(question.bodies, planted, question.deviations, (0, 1), strict=True):
        frames.append(Frames([place.local for place in places], bodies.which, bodies.poses, deviations))
        trees.append(bodies.which[pairs[:, column]])
        levels += max((tree.depth for tree in bodies.trees), default=0)
    sizes = [np.array([place.size[0] for place in places], np.int64) for places in planted]
    live = np.flatnonzero((sizes[0][trees[0]] > 0) & (sizes[1][trees[1]] > 0))
    where = starts(planted[0], planted[1], np.stack(trees, axis=1))
    return Work(forest, where, relations(frames[0], frames[1], pairs), live, levels, question.first)


def _contacts(question: _Question, pairs: NDArray[np.int64], collisions: PairTable) -> DeviceContacts:
    with phase(question.timings, "contact"), working(question.device):
        planted, forest = _planted(question)
        trees = np.stack([bodies.which[pairs[:, k]] for k, bodies in enumerate(question.bodies)], axis=1)
        poses = question.bodies[0].poses, question.bodies[1].poses
        where = starts(planted[0], planted[1], trees)
        return find_contacts(question.device, forest, where, pairs, poses, collisions)


def _answer_in_parts(question: _Question, pairs: NDArray[np.int64]) -> Found:
    """Answer for each half of the list, or for a single pair on the CPU."""
    if len(pairs) == 1:
        counts = np.zeros((1, 4), np.uint32) if question.counting else None
        found = _answer_by_cpu(question, pairs)
        question.count.add(len(found.triangles))
        return Found(found, counts)
    half = len(pairs) // 2
    parts = [_answer(question, part) for part in (pairs[:half], pairs[half:])]
    counts = np.concatenate([part.counts for part in parts if part.counts is not None]) if question.counting else None
    return Found(joined([part.collisions for part in parts]), counts)


def _answer_by_cpu(question: _Question, pairs: NDArray[np.int64]) -> PairTable:
    from tumble.traversal.packed.engine import ask

    a, b = (Bodies([tree.mesh for tree in each.trees], each.which, each.poses) for each in question.bodies)
    return ask(
        Request(TOUCHING, a, b, pairs, "auto", "cpu", None, question.first, threads=thread_count(question.threads))
    )
