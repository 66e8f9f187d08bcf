"""glTF 2 and GLB: a part for every node of the scene that has a mesh, in the order of the file's list of nodes.

The primitives of a mesh, which differ in their material, are one part. Skins, morph targets and animations are not
applied. What would leave geometry out or change it is refused: extensions that the file requires and that are not
known, meshopt compression, GPU instances, sparse and normalised positions, triangle fans. Lengths are in metres, as the
format says.
"""

from pathlib import Path
from typing import Any

import numpy as np

from tumble.mesh.formats.gltf_data import GltfDocument, read_binary, read_text
from tumble.mesh.formats.gltf_mesh import DRACO, read_mesh, require_draco, stored_bytes, triangle_count
from tumble.mesh.formats.instances import MAX_COPIED_TRIANGLES, Matrix, placed, product, quaternion_matrix
from tumble.mesh.mesh import Mesh, Part
from tumble.mesh.pose import translation

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


def read(path: Path, split: bool) -> list[Part]:
    """Return the parts of a .gltf or .glb file."""
    document = read_binary(path) if path.suffix.lower() == ".glb" else read_text(path)
    _check_extensions(document)
    matrices = _scene_matrices(document)
    nodes = {index: document.entry("nodes", index) for index in sorted(matrices)}
    meshes: dict[int, int] = {index: node["mesh"] for index, node in nodes.items() if "mesh" in node}
    _check_copies(document, list(meshes.values()))
    read: dict[int, Mesh] = {}
    parts = []
    for index, number in meshes.items():
        mesh = read[number] = read.get(number) or read_mesh(document, number)
        name = nodes[index].get("name") or document.entry("meshes", number).get("name") or f"node {index}"
        parts.append(Part(str(name), placed(mesh, matrices[index]), "m"))
    return parts


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


def _scene_matrices(document: GltfDocument) -> dict[int, Matrix | None]:
    """Return the nodes of the scene, by number, with their places."""
    stack: list[tuple[Any, Matrix | None]] = [(root, None) for root in _roots(document)]
    matrices: dict[int, Matrix | None] = {}
    while stack:
        index, outer = stack.pop()
        node = document.entry("nodes", index)
        if index in matrices:
            raise ValueError(f"node {index} is in the scene twice, or inside itself; a scene of glTF is a tree")
        matrices[index] = matrix = product(outer, _matrix(node, index))
        stack += [(child, matrix) for child in _list(node, "children", index)]
    return matrices


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
