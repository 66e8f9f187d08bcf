"""IFC, through IfcOpenShell: a part for every element of a building that has a body.

Openings are cut out of walls and slabs; spaces, openings, annotations and grids are left out, as they are no bodies.
Lengths come in metres, whatever the file uses. Elements keep their name, type and GlobalId, and the storey they are in;
those of one type share their shape. IfcOpenShell crashes on some damaged files, so it runs in a process of its own.
"""

import importlib.util
import json
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tumble.errors import MissingDependencyError
from tumble.mesh.formats import Request, Skipped
from tumble.mesh.formats.limited_process import run_limited
from tumble.mesh.formats.map_frame import MapFrame
from tumble.mesh.formats.part21 import read_part21
from tumble.mesh.formats.placing import Instance
from tumble.mesh.mesh import Mesh
from tumble.mesh.names import joined


def read(path: Path, request: Request) -> list[Instance]:
    """Return the elements of a building."""
    if importlib.util.find_spec("ifcopenshell") is None:
        raise MissingDependencyError(f"{path} is an IFC file; to read it, run `pip install 'tumble[ifc]'`")
    data = read_part21(path)
    with tempfile.TemporaryDirectory() as folder:
        source, target = Path(folder, "data.ifc"), Path(folder, "data.npz")
        source.write_bytes(data)
        program = Path(__file__).with_name("ifc_program.py").read_text(encoding="utf-8")
        run_limited(program, source, target, "IfcOpenShell")
        with np.load(target, allow_pickle=False) as arrays:
            return _instances({name: arrays[name] for name in arrays.files}, request)


def _instances(arrays: dict[str, NDArray[Any]], request: Request) -> list[Instance]:
    said = json.loads(arrays["said"].tobytes())
    request.skipped += [Skipped(*row) for row in said["skipped"]]
    if said["left_out"]:
        left_out = ", ".join(f"{count} {kind}" for kind, count in sorted(said["left_out"].items()))
        request.notes.append(f"not bodies, and left out: {left_out}.")
    if said["frame"] is not None:
        request.frame = MapFrame(*said["frame"])
    meshes = _meshes(arrays)
    return [
        Instance(
            row["name"] or row["kind"],
            meshes[row["geometry"]],
            None if np.array_equal(matrix, np.eye(4)) else matrix,
            "m",
            kind=row["kind"],
            guid=row["guid"],
            group=joined(row["group"]),
            shape=f"geometry {row['geometry']}",
        )
        for row, matrix in zip(said["elements"], arrays["matrices"], strict=True)
    ]


def _meshes(arrays: dict[str, NDArray[Any]]) -> list[Mesh]:
    vertices = np.split(arrays["vertices"], arrays["vertex_ends"][:-1])
    faces = np.split(arrays["faces"], arrays["face_ends"][:-1])
    return [Mesh(*each) for each in zip(vertices, faces, strict=True)]
