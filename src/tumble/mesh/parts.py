"""Parts of instances: placed, named, put together or taken apart."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tumble.errors import FileError
from tumble.mesh.edges import edges_of
from tumble.mesh.formats.placing import ROUNDING, Instance, Matrix, placed
from tumble.mesh.formats.polygons import compact
from tumble.mesh.mesh import Mesh, Part, concatenated
from tumble.mesh.names import clean, unique

MAX_COMPONENTS = 100_000


def part_of(instance: Instance, origin: NDArray[np.float64] | None = None, file: int = 0) -> Part:
    """Return an instance as a part, in its place.

    origin   what was subtracted from its coordinates
    file     tells its shape from those of other files
    """
    name, mesh, matrix, units, kind, guid, group, shape = instance
    pose = None
    if shape is not None:
        pose = matrix
        shape = f"{file} {_short(shape)}{'' if matrix is None else _stretch(matrix)}"
        if pose is None:
            pose = np.eye(4)
            pose[:3, 3] -= 0.0 if origin is None else origin
    return Part(clean(name), placed(mesh, matrix), units, kind=kind, guid=guid, group=group, shape=shape, pose=pose)


def _short(shape: str) -> str:
    """Return a text of ordinary length that stands for a shape and no other."""
    return shape if clean(shape) == shape else hashlib.sha256(repr(shape).encode()).hexdigest()


def _stretch(matrix: Matrix) -> str:
    """Return what tells copies that a matrix stretches or mirrors from those that are only moved."""
    turn = matrix[:3, :3]
    mirrored = " mirrored" if np.linalg.det(turn) < 0 else ""
    gram = turn.T @ turn
    if np.abs(gram - np.eye(3)).max() < ROUNDING:
        return mirrored
    largest = float(np.abs(gram).max()) or 1.0
    entries = np.round(gram / largest, 6)[np.triu_indices(3)] + 0.0  # minus zero becomes zero
    return f"{mirrored} stretched {largest:.6g} {entries.tolist()}"


def as_whole(parts: Sequence[Part], path: Path) -> list[Part]:
    """Return all parts of a file as one."""
    if len(parts) == 1:
        return [parts[0]._replace(name=path.stem)]
    return [Part(path.stem, concatenated([part.mesh for part in parts]), parts[0].units)]


def components(part: Part) -> list[Part]:
    """Return the pieces of a part that are connected by edges, in the order of their first faces."""
    numbers = edges_of(part.mesh).components
    count = int(numbers.max()) + 1
    if count > MAX_COMPONENTS:
        raise FileError(f"{part.name} has {count} pieces that are not connected; at most {MAX_COMPONENTS} are split")
    if count == 1:
        return [part]
    ends = np.cumsum(np.bincount(numbers))[:-1]
    pieces = np.split(part.mesh.faces[np.argsort(numbers, kind="stable")].astype(np.int64), ends)
    meshes = [Mesh(*compact(part.mesh.vertices, faces)) for faces in pieces]
    plain = part._replace(shape=None, pose=None)
    return [plain._replace(name=f"component {k}", mesh=mesh) for k, mesh in enumerate(meshes, 1)]


def named(files: Sequence[tuple[Path, Sequence[Part]]]) -> list[Part]:
    """Return the parts of all files under names of their own."""
    several = len(files) > 1
    return unique([_renamed(part, path, len(parts), several) for path, parts in files for part in parts])


def _renamed(part: Part, path: Path, parts_in_file: int, several_files: bool) -> Part:
    stem = clean(path.stem)
    if parts_in_file == 1:
        return part._replace(name=stem)
    own = part.name or "unnamed"
    return part._replace(name=f"{stem}/{own}" if several_files else own)
