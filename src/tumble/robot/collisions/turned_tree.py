"""The tree over all obstacles with boxes along the axes of the furniture, not of the world.

Two triangles make the top of a table; where the table is turned, boxes along the axes of the world are far larger than
it is. So boxes are made in a frame that is turned like one of the obstacles. The triangles stay where they are.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from tumble.hierarchy.packed import PackedTree
from tumble.hierarchy.packed.build import build_blocks
from tumble.mesh import Mesh, apply_pose

MOST_FRAMES = 16
"""of the largest obstacles, that are tried"""


def best_turn(mesh: Mesh, meshes: Sequence[Mesh], poses: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the 4×4 rotation in whose frame the boxes around triangles have the least surface in all."""
    sizes = [0.0 if each.bounds is None else float(np.ptp(each.bounds, axis=0).max()) for each in meshes]
    frames = [np.eye(4)]
    for number in np.argsort(sizes, kind="stable")[::-1][:MOST_FRAMES].tolist():
        frame = _rotation(poses[number])
        if not any(np.allclose(frame, other, rtol=0.0, atol=1e-9) for other in frames):
            frames.append(frame)
    return min(frames, key=lambda frame: _surface(mesh.triangles, frame))


def _rotation(pose: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the rotation of a pose, which may be off by as much as poses may, as a 4×4 matrix as right as it gets."""
    x, y = pose[:3, 0], pose[:3, 1]
    frame = np.eye(4)
    for _ in range(2):  # the second time for the last bits
        x = x / np.sqrt((x * x).sum())
        y = y - (x * y).sum() * x
        y = y / np.sqrt((y * y).sum())
    frame[:3, 0], frame[:3, 1], frame[:3, 2] = x, y, np.cross(x, y)
    return frame


def turned_tree(mesh: Mesh, turn: NDArray[np.float64]) -> PackedTree:
    """Return the tree over a mesh in the frame of a rotation; its header leads to the vertices as they are."""
    turned = Mesh(apply_pose(turn.T[:3], mesh.vertices), mesh.faces)
    extent = max(turned.extent, mesh.extent)  # bounds on rounding hold for boxes and triangles
    return PackedTree(mesh.vertices, mesh.faces, extent, *build_blocks(turned.vertices, turned.faces))


def _surface(triangles: NDArray[np.float64], frame: NDArray[np.float64]) -> float:
    """Return half the surface of the boxes around triangles in a frame."""
    sides = np.ptp(np.einsum("tvi,ij->tvj", triangles, frame[:3, :3]), axis=1)
    return float((sides * np.roll(sides, 1, axis=1)).sum())
