"""`collide_all`: all pairs of many meshes, and meshes with themselves, in one question."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tumble.api.ask import ask
from tumble.core.keys import unique_pairs
from tumble.core.options import is_cpu
from tumble.errors import OptionError
from tumble.mesh import Mesh, MeshLike
from tumble.mesh.arrays import frozen
from tumble.query.answer import MeshCollisions
from tumble.query.bodies import Bodies, standing
from tumble.query.engine import CANDIDATES, TOUCHING
from tumble.query.plan import Options
from tumble.query.settings import AnySettings

if TYPE_CHECKING:
    from tumble.device.host.implicit_trees import DeviceTrees
    from tumble.hierarchy.implicit import ImplicitTrees


def collide_all(
    meshes: Sequence[MeshLike] | ImplicitTrees | DeviceTrees,
    poses: Sequence[ArrayLike | None] | None = None,
    *,
    between: bool | ArrayLike = True,
    within: bool | Sequence[int] = False,
    candidates: bool = False,
    neighbours: bool = False,
    method: str = "auto",
    tree: str = "auto",
    device: str = "cpu",
    threads: int | None = None,
    first: bool = False,
    contacts: bool = False,
    stats: bool = False,
    settings: AnySettings | None = None,
) -> MeshCollisions:
    """Return the touching triangles of many meshes, exactly: `.meshes` (n, 2), `.counts` (n,), `.pairs(i, j)`.

    meshes      or trees, which are kept from frame to frame and moved: `tumble.hierarchy.implicit.implicit_trees`, or
                on a device `tumble.device.engines.device_trees`
    poses       where the meshes are, one rigid 4×4 pose or None for each; None: as they are
    between     pairs of different meshes: True for all, False for none, or (n, 2) numbers of meshes
    within      meshes with themselves, as `self_collide` does it: True for all, False for none, or numbers of meshes
    candidates  leave out the triangle test: all pairs of triangles whose boxes share a point
    neighbours  with candidates, also pairs that share a vertex of their mesh
    method      auto (which is bulk), or any of `collide`
    first       only one pair of triangles for each two meshes

    The other options are those of `collide`; the result does not depend on them.
    """
    if neighbours and not candidates:
        raise OptionError("neighbours=True is for candidates=True; triangles that share a vertex are always tested")
    if isinstance(method, str) and method == "auto" and isinstance(tree, str) and tree == "auto" and settings is None:
        method = "bulk"
    if not isinstance(meshes, Sequence) and hasattr(meshes, "posed"):
        if poses is not None or not is_cpu(device):
            raise OptionError("trees have poses and a device of their own; move them with trees.move(poses=...)")
        bodies = replace(standing(_TreeMeshes(meshes.posed)), trees=meshes)
        device = meshes.device.info.name if hasattr(meshes, "device") else device
    else:
        bodies = _posed(meshes, poses)
    pairs = _wanted_pairs(bodies, between, within)
    options = Options(method, tree, device, threads, first, contacts, stats, settings)
    table = ask(CANDIDATES if candidates else TOUCHING, bodies, bodies, pairs, options, neighbours=bool(neighbours))
    hit = table.hit
    found = table.counts[hit], table.triangles, table.stats, table.contacts
    return MeshCollisions(*found, meshes=frozen(pairs[hit]))


def _posed(meshes: Any, poses: Any) -> Bodies:
    from tumble.hierarchy.implicit.posed import checked_meshes, checked_poses

    shapes = checked_meshes(meshes)
    placed = np.tile(np.eye(4), (len(shapes), 1, 1))
    rows = None if poses is None else checked_poses(poses, len(shapes))
    if rows is not None:
        placed[:, :3] = rows
    return Bodies(shapes, np.arange(len(shapes)), placed)


class _TreeMeshes(Sequence[Mesh]):
    """The meshes of trees that the user keeps, each made when it is needed: its vertices where they are now."""

    def __init__(self, posed: Any) -> None:
        self._posed = posed

    def __len__(self) -> int:
        return len(self._posed.bodies.first_face) - 1

    def __getitem__(self, number: Any) -> Any:
        return Mesh._of_checked(*self._posed.placed(number))


def _wanted_pairs(bodies: Bodies, between: bool | ArrayLike, within: bool | Sequence[int]) -> NDArray[np.int64]:
    """Return (n, 2) sorted pairs of bodies that the question is about: of different ones, and of some with themselves.

    between   True: all pairs whose boxes overlap; False: none; or (n, 2) numbers of meshes
    within    True: all meshes; False: none; or numbers of meshes
    """
    count = len(bodies)
    if isinstance(between, bool | np.bool_):
        pairs = _overlapping(bodies) if between else np.empty((0, 2), np.int64)
    else:
        pairs = np.sort(_numbers(between, count, "between", 2), axis=1)
        if (pairs[:, 0] == pairs[:, 1]).any():
            raise OptionError("between= pairs a mesh with itself; name it in within= instead")
    if isinstance(within, bool | np.bool_):
        own = np.arange(count if within else 0)
    else:
        own = _numbers(within, count, "within", 1)
    return unique_pairs(np.concatenate([pairs, np.stack([own, own], axis=1)]))


def _overlapping(bodies: Bodies) -> NDArray[np.int64]:
    from tumble.broad.choice import overlapping_pairs
    from tumble.traversal.bulk.entry import meeting_trees

    if bodies.trees is not None:
        return meeting_trees(bodies.trees.posed)
    meshes: Any = bodies.shapes
    return overlapping_pairs(meshes, bodies.poses)


def _numbers(given: Any, count: int, name: str, columns: int) -> NDArray[np.int64]:
    shape = (-1, columns) if columns > 1 else (-1,)
    try:
        array = np.array(given)  # a copy: what is checked must not change before it is used
    except (ValueError, TypeError, OverflowError):  # rows of different lengths
        array = np.array(None)
    if array.size == 0:
        return np.empty((0, columns) if columns > 1 else 0, np.int64)
    if array.dtype.kind not in "iu" or array.ndim != len(shape) or (columns > 1 and array.shape[1] != columns):
        what = "pairs of numbers of meshes, (n, 2)" if columns > 1 else "a list of numbers of meshes"
        raise OptionError(f"{name}= takes True, False or {what}, not {given!r}")
    wrong = array[(array < 0) | (array >= count)]
    if len(wrong):
        raise OptionError(f"{name}= names mesh {wrong[0]}, but there are {count}, counted from 0")
    return array.astype(np.int64)
