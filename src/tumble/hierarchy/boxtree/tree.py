"""A boxtree over one mesh, and the address at which kernels find it."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from tumble.errors import TreeError
from tumble.hierarchy.boxtree import header
from tumble.hierarchy.boxtree.layout import COUNT_SHIFT, KIND_BYTE, MAX_DEPTH, NODE_BYTES
from tumble.hierarchy.boxtree.validate import validate
from tumble.hierarchy.mesh_tree import MeshTree, locked, read_array
from tumble.hierarchy.packed.tree import filled_header
from tumble.mesh import Mesh, MeshLike, as_mesh
from tumble.mesh.arrays import frozen, plain_copy


class BoxTree(MeshTree):
    """A restricted boxtree over a mesh, from `tumble.build(mesh, volume="boxtree")` or `tumble.load_tree`; immutable.

    Nine bytes per node and the order of the triangles are all that it keeps: `tumble.hierarchy.boxtree.layout`. Made by
    hand of its parts, it copies them and checks everything, as `validate` does: kernels follow links and triangle
    numbers without a look.
    """

    PARTS: ClassVar = {
        "nodes": np.uint8,
        "order": np.int32,
        "box": np.float64,
        "origin": np.float64,
        "scale": np.float64,
    }
    volume = "boxtree"

    def __init__(
        self,
        mesh: Mesh,
        nodes: NDArray[np.uint8],
        order: NDArray[np.int32],
        box: NDArray[np.float64],
        origin: NDArray[np.float64],
        scale: float,
    ) -> None:
        given = {"nodes": nodes, "order": order, "box": box, "origin": origin}
        parts = {name: _copied(name, array) for name, array in given.items()}
        if isinstance(scale, np.ndarray) and scale.shape != ():
            raise TreeError(f"the scale must be one number, not an array of shape {scale.shape}")
        try:
            unit = float(scale)
        except (TypeError, ValueError, OverflowError):
            raise TreeError(f"the scale must be a power of two, not {scale!r}") from None
        self._keep(as_mesh(mesh), **parts, scale=unit)
        self.validate()

    def _keep(self, mesh: Mesh, nodes: Any, order: Any, box: Any, origin: Any, scale: float) -> None:
        self.mesh = mesh
        self.nodes = _frozen(nodes, np.uint8, (*nodes.shape[:1], NODE_BYTES), "nodes")
        """(n, 9) uint8"""
        self.order = _frozen(order, np.int32, (len(mesh),), "order")
        """the triangles, leaf by leaf"""
        self.box = _frozen(box, np.float64, (6,), "box")
        """the root's box in local coordinates: low x, y, z, high x, y, z"""
        self.origin = _frozen(origin, np.float64, (3,), "origin")
        self.scale = scale
        """local coordinates are (vertex - origin) * scale"""
        self.depth = _depth(self.nodes)
        """the level of the deepest leaf; 0 when the root is a leaf or the mesh is empty"""
        self._header = self._filled_header()
        self.address = self._header.ctypes.data
        """where kernels find the header; good for as long as this object lives"""

    def _filled_header(self) -> NDArray[np.float64]:
        reach = np.maximum(np.abs(self.box[:3]), np.abs(self.box[3:]))
        frame = self.mesh.extent, self.origin, self.scale, reach
        words = filled_header(header.WORDS, self.nodes, self.mesh.vertices, self.mesh.faces, *frame)
        integers = words.view(np.int64)
        integers[header.ORDER] = self.order.ctypes.data
        words[header.BOX : header.BOX + 6] = self.box
        integers[header.NODE_COUNT] = len(self.nodes)
        integers[header.DEPTH] = self.depth
        words.flags.writeable = False
        return words

    def __repr__(self) -> str:
        return f"<BoxTree of {len(self.nodes)} nodes, depth {self.depth}, over {self.mesh!r}>"

    @property
    def nbytes(self) -> int:
        """Bytes of nodes and triangle order, without the mesh."""
        return self.nodes.nbytes + self.order.nbytes

    @property
    def leaf_counts(self) -> NDArray[np.uint8]:
        """The number of triangles of each node; 0 for an inner node."""
        counts: NDArray[np.uint8] = self.nodes[:, KIND_BYTE] >> np.uint8(COUNT_SHIFT)
        return counts

    @property
    def leaf_count(self) -> int:
        """The number of leaves."""
        return int(np.count_nonzero(self.leaf_counts))

    @property
    def leaf_size(self) -> int:
        """The number of triangles in the fullest leaf."""
        return int(self.leaf_counts.max(initial=0))

    def boxes(self) -> NDArray[np.float64]:
        """Return the box of every node, (n, 6), rebuilt anew at each call, in local coordinates."""
        from tumble.hierarchy.boxtree.nodes import rebuild_all

        boxes = np.zeros((len(self), 6))
        boxes[:1] = self.box
        rebuild_all(self.nodes.ctypes.data, len(self), boxes.ctypes.data)
        return boxes

    def refit(self, mesh: MeshLike) -> BoxTree:
        """Return the tree over a deformed mesh: the same triangles, moved vertices, and planes that fit them.

        The nodes and the order of triangles stay, so that it takes a fraction of a build; the more the mesh deforms,
        the more a new tree would gain. This tree stays as it is.
        """
        from tumble.hierarchy.boxtree.refit import refit_boxtree

        return refit_boxtree(self, as_mesh(mesh))

    def validate(self) -> None:
        """Check links, planes, triangle order and containment; raise TreeError at the first fault."""
        validate(self)


def _copied(name: str, given: Any) -> NDArray[Any]:
    """Return a copy of one of a tree's parts; `_frozen` checks its shape and type."""
    raw = read_array(name, given)
    return frozen(plain_copy(raw, raw.dtype.type)) if raw.dtype.isnative and raw.dtype.kind in "iuf" else raw


def _frozen(array: Any, dtype: Any, shape: tuple[int, ...], name: str) -> NDArray[Any]:
    """Return a C-ordered read-only array of this kind."""
    array = np.asarray(array)
    if array.dtype != dtype or array.shape != shape:
        raise TreeError(
            f"{name} must have shape {shape} and type {np.dtype(dtype)}, not shape {array.shape} and type {array.dtype}"
        )
    return locked(array, dtype)


def _depth(nodes: NDArray[np.uint8]) -> int:
    """Return the level of the deepest leaf; refuse links that kernels could not follow."""
    from tumble.hierarchy.boxtree.nodes import deepest_level

    if len(nodes) == 0:
        return 0
    levels = np.zeros(len(nodes), np.uint8)
    depth, node = deepest_level(nodes.ctypes.data, len(nodes), levels.ctypes.data)
    if depth < 0:
        raise TreeError(f"node {node} of {len(nodes)} has no nodes after it where its link points")
    if depth > MAX_DEPTH:
        raise TreeError(f"node {node} is more than {MAX_DEPTH} levels below the root")
    return int(depth)
