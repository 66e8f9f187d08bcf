"""Parts of several files in one unit of length and around one origin."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tumble.errors import OptionError
from tumble.mesh.formats import Skipped
from tumble.mesh.formats.placing import Instance, product
from tumble.mesh.joints import Joint, joint_poses, placed_joints
from tumble.mesh.mesh import Mesh, Part
from tumble.mesh.names import clean
from tumble.mesh.origin import local_origin, moved_to
from tumble.mesh.parts import as_whole, components, named, part_of
from tumble.mesh.reading import Source, errors_of
from tumble.mesh.units import converted

MOST_NAMED = 3
"""files that a note names"""


@dataclass(frozen=True)
class Assembly:
    """What `load_assembly` found."""

    parts: list[Part]
    """all in one unit of length and around one origin"""
    units: str | None = None
    """of all coordinates; None if no file states one and none was given"""
    notes: list[str] = field(default_factory=list)
    """what a user should know, a sentence each"""
    skipped: list[Skipped] = field(default_factory=list)
    """files and elements that were not read, and why"""
    origin: tuple[float, float, float] = (0.0, 0.0, 0.0)
    """what was subtracted from all coordinates, in `units`"""
    joints: list[Joint] = field(default_factory=list)
    """of robots, parents first"""

    def joint_poses(self, values: Mapping[str, float]) -> NDArray[np.float64]:
        """Return (n, 4, 4) how far the parts have moved when joints have values, by name; the others are at 0.

        Values are radians, or lengths in `units`; limits are not looked at.
        """
        poses = np.tile(np.eye(4), (len(self.parts), 1, 1))
        for part, pose in joint_poses(self.joints, values).items():
            poses[part] = pose
        return poses


def assemble(sources: Sequence[Source], unit: str | None, to: str | None, parts: str) -> Assembly:
    """Return the parts of files; see `load_assembly`."""
    notes = [f"{source.path.name}: {note}" for source in sources for note in source.said.notes]
    target = _target(sources, unit, to)
    notes += _unit_notes(sources, unit, target)
    sources = [_in_unit(source, unit, target) for source in _on_one_map(sources, notes)]
    with np.errstate(over="ignore", invalid="ignore"):
        origin = local_origin([each for source in sources for each in source.instances])
    if origin is not None:
        shift = ", ".join(f"{each:.12g}" for each in origin.tolist())
        notes.append(f"The coordinates are far from zero: {target or 'as they are'}, ({shift}) was subtracted.")
    files = [(source.path, _parts(source, origin, number, parts)) for number, source in enumerate(sources)]
    skipped = list(chain.from_iterable(source.said.skipped for source in sources))
    start = (0.0, 0.0, 0.0) if origin is None else tuple(origin.tolist())
    return Assembly(named(files), target, notes, skipped, start, _joints(sources, files, target, start))


def _joints(
    sources: Sequence[Source], files: Sequence[tuple[Path, Sequence[Part]]], target: str | None, origin: Sequence[float]
) -> list[Joint]:
    """Return the joints of all robots whose links are parts, in the unit and around the origin of the assembly."""
    several = sum(bool(source.said.joints) for source in sources) > 1
    scale = float(converted(np.ones(1), "m", target or "m")[0])
    found: list[Joint] = []
    first = 0
    for source, (path, parts) in zip(sources, files, strict=True):
        if len(parts) == len(source.instances):
            carried: dict[int, list[int]] = defaultdict(list)
            for number, instance in enumerate(source.instances, first):
                carried[source.said.carried.get(instance.name, -1)].append(number)
            prefix = f"{clean(path.stem)}/" if several else ""
            joints = placed_joints(source.said.joints, scale, origin, len(found), prefix)
            found += [joint._replace(parts=tuple(carried[number])) for number, joint in enumerate(joints)]
        first += len(parts)
    return found


def _parts(source: Source, origin: NDArray[np.float64] | None, number: int, wanted: str) -> list[Part]:
    meshes: dict[int, Mesh] = {}
    with errors_of(source.path):
        instances = source.instances
        if origin is not None:
            instances = [moved_to(origin, instance, meshes) for instance in instances]
        found = [part_of(instance, origin, number) for instance in instances]
        if wanted == "files":
            return as_whole(found, source.path)
        return components(found[0]) if wanted == "components" and len(found) == 1 else found


def _target(sources: Sequence[Source], unit: str | None, to: str | None) -> str | None:
    """Return the unit of the assembly: the one asked for, the one given for files without, or the first one stated."""
    stated = [each.units for source in sources for each in source.instances]
    if to is not None and unit is None and None in stated:
        path = next(source.path for source in sources if any(each.units is None for each in source.instances))
        raise OptionError(f"{path} states no unit of length, so nothing can be converted to {to}: say which one it has")
    if to is not None:
        return to
    if unit is not None and None in stated:
        return unit
    return next((each for each in stated if each is not None), None)


def _unit_notes(sources: Sequence[Source], unit: str | None, target: str | None) -> list[str]:
    """Say which files state no unit although others do, and which were converted."""
    units = {source.path: {each.units for each in source.instances} for source in sources}
    unknown = [path for path, found in units.items() if None in found]
    notes = []
    if unknown and unit is None and target is not None:
        notes.append(f"{_listed(unknown)}: no unit of length is stated; taken as {target}, like the other files.")
    other = [path for path, found in units.items() if found - {None, target}]
    if other:
        was = sorted({each for path in other for each in units[path] if each is not None and each != target})
        notes.append(f"{_listed(other)}: converted from {', '.join(was)} to {target}.")
    return notes


def _listed(paths: Sequence[Path]) -> str:
    more = f" and {len(paths) - MOST_NAMED} more files" if len(paths) > MOST_NAMED else ""
    return ", ".join(clean(path.name) for path in paths[:MOST_NAMED]) + more


def _in_unit(source: Source, unit: str | None, target: str | None) -> Source:
    """Return a file in the unit of the assembly; coordinates without any are taken to be in it already."""
    if target is None or {each.units for each in source.instances} == {target}:
        return source
    meshes: dict[int, Mesh] = {}

    def convert(instance: Instance) -> Instance:
        stated = instance.units or unit or target
        if stated == target:
            return instance._replace(units=target)
        mesh, matrix = instance.mesh, instance.matrix
        if id(mesh) not in meshes:
            meshes[id(mesh)] = Mesh(converted(mesh.vertices, stated, target), mesh.faces)
        if matrix is not None:
            matrix = matrix.copy()
            matrix[:3, 3] = converted(matrix[:3, 3], stated, target)
        return instance._replace(mesh=meshes[id(mesh)], matrix=matrix, units=target)

    with errors_of(source.path):
        return source._replace(instances=[convert(instance) for instance in source.instances])


def _on_one_map(sources: Sequence[Source], notes: list[str]) -> list[Source]:
    """Return files of buildings in the frame of the first one that says where it is on the map."""
    first = next((source for source in sources if source.said.frame is not None), None)
    if first is None or first.said.frame is None:
        return list(sources)
    frame = first.said.frame
    found = []
    for source in sources:
        own = source.said.frame
        with errors_of(source.path):
            matrix = None if own is None else own.seen_from(frame)
        if matrix is not None:
            notes.append(f"{clean(source.path.name)}: moved to where it is on the map, seen from {first.path.name}.")
            moved = [each._replace(matrix=product(matrix, each.matrix)) for each in source.instances]
            source = source._replace(instances=moved)
        found.append(source)
    return found
