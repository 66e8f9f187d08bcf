"""The image of one mesh in the chip's memory, with what the host knows about it; made of a mesh, its tree, or bytes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tumble.chip import image
from tumble.chip.design import NODE_BYTES, check_dop
from tumble.chip.validate import check_image
from tumble.errors import MeshError, TreeError
from tumble.hierarchy import Tree, build
from tumble.hierarchy.layout import FIRST, PARENT, RIGHT, START
from tumble.mesh import Mesh, MeshLike, as_mesh


@dataclass(eq=False, repr=False, slots=True)
class Memory:
    """Nodes and triangles as bytes; made by `tumble.chip.load` or `Memory.from_bytes`."""

    data: bytes
    mesh: Mesh
    """the host keeps it, and decides with it what the chip cannot"""
    k: int
    depth: int
    """the level of the deepest leaf"""
    reach: NDArray[np.float64]
    """(k,) the largest absolute value of each DOP component in the image"""
    leaf_dops: bool = True
    """whether leaves have DOPs and lead to their triangles; if not, they are the triangles"""

    @classmethod
    def from_bytes(cls, data: bytes, mesh: MeshLike, k: int = 24, leaf_dops: bool = True) -> Memory:
        """Take an image as it is, after checking every node of it; a fault is a TreeError that names the node."""
        own, source = bytes(data), as_mesh(mesh)
        return cls(own, source, k, *check_image(own, source, k, leaf_dops), leaf_dops)

    def node(self, address: int) -> image.Node:
        """Return the node at an address."""
        self.check(address, NODE_BYTES)
        return image.read_node(self.data, address, self.k)

    def record(self, address: int) -> image.Record:
        """Return the triangle record at an address."""
        self.check(address, NODE_BYTES)
        return image.read_record(self.data, address)

    def triangle(self, address: int) -> int:
        """Return which triangle of the mesh the record at an address is; what the chip names may be damaged."""
        triangle = self.record(address).triangle
        if triangle >= len(self.mesh):
            raise TreeError(f"the record at address {address} is of triangle {triangle}; the mesh has {len(self.mesh)}")
        return triangle

    def check(self, address: int, size: int) -> None:
        """Raise TreeError unless a burst of `size` bytes may start at the address."""
        if address % size or not 0 <= address <= len(self.data) - size:
            why = "is not a multiple of" if address % size else f"is outside the image of {len(self.data)} bytes, by"
            raise TreeError(f"the chip was led to address {address}, which {why} {size}: the image is damaged")

    def __len__(self) -> int:
        return len(self.data)

    def __repr__(self) -> str:
        return f"<Memory of {len(self.data)} bytes, {self.k}-DOPs, depth {self.depth}, over {self.mesh!r}>"


Memories = tuple[Memory, Memory]  # the images of a and of b


def load(mesh: MeshLike | Tree, k: int = 24, leaf_dops: bool = True) -> Memory:
    """Return the memory image of a mesh, with a tree of k-DOPs over it, or with just the tree that is given.

    A given tree must be one of k-DOPs, `tumble.build(mesh, "kdop24")` or hand-made, with at most two children per
    node and one triangle per leaf. With `leaf_dops=False` leaves are their triangles and have no DOPs, as in the paper.
    """
    check_dop(k)
    if isinstance(mesh, Tree):
        _check_tree(mesh, f"kdop{k}")
    source = mesh.mesh if isinstance(mesh, Tree) else as_mesh(mesh)
    image.check_range(source.extent)
    tree = mesh if isinstance(mesh, Tree) else build(source, f"kdop{k}")
    if len(tree) == 0:
        return Memory(b"", tree.mesh, k, 0, np.zeros(k), leaf_dops)
    return _image(tree, k, leaf_dops)


def _check_tree(tree: Tree, volume: str) -> None:
    given, arity, size = tree.volume, tree.arity, tree.leaf_size
    if given != volume:
        raise TreeError(f"the chip wants a tree of volume {volume!r}, not {given!r}: tumble.build(mesh, {volume!r})")
    if arity > 2:
        raise TreeError(f"the chip reads sibling pairs, but the tree has a node with {arity} children; use arity=2")
    if size > 1:
        raise TreeError(f"a leaf of the chip holds one triangle, but the tree has one with {size}; use leaf_size=1")


def _image(tree: Tree, k: int, leaf_dops: bool) -> Memory:
    links = tree.nodes
    inner = links[:, FIRST] >= 0
    # pair 0 is the root and an empty node; the inner node of rank r has its children in pair r + 1
    pair = np.cumsum(inner)
    pairs = int(pair[-1]) + 1
    second = links[:, RIGHT] != 0
    second[links[inner, FIRST]] = False  # an only child counts as a right one in the tree, here it comes first
    line = np.where(links[:, PARENT] < 0, 0, 2 * pair[links[:, PARENT]] + second)
    triangles = tree.order[links[~inner, START]]
    first_record = 2 * pairs
    lines = image.empty_lines(first_record + (len(triangles) if leaf_dops else 0))
    if len(lines) * NODE_BYTES > image.MAX_ADDRESS:
        raise MeshError(f"the image would take {len(lines) * NODE_BYTES} bytes; the chip addresses {image.MAX_ADDRESS}")
    words, half = image.whole(lines), k // 2
    lines[:first_record, :half], lines[:first_record, half:k] = image.LARGEST, -image.LARGEST
    words[:first_record, image.FLAGS_WORD] = image.EMPTY
    # DOPs are rounded outward
    lines[line, :half] = image.rounded_down(tree.rows[:, :half])
    lines[line, half:k] = image.rounded_up(tree.rows[:, half:])
    words[line, image.FLAGS_WORD] = np.where(inner, image.INNER, image.LEAF)
    words[line[inner], image.POINTER_WORD] = 2 * NODE_BYTES * pair[inner]
    reach = np.abs(lines[line, :k]).max(axis=0).astype(np.float64)
    leaves = line[~inner]
    records = first_record + np.arange(len(leaves)) if leaf_dops else leaves
    lines[records] = image.records_of(tree.mesh, triangles)
    words[leaves, image.POINTER_WORD] = NODE_BYTES * records
    words[leaves, image.FLAGS_WORD] = image.LEAF
    words[leaves, image.TRIANGLE_WORD] = triangles
    return Memory(lines.tobytes(), tree.mesh, k, tree.depth, reach, leaf_dops)
