"""One reader per file format, all of them strict, and bounded in time and memory by the size of the file.

A reader takes a path and whether to split the file into its parts, and returns a list of Part. It raises ValueError on
anything odd; `tumble.mesh.files` turns that into a FileError with the path. docs/formats.md says what each one keeps.
"""

import importlib
from collections.abc import Callable
from pathlib import Path

from tumble.mesh.mesh import Part

Reader = Callable[[Path, bool], list[Part]]

# suffix: module; it is imported when the first file of its format is read
_READERS = {
    **{suffix: suffix for suffix in ("gltf", "obj", "off", "ply", "step", "stl", "xaml")},
    "3dxml": "threedxml",
    "3mf": "threemf",
    "glb": "gltf",
    "stp": "step",
}
FORMATS = tuple(sorted(_READERS))


def reader(kind: str) -> Reader:
    """Return the reader of a format, by the suffix of its files."""
    found: Reader = importlib.import_module(f"{__name__}.{_READERS[kind]}").read
    return found
