"""The first contact of meshes that deform: swept boxes first, then vertices with faces and edges with edges.

Kinds of pairs come one after the other, those of vertices and faces first, as they are fewer. The best time so far ends
each query that cannot be earlier, and the boxes of the next kind of pairs reach only to the places of that time. What
is found does not depend on the order in which threads work: a query gives up only when its own bound is later than the
best time, and all that came to an end are compared afterwards.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tumble.api.element_impacts import ImpactOptions, contact_times, decide, undecided
from tumble.core.growing import Growing
from tumble.core.parallel import run_pieces
from tumble.mesh import Mesh
from tumble.mesh.arrays import MAX_COUNT, frozen
from tumble.query.settings import BulkSettings
from tumble.query.step_impact import KINDS, StepContacts, StepImpact

PIECE = 1 << 14
PAIRS_PER_ELEMENT = 32
ROUNDING = 8 * 2.0**-53
"""of the largest coordinate: more than a place between both ends of a step is off by"""


class Motion(NamedTuple):
    """One mesh, or two with their vertices joined, in a step."""

    meshes: list[Mesh]
    starts: NDArray[np.float64]
    ends: NDArray[np.float64]


class Found(NamedTuple):
    """Pairs of one kind that may meet."""

    kind: int
    pairs: NDArray[np.int64]
    """(k, 2) elements, each counted from 0"""
    vertices: NDArray[np.int64]
    """(k, 4) in the order of a query; a pair of face and vertex begins with the vertex"""
    times: NDArray[np.float64]
    latest: NDArray[np.float64]
    states: NDArray[np.int64]


def step_impact(motion: Motion, options: ImpactOptions, every: bool, workers: int) -> StepImpact:
    """Return the first contact of a step, and all contacts where `every` says so."""
    if every:
        found = [_search(motion, kind, options, None, workers) for kind in _kinds(motion)]
        contacts = _all_contacts(motion, found, options)
        return replace(_first(motion, found, options), contacts=contacts)
    found, best = [], np.array([1.0])
    for kind in _kinds(motion):
        if best[0] == 0.0:  # nothing is earlier, and what comes later yields
            break
        # the boxes of each kind reach as far as the best time so far leaves them to
        found.append(_search(motion, kind, options, best, workers))
        if options.exact:
            best[0] = min(best[0], _first(motion, found, options).latest)
    return _first(motion, found, options)


def _kinds(motion: Motion) -> list[int]:
    return [KINDS.index(kind) for kind in (KINDS if len(motion.meshes) > 1 else ("vertex-face", "edge-edge"))]


def _search(motion: Motion, kind: int, options: ImpactOptions, best: NDArray[np.float64] | None, workers: int) -> Found:
    """Return the pairs of one kind that may meet until the best time, which becomes earlier; None: all in the step."""
    from tumble.hierarchy.implicit.elements import element_trees, vertex_boxes
    from tumble.narrow.ccd.batch import BY_ANY, BY_NONE, BY_PROVEN, advance_pairs
    from tumble.traversal.bulk.rounds import leaf_pairs

    ending = BY_NONE if best is None else BY_PROVEN if options.exact else BY_ANY
    best = np.array([1.0]) if best is None else best
    ends, radius = _reached(motion, float(best[0]), options.separation)
    elements, pair = _elements(motion, kind)
    trees = element_trees(vertex_boxes(motion.starts, ends, radius, workers), elements, workers)
    capacity = min(max(PAIRS_PER_ELEMENT * len(trees.order), 1), MAX_COUNT)
    settings = BulkSettings(first_capacity=capacity)
    keys, _ = leaf_pairs(trees, np.array([pair]), settings, adjacent=False, threads=workers)
    corners, edges, numbers = trees.posed.bodies.faces, KINDS[kind] == "edge-edge", options.numbers

    def piece(number: int) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        span = number * PIECE, min((number + 1) * PIECE, len(keys))
        rows = [Growing(1024), Growing(1024, (3,), np.float64)]
        while True:
            free = [each.free for each in rows]
            shared = motion.starts, motion.ends, edges, numbers, ending, best
            count = int(advance_pairs(keys, corners, *shared, *free, *span))
            fitting = [each.fits(count) for each in rows]
            if all(fitting):
                return free[0][:count], free[1][:count]

    parts = run_pieces(piece, -(-len(keys) // PIECE), workers)
    found_keys = np.concatenate([np.empty(0, np.int64), *(each for each, _ in parts)])
    values = np.concatenate([np.empty((0, 3)), *(each for _, each in parts)])
    return _sorted_found(kind, found_keys, values, corners, trees.layout.first_leaf, pair)


def _reached(motion: Motion, until: float, separation: float) -> tuple[NDArray[np.float64], float]:
    """Return where vertices are at a time, and how far boxes about both places reach beyond them."""
    if until == 1.0:
        return motion.ends, 0.5 * separation
    largest = max(float(np.abs(each).max(initial=0.0)) for each in (motion.starts, motion.ends))
    return (1.0 - until) * motion.starts + until * motion.ends, 0.5 * separation + ROUNDING * largest


def _elements(motion: Motion, kind: int) -> tuple[list[NDArray[np.int32]], list[int]]:
    """Return the elements of which pairs are looked for, and which of them are paired: faces before vertices."""
    first, second = motion.meshes[0], motion.meshes[-1]
    shift = np.int32(_shift(motion))
    if KINDS[kind] == "edge-edge":
        each = [_edges(first)] if len(motion.meshes) == 1 else [_edges(first), _edges(second) + shift]
        return each, [0, len(each) - 1]
    if KINDS[kind] == "vertex-face":
        return [second.faces + shift, _points(first)], [0, 1]
    return [first.faces, _points(second) + shift], [0, 1]


def _edges(mesh: Mesh) -> NDArray[np.int32]:
    from tumble.hierarchy.implicit.elements import edges_of

    return edges_of(mesh.faces).astype(np.int32)[:, [0, 1, 1]]


def _points(mesh: Mesh) -> NDArray[np.int32]:
    return np.repeat(np.arange(len(mesh.vertices), dtype=np.int32)[:, None], 3, axis=1)


def _sorted_found(
    kind: int,
    keys: NDArray[np.int64],
    values: NDArray[np.float64],
    corners: NDArray[np.int32],
    first: NDArray[np.int64],
    pair: list[int],
) -> Found:
    """Return pairs in the order of their elements."""
    a, b = keys >> 32, keys & 0xFFFFFFFF
    if KINDS[kind] == "edge-edge":
        vertices = np.concatenate([corners[a, :2], corners[b, :2]], axis=1)
    else:
        vertices = np.concatenate([corners[b, :1], corners[a]], axis=1)
    pairs = np.stack([a - first[pair[0]], b - first[pair[1]]], axis=1)
    if KINDS[kind] == "vertex-face":
        pairs = pairs[:, ::-1]
    order = np.lexsort((pairs[:, 1], pairs[:, 0]))
    times, latest, states = values[order].T
    return Found(kind, pairs[order], vertices[order].astype(np.int64), times, latest, states.astype(np.int64))


def _settle(motion: Motion, found: Found, row: int) -> None:
    """Decide a pair in integers where float64 left it open."""
    if undecided(found.times[row], found.latest[row], found.states[row]):
        four = found.vertices[row]
        times = contact_times(motion.starts[four], motion.ends[four], KINDS[found.kind] == "edge-edge")
        found.times[row], found.latest[row], found.states[row] = *times, times[0] <= 1.0


def _first(motion: Motion, found: list[Found], options: ImpactOptions) -> StepImpact:
    """Return the earliest of all pairs; of equal times, the first kind and the lowest elements."""
    rows = sorted((time, k, row) for k, each in enumerate(found) for row, time in enumerate(each.times.tolist()))
    best: tuple[float, int, int] = (math.inf, -1, -1)
    for bound in rows:
        if bound >= best:
            break
        _, k, row = bound
        if options.exact:
            _settle(motion, found[k], row)
        best = min(best, (float(found[k].times[row]), k, row))
    if best[0] > 1.0:
        return StepImpact()
    each, row = found[best[1]], best[2]
    latest = min(float(each.latest.min(initial=math.inf)) for each in found)
    return _impact(motion, each, row, (best[0], latest))


def _impact(motion: Motion, found: Found, row: int, times: tuple[float, float]) -> StepImpact:
    """Return one contact as an answer."""
    own = _own_numbers(motion, found.kind, found.vertices[row : row + 1])[0]
    elements, four = tuple(found.pairs[row].tolist()), tuple(own.tolist())
    return StepImpact(*times, KINDS[found.kind], elements, four)


def _own_numbers(motion: Motion, kind: int, vertices: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return vertices as each mesh numbers them, those of the first element first."""
    if KINDS[kind] == "face-vertex":
        vertices = vertices[:, [1, 2, 3, 0]]
    shift = _shift(motion)
    return np.where(vertices >= shift, vertices - shift, vertices)


def _shift(motion: Motion) -> int:
    """Return how many vertices come before those of the second mesh."""
    return len(motion.meshes[0].vertices) if len(motion.meshes) > 1 else 0


def _all_contacts(motion: Motion, found: list[Found], options: ImpactOptions) -> StepContacts:
    """Return all pairs that meet, in the order of their times."""
    for each in found if options.exact else []:
        starts, ends = motion.starts[each.vertices], motion.ends[each.vertices]
        decide(starts, ends, KINDS[each.kind] == "edge-edge", each.times, each.latest, each.states)
    kinds = np.concatenate([np.full(len(each.times), each.kind) for each in found])
    columns = [
        kinds,
        np.concatenate([each.pairs for each in found]),
        np.concatenate([_own_numbers(motion, each.kind, each.vertices) for each in found]),
        np.concatenate([each.times for each in found]),
        np.concatenate([each.latest for each in found]),
    ]
    order = np.argsort(columns[3], kind="stable")
    order = order[np.concatenate([each.states for each in found])[order] != 0]
    return StepContacts(*(frozen(column[order]) for column in columns))
