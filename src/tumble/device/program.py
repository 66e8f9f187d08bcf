"""The kernels, read from `kernels/`, built once for each device and set of options."""

from __future__ import annotations

import warnings
from importlib.resources import files
from typing import Any

from tumble.device.device import OpenDevice, found_text, opencl
from tumble.errors import DeviceError

BINARY_STACK = ("boxes", "bits", "candidates", "triangles", "walk", "binary_stack")
"""files that make up the program, in the order in which they build on each other"""
CONTACT = ("contact",)
STANDARD = "-cl-std=CL1.2"
LOG_LENGTH = 2000


def kernel_of(device: OpenDevice, names: tuple[str, ...], kernel: str, **options: int) -> Any:
    """Return a kernel of these files, built with options as macros; use it with the device's lock held."""
    cl = opencl()
    program = (names, tuple(sorted(options.items())))
    if program not in device.kept:
        device.kept[program] = _build(device, names, options)
    key = (*program, kernel)
    if key not in device.kept:
        device.kept[key] = cl.Kernel(device.kept[program], kernel)
    return device.kept[key]


def source_of(names: tuple[str, ...]) -> str:
    """Return the files as one text; each error of the compiler names the file and the line."""
    folder = files("tumble.device") / "kernels"
    return "".join(f'#line 1 "{name}.cl"\n' + (folder / f"{name}.cl").read_text("utf-8") for name in names)


def _build(device: OpenDevice, names: tuple[str, ...], options: dict[str, int]) -> Any:
    cl = opencl()
    macros = [f"-D{name}={value}" for name, value in options.items()]
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # remarks of the compiler; errors are raised
            return cl.Program(device.context, source_of(names)).build([STANDARD, *macros])
    except cl.Error as error:
        log = str(error).strip()[:LOG_LENGTH]
        raise DeviceError(
            f"{device.info.name} ({device.info.device}, {device.info.platform}) cannot build {names[-1]}.cl with "
            f"{' '.join(macros)}; try another device or a newer driver. {found_text()}. The compiler said: {log}"
        ) from error
