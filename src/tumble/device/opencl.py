"""OpenCL devices through PyOpenCL, which no other module imports.

A device is opened once per process. Kernels and buffers are shared by all threads, so whoever works holds its lock.
"""

from __future__ import annotations

import importlib
import os
import re
import sys
import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tumble.core.locks import new_lock
from tumble.device.protocol import CPU, GPU, Device, DeviceLimits, OpenDevice, Program
from tumble.errors import DeviceError

STANDARD = "-cl-std=CL1.2"
LOG_LENGTH = 2000
COMPLETE = 0
SHORTEST_PAUSE, LONGEST_PAUSE = 2e-6, 1e-2
"""seconds between two looks at a device; pauses grow with the time that it takes"""
SPARE_BYTES = 1 << 27  # what PoCL needs beside a buffer, generously: threads, and code that it compiles
INSTALL = (
    "`pip install tumble[gpu]` brings PyOpenCL and, on Linux, PoCL, which runs kernels on the CPU; "
    "for a GPU install its vendor's OpenCL driver as well"
)
TOO_NEW = (
    "{} cannot be used: the compiler of this PoCL is older than the processor and builds nothing for it; install "
    "a newer PoCL, or Intel's driver: `pip install tumble[intel]`, then set OCL_ICD_VENDORS to {}"
)
INTEL_LIBRARY = "lib/libintelocl.so"
FORKED = (
    "OpenCL was used before this process was forked, and drivers do not survive that; start processes with "
    "multiprocessing.get_context('spawn'), or use device='cpu' in them"
)
FEWER = "ask about fewer pairs at once, or use device='cpu'"

_lock = new_lock()
_opened: dict[int, OpenCLDevice] = {}
_builds: dict[str, bool] = {}
"""whether a device builds anything, by its version, where there is doubt"""
_drivers = {"asked": False, "forked": False}
"""whether this process or its parent has used a driver, and whether that was before a fork"""


