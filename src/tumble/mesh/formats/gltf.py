"""glTF 2 and GLB: a part for every node of the scene that has a mesh, in the order of the file's list of nodes.

The primitives of a mesh, which differ in their material, are one part, in a row and each compacted to its vertices.
Skins, morph targets and animations are not applied. What would leave geometry out or change it is refused: extensions
that the file requires and that are not known, meshopt compression, GPU instances, sparse and normalised positions,
triangle fans. Lengths are in metres, as the format says.
"""

import importlib
import importlib.util
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tumble.mesh.formats import Request
from tumble.mesh.formats.gltf_data import GltfDocument, read_binary, read_text, whole
from tumble.mesh.formats.instances import MAX_COPIED_TRIANGLES
from tumble.mesh.formats.placing import Instance, Matrix, product, quaternion_matrix
from tumble.mesh.formats.polygons import compact, strip
from tumble.mesh.mesh import Mesh, concatenated
from tumble.mesh.names import Names, deeper, joined
from tumble.mesh.pose import translation

Surface = tuple[NDArray[Any], NDArray[np.int64]]

DRACO = "KHR_draco_mesh_compression"
_TRIANGLES, _STRIP, _FAN = 4, 5, 6
_INDEX_TYPES = (5121, 5123, 5125)
_TRANSFORMS = {"matrix": 16, "translation": 3, "rotation": 4, "scale": 3}

_UNREADABLE = {
    "EXT_meshopt_compression": "decode it first, e.g. with `gltf-transform dequantize` or `gltfpack -noq`",
    "KHR_meshopt_compression": "decode it first, e.g. with `gltf-transform dequantize` or `gltfpack -noq`",
    "EXT_mesh_gpu_instancing": "its instances would be missing; expand them to nodes first",
}
# Extensions that a file may require although they do not matter here: looks, lights, notes, small number types.
_HARMLESS = (
    DRACO,
    "KHR_mesh_quantization",
    "KHR_materials_",
    "KHR_texture_",
    "EXT_texture_",
    "MSFT_texture_",
    "ADOBE_materials_",
    "KHR_lights_",
    "EXT_lights_",
    "KHR_animation_",
    "KHR_xmp",
    "KHR_techniques_",
)


def read(path: Path, request: Request) -> list[Instance]:
    """Return the parts of a .gltf or .glb file."""
    return instances_of(read_binary(path) if path.suffix.lower() == ".glb" else read_text(path))


def instances_of(document: GltfDocument, by_mesh: bool = False) -> list[Instance]:
    """Return the nodes that have a mesh, called as they are or, with `by_mesh`, as their mesh is."""
    _check_extensions(document)
    places = _scene_places(document)
    nodes = {index: document.entry("nodes", index) for index in sorted(places)}
    meshes: dict[int, int] = {index: node["mesh"] for index, node in nodes.items() if "mesh" in node}
    _check_copies(document, list(meshes.values()))
    read: dict[int, Mesh] = {}
    instances = []
    for index, number in meshes.items():
        mesh = read[number] = read.get(number) or read_mesh(document, number)
        names = nodes[index].get("name"), document.entry("meshes", number).get("name")
        name = next(filter(None, names[::-1] if by_mesh else names), f"node {index}")
        matrix, around = places[index]
        instances.append(Instance(str(name), mesh, matrix, "m", group=joined(around), shape=f"mesh {number}"))
    return instances


def _check_extensions(document: GltfDocument) -> None:
    required = [str(name) for name in document.entries("extensionsRequired")]
    for name in [*required, *map(str, document.entries("extensionsUsed"))]:
        if name in _UNREADABLE:
            raise ValueError(f"it uses {name}: {_UNREADABLE[name]}")
        if name == DRACO:
            require_draco()
    for name in required:
        if not name.startswith(_HARMLESS):
            raise ValueError(f"it requires the extension {name}, which is not known here")


def _check_copies(document: GltfDocument, meshes: list[Any]) -> None:
    """Refuse a file whose nodes, primitives and accessors use the same data again and again."""
    announced = {number: triangle_count(document, number) for number in set(meshes)}
    total = sum(announced[number] for number in meshes)
    stored = stored_bytes(document, list(announced))
    if total > MAX_COPIED_TRIANGLES + stored:
        raise ValueError(
            f"its nodes place {total} triangles, from {stored} bytes of data; at most {MAX_COPIED_TRIANGLES} triangles "
            "are copied: export fewer copies, or several files"
        )


def _scene_places(document: GltfDocument) -> dict[int, tuple[Matrix | None, Names]]:
    """Return the nodes of the scene, by number, with their places and the names of the nodes around them."""
    stack: list[tuple[Any, Matrix | None, Names]] = [(root, None, ()) for root in _roots(document)]
    places: dict[int, tuple[Matrix | None, Names]] = {}
    while stack:
        index, outer, around = stack.pop()
        node = document.entry("nodes", index)
        if index in places:
            raise ValueError(f"node {index} is in the scene twice, or inside itself; a scene of glTF is a tree")
        matrix = product(outer, _matrix(node, index))
        places[index] = matrix, around
        inner = deeper(around, str(node.get("name") or ""))
        stack += [(child, matrix, inner) for child in _list(node, "children", index)]
    return places


def _roots(document: GltfDocument) -> list[Any]:
    """Return the root nodes of the scene to show; of a file without scenes, all nodes without a parent."""
    if document.entries("scenes"):
        return _list(document.entry("scenes", document.tree.get("scene", 0)), "nodes", "the scene")
    nodes = range(len(document.entries("nodes")))
    children = {child for index in nodes for child in _list(document.entry("nodes", index), "children", index)}
    return [index for index in nodes if index not in children]


def _list(entry: dict[str, Any], name: str, where: object) -> list[Any]:
    found = entry.get(name, [])
    if not isinstance(found, list) or not all(isinstance(index, int) for index in found):
        raise ValueError(f"{name!r} of {where} is not a list of numbers")
    return found


def _matrix(node: dict[str, Any], index: int) -> Matrix | None:
    """Return the place of a node: its matrix, or translation · rotation · scale; None if it has none of them."""
    given = {name: _numbers(node, name, size, index) for name, size in _TRANSFORMS.items() if name in node}
    if not given:
        return None
    matrix = np.eye(4)
    if "matrix" in given:
        matrix = np.array(given["matrix"]).reshape(4, 4).T
    if "translation" in given:
        matrix = matrix @ translation(*given["translation"])
    if any(given.get("rotation", [])):
        matrix = matrix @ quaternion_matrix(given["rotation"])
    if "scale" in given:
        matrix = matrix @ np.diag([*given["scale"], 1.0])
    return matrix


def _numbers(node: dict[str, Any], name: str, size: int, index: int) -> list[float]:
    values = node[name]
    if not isinstance(values, list) or len(values) != size or not all(isinstance(v, int | float) for v in values):
        raise ValueError(f"the {name} of node {index} is not a list of {size} numbers")
    return [float(value) for value in values]


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
        corners = _corners(document, primitive, len(vertices))
        if mode == _TRIANGLES and len(corners) % 3:
            raise ValueError(f"{where} has {len(corners)} corners, which is not a multiple of three")
        faces = strip(corners) if mode == _STRIP else corners.reshape(-1, 3)
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
