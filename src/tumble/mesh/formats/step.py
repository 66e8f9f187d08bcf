"""STEP, through OpenCASCADE (the package cascadio): tessellated into a GLB file, which is then read as such.

A surface is tessellated to a tolerance; two parts that touch along curved surfaces may touch, overlap or stay apart
in the triangles. OpenCASCADE crashes on some damaged files, so it runs in a process of its own.

cascadio gives each face of a solid vertices of its own, and each instance a mesh of its own: vertices that are equal
are merged, which closes the solids, and meshes that are equal are one shape. Parts have the name of their product, or
that of the instance if it has none.

It writes lengths as float32 numbers in metres. Each is taken as the shortest decimal number that float32 rounds to it,
and that in the unit of the file: the 13 mm of a drawing come out as 0.013000000268 m, and become 13 mm again. So parts
that are flush in the drawing are flush here, and places add up. The order of numbers stays.
"""

import hashlib
import importlib.util
import re
import tempfile
from fractions import Fraction
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tumble.errors import MissingDependencyError
from tumble.mesh.edges import first_in_place
from tumble.mesh.formats import Request
from tumble.mesh.formats.gltf import instances_of
from tumble.mesh.formats.gltf_data import read_binary
from tumble.mesh.formats.limited_process import run_limited
from tumble.mesh.formats.part21 import read_part21
from tumble.mesh.formats.placing import Instance
from tumble.mesh.formats.polygons import compact
from tumble.mesh.mesh import Mesh
from tumble.mesh.units import MICROMETRES, converted

_CONVERT = """
import cascadio
cascadio.step_to_glb(sys.argv[1], sys.argv[2])
"""
# Statements end with a semicolon. One with a unit of length has the SI unit, or the name of another one.
_STATEMENT = re.compile(rb"[^;]*;")
_SI_METRE = re.compile(rb"SI_UNIT\s*\(\s*(\$|\.[A-Z]+\.)\s*,\s*\.METRE\.\s*\)")
_PREFIXES = {b"$": "m", b".MILLI.": "mm", b".CENTI.": "cm", b".MICRO.": "um"}
_NAMED = re.compile(rb"CONVERSION_BASED_UNIT\s*\(\s*'(\w+)'")
_NAMES = {b"INCH": "in", b"FOOT": "ft"}


def read(path: Path, request: Request) -> list[Instance]:
    """Return the parts of a STEP file."""
    if importlib.util.find_spec("cascadio") is None:
        raise MissingDependencyError(f"{path} is a STEP file; to read it, run `pip install 'tumble[cad]'`")
    data = read_part21(path)
    with tempfile.TemporaryDirectory() as folder:
        source, target = Path(folder, "data.step"), Path(folder, "data.glb")
        source.write_bytes(data)
        run_limited(_CONVERT, source, target, "OpenCASCADE")
        found = instances_of(read_binary(target), by_mesh=True)
    unit = unit_of(data)
    meshes = {id(each.mesh): _merged(each.mesh, unit) for each in found}
    return [_in_unit(each, *meshes[id(each.mesh)], unit) for each in found]


def unit_of(data: bytes) -> str:
    """Return the unit of length that a STEP file states, metres if it states several."""
    metric, named = set(), set()
    for statement in _STATEMENT.finditer(data):
        text = statement.group()
        if b"LENGTH_UNIT" in text:
            named |= {_NAMES.get(name.upper(), "m") for name in _NAMED.findall(text)}
            metric |= {_PREFIXES.get(prefix, "m") for prefix in _SI_METRE.findall(text)}
    units = named or metric  # inches are defined by a metric unit, which is stated too
    return units.pop() if len(units) == 1 else "m"


def _merged(mesh: Mesh, unit: str) -> tuple[Mesh, str]:
    """Return a mesh in a unit whose equal vertices are one, and what it has in common with its copies."""
    first = first_in_place(mesh.vertices)
    points, faces = compact(mesh.vertices, first[mesh.faces].astype(np.int64))
    vertices = as_drawn(points, unit)
    digest = hashlib.sha256(vertices.tobytes() + faces.tobytes()).hexdigest()
    return Mesh(vertices, faces), digest[:16]


def _in_unit(instance: Instance, mesh: Mesh, shape: str, unit: str) -> Instance:
    matrix = instance.matrix
    if matrix is not None:
        matrix = matrix.copy()
        matrix[:3, 3] = as_drawn(matrix[:3, 3], unit)
    return instance._replace(mesh=mesh, matrix=matrix, units=unit, shape=shape)


def as_drawn(metres: NDArray[np.float64], unit: str) -> NDArray[np.float64]:
    """Return lengths in a unit, each the shortest decimal number of metres that rounds to the same float32."""
    rounded = metres.astype(np.float32)
    if not np.array_equal(rounded, metres):  # it was not float32
        return converted(metres, "m", unit)
    factor = Fraction(MICROMETRES["m"], MICROMETRES[unit])
    values, places = np.unique(rounded, return_inverse=True)
    lengths = np.array([float(Fraction(text) * factor) for text in values.astype(str).tolist()])
    return lengths[places].reshape(metres.shape)
