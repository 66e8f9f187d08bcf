"""Implicit trees on a device: built, refitted and built again there; `tumble.hierarchy.implicit` is the CPU twin.

The host poses vertices in float64, rounds them to the common float32 frame and sends them, twelve bytes per vertex;
everything else happens on the device. (If that is a CPU, the host sorts: it is the same CPU, and a sort for thousands
of work-items takes it fifty times as long.) Order and boxes are those of the CPU twin, to the last bit.
"""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from tumble.device.host.kinds import defaults_for, fitting_group
from tumble.device.protocol import Buffer, OpenDevice, Program, program
from tumble.hierarchy.implicit.layout import Layout, layout_of
from tumble.hierarchy.implicit.morton import curve_grids, morton_order
from tumble.hierarchy.implicit.posed import Posed

MOST_SORTED_AT_ONCE = 256
BOX_BYTES = 32
SPARE_BOXES = 8  # boxes are read by so many at a time, so there are as many behind the last


class DeviceTrees:
    """One complete tree for each of many meshes, all in one buffer of a device.

    Not to be moved in one thread while another one traverses them.
    """

    def __init__(
        self, device: OpenDevice, posed: Posed, padded: bool = True, threads: int = 1, sort_there: bool | None = None
    ) -> None:
        """Build trees; `sort_there`: whether the device sorts, or the host; None: as suits its kind."""
        self.device = device
        self._sort_there = defaults_for(device).sorts if sort_there is None else sort_there
        self.posed = posed  # the meshes, and where they are
        self.layout: Layout = layout_of(np.diff(posed.bodies.first_face), padded)
        self._threads = threads
        self._count = len(posed.bodies.faces)
        self._fitted = False  # whether the boxes are those of `posed`: not if moving them failed or was interrupted
        self._sorted_for: Posed | None = None
        self._kept: dict[Any, Buffer] = {}
        self.first_frontier: Any = None
        """the last one that a traversal started with, see `first_frontier.py`"""
        self._buffers: list[Buffer] = []
        if self._count == 0:
            return
        with device.working():
            self._program, self._group = _sorting_program(device)
        self._block = 2 * self._group
        self._slots = max(self._block, 1 << (self._count - 1).bit_length())
        with device.working():
            self._allocate()
        self.place(posed, rebuild=True)

    def __len__(self) -> int:
        return len(self.layout.triangles)

    def __repr__(self) -> str:
        what = f"{self.layout.nodes} nodes over {self._count} triangles of {len(self)} meshes"
        return f"<DeviceTrees of {what} on {self.device}>"

    @property
    def nbytes(self) -> int:
        """Bytes on the device."""
        return sum(buffer.size for buffer in (*self._buffers, *self._kept.values()))

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
        self.place(self.posed.moved(vertices, poses, self._threads), rebuild)

    def ready(self, *, as_built: bool = False) -> None:
        """See to it that the boxes are those of the meshes, even if the device failed while they were moved.

        as_built   also that leaves are in the order of trees which are built where the meshes are now
        """
        if not self._fitted or (as_built and self._sorted_for is not self.posed):
            self.place(self.posed, rebuild=True)

    def keep(self, name: Any, make: Callable[[], Buffer]) -> Buffer:
        """Return a buffer that a traversal keeps with these trees, made on first use."""
        if name not in self._kept:
            self._kept[name] = make()
        return self._kept[name]

    def _allocate(self) -> None:
        device, layout, posed = self.device, self.layout, self.posed
        leaf_starts = layout.starts[layout.first_row + layout.depth]
        arrays = layout.starts, layout.active, layout.left, layout.tree, layout.first_leaf, leaf_starts
        uploaded = [device.upload(array.astype(np.int32)) for array in (posed.bodies.faces, *arrays)]
        self.faces, self.starts, self.active, self.left, self.tree, self.first_leaf, self._leaf_starts = uploaded
        self._merges = [_row_list(device, layout, up) for up in range(1, int(layout.depth.max()) + 1)]
        boxes = layout.nodes + SPARE_BOXES
        sizes = posed.world.local.nbytes, BOX_BYTES * boxes, 8 * self._slots, 4 * self._slots
        written = [device.empty(size) for size in sizes]
        self.vertices, self.boxes, self._keys, self.order = written
        self._buffers = uploaded + written
        rows = self.starts, self.active, self.left, self.tree, len(layout.starts)
        self.arguments = self.boxes, *rows, self.first_leaf, self.order, self.faces
        """what kernels take as TREES, see `kernels/leaf_pairs.cl`"""
        self._launch("implicit_clear", boxes, self.boxes, boxes)

    def place(self, posed: Posed, rebuild: bool = False) -> None:
        """Take the same meshes where they are now; fit the boxes, or build anew."""
        # after a failure, perhaps amid a sort, there is no order to keep
        rebuild = rebuild or not self._fitted
        self._fitted = False
        if self._count:
            with self.device.working():
                self.device.write(self.vertices, posed.world.local)
                if rebuild:
                    self._sort(posed)
                self._fit()
        if rebuild:
            self._sorted_for = posed
        self.posed, self._fitted = posed, True

    def _sort(self, posed: Posed) -> None:
        if not self._sort_there:
            self.device.write(self.order, morton_order(posed.bodies, posed.world, self._threads))
            return
        block, slots = self._block, self._slots
        grids = self.device.upload(curve_grids(posed.world))
        keys = self._keys, self.order
        numbers = len(self), self._count
        self._launch("implicit_keys", slots, self.faces, self.vertices, grids, self.first_leaf, *numbers, *keys)
        self._launch("sort_block", slots // 2, *keys, 2, block)
        size = 2 * block
        while size <= slots:
            stride = size // 2
            while stride >= block:
                self._launch("sort_step", slots // 2, *keys, size, stride)
                stride //= 2
            self._launch("sort_block", slots // 2, *keys, size, size)
            size *= 2

    def _fit(self) -> None:
        where = self.first_leaf, self._leaf_starts, len(self)
        self._launch(
            "implicit_leaves", self._count, self.faces, self.vertices, self.order, *where, self.boxes, self._count
        )
        for rows, firsts, row_count, items in self._merges:
            nodes = self.starts, self.active, self.boxes, items
            self._launch("implicit_merge", items, rows, firsts, row_count, *nodes)
        self.device.finish()  # what fails on the device fails here, while the trees are known to be unfit

    def _launch(self, name: str, items: int, *arguments: Any) -> None:
        self.device.launch(self._program, name, items, self._group, *arguments)


def _sorting_program(device: OpenDevice) -> tuple[Program, int]:
    """Return the kernels of implicit trees, and how many work-items a group has: half of the keys that it sorts."""

    def build(group: int) -> Program:
        return program("search", "implicit", BLOCK=2 * group)

    largest = 1 << (min(MOST_SORTED_AT_ONCE // 2, device.limits.group_items).bit_length() - 1)
    code, group = fitting_group(device, "sort_block", largest, build, given=False)
    for kernel in ("implicit_keys", "sort_step", "implicit_clear", "implicit_leaves", "implicit_merge"):
        code, group = fitting_group(device, kernel, group, build, given=False)
    return code, group


def _row_list(device: OpenDevice, layout: Layout, up: int) -> tuple[Buffer, Buffer, int, int]:
    """Return the rows that are so many levels above their leaves, where each begins among all their nodes, how many
    rows and how many nodes there are.
    """
    rows = np.flatnonzero((layout.left == up) & (layout.active > 0))
    ends = np.cumsum(layout.active[rows])
    firsts = ends - layout.active[rows]
    buffers = [device.upload(array.astype(np.int32)) for array in (rows, firsts)]
    return buffers[0], buffers[1], len(rows), int(ends[-1])
