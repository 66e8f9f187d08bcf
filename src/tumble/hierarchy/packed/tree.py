"""A packed tree over one mesh, and the address at which kernels find it."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tumble.core.locks import new_lock
from tumble.core.records import frozen
from tumble.hierarchy.packed import header
from tumble.hierarchy.packed.layout import empty_blocks
from tumble.mesh import Mesh

_adopting = new_lock()
# rounding of the radius, generously
ROUND_UP = 1.0 + 2.0**-40


class PackedTree:
    """Blocks of eight boxes over a mesh, and a header that leads kernels to them; immutable.

    A tree keeps the arrays of its mesh alive, not the mesh: the mesh refers to the tree.
    """

    __slots__ = (
        "_components", "_hulls", "_slabs", "_vertices_faces", "address", "blocks", "header", "origin", "repeats",
        "scale",
    )  # fmt: skip

    def __init__(
        self,
        vertices: NDArray[np.float64],
        faces: NDArray[np.int32],
        extent: float,
        blocks: NDArray[np.float32],
        origin: NDArray[np.float64],
        scale: float,
        repeats: bool,
    ) -> None:
        from tumble.hierarchy.packed.clip_counts import SHARE, share_of_elongated

        self.blocks = blocks
        """(n, 64) float32: see `tumble.hierarchy.packed.layout`"""
        self.origin = origin
        self.scale = scale
        self.repeats = repeats
        """whether some triangles are named by more than one leaf"""
        self._vertices_faces = (vertices, faces)
        self._slabs: NDArray[np.float32] | None = None
        self._hulls: NDArray[np.float32] | None = None
        self._components: NDArray[np.int64] | None = None
        frame = extent, origin, scale, _reach(blocks)
        self.header = filled_header(header.WORDS, blocks, vertices, faces, *frame)
        """what kernels read first"""
        self.header[header.ELONGATED] = share_of_elongated(frozen(vertices), frozen(faces)) > SHARE
        self.header[header.REPEATS] = repeats
        self.header.view(np.int64)[[header.PATIENCE, header.TRIANGLES]] = len(faces)
        blocks.flags.writeable = self.header.flags.writeable = False
        self.address = self.header.ctypes.data
        """where kernels find the header; good for as long as this object lives"""

    @property
    def slabs(self) -> NDArray[np.float32]:
        """What distances need besides, see `tumble.hierarchy.packed.slabs`; made when they are first asked for."""
        return self._with_slabs() if self._slabs is None else self._slabs

    def _with_slabs(self) -> NDArray[np.float32]:
        """Make the slabs and keep them; of two threads that both made them, the first are kept."""
        from tumble.hierarchy.packed.slabs import build_slabs

        slabs = build_slabs(self.header, len(self.blocks))
        with _adopting:
            if self._slabs is None:
                slabs.flags.writeable = False
                self._slabs = slabs
                self._lead_to(header.SLABS, slabs)
            return self._slabs

    @property
    def hulls(self) -> NDArray[np.float32]:
        """What speeds the search for the nearest up, see `tumble.hierarchy.packed.hulls`; made on demand."""
        return self._with_hulls() if self._hulls is None else self._hulls

    def _with_hulls(self) -> NDArray[np.float32]:
        """Make the hulls and keep them, like slabs."""
        from tumble.hierarchy.packed.hulls import build_hulls

        hulls = build_hulls(self.header, len(self.blocks))
        with _adopting:
            if self._hulls is None:
                hulls.flags.writeable = False
                self._hulls = hulls
                self._lead_to(header.HULLS, hulls)
            return self._hulls

    def ready_for_distances(self, questions: int = 1) -> None:
        """Make slabs, and hulls too once as many questions were asked as the mesh has triangles.

        Hulls take about 1.5 µs per triangle to make, and save some 3 µs of a question about two meshes: made then, they
        never take more than twice the time of the better choice.
        """
        _ = self.slabs
        self._write(header.PATIENCE, int(self.header.view(np.int64)[header.PATIENCE]) - questions)
        if self.header.view(np.int64)[header.PATIENCE] < 0:
            _ = self.hulls

    def know_components(self, record: NDArray[np.int64]) -> None:
        """Lead kernels to what the edges of the mesh say about its inside: see `tumble.mesh.edges.Edges.record`."""
        with _adopting:
            if self._components is None:
                self._components = record
                self._lead_to(header.COMPONENTS, record)

    def _lead_to(self, word: int, array: NDArray[np.generic]) -> None:
        """Write the address of an array to the header in one store: kernels see it, or none."""
        self._write(word, array.ctypes.data)

    def _write(self, word: int, number: int) -> None:
        self.header.flags.writeable = True
        self.header.view(np.int64)[word] = number
        self.header.flags.writeable = False

    @property
    def nbytes(self) -> int:
        """Bytes of the tree, without the mesh."""
        besides = sum(array.nbytes for array in (self._slabs, self._hulls) if array is not None)
        return self.blocks.nbytes + self.header.nbytes + besides

    def parts(self) -> tuple[Any, ...]:
        """Return what `of_parts` makes this tree of again, over the same mesh."""
        return self.blocks, self.origin, self.scale, self.repeats, self._slabs, self._hulls

    @classmethod
    def of_parts(
        cls, vertices: NDArray[np.float64], faces: NDArray[np.int32], extent: float, parts: tuple[Any, ...]
    ) -> "PackedTree":
        """Make a tree of the parts of another one, without a copy of any."""
        *own, slabs, hulls = parts
        tree = cls(vertices, faces, extent, *own)
        tree._slabs, tree._hulls = slabs, hulls
        for word, array in ((header.SLABS, slabs), (header.HULLS, hulls)):
            if array is not None:
                tree._lead_to(word, array)
        return tree

    def reduce_with(self, make_mesh: Any, arrays: tuple[Any, ...]) -> tuple[Any, ...]:
        """Say how to pickle a mesh together with this tree."""
        return _with_tree, (make_mesh, arrays, self.blocks, self.origin, self.scale, self.repeats)

    def __repr__(self) -> str:
        return f"<PackedTree of {len(self.blocks)} blocks over {len(self._vertices_faces[1])} triangles>"


def filled_header(
    words: int,
    root: NDArray[np.generic],
    vertices: NDArray[np.float64],
    faces: NDArray[np.int32],
    extent: float,
    origin: NDArray[np.float64],
    scale: float,
    reach: NDArray[np.float64],
) -> NDArray[np.float64]:
    """Return a header with words 0 to 8; `reach` is how far the root's box goes from the origin, in local units."""
    filled = np.zeros(words, np.float64)
    for word, array in ((header.BLOCKS, root), (header.VERTICES, vertices), (header.FACES, faces)):
        filled.view(np.int64)[word] = array.ctypes.data
    filled[header.ORIGIN : header.ORIGIN + 3] = origin
    filled[header.SCALE] = scale
    filled[header.EXTENT] = extent
    with np.errstate(all="ignore"):  # a strange box is found by those who validate
        filled[header.RADIUS] = np.linalg.norm(reach) / scale * ROUND_UP
    return filled


