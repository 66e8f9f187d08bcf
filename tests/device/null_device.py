"""A device without a driver: memory is NumPy's, and kernels are Python functions, or do nothing.

It records every command, so that tests of the host code can count uploads, launches and rounds, and it refuses memory
that it does not have.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tumble.device.protocol import CPU, Device, DeviceLimits, OpenDevice, Program
from tumble.errors import DeviceError

PLAIN = Device("null:0", "no device", "tumble", CPU, 1 << 30, 1, True)
LIMITS = DeviceLimits(1 << 12, 1 << 16, 1 << 28)


class NullBuffer:
    """Memory of a null device."""

    def __init__(self, size: int) -> None:
        self.bytes = np.zeros(size, np.uint8)

    @property
    def size(self) -> int:
        """Bytes."""
        return len(self.bytes)

    def view(self, dtype: Any) -> NDArray[Any]:
        """Return the content as numbers; writing to them writes to the buffer."""
        return self.bytes.view(dtype)


class NullLaunch(NamedTuple):
    """A kernel as it was launched; a Python kernel takes this as its only argument."""

    program: Program
    kernel: str
    items: int
    group: int
    arguments: tuple[Any, ...]


class Command(NamedTuple):
    """Something that the host asked for: "upload", "write", "read", "copy", "fill" or "launch"."""

    name: str
    size: int
    """bytes, or work-items of a launch"""


class NullDevice(OpenDevice):
    """A device for tests.

    kernels       Python functions by the name of the kernel that each stands for; others do nothing
    limits        of groups and buffers
    description   fields of `Device`, such as memory=1000 or kind="gpu"
    """

    def __init__(
        self,
        kernels: Mapping[str, Callable[[NullLaunch], None]] | None = None,
        limits: DeviceLimits = LIMITS,
        **description: Any,
    ) -> None:
        super().__init__(replace(PLAIN, **description), limits)
        self.kernels = dict(kernels or {})
        self.kernel_groups: dict[str, int] = {}
        self.commands: list[Command] = []
        self.launches: list[NullLaunch] = []
        self._buffers: weakref.WeakSet[NullBuffer] = weakref.WeakSet()

    @property
    def used(self) -> int:
        """Bytes of all buffers that are alive."""
        return sum(buffer.size for buffer in list(self._buffers))

    def count(self, *names: str) -> int:
        """Return how many commands of these names there were."""
        return sum(command.name in names for command in self.commands)

    @contextmanager
    def working(self) -> Iterator[None]:
        """Hold the lock."""
        with self.lock:
            yield

    def require_memory(self, size: int) -> None:
        """Refuse more bytes than the device has left."""
        if self.used + size > self.info.memory:
            raise DeviceError(f"{self} has {self.info.memory - self.used} bytes left, not {size}; use device='cpu'")

    def upload(self, array: NDArray[Any]) -> Any:
        """Return a buffer that holds an array."""
        buffer = self._buffer(array.nbytes)
        buffer.bytes[:] = np.ascontiguousarray(array).view(np.uint8).reshape(-1)
        self._note("upload", array.nbytes)
        return buffer

    def empty(self, size: int) -> Any:
        """Return a buffer of zeros."""
        return self._buffer(size)

    def write(self, buffer: Any, array: NDArray[Any], offset: int = 0) -> None:
        """Copy an array into a buffer."""
        buffer.bytes[offset : offset + array.nbytes] = np.ascontiguousarray(array).view(np.uint8).reshape(-1)
        self._note("write", array.nbytes)

    def read(self, buffer: Any, array: NDArray[Any], offset: int = 0, *, wait: bool = True) -> None:
        """Fill an array from a buffer."""
        array[...] = buffer.bytes[offset : offset + array.nbytes].view(array.dtype).reshape(array.shape)
        self._note("read", array.nbytes)

    def copy(self, source: Any, target: Any, size: int, source_offset: int = 0, target_offset: int = 0) -> None:
        """Copy bytes between buffers."""
        target.bytes[target_offset : target_offset + size] = source.bytes[source_offset : source_offset + size]
        self._note("copy", size)

    def fill(self, buffer: Any, word: int) -> None:
        """Write a 32-bit number over a whole buffer."""
        buffer.view(np.uint32)[:] = word
        self._note("fill", buffer.size)

    def launch(self, code: Program, kernel: str, items: int, group: int, *arguments: Any) -> NullLaunch:
        """Run the Python function of a kernel, if there is one."""
        launch = NullLaunch(code, kernel, -(-items // group) * group, group, arguments)
        self.launches.append(launch)
        self._note("launch", launch.items)
        if kernel in self.kernels:
            self.kernels[kernel](launch)
        return launch

    def wait(self, *launches: Any) -> float:
        """Return no time."""
        return 0.0

    def finish(self) -> None:
        """Everything is done already."""

    def preferred_width(self, code: Program, kernel: str) -> int:
        """Return 4."""
        return 4

    def most_in_group(self, code: Program, kernel: str) -> int:
        """Return what a test has set for a kernel, or the limit of the device."""
        return self.kernel_groups.get(kernel, self.limits.group_items)

    def _buffer(self, size: int) -> NullBuffer:
        if size > self.limits.buffer_bytes:
            raise DeviceError(f"{self} has buffers of {self.limits.buffer_bytes} bytes at most, not of {size}")
        try:
            self.require_memory(size)
        except DeviceError:
            if not self.release_idle():
                raise
            self.require_memory(size)
        buffer = NullBuffer(size)
        self._buffers.add(buffer)
        return buffer

    def _note(self, name: str, size: int) -> None:
        self.commands.append(Command(name, size))
