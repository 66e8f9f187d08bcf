"""What trimesh passes over in glTF and GLB files, refused here: cut buffers, and geometry it would get wrong.

Draco or meshopt data without a decoder comes out as zeros, sparse and normalised positions lose their values,
triangle fans and GPU instances vanish.
"""

import importlib.util
import json
import struct
from pathlib import Path
from typing import Any
from urllib.parse import unquote

_TRIANGLE_FAN = 6
_DRACO = "KHR_draco_mesh_compression"
_UNREADABLE = {
    "EXT_meshopt_compression": "decode it first, e.g. with `gltf-transform dequantize` or `gltfpack -noq`",
    "KHR_meshopt_compression": "decode it first, e.g. with `gltf-transform dequantize` or `gltfpack -noq`",
    "EXT_mesh_gpu_instancing": "its instances would be missing; expand them to nodes first",
}


def check_glb(path: Path) -> None:
    """Refuse a GLB file that is cut or needs what cannot be read."""
    data = path.read_bytes()
    if len(data) < 20 or data[:4] != b"glTF":
        raise ValueError("no GLB header")
    length = struct.unpack_from("<I", data, 8)[0]
    if len(data) < length:
        raise ValueError(f"its header announces {length} bytes, but it has {len(data)}: truncated")
    tree_size = struct.unpack_from("<I", data, 12)[0]
    tree = json.loads(data[20 : 20 + tree_size])
    binary = data[20 + tree_size + 8 :]
    _check_buffers(tree, path, len(binary))
    _check_content(tree)


def check_gltf(path: Path) -> None:
    """Refuse a glTF file whose buffers are cut or that needs what cannot be read."""
    tree = json.loads(path.read_bytes())
    _check_buffers(tree, path, 0)
    _check_content(tree)


def _check_buffers(tree: dict[str, Any], path: Path, embedded: int) -> None:
    for number, buffer in enumerate(tree.get("buffers", [])):
        uri = buffer.get("uri")
        if uri is None:
            size = embedded
        elif uri.startswith("data:"):
            size = len(uri.partition(",")[2].rstrip("=")) * 3 // 4
        else:
            size = (path.parent / unquote(uri)).stat().st_size
        if size < buffer["byteLength"]:
            raise ValueError(f"buffer {number} should have {buffer['byteLength']} bytes, but has {size}: truncated")


def _check_content(tree: dict[str, Any]) -> None:
    used = {*tree.get("extensionsUsed", []), *tree.get("extensionsRequired", [])}
    for name in sorted(used & _UNREADABLE.keys()):
        raise ValueError(f"it uses {name}: {_UNREADABLE[name]}")
    if _DRACO in used and importlib.util.find_spec("DracoPy") is None:
        raise ValueError(f"it is compressed ({_DRACO}): install the decoder with `pip install DracoPy`")
    for number, mesh in enumerate(tree.get("meshes", [])):
        for primitive in mesh["primitives"]:
            _check_primitive(tree, primitive, f"mesh {number} ({mesh.get('name', 'without a name')!r})")


def _check_primitive(tree: dict[str, Any], primitive: dict[str, Any], where: str) -> None:
    if primitive.get("mode") == _TRIANGLE_FAN:
        raise ValueError(f"{where} is a triangle fan; export it as plain triangles")
    wanted = [primitive["attributes"].get("POSITION"), primitive.get("indices")]
    for accessor in (tree["accessors"][index] for index in wanted if index is not None):
        if "sparse" in accessor:
            raise ValueError(f"{where} has sparse data; export it without sparse accessors")
        if accessor.get("normalized"):
            raise ValueError(f"{where} has normalised positions; export it with float positions")
        if "bufferView" not in accessor and _DRACO not in primitive.get("extensions", {}):
            raise ValueError(f"{where} has no data for its positions or indices")
