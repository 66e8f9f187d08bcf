"""The objects that tumble: shapes made by code in growing sizes, and real meshes where their folder is at hand.

As in paper `boxtree`, every object is scaled to fit a cube; here the cube has size 1 and stands around the origin.
"""

import os
from collections.abc import Callable
from csv import DictReader
from dataclasses import dataclass
from importlib.resources import files
from math import sqrt
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import tumble
from tumble.errors import FileError
from tumble.mesh import Mesh, shapes, subdivide


@dataclass(frozen=True)
class Duo:
    """Two objects, each within the unit cube: the first stands still, the second tumbles."""

    name: str
    kind: str
    a: Mesh
    b: Mesh

    @property
    def faces(self) -> int:
        """The triangles of the larger of the two."""
        return max(len(self.a), len(self.b))


def arrays(mesh: Mesh) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Vertices and faces in the types that every library takes without a conversion of its own."""
    return mesh.vertices, mesh.faces.astype(np.int64)


def in_unit_cube(mesh: Mesh) -> Mesh:
    """The mesh moved and scaled so that the box around it has its middle at the origin and a longest side of 1."""
    low, high = mesh.bounds if mesh.bounds is not None else np.zeros((2, 3))
    return Mesh((mesh.vertices - (low + high) / 2) / max((high - low).max(), 1e-300), mesh.faces)


def _torus(faces: int) -> Mesh:
    sides = max(3, round(sqrt(faces / 4)))
    return shapes.torus(segments=2 * sides, sides=sides)


def _knot(faces: int) -> Mesh:
    sides = max(3, round(sqrt(faces / 32)))
    return shapes.knot(segments=16 * sides, sides=sides)


def _gear(faces: int) -> Mesh:
    """Flat sides of long thin triangles that meet in sharp teeth: CAD as it comes, then subdivided."""
    base = shapes.gear(teeth=12)
    times = max(0, round(np.log(faces / len(base)) / np.log(4) - 0.5))
    teeth = max(6, round(12 * faces / (len(base) * 4**times)))
    return subdivide(shapes.gear(teeth=teeth, module=2 / teeth), times)


def _bowl(faces: int) -> Mesh:
    times = max(0, round(np.log(faces / 792) / np.log(4) - 0.5))
    rings = max(4, round(sqrt(faces / 4**times / 2 * 18 / 22)))
    return subdivide(shapes.bowl(segments=max(3, round(rings * 22 / 18)), rings=rings), times)


SHAPES: dict[str, Callable[[int], Mesh]] = {"torus": _torus, "knot": _knot, "gear": _gear, "bowl": _bowl}


def shape_duo(kind: str, faces: int) -> Duo:
    """Two identical shapes of about so many triangles each."""
    mesh = in_unit_cube(SHAPES[kind](faces))
    return Duo(f"{kind} {faces // 1000}k" if faces >= 1000 else f"{kind} {faces}", kind, mesh, mesh)


@dataclass(frozen=True)
class RealPair:
    """A pair of real meshes by their paths in the folder of data."""

    name: str
    a: str
    b: str


# Different in kind: a robot's link, CAD parts, threads, an animal, a statue and a scan with detail everywhere.
with files(__package__).joinpath("real_pairs.csv").open(encoding="utf-8") as _file:
    REAL_PAIRS = tuple(RealPair(**row) for row in DictReader(_file))


def real_duo(pair: RealPair, folder: Path) -> Duo | str:
    """The pair read from a folder, or a sentence that says why it is left out."""
    try:
        a = in_unit_cube(tumble.load(folder / pair.a))
        b = a if pair.b == pair.a else in_unit_cube(tumble.load(folder / pair.b))
    except FileError as error:
        return f"`{pair.name}` was left out: {error}."
    return Duo(pair.name, "real", a, b)


def default_data_folder() -> Path | None:
    """The folder of real meshes that the environment names; None without one."""
    named = os.environ.get("TUMBLE_MESHES")
    if not named:
        return None
    if not Path(named).is_dir():
        raise FileError(f"TUMBLE_MESHES names {named}, which is no folder: name a folder of meshes, or unset it")
    return Path(named)


def chosen_data_folder(data: str | Path | None) -> Path | None:
    """The folder of real meshes that was named, or the default one; a name that is no folder is refused."""
    if data is None:
        return default_data_folder()
    if not Path(data).is_dir():
        raise FileError(f"{data} is no folder: name a folder of meshes, or leave --data out")
    return Path(data)