class OpenCLDevice(OpenDevice):
    """A context and a queue on one device."""

    def __init__(self, info: Device, raw: Any) -> None:
        limits = DeviceLimits(raw.max_work_group_size, raw.local_mem_size, raw.max_mem_alloc_size)
        super().__init__(info, DeviceLimits(*map(int, limits)))
        self._cl, self._raw = _pyopencl(), raw
        self._built: dict[Any, Any] = {}  # programs, and their kernels
        try:
            self._context = self._cl.Context([raw])
            properties = self._cl.command_queue_properties.PROFILING_ENABLE
            self._queue = self._cl.CommandQueue(self._context, raw, properties)
        except self._cl.Error as error:
            raise DeviceError(f"{self} cannot be opened: {error}. {found_text()}") from error

    @contextmanager
    def working(self) -> Iterator[None]:
        """Hold the lock; what OpenCL cannot do becomes a DeviceError."""
        _refuse_after_fork()
        with self.lock:
            try:
                yield
            except self._cl.Error as error:
                raise DeviceError(
                    f"{self.info.name} ({self.info.device}, {self.info.memory >> 20} MiB) failed in a query: {error}; "
                    f"{FEWER}"
                ) from error

    def require_memory(self, size: int) -> None:
        """Refuse what a CPU has no memory for: PoCL takes it when a kernel runs, and crashes if there is none."""
        if self.info.kind != CPU:
            return
        try:
            np.empty(size + SPARE_BYTES, np.uint8)  # address space, never touched
        except MemoryError:
            raise DeviceError(
                f"{self} shares the memory of this process, and none is left for a buffer of {size >> 20} MiB; {FEWER}"
            ) from None

    def upload(self, array: NDArray[Any]) -> Any:
        """Return a buffer that holds an array."""
        flags = self._cl.mem_flags.READ_ONLY | self._cl.mem_flags.COPY_HOST_PTR
        return self._buffer(flags, array.nbytes, hostbuf=np.ascontiguousarray(array))

    def empty(self, size: int) -> Any:
        """Return a buffer of so many bytes."""
        return self._buffer(self._cl.mem_flags.READ_WRITE, size, size=size)

    def _buffer(self, flags: int, needed: int, **content: Any) -> Any:
        try:
            self.require_memory(needed)
            return self._cl.Buffer(self._context, flags, **content)
        except (DeviceError, self._cl.MemoryError):
            if not self.release_idle():
                raise
        self.require_memory(needed)
        return self._cl.Buffer(self._context, flags, **content)

    def write(self, buffer: Any, array: NDArray[Any], offset: int = 0) -> None:
        """Copy an array into a buffer."""
        self._cl.enqueue_copy(self._queue, buffer, np.ascontiguousarray(array), dst_offset=offset)

    def read(self, buffer: Any, array: NDArray[Any], offset: int = 0, *, wait: bool = True) -> None:
        """Fill an array from a buffer."""
        if array.size:
            self._cl.enqueue_copy(self._queue, array, buffer, src_offset=offset, is_blocking=wait)

    def copy(self, source: Any, target: Any, size: int, source_offset: int = 0, target_offset: int = 0) -> None:
        """Copy bytes within the device."""
        self._cl.enqueue_copy(
            self._queue, target, source, byte_count=size, src_offset=source_offset, dst_offset=target_offset
        )

    def fill(self, buffer: Any, word: int) -> None:
        """Write a 32-bit number over a whole buffer."""
        self._cl.enqueue_fill_buffer(self._queue, buffer, np.uint32(word), 0, buffer.size)

    def launch(self, code: Program, kernel: str, items: int, group: int, *arguments: Any) -> Any:
        """Start a kernel and return its event."""
        numbered = [np.uint32(value) if isinstance(value, int) else value for value in arguments]
        return self._kernel(code, kernel)(self._queue, (-(-items // group) * group,), (group,), *numbered)

    def wait(self, *launches: Any) -> float:
        """Wait for events, and let signal handlers run meanwhile: OpenCL's own waiting does not.

        An exception that a handler raises leaves the device at work. That does no harm: its buffers live until it is
        done, and the next commands are executed after these.
        """
        self._queue.flush()
        pause = 0.0
        while launches[-1].command_execution_status > COMPLETE:
            time.sleep(pause)
            pause = min(1.2 * pause + SHORTEST_PAUSE, LONGEST_PAUSE)
        launches[-1].wait()  # raises what went wrong
        return 1e-9 * sum(launch.profile.end - launch.profile.start for launch in launches)

    def finish(self) -> None:
        """Wait for everything."""
        self._queue.finish()

    def preferred_width(self, code: Program, kernel: str) -> int:
        """Return the number of which the size of a group should be a multiple."""
        return max(1, self._group_info(code, kernel, "PREFERRED_WORK_GROUP_SIZE_MULTIPLE"))

    def most_in_group(self, code: Program, kernel: str) -> int:
        """Return how many work-items a group of a kernel can have."""
        return self._group_info(code, kernel, "WORK_GROUP_SIZE")

    def _group_info(self, code: Program, kernel: str, name: str) -> int:
        what = getattr(self._cl.kernel_work_group_info, name)
        return int(self._kernel(code, kernel).get_work_group_info(what, self._raw))

    def _kernel(self, code: Program, name: str) -> Any:
        """Return a kernel of a program, both built on first use."""
        if (code, name) not in self._built:
            if code not in self._built:
                self._built[code] = self._build(code)
            self._built[code, name] = self._cl.Kernel(self._built[code], name)
        return self._built[code, name]

    def _build(self, code: Program) -> Any:
        macros = [f"-D{name}={value}" for name, value in code.options]
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # remarks of the compiler; errors are raised
                return self._cl.Program(self._context, source_of(code.files)).build([STANDARD, *macros])
        except self._cl.Error as error:
            log = str(error).strip()[:LOG_LENGTH]
            raise DeviceError(
                f"{self.info.name} ({self.info.device}, {self.info.platform}) cannot build {code.files[-1]}.cl with "
                f"{' '.join(macros)}; try another device or a newer driver. {found_text()}. The compiler said: {log}"
            ) from error


def source_of(names: tuple[str, ...]) -> str:
    """Return kernel files as one text; errors of the compiler name the file and the line."""
    folder = files("tumble.device") / "kernels"
    return "".join(f'#line 1 "{name}.cl"\n' + (folder / f"{name}.cl").read_text("utf-8") for name in names)


def devices() -> list[Device]:
    """Return the OpenCL devices that `device=` can name; none where PyOpenCL or a driver is missing."""
    try:
        return [_describe(number, raw) for number, raw in enumerate(_raw_devices())]
    except DeviceError:
        return []


def driver_names() -> list[str] | None:
    """Return each device as its driver calls it, with the platform; None without PyOpenCL."""
    try:
        _pyopencl()
    except DeviceError:
        return None
    return [_named(raw) for raw in _raw_devices()] + [f"{_named(raw)}, cannot be used" for raw in _useless_devices()]


def open_device(name: str) -> OpenCLDevice:
    """Return the device of a name, opened on first use; plain "opencl" is the first GPU, or else the first device."""
    wanted = re.fullmatch(r"opencl(?::(\d+))?", name) if isinstance(name, str) else None
    if wanted is None:
        raise DeviceError(f"unknown device {name!r}; choose 'cpu', 'opencl' or 'opencl:NUMBER'. {found_text()}")
    found = _raw_devices()
    if not found:
        raise DeviceError(f"device={name!r}: {found_text()}")
    infos = [_describe(number, raw) for number, raw in enumerate(found)]
    if wanted[1] is None:
        number = next((k for k, info in enumerate(infos) if info.kind == GPU), 0)
    else:
        number = int(wanted[1])
    if number >= len(found):
        raise DeviceError(f"there is no device {name!r}. {found_text()}")
    with _lock:
        if number not in _opened:
            _opened[number] = OpenCLDevice(infos[number], found[number])
        return _opened[number]


def found_text() -> str:
    """Return the devices found, as a sentence for errors."""
    found = devices()
    if not found:
        try:
            useless = ", ".join(map(_named, _useless_devices()))
        except DeviceError:
            return f"No OpenCL device was found; {INSTALL}"
        if useless:
            return TOO_NEW.format(useless, Path(sys.prefix) / INTEL_LIBRARY)
        return f"PyOpenCL is here, but no OpenCL driver; {INSTALL}"
    return "Found: " + ", ".join(f"{device.name} ({device.device})" for device in found)


def _pyopencl() -> Any:
    """Return the module PyOpenCL, or say how to get it."""
    try:
        return importlib.import_module("pyopencl")
    except ImportError as error:
        raise DeviceError(f"device='opencl' needs PyOpenCL, which cannot be imported ({error}); {INSTALL}") from error


def _named(raw: Any) -> str:
    return f"{raw.name.strip()} ({raw.platform.name.strip()})"


def _raw_devices() -> list[Any]:
    """Return all devices that can be used, in the order of the drivers; none when there is no driver."""
    return [raw for raw in _all_devices() if _can_build(raw)]


def _useless_devices() -> list[Any]:
    return [raw for raw in _all_devices() if not _can_build(raw)]


def _can_build(raw: Any) -> bool:
    """Tell whether a device builds kernels: PoCL's do not where its compiler does not know the processor's name."""
    version = str(getattr(raw, "version", ""))
    if re.search(r"pocl.*x86_64.*-generic$", version, re.IGNORECASE) is None:
        return True
    if version not in _builds:
        cl = _pyopencl()
        try:
            cl.Program(cl.Context([raw]), "__kernel void nothing(void) {}").build([STANDARD])
            _builds[version] = True
        except cl.Error:
            _builds[version] = False
    return _builds[version]


def _all_devices() -> list[Any]:
    """Return all devices of all platforms."""
    cl = _pyopencl()
    _refuse_after_fork()
    _drivers["asked"] = True
    found = []
    try:
        platforms = cl.get_platforms()
    except cl.Error:  # the loader found no driver
        return []
    for platform in platforms:
        try:
            found += platform.get_devices()
        except cl.Error:  # a driver without a device
            continue
    return found


def _describe(number: int, raw: Any) -> Device:
    kinds = _pyopencl().device_type
    names = {kinds.GPU: GPU, kinds.CPU: CPU, kinds.ACCELERATOR: "accelerator"}
    return Device(
        name=f"opencl:{number}",
        device=raw.name.strip(),
        platform=raw.platform.name.strip(),
        kind=next((name for bit, name in names.items() if raw.type & bit), "other"),
        memory=int(raw.global_mem_size),
        units=int(raw.max_compute_units),
        fp64="cl_khr_fp64" in raw.extensions.split(),
    )


def _refuse_after_fork() -> None:
    """Raise instead of waiting: PoCL's threads are not there in a forked child, and its kernels never end."""
    if _drivers["forked"]:
        raise DeviceError(FORKED)


def _note_fork() -> None:
    _drivers["forked"] = _drivers["asked"]
    _opened.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_note_fork)
