"""Implicit trees that live on a device: built, refitted and built again there; `tumble.hierarchy.implicit` is the twin.

The host poses vertices in float64, rounds them to the common float32 frame and sends them, twelve bytes a vertex;
everything else happens on the device. (If that is a CPU, the host sorts: it is the same CPU, and a sort for thousands
of work-items takes it fifty times as long.) Order and boxes are those of the host, to the last bit.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tumble.device.device import OpenDevice, opencl, working
from tumble.device.launch import copied
from tumble.device.program import kernel_of
from tumble.hierarchy.implicit.layout import Layout, layout_of
from tumble.hierarchy.implicit.morton import curve_grids, morton_order
from tumble.hierarchy.implicit.posed import Posed

IMPLICIT = ("search", "implicit")
MOST_SORTED_AT_ONCE = 256
BOX_BYTES = 32
SPARE_BOXES = 8
"""boxes are read by so many at a time, so there are as many behind the last"""


class DeviceTrees:
    """One complete tree for each of many meshes, all in one buffer of a device."""

    def __init__(
        self, device: OpenDevice, posed: Posed, padded: bool = True, threads: int = 1, sort_there: bool | None = None
    ) -> None:
        """Build trees; `sort_there`: whether the device sorts, or the host for it; None: unless the device is a CPU."""
        cl = opencl()
        self.device = device
        self._sort_there = device.info.kind != "cpu" if sort_there is None else sort_there
        self.posed = posed
        """the meshes, and where they are"""
        self.layout: Layout = layout_of(np.diff(posed.bodies.first_face), padded)
        self._threads = threads
        self._count = len(posed.bodies.faces)
        self._fitted = False
        self._kept: dict[Any, Any] = {}
        if self._count == 0:
            return
        self._block = min(MOST_SORTED_AT_ONCE, 2 * _power_of_two_below(device.raw.max_work_group_size))
        self._slots = max(self._block, 1 << (self._count - 1).bit_length())
        with working(device):
            self.faces, self.starts, self.active, self.left, self.first_leaf = (
                copied(device, array.astype(np.int32))
                for array in (
                    posed.bodies.faces, self.layout.starts, self.layout.active, self.layout.left, self.layout.first_leaf
                )
            )  # fmt: skip
            boxes = self.layout.nodes + SPARE_BOXES
            self._leaf_starts = copied(device, _leaf_starts(self.layout))
            self._merges = [_row_list(device, self.layout, up) for up in range(1, int(self.layout.depth.max()) + 1)]
            self._vertices, self.boxes, self._keys, self.order = (
                cl.Buffer(device.context, cl.mem_flags.READ_WRITE, size)
                for size in (
                    posed.world.local.nbytes, BOX_BYTES * boxes, 8 * self._slots, 4 * self._slots
                )
            )  # fmt: skip
            self._launch("implicit_clear", boxes, self.boxes, np.uint32(boxes))
        self._rebuild(posed)

    def __len__(self) -> int:
        return len(self.layout.triangles)

    def __repr__(self) -> str:
        what = f"{self.layout.nodes} nodes over {self._count} triangles of {len(self)} meshes"
        return f"<DeviceTrees of {what} on {self.device.info.name} ({self.device.info.device})>"

    def move(
        self,
        vertices: Sequence[ArrayLike | None] | None = None,
        poses: Sequence[ArrayLike | None] | None = None,
        *,
        rebuild: bool = False,
    ) -> None:
        """Take new vertices and new poses of all meshes, None where they are as before; fit the boxes, or build anew.

        When that fails, here or on the device, the trees are where they were.
        """
        posed = self.posed.moved(vertices, poses, self._threads)
        if rebuild:
            self._rebuild(posed)
        else:
            self._refit(posed)

    def rebuild(self) -> None:
        """Sort the triangles anew along their curves, and fit all boxes."""
        self._rebuild(self.posed)

    def refit(self) -> None:
        """Fit all boxes in the order that leaves have."""
        self._refit(self.posed)

    def ready(self) -> None:
        """See to it that the boxes are those of the meshes, even if the device failed while they were moved."""
        if not self._fitted:
            self._rebuild(self.posed)

    def kept(self, name: Any, make: Callable[[], Any]) -> Any:
        """Return what somebody keeps with these trees, made on first use; use it with the device's lock held."""
        if name not in self._kept:
            self._kept[name] = make()
        return self._kept[name]

    def read_order(self) -> NDArray[np.int32]:
        """Return the triangle of each leaf."""
        order = np.empty(self._count, np.int32)
        self._read(order, "order")
        return order

    def read_boxes(self) -> NDArray[np.float32]:
        """Return (n, 6) lowest x, y, z and highest x, y, z of all nodes."""
        boxes = np.empty((self.layout.nodes, 8), np.float32)
        self._read(boxes, "boxes")
        return boxes[:, [0, 1, 2, 4, 5, 6]]

    def _read(self, array: NDArray[Any], name: str) -> None:
        if array.size:
            with working(self.device):
                opencl().enqueue_copy(self.device.queue, array, getattr(self, name))

    def _rebuild(self, posed: Posed) -> None:
        self._fitted = False
        if self._count:
            with working(self.device):
                self._send(posed)
                self._sort(posed)
                self._fit()
        self.posed, self._fitted = posed, True

    def _refit(self, posed: Posed) -> None:
        if not self._fitted:  # the device failed before, perhaps amid a sort: then there is no order to keep
            self._rebuild(posed)
            return
        self._fitted = False
        if self._count:
            with working(self.device):
                self._send(posed)
                self._fit()
        self.posed, self._fitted = posed, True

    def _send(self, posed: Posed) -> None:
        opencl().enqueue_copy(self.device.queue, self._vertices, posed.world.local)

    def _sort(self, posed: Posed) -> None:
        if not self._sort_there:
            order = morton_order(posed.bodies, posed.world, self._threads)
            opencl().enqueue_copy(self.device.queue, self.order, order)
            return
        block, slots = self._block, self._slots
        numbers = np.uint32(len(self)), np.uint32(self._count)
        grids = copied(self.device, curve_grids(posed.world))
        keys = self._keys, self.order
        self._launch("implicit_keys", slots, self.faces, self._vertices, grids, self.first_leaf, *numbers, *keys)
        self._launch("sort_block", slots // 2, *keys, np.uint32(2), np.uint32(block))
        size = 2 * block
        while size <= slots:
            stride = size // 2
            while stride >= block:
                self._launch("sort_step", slots // 2, *keys, np.uint32(size), np.uint32(stride))
                stride //= 2
            self._launch("sort_block", slots // 2, *keys, np.uint32(size), np.uint32(size))
            size *= 2

    def _fit(self) -> None:
        count = np.uint32(self._count)
        where = self.first_leaf, self._leaf_starts, np.uint32(len(self))
        self._launch("implicit_leaves", self._count, self.faces, self._vertices, self.order, *where, self.boxes, count)
        for rows, firsts, row_count, items in self._merges:
            nodes = self.starts, self.active, self.boxes, np.uint32(items)
            self._launch("implicit_merge", items, rows, firsts, row_count, *nodes)
        self.device.queue.finish()  # what fails on the device fails here, while the trees are known to be unfit

    def _launch(self, name: str, items: int, *arguments: Any) -> None:
        kernel = kernel_of(self.device, IMPLICIT, name, BLOCK=self._block)
        group = self._block // 2
        kernel(self.device.queue, (-(-items // group) * group,), (group,), *arguments)


def _leaf_starts(layout: Layout) -> NDArray[np.int32]:
    return layout.starts[layout.first_row + layout.depth].astype(np.int32)


def _row_list(device: OpenDevice, layout: Layout, up: int) -> tuple[Any, Any, np.uint32, int]:
    """Return the rows that are so many levels above their leaves, and where each begins among all their nodes."""
    rows = np.flatnonzero((layout.left == up) & (layout.active > 0))
    ends = np.cumsum(layout.active[rows])
    firsts = ends - layout.active[rows]
    buffers = [copied(device, array.astype(np.int32)) for array in (rows, firsts)]
    return buffers[0], buffers[1], np.uint32(len(rows)), int(ends[-1])


def _power_of_two_below(number: int) -> int:
    return 1 << (int(number).bit_length() - 1)
