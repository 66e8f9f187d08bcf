"""Any other format, through trimesh: one part per node of the scene, its transform baked in float64.

trimesh's own loading functions merge vertices closer than 1e-8 in some formats whatever they are told, so
its parsers are called directly and every geometry is marked to be left as it is.
"""

import logging
import re
import threading
import warnings
from pathlib import Path
from typing import Any

import numpy as np

from tumble.mesh.formats.gltf import check_glb, check_gltf
from tumble.mesh.formats.ply import check_ply
from tumble.mesh.mesh import Mesh
from tumble.mesh.part import Part
from tumble.mesh.pose import transformed

_CHECKS = {"glb": check_glb, "gltf": check_gltf}
# Textures are of no use here; the parsers of these formats can skip them.
_OPTIONS: dict[str, dict[str, Any]] = {kind: {"skip_materials": True} for kind in ("glb", "gltf", "ply")}
# trimesh only logs that it left geometry out; these are its words.
_GEOMETRY_LOST = re.compile("unable to load Rep|unsupported format|not defined|didn't decode|failed to process")


def read_scene(path: Path, kind: str) -> list[Part]:
    """Return one Part per scene node that holds triangles."""
    if kind in _CHECKS:
        _CHECKS[kind](path)
    announced = check_ply(path) if kind == "ply" else 0
    parts = _parts(_load(path, kind))
    found = sum(len(part.mesh) for part in parts)
    if found < announced:
        raise ValueError(f"its header announces {announced} faces, but {found} could be read")
    return parts


def _load(path: Path, kind: str) -> Any:
    import trimesh
    from trimesh.exchange.load import mesh_loaders

    with _LostGeometry(), warnings.catch_warnings(), open(path, "rb") as file:
        # Older NumPy only warns, in these words, where it stops reading at a malformed number.
        warnings.filterwarnings("error", "string or file could not be read")
        resolver = trimesh.resolvers.FilePathResolver(str(path))
        loaded = mesh_loaders[kind](file, file_type=kind, resolver=resolver, **_OPTIONS.get(kind, {}))
        for geometry in (loaded, *loaded.get("geometry", {}).values()):
            if "faces" in geometry:
                geometry["process"] = False
        return trimesh.load(loaded, force="scene")


def _parts(scene: Any) -> list[Part]:
    parts = []
    # trimesh lists nodes in the order of its walk over the scene; users expect the order of the file
    place = {name: k for k, name in enumerate(scene.geometry)}
    for node in sorted(scene.graph.nodes_geometry, key=lambda node: place[scene.graph[node][1]]):
        matrix, name = scene.graph[node]
        geometry = scene.geometry[name]
        faces = getattr(geometry, "faces", None)
        if faces is None or len(faces) == 0:  # a path, a point cloud, or nothing
            continue
        mesh = Mesh(geometry.vertices, faces)
        parts.append(Part(str(node), mesh if np.array_equal(matrix, np.eye(4)) else transformed(mesh, matrix)))
    return parts


class _LostGeometry(logging.Handler):
    """While open, turns trimesh's notes about geometry it leaves out into an error at the end."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self._thread = threading.get_ident()
        self._lost: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        if record.thread == self._thread and _GEOMETRY_LOST.search(record.getMessage()):
            self._lost.append(record.getMessage())

    def __enter__(self) -> "_LostGeometry":
        logging.getLogger("trimesh").addHandler(self)
        return self

    def __exit__(self, kind: object, error: object, traceback: object) -> None:
        logging.getLogger("trimesh").removeHandler(self)
        if error is None and self._lost:
            raise ValueError(f"part of its geometry cannot be read: {self._lost[0]}")
