"""What the host code of a traversal needs from a device: memory, copies, launches and a clock.

`tumble.device.opencl` implements it, and so does a device of the tests, which runs kernels written in Python and needs
no driver. A device executes commands in the order in which they are given, so the host waits only where it reads a
result.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol, TypeVar

from numpy.typing import NDArray

from tumble.core.locks import new_lock
from tumble.errors import OptionError

CPU, GPU = "cpu", "gpu"
Kept = TypeVar("Kept")


@dataclass(frozen=True)
class Device:
    """An OpenCL device."""

    name: str
    """what `device=` takes: "opencl:0", "opencl:1", …"""
    device: str
    """the device as its driver calls it"""
    platform: str
    """the driver"""
    kind: str
    """gpu, cpu, accelerator or other"""
    memory: int
    """bytes of global memory"""
    units: int
    """compute units: cores of a CPU, multiprocessors of a GPU"""
    fp64: bool
    """whether it computes in double precision"""


class DeviceLimits(NamedTuple):
    """What one launch or one buffer may have at most."""

    group_items: int  # work-items of a group
    local_bytes: int  # local memory of a group
    buffer_bytes: int


class Program(NamedTuple):
    """Files of `kernels/`, in the order in which they build on each other, and the macros they are built with."""

    files: tuple[str, ...]
    options: tuple[tuple[str, int], ...]


def program(*files: str, **options: int) -> Program:
    """Return a program as a record that devices can look up."""
    return Program(files, tuple(sorted(options.items())))


class Buffer(Protocol):
    """Memory of a device."""

    @property
    def size(self) -> int:
        """Bytes."""


class OpenDevice(ABC):
    """A device that was opened for work; what stays there between queries lives in `keep`.

    Everything except `keep` is to be used inside `with device.working():`.
    """

    def __init__(self, info: Device, limits: DeviceLimits) -> None:
        self.info, self.limits = info, limits
        self.lock = new_lock()
        self._kept: dict[Any, Any] = {}

    def __str__(self) -> str:
        return f"{self.info.name} ({self.info.device})"

    def keep(self, make: Callable[[OpenDevice], Kept]) -> Kept:
        """Return what a class or function made for this device when it was first asked for."""
        with self.lock:
            if make not in self._kept:
                self._kept[make] = make(self)
            return self._kept[make]

    def release_idle(self) -> bool:
        """Free what is only kept to make later queries faster; return whether there was any."""
        released = [kept.release_idle() for kept in list(self._kept.values()) if hasattr(kept, "release_idle")]
        return any(released)

    def check_group(self, group: int) -> None:
        """Refuse more work-items than a group can have."""
        most = self.limits.group_items
        if group > most:
            raise OptionError(f"group={group}: {self.info.name} takes up to {most} work-items in a group")

    @abstractmethod
    def working(self) -> AbstractContextManager[None]:
        """Hold the lock of the device; failures of the driver become DeviceErrors that name the device."""

    @abstractmethod
    def require_memory(self, size: int) -> None:
        """Refuse buffers of so many bytes together, if that is known to be too much."""

    @abstractmethod
    def upload(self, array: NDArray[Any]) -> Buffer:
        """Return a buffer that holds an array, which must not be empty."""

    @abstractmethod
    def empty(self, size: int) -> Buffer:
        """Return a buffer of so many bytes, with anything in it."""

    @abstractmethod
    def write(self, buffer: Buffer, array: NDArray[Any], offset: int = 0) -> None:
        """Copy an array into a buffer, from a byte on."""

    @abstractmethod
    def read(self, buffer: Buffer, array: NDArray[Any], offset: int = 0, *, wait: bool = True) -> None:
        """Fill an array from a buffer, from a byte on; without `wait` it is filled when `finish` returns."""

    @abstractmethod
    def copy(self, source: Buffer, target: Buffer, size: int, source_offset: int = 0, target_offset: int = 0) -> None:
        """Copy bytes within the device."""

    @abstractmethod
    def fill(self, buffer: Buffer, word: int) -> None:
        """Write a 32-bit number over a whole buffer."""

    @abstractmethod
    def launch(self, code: Program, kernel: str, items: int, group: int, *arguments: Any) -> Any:
        """Start a kernel and return its launch, to be waited for.

        items       work-items, rounded up to whole groups: a kernel must check how many were wanted
        group       work-items of a group, always the same for a kernel: drivers compile it anew for each size
        arguments   buffers, and whole numbers, which kernels take as uint
        """

    @abstractmethod
    def wait(self, *launches: Any) -> float:
        """Wait until launches are done, and let signal handlers run meanwhile; return seconds by the device's clock."""

    @abstractmethod
    def finish(self) -> None:
        """Wait for everything; what failed is raised here."""

    @abstractmethod
    def most_in_group(self, code: Program, kernel: str) -> int:
        """Return how many work-items a group of a kernel can have, which may be fewer than any kernel's."""

    @abstractmethod
    def preferred_width(self, code: Program, kernel: str) -> int:
        """Return the number of which the size of a group should be a multiple."""
