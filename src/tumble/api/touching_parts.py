"""Which parts of an assembly touch: a sweep over the parts' boxes, then an exact count for each pair whose boxes meet.

The sweep compares the float64 bounds as they are, closed boxes, so that it never loses a pair; a pair of parts that
only share a face, an edge or a point is counted like any other.

    sort the boxes by their low end along one axis
    for each box: the boxes that follow and start before it ends overlap it along that axis
        keep those that overlap along the other two axes as well

For n parts with k pairs of meeting boxes it takes memory for n + k numbers, whatever the boxes do.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from tumble.core.limits import PairCount
from tumble.errors import InputError, MeshError
from tumble.mesh import Mesh, MeshLike, Part, as_mesh

if TYPE_CHECKING:
    from tumble.query.run import Bodies
    from tumble.traversal.engines import Engine

Progress = Callable[[int, int], None]

AT_A_TIME = 64
"""pairs of parts between two reports of progress"""


@dataclass(frozen=True)
class Contact:
    """Two parts that touch; `index_a` is always below `index_b`."""

    part_a: str
    part_b: str
    index_a: int
    """the place of part_a in the list of parts"""
    index_b: int
    triangle_pairs: int
    """how many pairs of triangles, one of each part, share at least a point; never zero"""


def touching_parts(parts: Iterable[Part], progress: Progress | None = None) -> list[Contact]:
    """Return every two parts that touch, in the order of the parts.

    Parts are `Part(name, mesh)`, each mesh already in its place; a `trimesh.Trimesh` or a
    `(vertices, faces)` pair will do as the mesh. Only surfaces count: a part that floats inside a hollow one does not
    touch it. All cores take part. `progress(done, total)` is called at the start and now and then; `total` is the
    number of pairs of parts whose boxes meet.
    """
    from tumble.query.run import collide_bodies
    from tumble.traversal.engines import wide_engine

    parts = _listed(parts)
    meshes = [_mesh_of(part, index) for index, part in enumerate(parts)]
    pairs = meeting_boxes(meshes)
    engine = wide_engine()
    bodies = _in_place(meshes, pairs, engine)
    contacts = []
    _report(progress, 0, len(pairs))
    for start in range(0, len(pairs), AT_A_TIME):
        some = pairs[start : start + AT_A_TIME]
        counts = collide_bodies(bodies, bodies, some, engine).counts
        for (i, j), count in zip(some[counts > 0].tolist(), counts[counts > 0].tolist(), strict=True):
            contacts.append(Contact(parts[i][0], parts[j][0], i, j, count))
        _report(progress, start + len(some), len(pairs))
    return contacts


def _in_place(meshes: Sequence[Mesh], pairs: NDArray[np.int64], engine: Engine) -> Bodies:
    """Return the meshes as bodies that nothing moves; only those that some pair names need a tree."""
    from tumble.query.run import Bodies

    trees = np.zeros(len(meshes), np.int64)
    for index in np.unique(pairs).tolist():
        trees[index] = engine.tree_of(meshes[index]).address
    return Bodies(trees, np.tile(np.eye(4), (len(meshes), 1, 1)))


def meeting_boxes(meshes: Sequence[Mesh]) -> NDArray[np.int64]:
    """Return the pairs (i, j), i < j, of meshes whose bounding boxes share a point, as sorted (k, 2).

    An empty mesh has no box and meets nothing.
    """
    bounded = [(index, mesh.bounds) for index, mesh in enumerate(meshes)]
    owners = np.array([index for index, bounds in bounded if bounds is not None], np.int64)
    if len(owners) < 2:
        return np.empty((0, 2), np.int64)
    boxes = np.stack([bounds for _, bounds in bounded if bounds is not None])
    axis = _sparsest_axis(boxes)
    order = np.argsort(boxes[:, 0, axis], kind="stable")
    parts, count = [], PairCount()
    for part in _sweep(boxes[order], owners[order], axis):
        count.add(len(part))
        parts.append(part)
    keys = np.concatenate(parts)
    keys.sort()
    return np.stack((keys >> 32, keys & 0xFFFFFFFF), axis=1)


def _sweep(boxes: NDArray[np.float64], owners: NDArray[np.int64], axis: int) -> Iterator[NDArray[np.int64]]:
    """Yield, for each box in the order of its low end along the axis, its pairs with later ones that meet it.

    A pair is one number, the smaller owner in the upper half: that sorts fast and in place.
    """
    lows, highs = (np.ascontiguousarray(ends) for ends in (boxes[:, 0], boxes[:, 1]))
    reach = np.searchsorted(lows[:, axis], highs[:, axis], side="right")
    for k, end in enumerate(reach.tolist()):
        later = slice(k + 1, end)
        meets = ((lows[later] <= highs[k]) & (highs[later] >= lows[k])).all(axis=1)
        partners = owners[later][meets]
        yield np.minimum(partners, owners[k]) << 32 | np.maximum(partners, owners[k])


def _sparsest_axis(boxes: NDArray[np.float64]) -> int:
    """Return the axis along which the fewest boxes overlap, so that the sweep has the least to compare."""
    lows, highs = boxes[:, 0], boxes[:, 1]
    overlaps = [np.searchsorted(np.sort(lows[:, axis]), highs[:, axis], side="right").sum() for axis in range(3)]
    return int(np.argmin(overlaps))


def _listed(parts: Iterable[Part]) -> list[Part]:
    if isinstance(parts, Mapping):
        raise InputError("expected a list of tumble.Part; make one with [tumble.Part(*item) for item in parts.items()]")
    try:
        return list(parts)
    except TypeError:
        raise InputError(f"expected a list of tumble.Part, not {parts!r}") from None


def _mesh_of(part: tuple[str, MeshLike], index: int) -> Mesh:
    try:
        name, mesh = part
    except (TypeError, ValueError):
        raise InputError(f"part {index} is {part!r}; expected a tumble.Part: its name and its mesh") from None
    try:
        return as_mesh(mesh)
    except MeshError as error:
        raise MeshError(f"part {index}, {name!r}: {error}") from error


def _report(progress: Progress | None, done: int, total: int) -> None:
    if progress is not None:
        progress(done, total)
