"""Kernels that were compiled ahead of time: those of the package `tumble-kernels`, where it is installed and fits.

They are made by `python -m tumble.tools.kernels`, for a processor that most are at least as good as. A kernel is looked
for among those that were compiled here first, for this very processor; then in the package; then it is compiled.

What the package must have in common with this process is in its manifest: the minor version of Python, whose structures
the code reads, the exact versions of the compiler, which made sense of them, and the major version of NumPy. Which
sources a kernel was made of is part of its key, as ever: of another version of Tumble, nothing is found.
"""

from __future__ import annotations

import importlib.util
import json
import os
import sys
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

PACKAGE = "tumble_kernels"
MANIFEST = "manifest.json"
SWITCH = "TUMBLE_AHEAD_OF_TIME"
"""an environment variable: 0 leaves the package alone"""
BASELINES = {
    # the levels of the x86-64 psABI; LLVM knows a processor of this name
    "x86_64": ("x86-64-v3", "avx avx2 bmi bmi2 cx16 f16c fma lzcnt movbe popcnt sahf sse3 sse4.1 sse4.2 ssse3 xsave"),
    "aarch64": ("generic", "neon"),
}
ALIASES = {"amd64": "x86_64", "arm64": "aarch64"}


class Bundle(NamedTuple):
    """The kernels of the package."""

    folder: Path
    target: tuple[str, str, str]
    """what they were compiled for: triple, processor and features, as they stand in Numba's keys"""


class Lookup(NamedTuple):
    """What was found of the package."""

    bundle: Bundle | None
    words: str
    """whence kernels come, or why not, for `tumble info`"""


@lru_cache(maxsize=1)
def lookup() -> Lookup:
    """Look for the package, once per process."""
    if os.environ.get(SWITCH) == "0":
        return Lookup(None, f"not asked, as {SWITCH} is 0")
    try:
        spec = importlib.util.find_spec(PACKAGE)
    except (ImportError, ValueError):
        spec = None
    if spec is None or spec.origin is None:
        return Lookup(None, "tumble-kernels is not installed")
    folder = Path(spec.origin).parent
    try:
        manifest = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
        wanted, (triple, processor, features) = manifest["made_with"], manifest["target"]
        needed = set(manifest["features"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        return Lookup(None, f"tumble-kernels cannot be read: {error}")
    here = versions()
    for what, version in wanted.items():
        if here.get(what) != version:
            return Lookup(None, f"tumble-kernels is for {what} {version}, and this is {here.get(what)}")
    missing = sorted(needed - host_features())
    if missing:
        return Lookup(None, f"tumble-kernels is for processors with {', '.join(missing)}")
    words = f"{manifest.get('kernels', 0):,} of tumble-kernels, for {processor}"
    return Lookup(Bundle(folder, (triple, processor, features)), words)


def bundled_file(name: str, key: tuple[Any, ...], digest: Any) -> tuple[Path, tuple[Any, ...]] | None:
    """Return the file of a kernel in the package and the key that it must state, by the key that it has here."""
    bundle = lookup().bundle
    if bundle is None or len(key) < 2:
        return None
    made_for = (key[0], bundle.target, *key[2:])  # Numba's keys: signature, target, function
    return bundle.folder / f"{name}.{digest(made_for)}.nbc", made_for


def versions() -> dict[str, str]:
    """Return what a package and a process must have in common."""
    import llvmlite
    import numba

    return {
        "python": f"{sys.implementation.name} {sys.version_info.major}.{sys.version_info.minor}",
        "numba": numba.__version__,
        "llvmlite": llvmlite.__version__,
        "numpy": np.__version__.partition(".")[0],
    }


def host_features() -> set[str]:
    """Return what this processor can, in LLVM's words."""
    from llvmlite import binding

    return {name for name, there in binding.get_host_cpu_features().items() if there}


def baseline(machine: str) -> tuple[str, list[str]]:
    """Return the processor that packages are made for, by the name of an architecture, and its features."""
    known = BASELINES.get(ALIASES.get(machine.lower(), machine.lower()))
    if known is None:
        raise ValueError(f"there is no baseline for processors of the kind {machine!r}")
    return known[0], known[1].split()
