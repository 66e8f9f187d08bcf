"""The shapes of a robot's links: meshes from files, boxes, spheres, cylinders, and capsules, which some programs write.

Lengths are in metres; meshes are taken so, whatever their file says, but for COLLADA, which is scaled by its unit and
not turned by its up axis, as programs for robots do.
"""

from collections.abc import Sequence
from pathlib import Path
from xml.etree.ElementTree import Element

import numpy as np

from tumble.mesh.formats import Request, reader
from tumble.mesh.formats.dae import read_scene
from tumble.mesh.formats.instances import MAX_COPIED_TRIANGLES
from tumble.mesh.formats.placing import Instance, placed, product
from tumble.mesh.formats.urdf_paths import find_mesh
from tumble.mesh.formats.urdf_values import numbers, origin_of, said_of
from tumble.mesh.mesh import Mesh, concatenated
from tumble.mesh.shapes import box
from tumble.mesh.shapes.round import ball, capsule, cylinder

_MESHES = ("stl", "dae", "obj", "ply", "off", "glb", "gltf")


class Shapes:
    """The shapes of one robot; a file that several links use is read once.

    path      of the robot
    folders   where meshes may be, besides its own folder
    around    whether polyhedra lie around what is round, or in it
    """

    def __init__(self, path: Path, folders: Sequence[Path], around: bool) -> None:
        self._path, self._folders, self._around = path, folders, around
        self._files: dict[Path, Mesh] = {}
        self._basic: dict[str, Mesh] = {}
        self._copied = 0
        self.rounded = False
        """whether any shape is round"""

    def read(self, element: Element) -> Instance:
        """Return the shape of a collision or visual element, in the frame of its link."""
        geometry = element.find("geometry")
        if geometry is None or len(geometry) != 1:
            raise ValueError(f"a <{element.tag}> has no geometry, or several")
        mesh, sizes, key = self._mesh(geometry[0])
        self._copied += len(mesh)
        if self._copied > MAX_COPIED_TRIANGLES:
            raise ValueError(f"its links use the same meshes again for more than {MAX_COPIED_TRIANGLES} triangles")
        scale = None if sizes == [1.0, 1.0, 1.0] else np.diag([*sizes, 1.0])
        return Instance("", mesh, product(origin_of(element), scale), "m", shape=key)

    def whole(self, elements: Sequence[Element]) -> Mesh:
        """Return several shapes as one mesh, in the frame of their link."""
        return concatenated([placed(each.mesh, each.matrix) for each in map(self.read, elements)])

    def _mesh(self, shape: Element) -> tuple[Mesh, list[float], str]:
        """Return a mesh, how it is stretched along the axes, and what names it."""
        if shape.tag == "mesh":
            name = shape.get("filename", "")
            return self._file(name), numbers(shape, "scale", 3, "1 1 1"), name
        if shape.tag == "box":
            sizes = numbers(shape, "size", 3)
        elif shape.tag == "sphere":
            sizes = numbers(shape, "radius", 1) * 3
        elif shape.tag in ("cylinder", "capsule"):
            sizes = numbers(shape, "radius", 1) * 2 + numbers(shape, "length", 1)
        else:
            raise ValueError(f"a shape of kind {shape.tag[:80]!r} is not read")
        if not all(0.0 <= size < np.inf for size in sizes):
            raise ValueError(f"a {shape.tag} has a negative size, or one that is not finite: {sizes}")
        self.rounded |= shape.tag != "box"
        if shape.tag == "capsule":
            name = f"capsule {sizes[0]} {sizes[2]}"
            return self._solid(name, sizes), [1.0, 1.0, 1.0], name
        return self._solid(shape.tag, sizes), sizes, shape.tag

    def _solid(self, name: str, sizes: list[float]) -> Mesh:
        if name not in self._basic:
            makers = {
                "box": box,
                "sphere": lambda: ball(self._around),
                "cylinder": lambda: cylinder(self._around),
                "capsule": lambda: capsule(sizes[0], sizes[2], self._around),
            }
            self._basic[name] = makers[name.partition(" ")[0]]()
        return self._basic[name]

    def _file(self, name: str) -> Mesh:
        path = find_mesh(name, self._path, self._folders)
        if path not in self._files:
            kind = path.suffix[1:].lower()
            if kind not in _MESHES:
                raise ValueError(f"the mesh {name[:80]!r} is of a format that is not read here: {', '.join(_MESHES)}")
            with said_of(f"the mesh {name[:80]!r}"):
                found = read_scene(path, upright=False) if kind == "dae" else reader(kind)(path, Request("files"))
                self._files[path] = concatenated([placed(each.mesh, each.matrix) for each in found])
            self._copied -= len(self._files[path])
        return self._files[path]
