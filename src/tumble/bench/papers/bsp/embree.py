"""Embree's rtcCollide, through ctypes: which boxes of a scene meet, found by the trees that ray tracers use.

The library is looked for where the option or the variable TUMBLE_EMBREE says, in the package `embreex`, and where the
system keeps its libraries.
"""

import ctypes
import os
from collections.abc import Iterator
from ctypes.util import find_library
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tumble.bench.papers.bsp import embree_callbacks
from tumble.mesh import Mesh

VARIABLE = "TUMBLE_EMBREE"
USER_GEOMETRY = 120
LOW, MEDIUM = 0, 1
"""of Embree's build qualities: Morton order, and its default, the surface heuristic"""
VERSION = (1, 2, 3)
"""of Embree's device properties: major, minor, patch"""
_POINTERS = ("rtcNewDevice", "rtcNewScene", "rtcNewGeometry")
_WHERE = f"install `embreex`, or name libembree4 in {VARIABLE}"


class Embree:
    """The library, with a device of its own; ImportError says why there is none."""

    def __init__(self, library: str | Path | None = None) -> None:
        self.library = _loaded(library)
        for name in _POINTERS:
            getattr(self.library, name).restype = ctypes.c_void_p
        self.library.rtcGetDeviceProperty.restype = ctypes.c_ssize_t
        self.device = ctypes.c_void_p(self.library.rtcNewDevice(None))
        if not self.device:
            raise ImportError("Embree gives no device here")
        self.bounds, self.collided = embree_callbacks.bounds_callback(), embree_callbacks.collided_callback()

    @cached_property
    def version(self) -> str:
        """As the library says."""
        return ".".join(str(self.library.rtcGetDeviceProperty(self.device, number)) for number in VERSION)

    def candidates(
        self, mesh: Mesh, room: int, *, neighbours: bool, quality: int = MEDIUM
    ) -> tuple[NDArray[np.int64], int]:
        """Build a scene of the boxes of all triangles, and ask which meet; keys in no order, and how many there are.

        Where there are more than there is room for, the rest is counted only.
        """
        faces = np.ascontiguousarray(mesh.faces, np.int32)
        keys, record = np.empty(room, np.int64), np.zeros(embree_callbacks.RECORD, np.int64)
        record[embree_callbacks.VERTICES], record[embree_callbacks.FACES] = mesh.vertices.ctypes.data, faces.ctypes.data
        record[embree_callbacks.KEYS], record[embree_callbacks.CAPACITY] = keys.ctypes.data, room
        record[embree_callbacks.NEIGHBOURS] = neighbours
        address = ctypes.c_void_p(record.ctypes.data)
        scene = self._scene(len(faces), address, quality)
        self.library.rtcCollide(scene, scene, ctypes.c_void_p(self.collided.address), address)
        self.library.rtcReleaseScene(scene)
        error = self.library.rtcGetDeviceError(self.device)
        if error:
            raise RuntimeError(f"Embree failed with its error {error}")
        count = int(record[embree_callbacks.COUNT])
        return keys[:count], count

    def _scene(self, count: int, record: Any, quality: int) -> Any:
        library, device = self.library, self.device
        geometry = ctypes.c_void_p(library.rtcNewGeometry(device, USER_GEOMETRY))
        library.rtcSetGeometryUserPrimitiveCount(geometry, ctypes.c_uint(count))
        library.rtcSetGeometryUserData(geometry, record)
        library.rtcSetGeometryBuildQuality(geometry, quality)
        library.rtcSetGeometryBoundsFunction(geometry, ctypes.c_void_p(self.bounds.address), None)
        library.rtcCommitGeometry(geometry)
        scene = ctypes.c_void_p(library.rtcNewScene(device))
        library.rtcSetSceneBuildQuality(scene, quality)
        library.rtcAttachGeometry(scene, geometry)
        library.rtcReleaseGeometry(geometry)
        library.rtcCommitScene(scene)
        return scene


def _loaded(library: str | Path | None) -> Any:
    tried = []
    for path in _places(library):
        try:
            found = ctypes.CDLL(str(path))
        except OSError as error:
            tried.append(f"{path}: {error}")
            continue
        if hasattr(found, "rtcCollide"):
            return found
        tried.append(f"{path} has no rtcCollide")
    raise ImportError("; ".join(tried) if tried else f"no Embree found; {_WHERE}")


def _places(library: str | Path | None) -> Iterator[str | Path]:
    """Where the library may be; a place that was named is the only one."""
    named = library or os.environ.get(VARIABLE)
    if named:
        yield named
        return
    spec = find_spec("embreex")
    if spec is not None and spec.origin is not None:
        package = Path(spec.origin).parent
        for folder in (package.parent / "embreex.libs", package / ".dylibs", package):
            yield from sorted(folder.glob("*embree4*"))
    for name in ("embree4", "embree3"):
        found = find_library(name)
        if found:
            yield found
