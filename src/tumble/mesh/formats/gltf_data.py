"""The JSON tree of a glTF file and the arrays that it describes.

Everything that the tree states (offsets, counts, sizes, references) is compared with what there is before an array is
made. Buffers are loaded when something in them is needed, and only from regular files.
"""

import base64
import binascii
import json
import struct
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import numpy as np
from numpy.typing import NDArray

from tumble.mesh.formats import existing, inside, read_regular

_COMPONENTS = {5120: "<i1", 5121: "<u1", 5122: "<i2", 5123: "<u2", 5125: "<u4", 5126: "<f4"}
_WIDTHS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4}


class GltfDocument:
    """A glTF tree with access to its buffers."""

    def __init__(self, tree: Any, folder: Path, embedded: bytes | None = None) -> None:
        if not isinstance(tree, dict):
            raise ValueError("its JSON is not an object")
        version = tree.get("asset", {}).get("version", "2.0")
        if not str(version).startswith("2."):
            raise ValueError(f"it is glTF {version}; only glTF 2 is read")
        self.tree = tree
        self._folder = folder
        self._embedded = embedded
        self._files: dict[Path, bytes] = {}
        self._decoded: dict[int, bytes] = {}
        self._arrays: dict[int, NDArray[Any]] = {}

    def entry(self, kind: str, index: object) -> dict[str, Any]:
        """Return an entry of one of the lists of the tree, e.g. ("accessors", 3)."""
        entries = self.entries(kind)
        if not isinstance(index, int) or not 0 <= index < len(entries):
            raise ValueError(f"it refers to entry {index!r} of {kind!r}, which has {len(entries)}")
        found = entries[index]
        if not isinstance(found, dict):
            raise ValueError(f"entry {index} of {kind!r} is not an object")
        return found

    def entries(self, kind: str) -> list[Any]:
        """Return one of the lists of the tree, empty if it is not there."""
        found = self.tree.get(kind, [])
        if not isinstance(found, list):
            raise ValueError(f"{kind!r} is not a list")
        return found

    def view(self, index: object) -> memoryview:
        """Return the bytes of a buffer view."""
        view = self.entry("bufferViews", index)
        start, size = whole(view, "byteOffset", 0), whole(view, "byteLength")
        buffer = self.buffer(view.get("buffer"))
        if start + size > len(buffer):
            raise ValueError(f"buffer view {index} ends at byte {start + size} of a buffer that has {len(buffer)}")
        return buffer[start : start + size]

    def array(self, index: int) -> NDArray[Any]:
        """Return the data of an accessor as (count, width), as stored."""
        if index not in self._arrays:
            self._arrays[index] = self._read_array(self.entry("accessors", index), index)
        return self._arrays[index]

    def _read_array(self, accessor: dict[str, Any], index: int) -> NDArray[Any]:
        kind, component = accessor.get("type"), accessor.get("componentType")
        if kind not in _WIDTHS or component not in _COMPONENTS:
            raise ValueError(f"accessor {index} has the type {kind!r} of components {component!r}")
        dtype, width = np.dtype(_COMPONENTS[component]), _WIDTHS[kind]
        count, offset = whole(accessor, "count"), whole(accessor, "byteOffset", 0)
        data = self.view(accessor.get("bufferView"))
        stride = whole(self.entry("bufferViews", accessor["bufferView"]), "byteStride", width * dtype.itemsize)
        if stride < width * dtype.itemsize:
            raise ValueError(f"accessor {index} has elements that overlap: one every {stride} bytes")
        end = offset + (count - 1) * stride + width * dtype.itemsize if count else offset
        if end > len(data):
            raise ValueError(f"accessor {index} ends at byte {end} of a buffer view that has {len(data)}")
        return np.ndarray((count, width), dtype, data, offset, (stride, dtype.itemsize))

    def buffer(self, index: object) -> memoryview:
        """Return the bytes of a buffer."""
        buffer = self.entry("buffers", index)
        assert isinstance(index, int)
        size = whole(buffer, "byteLength")
        data = self._content(buffer, index, size)
        if len(data) < size:
            raise ValueError(f"buffer {index} should have {size} bytes, but has {len(data)}: truncated")
        return memoryview(data)[:size]

    def _content(self, buffer: dict[str, Any], index: int, size: int) -> bytes:
        uri = buffer.get("uri")
        if uri is None:
            if index or self._embedded is None:
                raise ValueError(f"buffer {index} should have {size} bytes, but has no data")
            return self._embedded
        if not isinstance(uri, str):
            raise ValueError(f"buffer {index} has an address that is not text: {uri!r}")
        if uri.startswith("data:"):
            if index not in self._decoded:
                self._decoded[index] = _decoded(uri, index)
            return self._decoded[index]
        return self._file(uri)

    def _file(self, uri: str) -> bytes:
        if ":" in uri.partition("/")[0]:
            raise ValueError(f"it refers to {uri[:80]!r}; only files beside it are read")
        path = inside([self._folder], self._folder / unquote(uri), uri)  # several names of one file are read once
        if path not in self._files:
            self._files[path] = read_regular(existing(path, uri))
        return self._files[path]


def read_text(path: Path) -> GltfDocument:
    """Return the document of a .gltf file."""
    return GltfDocument(json.loads(read_regular(path)), path.parent)


def read_binary(path: Path) -> GltfDocument:
    """Return the document of a GLB file."""
    data = read_regular(path)
    if len(data) < 20 or data[:4] != b"glTF":
        raise ValueError("no GLB header")
    version, length = struct.unpack_from("<II", data, 4)
    if version != 2:
        raise ValueError(f"it is GLB {version}; only version 2 is read")
    if len(data) < length:
        raise ValueError(f"its header announces {length} bytes, but it has {len(data)}: truncated")
    chunks = _chunks(data)
    if not chunks or chunks[0][0] != b"JSON":
        raise ValueError("its first chunk is not JSON")
    embedded = next((content for kind, content in chunks[1:] if kind == b"BIN\0"), None)
    return GltfDocument(json.loads(chunks[0][1]), path.parent, embedded)


def _chunks(data: bytes) -> list[tuple[bytes, bytes]]:
    chunks, at = [], 12
    while at + 8 <= len(data):
        size, kind = struct.unpack_from("<I4s", data, at)
        if at + 8 + size > len(data):
            raise ValueError(f"a chunk of {size} bytes at byte {at} goes on after the end of the file: truncated")
        chunks.append((kind, data[at + 8 : at + 8 + size]))
        at += 8 + size
        if len(chunks) == 2:  # JSON and data; what may follow is for extensions
            break
    return chunks


def whole(entry: dict[str, Any], name: str, otherwise: int | None = None) -> int:
    """Return an entry that must be a whole number and not negative."""
    value = entry.get(name, otherwise)
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise ValueError(f"{name} should be a whole number, not {str(value)[:80]}")
    return value


def _decoded(uri: str, index: int) -> bytes:
    head, _, text = uri.partition(",")
    if not head.endswith(";base64"):
        raise ValueError(f"the data of buffer {index} is not in base64")
    try:
        return base64.b64decode(text + "=" * (-len(text) % 4), validate=True)
    except binascii.Error as error:
        raise ValueError(f"the data of buffer {index} is not base64: {error}") from error
