"""`candidates`: which vertices and faces, edges and edges, faces and faces of a mesh come close, by their boxes."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tumble.errors import MeshError, OptionError
from tumble.mesh import MeshLike, as_mesh
from tumble.mesh.arrays import MAX_COORDINATE, check_vertices
from tumble.parallel import run_pieces, thread_count
from tumble.result import pairs_of_keys

KINDS = ("face-vertex", "edge-edge", "face-face")
ELEMENTS = ("edge", "face", "vertex")
"""those that take longest first"""


@dataclass(frozen=True, eq=False)
class Candidates:
    """Pairs of elements of one mesh whose boxes meet and that share no vertex; None where nobody asked."""

    edges: NDArray[np.int64] | None = None
    """(m, 2): the edges of all faces, each once, the smaller vertex first, in libigl's order: by the larger vertex,
    then the smaller; where edge-edge pairs were asked for"""
    face_vertex: NDArray[np.int64] | None = None
    """(k, 2): face and vertex, sorted"""
    edge_edge: NDArray[np.int64] | None = None
    """(k, 2): rows of `edges`, the smaller first, sorted"""
    face_face: NDArray[np.int64] | None = None
    """(k, 2): faces, the smaller first, sorted"""

    def __repr__(self) -> str:
        parts = [(kind, getattr(self, kind.replace("-", "_"))) for kind in KINDS]
        told = ", ".join(f"{len(pairs)} {kind}" for kind, pairs in parts if pairs is not None)
        return f"<Candidates: {told or 'none asked for'}>"


class _Elements(NamedTuple):
    """Vertices, edges or faces, with their boxes and a tree over them."""

    corners: NDArray[np.int32]
    boxes: NDArray[np.float64]
    blocks: NDArray[np.float32]

    @property
    def addresses(self) -> tuple[int, int, int]:
        """Where kernels find the blocks, the boxes and the corners."""
        return self.blocks.ctypes.data, self.boxes.ctypes.data, self.corners.ctypes.data


def candidates(
    mesh: MeshLike,
    kinds: str | Sequence[str] = ("face-vertex", "edge-edge"),
    *,
    radius: float = 0.0,
    vertices_end: ArrayLike | None = None,
    threads: int | None = None,
) -> Candidates:
    """Return the pairs of elements whose boxes meet, for codes that have a narrow phase of their own.

    The convention is that of IPC Toolkit: the box of a vertex reaches from `x - radius` to `x + radius`, one float64
    farther on each side; those of edges and faces are the boxes about their vertices' boxes; boxes are closed; pairs
    that share a vertex, by index, are left out. All of them and no other is in the answer.

    kinds         some of face-vertex, edge-edge, face-face
    radius        how far boxes reach beyond the vertices: half the distance that is to be noticed
    vertices_end  (n, 3): where the vertices go in this step; boxes then hold both places, for continuous collision
    threads       at most so many at a time; None: all cores. The result does not depend on it.
    """
    wanted = _checked_kinds(kinds)
    workers = thread_count(threads)
    given = as_mesh(mesh)
    points = _vertex_boxes(given.vertices, vertices_end, _checked_radius(radius))
    return Candidates(**_find(points, given.faces, wanted, workers))


def _find(
    points: NDArray[np.float64], faces: NDArray[np.int32], wanted: set[str], workers: int
) -> dict[str, NDArray[np.int64]]:
    """Return what `Candidates` holds; points are the boxes of vertices.

    Trees are built side by side, and so are lists sorted: much of either is done by one thread alone.
    """
    from tumble.hierarchy.packed.over_boxes import boxes_about, build_over_boxes, frame_about

    kinds = [kind for kind in KINDS if kind in wanted]
    needed = [name for name in ELEMENTS if any(name in kind for kind in kinds)]
    frame, builders = frame_about(points), max(1, workers // max(1, len(needed)))
    edges: list[NDArray[np.int64]] = []

    def elements(number: int) -> _Elements:
        corners: NDArray[Any] = faces
        if needed[number] == "edge":
            edges.append(edges_of(faces))
            corners = edges[0][:, [0, 1, 1]]
        if needed[number] == "vertex":
            corners = np.repeat(np.arange(len(points))[:, None], 3, axis=1)
        corners = np.ascontiguousarray(corners, np.int32)
        boxes = boxes_about(points, corners)
        return _Elements(corners, boxes, build_over_boxes(boxes, frame, builders))

    made = dict(zip(needed, run_pieces(elements, len(needed), workers), strict=True))
    sides = [kind.split("-") for kind in kinds]
    keys = [_keys(made[a], made[b], workers) for a, b in sides]
    run_pieces(lambda number: keys[number].sort(), len(kinds), workers)
    found = {kind.replace("-", "_"): pairs_of_keys(each) for kind, each in zip(kinds, keys, strict=True)}
    return {**found, "edges": edges[0]} if edges else found


def _keys(a: _Elements, b: _Elements, workers: int) -> NDArray[np.int64]:
    """Return the keys of pairs of elements of two kinds, or of one, in no order."""
    from tumble.traversal.wide.box_pairs import box_pairs_in_blocks, box_pairs_of_trees
    from tumble.traversal.wide.collect import all_keys

    if a is b:
        return all_keys(lambda *places: int(box_pairs_in_blocks(*a.addresses, *places)), len(a.blocks), workers)
    both = (*a.addresses, *b.addresses)
    return all_keys(lambda *places: int(box_pairs_of_trees(*both, *places)), len(a.blocks), workers)


def _vertex_boxes(start: NDArray[np.float64], end: ArrayLike | None, radius: float) -> NDArray[np.float64]:
    low = high = start
    if end is not None:
        try:
            moved = check_vertices(end)
        except MeshError as error:
            raise MeshError(f"vertices_end: {error}") from error
        if len(moved) != len(start):
            raise MeshError(f"vertices_end has {len(moved)} rows and the mesh {len(start)} vertices; give one for each")
        low, high = np.minimum(start, moved), np.maximum(start, moved)
    return np.concatenate([np.nextafter(low - radius, -np.inf), np.nextafter(high + radius, np.inf)], axis=1)


def edges_of(faces: NDArray[np.int32]) -> NDArray[np.int64]:
    """Return the edges of faces as `Candidates.edges`; a face that names a vertex twice has one edge."""
    start, end = faces.T.reshape(-1).astype(np.int64), faces.T[[1, 2, 0]].reshape(-1).astype(np.int64)
    keys = np.sort(np.maximum(start, end) << 32 | np.minimum(start, end))
    new = np.ones(len(keys), bool)
    new[1:] = keys[1:] != keys[:-1]
    edges = pairs_of_keys(keys[new & (keys >> 32 != keys & 0xFFFFFFFF)])[:, ::-1].copy()
    edges.flags.writeable = False
    return edges


def _checked_kinds(kinds: str | Sequence[str]) -> set[str]:
    wanted = [kinds] if isinstance(kinds, str) or not isinstance(kinds, Iterable) else list(kinds)
    for kind in wanted:
        if kind not in KINDS:
            raise OptionError(f"unknown kind of candidates {kind!r}; choose some of: {', '.join(KINDS)}")
    return set(wanted)


def _checked_radius(radius: float) -> float:
    try:
        number = math.nan if isinstance(radius, bool | str) else float(radius)
    except (TypeError, ValueError):
        number = math.nan
    if not 0.0 <= number <= MAX_COORDINATE:
        raise OptionError(f"radius must be a number from 0 to {MAX_COORDINATE:g}, not {radius!r}")
    return number
