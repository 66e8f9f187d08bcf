"""URDF: a part for every link of a robot, all joints at zero; and the joints that can move.

A link is what its collision elements are: meshes, boxes, cylinders, spheres, capsules; a robot without any is taken as
it looks (visual elements). Polyhedra are inside what is round.
"""

from pathlib import Path
from xml.etree.ElementTree import Element

import numpy as np

from tumble.mesh.formats import Request, open_regular
from tumble.mesh.formats.placing import Instance, Matrix, product
from tumble.mesh.formats.urdf_joints import UrdfJoint
from tumble.mesh.formats.urdf_shapes import Shapes
from tumble.mesh.formats.urdf_tree import UrdfTree, urdf_tree
from tumble.mesh.formats.xml_events import parse_tree
from tumble.mesh.joints import Joint, Mimic
from tumble.mesh.names import joined


def read(path: Path, request: Request) -> list[Instance]:
    """Return the links of a robot that have a shape."""
    with open_regular(path) as source:
        root = parse_tree(source)
    tree = urdf_tree(root)
    links = {name: element for name, element in tree.links.items() if element is not None}
    wanted = "collision" if any(link.find("collision") is not None for link in links.values()) else "visual"
    shapes, stand = Shapes(path, request.folders, around=False), _Stand(tree)
    group = joined([root.get("name") or path.stem])
    found = [
        _instance(name, shapes, link.findall(wanted), stand.places[name])._replace(group=group)
        for name, link in links.items()
        if link.find(wanted) is not None
    ]
    if shapes.rounded:
        request.notes.append("round shapes are taken as polyhedra inside them, within 0.5 % of the radius.")
    request.joints, request.carried = stand.joints, stand.carried
    stiff = sorted({joint.kind[:80] for joint in tree.joints if not joint.moves and joint.kind != "fixed"})
    if stiff:
        request.notes.append(f"joints of kinds that are not known do not move here: {', '.join(stiff)}.")
    return found


def _instance(name: str, shapes: Shapes, elements: list[Element], place: Matrix | None) -> Instance:
    """Return one link of what it consists of."""
    if len(elements) == 1:
        piece = shapes.read(elements[0])
        return piece._replace(name=name, matrix=product(place, piece.matrix))
    return Instance(name, shapes.whole(elements), place, "m", shape=f"link {name}")


class _Stand:
    """Where the links of a robot are when all joints are at zero, each root link at the origin."""

    def __init__(self, tree: UrdfTree) -> None:
        self.places: dict[str, Matrix | None] = dict.fromkeys(tree.roots)
        self.carried: dict[str, int] = {}
        """by link, the number of the joint that moves it"""
        self.joints: list[Joint] = []
        """those that can move, parents first"""
        self._numbers = {joint.name: number for number, joint in enumerate(each for each in tree.walk if each.moves)}
        for joint in tree.walk:
            place = self.places[joint.child] = product(self.places[joint.parent], joint.origin)
            carrier = self.carried.get(joint.parent)
            if joint.moves:
                self.joints.append(self._joint(joint, np.eye(4) if place is None else place, carrier))
                carrier = self._numbers[joint.name]
            if carrier is not None:
                self.carried[joint.child] = carrier

    def _joint(self, joint: UrdfJoint, place: Matrix, carrier: int | None) -> Joint:
        x, y, z = (place[:3, :3] @ joint.axis).tolist()
        follows = joint.follows
        mimic = None if follows is None else Mimic(self._numbers[follows.joint], follows.factor, follows.offset)
        point = tuple(place[:3, 3].tolist())
        return Joint(joint.name, joint.kind, point, (x, y, z), joint.low, joint.high, carrier, mimic)
