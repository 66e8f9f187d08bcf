"""The triangles of a glTF mesh: all its primitives in a row, each compacted to the vertices that it uses."""

import importlib
import importlib.util
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tumble.mesh.formats.gltf_data import GltfDocument, whole
from tumble.mesh.formats.polygons import compact, strip
from tumble.mesh.mesh import Mesh, concatenated

DRACO = "KHR_draco_mesh_compression"
_TRIANGLES, _STRIP, _FAN = 4, 5, 6
_INDEX_TYPES = (5121, 5123, 5125)

Surface = tuple[NDArray[Any], NDArray[np.int64]]


def read_mesh(document: GltfDocument, index: int) -> Mesh:
    """Return mesh number `index`; points and lines are left out."""
    mesh = document.entry("meshes", index)
    where = f"mesh {index} ({mesh.get('name', 'without a name')!r})"
    return concatenated([Mesh(*_surface(document, each, where)) for each in _primitives(document, index)])


def triangle_count(document: GltfDocument, index: int) -> int:
    """Return how many triangles a mesh announces, at most."""
    total = 0
    for primitive in _primitives(document, index):
        source = primitive.get("indices", primitive["attributes"].get("POSITION"))
        if source is not None and primitive.get("mode", _TRIANGLES) in (_TRIANGLES, _STRIP):
            corners = whole(document.entry("accessors", source), "count")
            total += corners // 3 if primitive.get("mode", _TRIANGLES) == _TRIANGLES else corners
    return total


def stored_bytes(document: GltfDocument, meshes: list[int]) -> int:
    """Return the size of all buffers that hold the triangles of these meshes."""
    views = set()
    for primitive in (each for index in meshes for each in _primitives(document, index)):
        draco = primitive.get("extensions", {}).get(DRACO, {})
        views.add(draco.get("bufferView"))
        for accessor in (primitive.get("indices"), primitive["attributes"].get("POSITION")):
            if accessor is not None:
                views.add(document.entry("accessors", accessor).get("bufferView"))
    buffers = {document.entry("bufferViews", view).get("buffer") for view in views if view is not None}
    return sum(len(document.buffer(buffer)) for buffer in buffers)


def _primitives(document: GltfDocument, index: int) -> list[dict[str, Any]]:
    mesh = document.entry("meshes", index)
    primitives = mesh.get("primitives", [])
    if not isinstance(primitives, list):
        raise ValueError(f"the primitives of mesh {index} are not a list")
    for primitive in primitives:
        if not isinstance(primitive, dict) or not isinstance(primitive.get("attributes"), dict):
            raise ValueError(f"mesh {index} has a primitive without attributes")
    return primitives


def _surface(document: GltfDocument, primitive: dict[str, Any], where: str) -> Surface:
    mode = primitive.get("mode", _TRIANGLES)
    if mode == _FAN:
        raise ValueError(f"{where} is a triangle fan; export it as plain triangles")
    if mode not in (_TRIANGLES, _STRIP) or "POSITION" not in primitive["attributes"]:
        return np.empty((0, 3)), np.empty((0, 3), np.int64)
    extensions = primitive.get("extensions", {})
    if DRACO in extensions:
        vertices, faces = _decompressed(document, primitive, extensions[DRACO], where)
    else:
        _check_accessors(document, primitive, where)
        vertices = document.array(primitive["attributes"]["POSITION"])
        faces = _faces(_corners(document, primitive, len(vertices)), mode, where)
    if vertices.ndim != 2 or vertices.shape[1] != 3:
        raise ValueError(f"{where} has positions of shape {vertices.shape}; expected three coordinates each")
    if len(faces) and (faces.min() < 0 or faces.max() >= len(vertices)):
        raise ValueError(f"{where} refers to vertex {faces.max()}, and has {len(vertices)} vertices")
    if len(vertices) > 3 * len(faces):
        return compact(vertices, faces)
    return vertices, faces


def _check_accessors(document: GltfDocument, primitive: dict[str, Any], where: str) -> None:
    wanted = [primitive["attributes"]["POSITION"], primitive.get("indices")]
    for accessor in (document.entry("accessors", index) for index in wanted if index is not None):
        if "sparse" in accessor:
            raise ValueError(f"{where} has sparse data; export it without sparse accessors")
        if accessor.get("normalized"):
            raise ValueError(f"{where} has normalised positions; export it with float positions")
        if "bufferView" not in accessor:
            raise ValueError(f"{where} has no data for its positions or indices")


def _corners(document: GltfDocument, primitive: dict[str, Any], vertex_count: int) -> NDArray[np.int64]:
    if primitive.get("indices") is None:
        return np.arange(vertex_count)
    index = primitive["indices"]
    if document.entry("accessors", index).get("componentType") not in _INDEX_TYPES:
        raise ValueError(f"accessor {index} has indices that are not unsigned integers")
    found = document.array(index)
    if found.shape[1] != 1:
        raise ValueError(f"accessor {index} has {found.shape[1]} numbers per index; expected one")
    return found[:, 0].astype(np.int64)


def _faces(corners: NDArray[np.int64], mode: int, where: str) -> NDArray[np.int64]:
    if mode == _STRIP:
        return strip(corners)
    if len(corners) % 3:
        raise ValueError(f"{where} has {len(corners)} corners, which is not a multiple of three")
    return corners.reshape(-1, 3)


def require_draco() -> Any:
    """Return the decoder of compressed meshes, or say how to install it."""
    if importlib.util.find_spec("DracoPy") is None:
        raise ValueError(f"it is compressed ({DRACO}): install the decoder with `pip install DracoPy`")
    return importlib.import_module("DracoPy")


def _decompressed(document: GltfDocument, primitive: dict[str, Any], extension: Any, where: str) -> Surface:
    decoded = require_draco().decode(bytes(document.view(extension.get("bufferView"))))
    vertices, faces = np.asarray(decoded.points), np.asarray(decoded.faces, dtype=np.int64).reshape(-1, 3)
    announced = whole(document.entry("accessors", primitive["attributes"]["POSITION"]), "count")
    if len(vertices) != announced:
        raise ValueError(f"{where} announces {announced} vertices, and decodes to {len(vertices)}")
    if "indices" in primitive:
        corners = whole(document.entry("accessors", primitive["indices"]), "count")
        if primitive.get("mode", _TRIANGLES) == _TRIANGLES and corners != 3 * len(faces):
            raise ValueError(f"{where} announces {corners // 3} triangles, and decodes to {len(faces)}")
    return vertices, faces
