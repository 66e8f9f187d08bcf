"""A bounding volume hierarchy over one mesh: nodes in pre-order, a volume each, and the order of the triangles."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tumble.core.options import checked_name
from tumble.errors import TreeError
from tumble.hierarchy.handmade import nodes_from_parents
from tumble.hierarchy.layout import COUNT, FIRST, LEVEL, PARENT, Postorder, Preorder, postorder
from tumble.hierarchy.mesh_tree import MeshTree, locked, read_array
from tumble.hierarchy.validate import validate
from tumble.mesh import Mesh, as_mesh
from tumble.mesh.arrays import frozen, plain_copy

if TYPE_CHECKING:
    from tumble.volume.protocol import VolumeKind


def kinds() -> dict[str, VolumeKind]:
    """Return the table of bounding volumes; loaded on first use, as it brings the compiler."""
    from tumble.volume.kinds import KINDS

    return KINDS


class Bvh(NamedTuple):
    """What kernels see of a tree."""

    volumes: Any
    layout: Any
    order: NDArray[np.int32]
    vertices: NDArray[np.float64]
    faces: NDArray[np.int32]


class Tree(MeshTree):
    """A tree over a mesh, made by `tumble.build`, `tumble.load_tree` or `Tree.from_parents`; immutable.

    Queries take a Tree wherever they take a mesh, and then use just this tree. Made by hand of its parts, it copies
    them and checks everything, as `validate` does: kernels follow links and triangle numbers without a look.
    """

    PARTS: ClassVar = {"nodes": np.int32, "rows": np.float64, "order": np.int32}

    def __init__(
        self, mesh: Mesh, volume: str, nodes: NDArray[np.int32], rows: NDArray[np.float64], order: NDArray[np.int32]
    ) -> None:
        parts = _copied("nodes", nodes, np.int32, 2), _copied("rows", rows, np.float64, 2)
        known = checked_name("volume", volume, tuple(kinds()))
        self._keep(as_mesh(mesh), known, *parts, _copied("order", order, np.int32, 1))
        self.validate()

    def _keep(self, mesh: Mesh, volume: str, nodes: Any, rows: Any, order: Any) -> None:
        self.mesh = mesh
        self.volume = volume
        self.nodes = locked(nodes, np.int32)
        """(n, 8) int32: the links of each node, in pre-order; see `tumble.hierarchy.layout`"""
        self.rows = locked(rows, np.float64)
        """(n, w) float64: the volume of each node"""
        self.order = locked(order, np.int32)
        """the triangles; every node holds a contiguous range of them"""

    @classmethod
    def _fitted(cls, mesh: Mesh, volume: str, nodes: NDArray[np.int32], order: NDArray[np.int32]) -> Tree:
        """Make a tree of nodes and triangle order: fit the volumes of all nodes to the triangles below them."""
        from tumble.hierarchy.topdown import fit_volumes

        kind = kinds()[volume]
        rows = np.empty((len(nodes), kind.width))
        if len(nodes):
            fit_volumes(kind.record(rows), nodes, order, mesh.vertices, mesh.faces, kind.fit_inner)
        return cls._of_sound(mesh, volume, nodes, rows, order)

    @classmethod
    def from_parents(cls, mesh: Any, parents: Any, leaf_of: Any, volume: str = "aabb") -> Tree:
        """Make a tree of any shape by hand; see `tumble.hierarchy.handmade`."""
        mesh, volume = as_mesh(mesh), checked_name("volume", volume, tuple(kinds()))
        return cls._fitted(mesh, volume, *nodes_from_parents(len(mesh), parents, leaf_of))

    def __repr__(self) -> str:
        return f"<Tree of {len(self.nodes)} {self.volume} nodes, depth {self.depth}, over {self.mesh!r}>"

    @property
    def nbytes(self) -> int:
        """Bytes of nodes, volumes and triangle order, without the mesh."""
        return self.nodes.nbytes + self.rows.nbytes + self.order.nbytes

    @cached_property
    def depth(self) -> int:
        """The level of the deepest leaf; 0 when the root is a leaf or the mesh is empty."""
        return int(self.nodes[:, LEVEL].max(initial=0))

    @cached_property
    def arity(self) -> int:
        """The largest number of children of a node."""
        parents = self.nodes[1:, PARENT]
        return int(np.bincount(parents).max()) if len(parents) else 0

    @property
    def leaf_count(self) -> int:
        """The number of leaves."""
        return int((self.nodes[:, FIRST] < 0).sum())

    @property
    def leaf_size(self) -> int:
        """The number of triangles in the fullest leaf."""
        return int(self.nodes[self.nodes[:, FIRST] < 0, COUNT].max(initial=0))

    @property
    def kind(self) -> VolumeKind:
        """The bounding volume: its name, its record and the width of a row."""
        return kinds()[self.volume]

    @cached_property
    def preorder(self) -> Bvh:
        """The record that kernels take, in pre-order."""
        return self._record(Preorder(self.nodes), self.rows)

    @cached_property
    def postorder(self) -> Bvh:
        """The record that kernels take, post-indexed; made on first use."""
        nodes, source = postorder(self.nodes)
        return self._record(Postorder(locked(nodes, np.int32)), locked(self.rows[source], np.float64))

    def _record(self, layout: Any, rows: NDArray[np.float64]) -> Bvh:
        return Bvh(self.kind.record(rows), layout, self.order, self.mesh.vertices, self.mesh.faces)

    def validate(self) -> None:
        """Check topology, links, triangle order and containment; raise TreeError at the first fault."""
        validate(self)


def _copied(name: str, given: Any, dtype: type[np.generic], dimension: int) -> NDArray[Any]:
    """Return a copy of one of a tree's parts; numbers that this dtype does not hold are refused, not wrapped."""
    raw = read_array(name, given)
    whole = np.issubdtype(dtype, np.integer)
    if raw.ndim != dimension or raw.dtype.kind not in ("iu" if whole else "iuf"):
        kind = f"an array of type {np.dtype(dtype)} and of dimension {dimension}"
        raise TreeError(f"{name} must be {kind}, not {raw.dtype} of dimension {raw.ndim}")
    wide = plain_copy(raw, raw.dtype.type)
    own = plain_copy(wide, dtype)
    if whole and not np.array_equal(own, wide):
        raise TreeError(f"{name} has numbers beyond {np.dtype(dtype)}")
    return frozen(own)
