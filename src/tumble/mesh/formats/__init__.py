"""One reader per file format, all of them strict, and bounded in time and memory by the size of the file.

A reader takes a path and whether to split the file into its parts, and returns a list of Part. It raises ValueError on
anything odd; `tumble.mesh.files` turns that into a FileError with the path. docs/formats.md says what each one keeps.
"""

import importlib
from collections.abc import Callable
from pathlib import Path

from tumble.mesh.part import Part

Reader = Callable[[Path, bool], list[Part]]

# suffix: module and function; a module is imported when the first file of its format is read
_READERS = {
    "3dxml": ("threedxml", "read_3dxml"),
    "3mf": ("threemf", "read_3mf"),
    "glb": ("gltf", "read_glb"),
    "gltf": ("gltf", "read_gltf"),
    "obj": ("obj", "read_obj"),
    "off": ("off", "read_off"),
    "ply": ("ply", "read_ply"),
    "step": ("step", "read_step"),
    "stl": ("stl", "read_stl"),
    "stp": ("step", "read_step"),
    "xaml": ("xaml", "read_xaml"),
}
FORMATS = tuple(_READERS)


def reader(kind: str) -> Reader:
    """Return the reader of a format, by the suffix of its files."""
    module, name = _READERS[kind]
    found: Reader = getattr(importlib.import_module(f"{__name__}.{module}"), name)
    return found
