"""A robot out of a URDF file: links with meshes in their frames, and the joints between them as arrays."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Literal, NamedTuple, TypeAlias
from xml.etree.ElementTree import Element

import numpy as np
from numpy.typing import NDArray

from tumble.core.options import checked_name
from tumble.core.records import frozen
from tumble.mesh import Mesh
from tumble.mesh.formats import open_regular
from tumble.mesh.formats.urdf_joints import UrdfJoint
from tumble.mesh.formats.urdf_shapes import Shapes
from tumble.mesh.formats.urdf_tree import UrdfTree, urdf_tree
from tumble.mesh.formats.urdf_values import said_of
from tumble.mesh.formats.xml_events import parse_tree
from tumble.mesh.joints import KINDS
from tumble.mesh.joints import TURNS as TURNING
from tumble.mesh.names import clean
from tumble.mesh.reading import errors_of, kind_of
from tumble.robot.groups import Carriers
from tumble.robot.kinematics import FIXED, MOST_SLIDE, NONE, SLIDES, TURNS, Kinematics, reaches

Geometry: TypeAlias = Literal["collision", "visual"]
GEOMETRIES = "collision", "visual"


class ReadRobot(NamedTuple):
    """What a file says, as the fields of a `Robot`."""

    name: str
    links: tuple[str, ...]
    meshes: tuple[Mesh | None, ...]
    kinematics: Kinematics
    joints: tuple[str, ...]
    limits: NDArray[np.float64]
    notes: tuple[str, ...]
    carriers: Carriers


def read_robot(path: Path, folders: Sequence[Path], geometry: Geometry) -> ReadRobot:
    """Read a URDF file; whatever is wrong with it is a FileError."""
    checked_name("geometry", geometry, GEOMETRIES)
    kind_of(path, ("urdf", "xml"))
    with errors_of(path):
        with open_regular(path) as source:
            root = parse_tree(source)
        tree = urdf_tree(root)
        _check(tree)
        links = (*tree.roots, *(joint.child for joint in tree.walk))
        joints = [joint for joint in tree.joints if joint.moves and joint.follows is None]
        kinematics = _kinematics(tree, links, joints)
        limits = np.array([[joint.low, joint.high] for joint in joints]).reshape(-1, 2)
        _check_reach(joints, kinematics, limits)
        shapes = Shapes(path, folders, around=True)
        meshes = tuple(_mesh(tree.links[name], shapes, geometry) for name in links)
        if not any(mesh is not None and len(mesh) for mesh in meshes):
            other = next(each for each in GEOMETRIES if each != geometry)
            raise ValueError(f'none of its links has a {geometry} shape; try geometry="{other}"')
        notes = ("round shapes are taken as polyhedra around them, within 0.5 % of the radius.",)
        return ReadRobot(
            root.get("name") or path.stem, links, meshes, kinematics, tuple(joint.name for joint in joints),
            frozen(limits), notes if shapes.rounded else (), _carriers(tree),
        )  # fmt: skip


def _check(tree: UrdfTree) -> None:
    """Refuse what an assembly may have, and a robot may not."""
    if len(tree.roots) != 1:
        raise ValueError(
            f"a robot has one root link; found {', '.join(map(repr, map(clean, tree.roots[:5]))) or 'none'}"
        )
    for name in (*tree.links, *(joint.name for joint in tree.joints)):
        if clean(name) != name:
            raise ValueError(f"the name {clean(name)[:80]!r} is too long, or has characters that cannot be printed")
    for joint in tree.joints:
        if not joint.moves and joint.kind != "fixed":
            known = ", ".join((*KINDS, "planar", "floating", "fixed"))
            raise ValueError(f"joint {joint.name[:80]!r} is of kind {joint.kind[:80]!r}; known are {known}")
        if joint.origin is not None and not np.abs(joint.origin[:3, 3]).max() <= MOST_SLIDE:
            raise ValueError(f"the origin of joint {joint.name[:80]!r} is beyond the supported ±{MOST_SLIDE:g} m")


def _kinematics(tree: UrdfTree, links: Sequence[str], joints: Sequence[UrdfJoint]) -> Kinematics:
    numbers = {name: number for number, name in enumerate(links)}
    columns = {joint.name: column for column, joint in enumerate(joints)}
    rows: list[tuple[object, ...]] = [(NONE, FIXED, NONE, 1.0, 0.0, np.eye(4), (1.0, 0.0, 0.0))]
    for joint in tree.walk:
        kind = FIXED if not joint.moves else TURNS if joint.kind in TURNING else SLIDES
        driver, factor, offset = joint.follows or (joint.name, 1.0, 0.0)
        origin = np.eye(4) if joint.origin is None else joint.origin
        column = columns[driver] if joint.moves else NONE
        rows.append((numbers[joint.parent], kind, column, factor, offset, origin, joint.axis))
    return Kinematics.of(**dict(zip(Kinematics._fields, zip(*rows, strict=True), strict=True)))


def _carriers(tree: UrdfTree) -> Carriers:
    columns: dict[str, list[str]] = {joint.of: [] for joint in tree.joints}
    for joint in tree.joints:
        if joint.moves and joint.follows is None:
            columns[joint.of].append(joint.name)
    joints = {joint.child: joint.of for joint in tree.joints}
    return Carriers(columns, joints, {joint.child: joint.parent for joint in tree.joints}, tree.roots[0])


def _check_reach(joints: Sequence[UrdfJoint], kinematics: Kinematics, limits: NDArray[np.float64]) -> None:
    """Refuse joints that could never move: beyond what sines are exact for, or lengths that make sense."""
    most = reaches(kinematics, len(joints))
    for joint, (low, high), reach in zip(joints, limits.tolist(), most.tolist(), strict=True):
        if not (low <= reach and high >= -reach and reach > 0):
            raise ValueError(f"joint {joint.name[:80]!r}, or one that follows it, is always beyond what is supported")


def _mesh(link: Element | None, shapes: Shapes, geometry: Geometry) -> Mesh | None:
    elements = [] if link is None else link.findall(geometry)
    if link is None or not elements:
        return None
    with said_of(f"link {link.get('name', '')[:80]!r}"):
        return shapes.whole(elements)
