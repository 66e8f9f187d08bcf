"""Meshes as few bytes: each shape once, corners on a lattice of 16 bits per axis.

    positions   for each shape its corners: x, y and z as steps of 1/65535 of the shape's box
    faces       for each shape three corners per triangle, in the order of the mesh

Both are stored as differences between neighbours, low bytes and high bytes apart, which packs well. A corner is off by
at most 1/131070 of its part's size: less than a pixel, and for looking only. Parts that are equal up to a shift, and
stretching along the axes, share a shape.
"""

from collections.abc import Sequence
from hashlib import blake2b
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tumble.mesh import Mesh

STEPS = 65535


class Packed(NamedTuple):
    """What the page needs to draw the parts."""

    shapes: list[dict[str, Any]]
    """numbers of corners and triangles, and where their bytes begin"""
    parts: list[dict[str, Any]]
    """shape, lowest corner and size of the box of each part, relative to `origin`"""
    data: bytes
    """all shapes after each other"""
    origin: NDArray[np.float64]
    """(3,): the middle of all parts; single precision is enough for what lies around it"""


def pack(meshes: Sequence[Mesh]) -> Packed:
    """Return the meshes as the page takes them."""
    boxes = [mesh.bounds for mesh in meshes if mesh.bounds is not None]
    origin = np.zeros(3)
    if boxes:
        corners = np.array(boxes)
        origin = corners[:, 0].min(axis=0) / 2 + corners[:, 1].max(axis=0) / 2
    known: dict[bytes, int] = {}
    shapes: list[dict[str, Any]] = []
    parts, chunks, size = [], [], 0
    for mesh in meshes:
        low, extent, lattice, faces = _on_lattice(mesh)
        key = blake2b(lattice.tobytes() + b"/" + faces.tobytes(), digest_size=16).digest()
        if key not in known:
            known[key] = len(shapes)
            chunk = _shape_bytes(lattice, faces)
            shapes.append({"corners": len(lattice), "triangles": len(faces), "start": size})
            chunks.append(chunk)
            size += len(chunk)
        parts.append({"shape": known[key], "low": _short(low - origin), "size": _short(extent)})
    return Packed(shapes, parts, b"".join(chunks), origin)


def _on_lattice(mesh: Mesh) -> tuple[NDArray[Any], NDArray[Any], NDArray[np.uint16], NDArray[np.int64]]:
    """Return lowest corner and size of the box, the corners that differ on its lattice, and the faces by them."""
    vertices, faces = np.asarray(mesh.vertices), np.asarray(mesh.faces, dtype=np.int64)
    if not len(faces):
        return np.zeros(3), np.zeros(3), np.zeros((0, 3), np.uint16), np.zeros((0, 3), np.int64)
    used, corners = np.unique(faces, return_inverse=True)
    points = vertices[used]
    low = points.min(axis=0)
    extent = points.max(axis=0) - low
    with np.errstate(invalid="ignore", divide="ignore"):
        lattice = np.nan_to_num((points - low) / extent * STEPS).round().astype(np.uint16)
    cells, merged = _first_seen(lattice)
    return low, extent, cells, merged[corners.reshape(-1)].reshape(-1, 3)


def _first_seen(lattice: NDArray[np.uint16]) -> tuple[NDArray[np.uint16], NDArray[np.int64]]:
    """Return the rows that differ, in the order in which they come first, and for each row which of them it is."""
    codes = lattice.astype(np.uint64) @ np.array([1 << 32, 1 << 16, 1], np.uint64)
    _, first, which = np.unique(codes, return_index=True, return_inverse=True)
    order = np.argsort(first)
    rank = np.empty(len(order), np.int64)
    rank[order] = np.arange(len(order))
    return lattice[first[order]], rank[which.reshape(-1)]


def _shape_bytes(lattice: NDArray[np.uint16], faces: NDArray[np.int64]) -> bytes:
    """Return 6 bytes per corner and 12 per triangle: differences, one plane of bytes after the other."""
    along = np.diff(lattice.T.astype(np.int64), axis=1, prepend=0) & 0xFFFF
    around = np.diff(faces.reshape(-1), prepend=0)
    return _planes(along.reshape(-1), 2) + _planes((around << 1) ^ (around >> 63), 4)


def _planes(values: NDArray[np.int64], width: int) -> bytes:
    return b"".join(((values >> (8 * k)) & 0xFF).astype(np.uint8).tobytes() for k in range(width))


def _short(values: NDArray[np.float64]) -> list[float]:
    """Return numbers in single precision, which is what is drawn, in few digits."""
    return [float(f"{value:.8g}") for value in values]
