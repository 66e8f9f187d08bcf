"""STL, binary and text. Vertices stay as stored, three per triangle: nothing is merged.

A binary file is taken as such only when its size is what its header announces: a truncated one cannot pass.
"""

import re
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tumble.mesh.formats import Request, read_regular
from tumble.mesh.formats.placing import Instance
from tumble.mesh.formats.polygons import coordinates
from tumble.mesh.mesh import Mesh

_RECORD = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("attribute", "<u2")])
_HEADER = 84
# Lines that open or close a solid. Blanks but no line ends before the word: else a file of empty lines takes for ever.
_SOLID = re.compile(r"^[ \t]*(end)?solid\b[ \t]*([^\r\n]*)", re.MULTILINE | re.I)
_VERTEX = re.compile(r"\bvertex\s+(\S+\s+\S+\s+\S+)", re.I)


def read(path: Path, request: Request) -> list[Instance]:
    """Return the parts of an STL file: one, unless it is text and has several solids."""
    data = read_regular(path)
    count = int.from_bytes(data[80:_HEADER], "little")
    if len(data) >= _HEADER and len(data) == _HEADER + count * _RECORD.itemsize:
        corners = np.frombuffer(data, _RECORD, count, _HEADER)["corners"]
        return [Instance(path.stem, _soup(corners.astype(np.float64)))]
    if data.lstrip()[:5].lower() == b"solid" and b"\0" not in data[:512]:
        return _read_text(data.decode("utf-8", errors="replace"))
    if len(data) < _HEADER:
        raise ValueError(f"{len(data)} bytes are too few for a binary STL, and it is not a text STL either")
    raise ValueError(
        f"its header announces {count} triangles, which makes {_HEADER + count * _RECORD.itemsize} bytes, "
        f"but it has {len(data)}: truncated or damaged"
    )


def _read_text(text: str) -> list[Instance]:
    solids: list[Instance] = []
    opened: re.Match[str] | None = None
    end = 0
    for line in _SOLID.finditer(text):
        if opened is None and not line[1] and not text[end : line.start()].strip():
            opened = line
        elif opened is not None and line[1]:
            name = opened[2].strip() or f"solid {len(solids) + 1}"
            solids.append(Instance(name, _read_solid(name, text[opened.end() : line.start()])))
            opened, end = None, line.end()
        else:
            break
    if opened is not None or not solids or text[end:].strip():
        raise ValueError(f"text STL that ends inside a solid, after {len(solids)} whole ones: truncated or damaged")
    return solids


def _read_solid(name: str, body: str) -> Mesh:
    rows = _VERTEX.findall(body)
    facets = len(re.findall(r"\bendfacet\b", body, re.I))
    keywords = len(re.findall(r"\bvertex\b", body, re.I))
    if not (len(rows) == keywords == 3 * facets):
        raise ValueError(f"solid {name!r} has {keywords} vertices in {facets} facets: damaged")
    return _soup(coordinates(rows))


def _soup(corners: NDArray[np.float64]) -> Mesh:
    points = corners.reshape(-1, 3)
    return Mesh(points, np.arange(len(points)).reshape(-1, 3))
