"""Is an image a tree that the chip can walk to the end without losing a triangle? The first fault is a TreeError.

Checked from the root down: addresses, flags, that no line is reached twice (so no circle, no second parent), that a
DOP is made of numbers and lies within its parent's, and at the leaves that the triangles of the mesh are there, once
each, inside the DOPs of their leaves.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from tumble.chip import image
from tumble.chip.design import NODE_BYTES, PAIR_BYTES, check_dop
from tumble.errors import TreeError
from tumble.mesh import Mesh
from tumble.volume.kdop.directions import DIRECTIONS

Leaves = list[tuple[int, image.Node, tuple[float, ...]]]  # addresses, leaves, and the DOPs that contain their triangles


def check_image(data: bytes, mesh: Mesh, k: int, leaf_dops: bool = True) -> tuple[int, NDArray[np.float64]]:
    """Return the depth of an image and the reach of its DOPs, as `Memory` has them, or raise TreeError."""
    check_dop(k)
    image.check_range(mesh.extent)
    if len(data) % NODE_BYTES or len(data) > image.MAX_ADDRESS:
        raise TreeError(
            f"an image has lines of {NODE_BYTES} bytes, in all at most {image.MAX_ADDRESS}; found {len(data)}"
        )
    if len(mesh) == 0:
        return 0, np.zeros(k)
    if len(data) < PAIR_BYTES:
        raise TreeError(f"an image begins with the pair of the root, {PAIR_BYTES} bytes; found {len(data)}")
    walk = _Walk(data, k, leaf_dops)
    walk.run()
    _check_triangles(data, mesh, k, walk.leaves)
    return walk.depth, np.array(walk.reach)


class _Walk:
    """From the root down, each line once."""

    def __init__(self, data: bytes, k: int, leaf_dops: bool) -> None:
        self.data, self.leaf_dops = data, leaf_dops
        self.k = k
        self.half = k // 2
        self.reached = bytearray(len(data) // NODE_BYTES)
        self.leaves: Leaves = []
        self.depth = 0
        self.reach = [0.0] * k

    def run(self) -> None:
        """Check every node that can be reached."""
        self._claim(0, 2, "the root")
        waiting = [(0, 0, (float("-inf"),) * self.half + (float("inf"),) * self.half)]
        while waiting:
            address, level, parent = waiting.pop()
            self.depth = max(self.depth, level)
            for side in (address, address + NODE_BYTES):
                node = image.read_node(self.data, side, self.k)
                if not self._is_there(side, node, address):
                    continue
                if node.flags == image.LEAF and not self.leaf_dops:
                    self._check_bare(side, node)
                    self.leaves.append((side, node, parent))
                    continue
                self._check_dop(side, node, parent)
                self._claim_below(side, node)
                if node.flags == image.INNER:
                    waiting.append((node.pointer, level + 1, node.dop))
                else:
                    self.leaves.append((side, node, node.dop))

    def _is_there(self, side: int, node: image.Node, address: int) -> bool:
        if node.flags not in (image.INNER, image.LEAF, image.EMPTY):
            known = f"{image.INNER} inner, {image.LEAF} leaf, {image.EMPTY} empty"
            raise TreeError(f"node at address {side} has flags {node.flags}; known are {known}")
        if node.flags == image.EMPTY and side == address:
            raise TreeError(f"node at address {side} is empty, but only the second of a pair may be")
        if side == NODE_BYTES and node.flags != image.EMPTY:
            raise TreeError(f"node at address {side} must be empty: the root has no sibling")
        return node.flags != image.EMPTY

    def _check_dop(self, side: int, node: image.Node, parent: tuple[float, ...]) -> None:
        half = self.half
        for i, value in enumerate(node.dop):
            if value - value != 0.0:
                raise TreeError(f"node at address {side} has {value} in its DOP, at place {i}")
            outside = value < parent[i] if i < half else value > parent[i]
            if outside:
                raise TreeError(f"node at address {side} reaches out of its parent's DOP at place {i}")
            self.reach[i] = max(self.reach[i], abs(value))
        for i in range(half):
            if node.dop[i] > node.dop[half + i]:
                raise TreeError(f"node at address {side} has a DOP whose low is above its high in direction {i}")

    def _check_bare(self, side: int, node: image.Node) -> None:
        if node.pointer != side:
            raise TreeError(
                f"node at address {side} is a leaf without a DOP, but points to {node.pointer}, not to itself"
            )

    def _claim_below(self, side: int, node: image.Node) -> None:
        size, lines = (PAIR_BYTES, 2) if node.flags == image.INNER else (NODE_BYTES, 1)
        if node.pointer % size:
            raise TreeError(f"node at address {side} points to {node.pointer}, which is not a multiple of {size}")
        if node.pointer > len(self.data) - size:
            size = len(self.data)
            raise TreeError(f"node at address {side} points to {node.pointer}, outside the image of {size} bytes")
        self._claim(node.pointer // NODE_BYTES, lines, f"node at address {side}")

    def _claim(self, line: int, lines: int, owner: str) -> None:
        for each in range(line, line + lines):
            if self.reached[each]:
                why = "another node has it already: there is a circle, or a node with two parents"
                raise TreeError(f"{owner} points to {each * NODE_BYTES}, but {why}")
            self.reached[each] = 1


def _check_triangles(data: bytes, mesh: Mesh, k: int, leaves: Leaves) -> None:
    """Check that the leaves hold each triangle of the mesh once, with its record and within its DOP."""
    owned = np.array([node.triangle for _, node, _ in leaves])
    seen = np.bincount(owned[owned < len(mesh)], minlength=len(mesh))
    nodes = [f"node at address {side}" for side, _, _ in leaves]
    _refuse_first(owned >= len(mesh), lambda i: f"{nodes[i]} holds triangle {owned[i]}, but the mesh has {len(mesh)}")
    _refuse_first(seen != 1, lambda i: f"triangle {i} of the mesh lies in {seen[i]} leaves of the image, not in one")
    records = np.frombuffer(data, "<f4").reshape(-1, image.WORDS)[[node.pointer // NODE_BYTES for _, node, _ in leaves]]
    due = image.records_of(mesh, owned)
    bare = np.array(
        [node.pointer == side for side, node, _ in leaves]
    )  # it is the record: pointer and flags are a leaf's
    own = image.whole(due)
    own[bare, image.POINTER_WORD] = [node.pointer for side, node, _ in leaves if node.pointer == side]
    own[bare, image.FLAGS_WORD] = image.LEAF
    differ = (image.whole(records) != own).any(axis=1)
    _refuse_first(differ, lambda i: f"{nodes[i]} does not lead to the record of its triangle {owned[i]}")
    lows, highs = _dop_bounds(mesh.triangles[owned], k)
    dops = np.array([dop for _, _, dop in leaves])
    outside = (~((dops[:, : k // 2] <= lows) & (dops[:, k // 2 :] >= highs))).any(axis=1)
    _refuse_first(outside, lambda i: f"{nodes[i]} does not contain its triangle {owned[i]}")


def _refuse_first(wrong: NDArray[np.bool_] | np.bool_, message: Callable[[int], str]) -> None:
    if wrong.any():
        raise TreeError(message(int(np.argmax(wrong))))


def _dop_bounds(triangles: NDArray[np.float64], k: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    # directions are -1, 0 and 1: one rounding of a sum of three, which a float32 DOP may not have covered
    places = triangles @ DIRECTIONS[k].T
    slack = 4 * np.finfo(np.float64).eps * np.abs(triangles).sum(axis=(1, 2))[:, None]
    return places.min(axis=1) + slack, places.max(axis=1) - slack