def packed(mesh: Mesh, threads: int | None = None) -> PackedTree:
    """Return the packed tree of a mesh, built on first use by at most this many threads (None: as many as pay)."""
    tree = mesh._packed
    return _built(mesh, threads) if tree is None else tree


def _built(mesh: Mesh, threads: int | None) -> PackedTree:
    from tumble.hierarchy.packed.build import build_blocks

    built = build_blocks(mesh.vertices, mesh.faces, threads)
    return mesh._adopt(PackedTree(mesh.vertices, mesh.faces, mesh.extent, *built))


def _with_tree(
    make_mesh: Any,
    arrays: tuple[Any, ...],
    blocks: NDArray[np.float32],
    origin: NDArray[np.float64],
    scale: float,
    repeats: bool,
) -> Mesh:
    """Make a mesh that comes out of a pickle together with its tree."""
    mesh: Mesh = make_mesh(*arrays)
    own = empty_blocks(len(blocks))
    own[:] = blocks
    mesh._adopt(PackedTree(mesh.vertices, mesh.faces, mesh.extent, own, origin, scale, repeats))
    return mesh


def _reach(blocks: NDArray[np.float32]) -> NDArray[np.float64]:
    """Return how far the root's box reaches from the origin along each axis."""
    middle, half = (blocks[0].reshape(8, 8)[rows, 0].astype(np.float64) for rows in (slice(0, 3), slice(3, 6)))
    return np.asarray(np.abs(middle) + half)
