"""An animated glTF 2.0 in one binary file (.glb): a node for each body, with channels for position and turn.

glTF looks along y: a root node turns our z upright.
"""

import json
import struct
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tumble import __version__
from tumble.mesh import Mesh
from tumble.playback.creases import split_creases
from tumble.playback.recording import Recording

FLOAT, UINT = 5126, 5125
VERTICES, INDICES = 34962, 34963
UPRIGHT = [-(0.5**0.5), 0.0, 0.0, 0.5**0.5]
"""x, y, z, w: our z becomes glTF's y"""
MAGIC, JSON_CHUNK, BINARY_CHUNK = 0x46546C67, 0x4E4F534A, 0x004E4942


def as_glb(recording: Recording) -> bytes:
    """Return the file."""
    data = _Data()
    shapes = [_attributes(data, mesh) for mesh in recording.meshes]
    materials, meshes, nodes = _bodies(recording, shapes)
    root = {"name": recording.title, "rotation": UPRIGHT, "children": list(range(len(nodes)))}
    document: dict[str, Any] = {
        "asset": {"version": "2.0", "generator": f"tumble {__version__}"},
        "scene": 0,
        "scenes": [{"name": recording.title, "nodes": [len(nodes)]}],
        "nodes": [*nodes, root],
        "meshes": meshes,
        "materials": materials,
    }
    if len(recording.times) > 1 and recording.movable.any():
        document["animations"] = [_animation(data, recording)]
    document |= {"accessors": data.accessors, "bufferViews": data.views, "buffers": [{"byteLength": len(data.bytes)}]}
    return _packed(document, bytes(data.bytes))


class _Data:
    """The binary part, and the table of what lies where in it."""

    def __init__(self) -> None:
        self.bytes = bytearray()
        self.views: list[dict[str, Any]] = []
        self.accessors: list[dict[str, Any]] = []

    def add(self, array: NDArray[Any], kind: str, target: int | None = None, bounds: bool = False) -> int:
        """Append an array and return the number of its accessor."""
        raw = np.ascontiguousarray(array).tobytes()  # floats and 32-bit numbers: always a multiple of four bytes
        view: dict[str, Any] = {"buffer": 0, "byteOffset": len(self.bytes), "byteLength": len(raw)}
        if target is not None:
            view["target"] = target
        accessor: dict[str, Any] = {
            "bufferView": len(self.views),
            "componentType": FLOAT if array.dtype == np.float32 else UINT,
            "count": len(array),
            "type": kind,
        }
        if bounds:
            accessor["min"] = np.atleast_1d(array.min(axis=0)).tolist()
            accessor["max"] = np.atleast_1d(array.max(axis=0)).tolist()
        self.bytes += raw
        self.views.append(view)
        self.accessors.append(accessor)
        return len(self.accessors) - 1


def _attributes(data: _Data, mesh: Mesh) -> tuple[dict[str, int], int]:
    """Add a mesh and return its attributes and indices; none for a mesh without faces, which glTF does not know."""
    if len(mesh) == 0:
        return {}, -1
    vertices, faces = split_creases(mesh)
    attributes = {
        "POSITION": data.add(vertices, "VEC3", VERTICES, bounds=True),
        "NORMAL": data.add(_vertex_normals(vertices, faces), "VEC3", VERTICES),
    }
    return attributes, data.add(faces.ravel(), "SCALAR", INDICES)


def _vertex_normals(vertices: NDArray[np.float32], faces: NDArray[np.uint32]) -> NDArray[np.float32]:
    """Return unit normals, the mean of the faces around a vertex by area."""
    corners = vertices.astype(np.float64)[faces]
    weighted = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    normals = np.zeros(vertices.shape)
    for k in range(3):
        np.add.at(normals, faces[:, k], weighted)
    lengths = np.linalg.norm(normals, axis=1, keepdims=True)
    return np.where(lengths > 0.0, normals / np.where(lengths > 0.0, lengths, 1.0), (0.0, 0.0, 1.0)).astype(np.float32)


def _bodies(recording: Recording, shapes: list[tuple[dict[str, int], int]]) -> tuple[list, list, list]:
    """Return materials, one a colour; meshes, one a shape and colour; and nodes, one a body."""
    materials: list[dict[str, Any]] = []
    meshes: list[dict[str, Any]] = []
    nodes: list[dict[str, Any]] = []
    material_of: dict[bytes, int] = {}
    mesh_of: dict[tuple[int, int], int] = {}
    for body, name in enumerate(recording.names):
        colour, shape = recording.colours[body], int(recording.mesh_of[body])
        material = material_of.setdefault(colour.tobytes(), len(materials))
        if material == len(materials):
            materials.append(_material(colour))
        attributes, indices = shapes[shape]
        turn = recording.turns[0, body, [1, 2, 3, 0]].tolist()
        node = {"name": name, "translation": recording.positions[0, body].tolist(), "rotation": turn}
        if attributes:
            node["mesh"] = mesh = mesh_of.setdefault((shape, material), len(meshes))
            if mesh == len(meshes):
                meshes.append({"primitives": [{"attributes": attributes, "indices": indices, "material": material}]})
        nodes.append(node)
    return materials, meshes, nodes


def _material(colour: NDArray[np.uint8]) -> dict[str, Any]:
    linear = [round(float(value), 4) for value in (colour / 255.0) ** 2.2]
    surface = {"baseColorFactor": [*linear, 1.0], "metallicFactor": 0.0, "roughnessFactor": 0.7}
    return {"pbrMetallicRoughness": surface}


def _animation(data: _Data, recording: Recording) -> dict[str, Any]:
    """Return channels for all bodies that move; one row of times for all of them."""
    times = data.add(recording.times.astype(np.float32), "SCALAR", bounds=True)
    samplers: list[dict[str, Any]] = []
    channels: list[dict[str, Any]] = []
    for body in np.flatnonzero(recording.movable).tolist():
        turns = recording.turns[:, body][:, [1, 2, 3, 0]]
        for path, kind, values in (("translation", "VEC3", recording.positions[:, body]), ("rotation", "VEC4", turns)):
            channels.append({"sampler": len(samplers), "target": {"node": body, "path": path}})
            samplers.append({"input": times, "output": data.add(values, kind), "interpolation": "LINEAR"})
    return {"name": recording.title, "samplers": samplers, "channels": channels}


def _packed(document: dict[str, Any], binary: bytes) -> bytes:
    """Return header, JSON padded with spaces, and data padded with zeros."""
    text = json.dumps(document, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 4)
    binary += b"\0" * (-len(binary) % 4)
    chunks = ((JSON_CHUNK, text), (BINARY_CHUNK, binary))
    body = b"".join(struct.pack("<II", len(content), kind) + content for kind, content in chunks)
    return struct.pack("<III", MAGIC, 2, 12 + len(body)) + body
