"""`candidates`: which vertices and faces, edges and edges, faces and faces of a mesh come close, by their boxes."""

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tumble.api.ask import planned
from tumble.core.parallel import run_pieces, thread_count
from tumble.errors import OptionError
from tumble.mesh import Mesh, MeshLike, as_mesh
from tumble.mesh.arrays import MAX_COORDINATE, MAX_COUNT
from tumble.query.bodies import moved_vertices
from tumble.query.engine import ELEMENTS
from tumble.query.plan import Options
from tumble.query.settings import BulkSettings
from tumble.traversal.bulk.sort import sorted_pairs

KINDS = ("face-vertex", "edge-edge", "face-face")
SLOWEST_FIRST = ("edge", "face", "vertex")
"""the elements, those whose trees take longest first"""
PAIRS_PER_ELEMENT = 32
"""pairs per element for which there is memory at first"""


@dataclass(frozen=True, eq=False)
class Candidates:
    """Pairs of elements of one mesh whose boxes meet and that share no vertex; None where not wanted."""

    edges: NDArray[np.int64] | None = None
    """(m, 2): the edges of all faces, each once, the smaller vertex first, in libigl's order: by the larger vertex,
    then the smaller; only with edge-edge pairs"""
    face_vertex: NDArray[np.int64] | None = None
    """(k, 2): face and vertex, sorted"""
    edge_edge: NDArray[np.int64] | None = None
    """(k, 2): rows of `edges`, the smaller first, sorted"""
    face_face: NDArray[np.int64] | None = None
    """(k, 2): faces, the smaller first, sorted"""

    def __repr__(self) -> str:
        parts = [(kind, getattr(self, kind.replace("-", "_"))) for kind in KINDS]
        listed = ", ".join(f"{len(pairs)} {kind}" for kind, pairs in parts if pairs is not None)
        return f"<Candidates: {listed or 'none asked for'}>"


def candidates(
    mesh: MeshLike,
    kinds: str | Sequence[str] = ("face-vertex", "edge-edge"),
    *,
    radius: float = 0.0,
    vertices_end: ArrayLike | None = None,
    method: str = "auto",
    tree: str = "auto",
    device: str = "cpu",
    threads: int | None = None,
    first: bool = False,
    contacts: bool = False,
    stats: bool = False,
    settings: BulkSettings | None = None,
) -> Candidates:
    """Return the pairs of elements whose boxes meet, for codes that have a narrow phase of their own.

    The convention is that of IPC Toolkit: the box of a vertex reaches from `x - radius` to `x + radius`, one float64
    farther on each side; those of edges and faces are the boxes about their vertices' boxes; boxes are closed; pairs
    that share a vertex, by index, are left out. The result is complete and contains no other pairs.

    kinds         some of face-vertex, edge-edge, face-face
    radius        how far boxes reach beyond the vertices: half the distance that is to be noticed
    vertices_end  (n, 3): where the vertices go in this step; boxes then contain both places, for continuous collision
    threads       how many threads share the work, at most; None: all cores. The result does not depend on it.
    settings      how trees are traversed: `tumble.BulkSettings`

    The other options are there as in every call; boxes have no contacts, and counters are not kept.
    """
    wanted = _checked_kinds(kinds)
    workers = thread_count(threads)
    options = Options(method, tree, device, threads, first, contacts, stats, settings).checked()
    for name in ("first", "contacts"):
        if getattr(options, name):
            raise OptionError(f"{name}=True cannot be used for candidates, which are pairs of boxes; collide has it")
    chosen = planned([ELEMENTS], options)
    given = as_mesh(mesh)
    start = given.vertices
    ends = start if vertices_end is None else moved_vertices("vertices_end", vertices_end, start)
    return Candidates(**_find(given, ends, _checked_radius(radius), wanted, workers, chosen.settings))


def _find(
    mesh: Mesh, ends: NDArray[np.float64], radius: float, wanted: set[str], workers: int, settings: BulkSettings
) -> dict[str, NDArray[np.int64]]:
    """Return the fields of `Candidates`."""
    from tumble.hierarchy.implicit.elements import edges_of, element_trees, vertex_boxes
    from tumble.traversal.bulk.rounds import leaf_pairs

    kinds = [kind for kind in KINDS if kind in wanted]
    needed = [name for name in SLOWEST_FIRST if any(name in kind for kind in kinds)]
    if not needed:
        return {}
    first_steps: list[Callable[[], Any]] = [partial(vertex_boxes, mesh.vertices, ends, radius)]
    first_steps += [partial(edges_of, mesh.faces)] if "edge" in needed else []
    points, *edges = run_pieces(lambda number: first_steps[number](), len(first_steps), workers)
    trees = element_trees(points, [_corners(name, mesh, edges) for name in needed], workers)
    if settings.first_capacity is None:
        settings = replace(settings, first_capacity=min(max(PAIRS_PER_ELEMENT * len(trees.order), 1), MAX_COUNT))
    first, found = trees.layout.first_leaf, {}
    for kind in kinds:
        a, b = (needed.index(name) for name in kind.split("-"))
        keys, _ = leaf_pairs(trees, np.array([[a, b]]), settings, adjacent=False, threads=workers)
        found[kind.replace("-", "_")] = sorted_pairs(keys, first[a] << 32 | first[b], workers)
    return {**found, "edges": edges[0]} if edges else found


def _corners(name: str, mesh: Mesh, edges: list[NDArray[np.int64]]) -> NDArray[np.int32]:
    """Return (m, 3) vertices of elements, repeated where there are fewer."""
    if name == "face":
        return mesh.faces
    if name == "edge":
        return edges[0].astype(np.int32)[:, [0, 1, 1]]
    return np.repeat(np.arange(len(mesh.vertices), dtype=np.int32)[:, None], 3, axis=1)


def _checked_kinds(kinds: str | Sequence[str]) -> set[str]:
    flat = isinstance(kinds, np.ndarray) and kinds.ndim == 0  # claims to be iterable, and is not
    wanted: list[Any] = [kinds] if isinstance(kinds, str) or flat or not isinstance(kinds, Iterable) else list(kinds)
    for kind in wanted:
        if not isinstance(kind, str) or kind not in KINDS:
            raise OptionError(f"unknown kind of candidates {kind!r}; choose some of: {', '.join(KINDS)}")
    return set(wanted)


def _checked_radius(radius: float) -> float:
    try:
        number = math.nan if isinstance(radius, bool | str) else float(radius)
    except (TypeError, ValueError, OverflowError):
        number = math.nan
    if not 0.0 <= number <= MAX_COORDINATE:
        raise OptionError(f"radius must be a number from 0 to {MAX_COORDINATE:g}, not {radius!r}")
    return number
