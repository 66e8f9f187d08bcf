"""The OpenCL devices of this machine: their names, and one opened for work.

A device is opened once in a process. Whoever works on it holds its lock: kernels and buffers are shared.
"""

from __future__ import annotations

import importlib
import os
import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np

from tumble.core.locks import new_lock
from tumble.errors import DeviceError

COMPLETE = 0
SHORTEST_PAUSE, LONGEST_PAUSE = 2e-6, 1e-2
"""seconds between two looks at a device; they grow with the time that it takes"""
SPARE_BYTES = 1 << 27
"""what PoCL needs beside a buffer, generously: threads, and code that it compiles"""
CPU = "cpu"
OPENCL = "opencl"
INSTALL = (
    "`pip install tumble[gpu]` brings PyOpenCL and, on Linux, PoCL, which runs kernels on the CPU; "
    "for a GPU install its vendor's OpenCL driver as well"
)

FORKED = (
    "OpenCL was used before this process was forked, and drivers do not survive that; start processes with "
    "multiprocessing.get_context('spawn'), or use device='cpu' in them"
)

_lock = new_lock()
_opened: dict[int, OpenDevice] = {}
_drivers = {"asked": False, "forked": False}
"""whether this process or its parent has asked drivers for anything, and whether it was a parent"""


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


class OpenDevice:
    """A context and a queue on one device, and what stays there between queries."""

    def __init__(self, info: Device, raw: Any) -> None:
        cl = opencl()
        self.info = info
        self.raw = raw
        self.lock = new_lock()
        self.kept: dict[Any, Any] = {}
        """programs, trees and buffers, by whoever made them"""
        try:
            self.context = cl.Context([raw])
            properties = cl.command_queue_properties.PROFILING_ENABLE
            self.queue = cl.CommandQueue(self.context, raw, properties)
        except cl.Error as error:
            raise DeviceError(f"{info.name} ({info.device}) cannot be opened: {error}. {found_text()}") from error


@contextmanager
def working(device: OpenDevice) -> Iterator[None]:
    """Have a device for oneself; what OpenCL cannot do becomes a DeviceError that names it."""
    cl = opencl()
    _refuse_after_fork()
    with device.lock:
        try:
            yield
        except cl.Error as error:
            raise DeviceError(
                f"{device.info.name} ({device.info.device}, {device.info.memory >> 20} MiB) failed in a query: "
                f"{error}; ask about fewer pairs at once, or use device='cpu'"
            ) from error


def require_memory(device: OpenDevice, size: int) -> None:
    """Refuse a buffer for which a CPU has no memory: PoCL takes it when a kernel runs, and crashes if there is none."""
    if device.info.kind != CPU:
        return
    try:
        np.empty(size + SPARE_BYTES, np.uint8)  # address space, which nobody touches
    except MemoryError:
        raise DeviceError(
            f"{device.info.name} ({device.info.device}) shares the memory of this process, and none is left for a "
            f"buffer of {size >> 20} MiB; ask about fewer pairs at once, or use device='cpu'"
        ) from None


def wait_for(event: Any) -> None:
    """Wait until a device has done something, and let signal handlers run meanwhile: OpenCL's own waiting does not.

    What they raise leaves the device at work. That does no harm: it works on buffers of its own, which live until it is
    done, and what is asked next waits its turn.
    """
    pause = 0.0
    while event.command_execution_status > COMPLETE:
        time.sleep(pause)
        pause = min(1.2 * pause + SHORTEST_PAUSE, LONGEST_PAUSE)
    event.wait()  # which raises what went wrong


def opencl() -> Any:
    """Return the module PyOpenCL, or say how to get it."""
    try:
        return importlib.import_module("pyopencl")
    except ImportError as error:
        raise DeviceError(f"device='opencl' needs PyOpenCL, which cannot be imported ({error}); {INSTALL}") from error


def devices() -> list[Device]:
    """Return the OpenCL devices that `device=` can name; none where PyOpenCL or a driver is missing."""
    try:
        return [_describe(number, raw) for number, raw in enumerate(_raw_devices())]
    except DeviceError:
        return []


def open_device(name: str) -> OpenDevice:
    """Return the device of a name, opened on first use; plain "opencl" is the first GPU, or else the first device."""
    wanted = re.fullmatch(r"opencl(?::(\d+))?", name) if isinstance(name, str) else None
    if wanted is None:
        raise DeviceError(f"unknown device {name!r}; choose 'cpu', 'opencl' or 'opencl:NUMBER'. {found_text()}")
    found = _raw_devices()
    if not found:
        raise DeviceError(f"device={name!r}: PyOpenCL is here, but no OpenCL driver; {INSTALL}")
    infos = [_describe(number, raw) for number, raw in enumerate(found)]
    if wanted[1] is None:
        number = next((k for k, info in enumerate(infos) if info.kind == "gpu"), 0)
    else:
        number = int(wanted[1])
    if number >= len(found):
        raise DeviceError(f"there is no device {name!r}. {found_text()}")
    with _lock:
        if number not in _opened:
            _opened[number] = OpenDevice(infos[number], found[number])
        return _opened[number]


def found_text() -> str:
    """Return the devices found, as a sentence for errors."""
    found = devices()
    if not found:
        return f"No OpenCL device was found; {INSTALL}"
    return "Found: " + ", ".join(f"{device.name} ({device.device})" for device in found)


def _raw_devices() -> list[Any]:
    """Return all devices of all platforms, in the order of the drivers; none when there is no driver."""
    cl = opencl()
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
    cl = opencl()
    kinds = {cl.device_type.GPU: "gpu", cl.device_type.CPU: "cpu", cl.device_type.ACCELERATOR: "accelerator"}
    return Device(
        name=f"{OPENCL}:{number}",
        device=raw.name.strip(),
        platform=raw.platform.name.strip(),
        kind=next((name for bit, name in kinds.items() if raw.type & bit), "other"),
        memory=int(raw.global_mem_size),
        units=int(raw.max_compute_units),
        fp64="cl_khr_fp64" in raw.extensions.split(),
    )


def _refuse_after_fork() -> None:
    """Say so rather than wait: PoCL's threads are not there in a forked child, and its kernels never end."""
    if _drivers["forked"]:
        raise DeviceError(FORKED)


def _note_fork() -> None:
    _drivers["forked"] = _drivers["asked"]
    _opened.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_note_fork)
