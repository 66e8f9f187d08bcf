"""The image of one mesh in the chip's memory, with what the host knows about it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tumble.chip.design import NODE_BYTES
from tumble.chip.image import Node, Record, read_node, read_record
from tumble.chip.validate import check_image
from tumble.errors import TreeError
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

    @classmethod
    def from_bytes(cls, data: bytes, mesh: MeshLike, k: int = 24) -> Memory:
        """Take an image as it is, after checking every node of it; a fault is a TreeError that names the node."""
        own, source = bytes(data), as_mesh(mesh)
        return cls(own, source, k, *check_image(own, source, k))

    def node(self, address: int) -> Node:
        """Return the node at an address."""
        self.check(address, NODE_BYTES)
        return read_node(self.data, address, self.k)

    def record(self, address: int) -> Record:
        """Return the triangle record at an address."""
        self.check(address, NODE_BYTES)
        return read_record(self.data, address)

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
