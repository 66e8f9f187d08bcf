"""How nodes and triangles lie in the chip's memory: lines of 128 bytes, little-endian, 32 words of 4 bytes each.

    node       0 … k-1  the DOP, float32: lows, then highs          triangle   0 … 11   the matrix, three rows of four
               28       the address of the pair of children,                   12 … 20  the three vertices
                        or of a leaf's triangle                                29       flags
               29       flags                                                  30       which triangle of the mesh
               30       which triangle of the mesh

Siblings lie side by side on a multiple of 256, so that one burst reads both. The pair at address 0 is the root and an
empty node. An empty node stands for a missing sibling: its lows are above its highs, and nothing overlaps it.

A leaf has its DOP, and leads to its triangle; docs/chip-model.md says why. Without leaf DOPs, as in the paper, a leaf
is the line of its triangle with the flags of a leaf, and leads to itself.
"""

from struct import Struct
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tumble.chip.design import KDOPS, NODE_BYTES
from tumble.errors import MeshError
from tumble.mesh import Mesh
from tumble.narrow.triangles.unit_matrix import single_matrices

WORDS = NODE_BYTES // 4
POINTER_WORD, FLAGS_WORD, TRIANGLE_WORD = 28, 29, 30
MATRIX_WORDS = slice(0, 12)
VERTEX_WORDS = slice(12, 21)

INNER, LEAF, EMPTY, TRIANGLE = 0, 1, 2, 4  # flags

MAX_COORDINATE = 2.0**100  # products of three directions and sums of four terms then stay far inside float32's range
MAX_ADDRESS = 2**32
LARGEST = float(np.finfo(np.float32).max)  # the lows of an empty node; its highs are the negative


class Node(NamedTuple):
    """A node as the chip sees it."""

    dop: tuple[float, ...]
    pointer: int
    flags: int
    triangle: int


class Record(NamedTuple):
    """A triangle as the chip sees it."""

    matrix: tuple[float, ...]
    vertices: tuple[float, ...]
    triangle: int


_NODES = {k: Struct(f"<{k}f{4 * (POINTER_WORD - k)}x3I4x") for k in KDOPS}
_RECORD = Struct("<21f36xI4x")


def read_node(data: bytes | bytearray, address: int, k: int) -> Node:
    """Decode the node at an address."""
    words = _NODES[k].unpack_from(data, address)
    return Node(words[:k], *words[k:])


def read_record(data: bytes, address: int) -> Record:
    """Decode the triangle at an address."""
    words = _RECORD.unpack_from(data, address)
    return Record(words[:12], words[12:21], words[21])


def empty_lines(count: int) -> NDArray[np.float32]:
    """Return `count` lines of zeros, as floats; `whole` shows the same memory as whole numbers."""
    return np.zeros((count, WORDS), "<f4")


def whole(lines: NDArray[np.float32]) -> NDArray[np.uint32]:
    """Return the words of lines as whole numbers, in place."""
    return lines.view("<u4")


def rounded_down(values: NDArray[np.float64]) -> NDArray[np.float32]:
    """Return the largest float32 that is not above each value."""
    near = values.astype(np.float32)
    return np.where(near > values, np.nextafter(near, np.float32(-np.inf)), near)


def rounded_up(values: NDArray[np.float64]) -> NDArray[np.float32]:
    """Return the smallest float32 that is not below each value."""
    return -rounded_down(-values)


def records_of(mesh: Mesh, triangles: NDArray[np.int64]) -> NDArray[np.float32]:
    """Return triangles of a mesh, a line each: the matrix to the unit triangle and the vertices, in float32."""
    lines = empty_lines(len(triangles))
    lines[:, MATRIX_WORDS] = single_matrices(mesh)[triangles]
    lines[:, VERTEX_WORDS] = mesh.triangles[triangles].reshape(-1, 9)
    words = whole(lines)
    words[:, FLAGS_WORD] = TRIANGLE
    words[:, TRIANGLE_WORD] = triangles
    return lines


def check_range(extent: float) -> None:
    """Raise MeshError unless float32 holds all that the chip computes from such coordinates."""
    if extent > MAX_COORDINATE:
        raise MeshError(
            f"a coordinate of {extent:g} is too large for the chip, which computes with float32 and takes up to "
            f"{MAX_COORDINATE:g}; scale the meshes"
        )
