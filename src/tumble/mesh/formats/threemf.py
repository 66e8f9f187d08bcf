"""3MF: a part for every mesh that an item of the build reaches, through components of any depth.

Every model file is read once. The production extension, which spreads objects over several model files, is followed
(`p:path`); an extension that the file requires and that would change the geometry is refused. A part is named by its
item's part number when the item is a mesh itself, else by its object's name, else by the object's part number or id.

A model file is read as a stream of XML elements, since it has a line of text for every vertex and triangle.
"""

import posixpath
from array import array
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import IO
from urllib.parse import unquote

import numpy as np

from tumble.mesh.formats import Request
from tumble.mesh.formats.archive import Archive
from tumble.mesh.formats.instances import Key, Placement, SceneNode, expand
from tumble.mesh.formats.placing import Instance, row_vector_matrix
from tumble.mesh.formats.polygons import compact
from tumble.mesh.formats.xml_events import Attributes, local_name, parse_events
from tumble.mesh.mesh import Mesh

UNITS = {"micron": "um", "millimeter": "mm", "centimeter": "cm", "meter": "m", "inch": "in", "foot": "ft"}

_SCHEMAS = "http://schemas.microsoft.com/3dmanufacturing/"
_PATH = f"{{{_SCHEMAS}production/2015/06}}path"
# Extensions that leave the triangles of `mesh` and their places as they are.
_HARMLESS = (_SCHEMAS + "core/", _SCHEMAS + "production/", _SCHEMAS + "material/", _SCHEMAS + "trianglesets/")
# Geometry of other extensions: without it, the object is not what it should be.
_OTHER_GEOMETRY = {
    "beam": "a beam lattice",
    "ball": "a beam lattice",
    "booleanshape": "a boolean operation",
    "displacementmesh": "a displaced mesh",
    "levelset": "a level set",
    "encryptionparams": "encrypted content",
}

_RELATIONS = "_rels/.rels"
_START = "/3dmodel"


def read(path: Path, request: Request) -> list[Instance]:
    """Return one part per mesh that the build places."""
    with Archive(path) as archive:
        package = _Package(archive)
        root = package.model(package.root)
        if not root.items and root.objects:
            raise ValueError(f"its build is empty: none of its {len(root.objects)} objects is placed")
        return expand(root.items, package.node, root.units)


@dataclass
class Object:
    """A mesh or a list of components."""

    name: str
    coordinates: array = field(default_factory=lambda: array("d"))
    corners: array = field(default_factory=lambda: array("q"))
    components: list[Placement] = field(default_factory=list)
    has_content: bool = False

    @cached_property
    def mesh(self) -> Mesh | None:
        """The mesh of this object, None if it has components instead."""
        if not self.corners:
            return None
        vertices = np.frombuffer(self.coordinates).reshape(-1, 3)
        faces = np.frombuffer(self.corners, np.int64).reshape(-1, 3)
        if len(vertices) > 3 * len(faces) and faces.min() >= 0 and faces.max() < len(vertices):
            vertices, faces = compact(vertices, faces)
        mesh = Mesh(vertices, faces)
        self.coordinates, self.corners = array("d"), array("q")  # now in the mesh
        return mesh


class Model:
    """A model file; `objects` by id, `items` in the order of the build."""

    def __init__(self, source: IO[bytes], name: str) -> None:
        self._name = name
        self.units = UNITS["millimeter"]
        self.objects: dict[str, Object] = {}
        self.items: list[Placement] = []
        self._current: Object | None = None
        self._namespaces: dict[str, str] = {}
        self._handlers: dict[str, Callable[[Attributes], None]] = {}
        try:
            parse_events(source, self._start, self._declare)
        except KeyError as error:
            raise ValueError(f"an element of its model lacks the attribute {error}") from error

    def _declare(self, prefix: str, namespace: str) -> None:
        self._namespaces.setdefault(prefix, namespace)

    def _start(self, name: str, attributes: Attributes) -> None:
        handler = self._handlers.get(name)
        if handler is not None:
            handler(attributes)
        elif not self._handlers:
            self._start_model(name, attributes)
        elif (other := local_name(name)) in _OTHER_GEOMETRY:
            raise ValueError(f"it has {_OTHER_GEOMETRY[other]} (<{other}>), which is not read: export it as a mesh")

    def _start_model(self, name: str, attributes: Attributes) -> None:
        namespace, brace, local = name.rpartition("}")
        if local != "model":
            raise ValueError(f"its model file starts with <{local}>, not with <model>")
        unit = attributes.get("unit", "millimeter")
        if unit not in UNITS:
            raise ValueError(f"its unit is {unit!r}; known are {', '.join(UNITS)}")
        self.units = UNITS[unit]
        for prefix in attributes.get("requiredextensions", "").split():
            self._check_extension(prefix)
        kinds = ("object", "mesh", "components", "vertex", "triangle", "component", "item")
        self._handlers = {namespace + brace + kind: getattr(self, "_" + kind) for kind in kinds}

    def _check_extension(self, prefix: str) -> None:
        extension = self._namespaces.get(prefix, "an undeclared namespace")
        if not extension.startswith(_HARMLESS):
            raise ValueError(f"it requires the extension {prefix!r} ({extension}), which is not read")

    def _object(self, attributes: Attributes) -> None:
        number = attributes["id"]
        if number in self.objects:
            raise ValueError(f"it has two objects with id {number}")
        if any(local_name(key) == "meshresolution" and value == "lowres" for key, value in attributes.items()):
            raise ValueError(f"object {number} is stored as slices with a coarse mesh: export it as a mesh")
        name = attributes.get("name") or attributes.get("partnumber") or f"object {number}"
        self._current = self.objects[number] = Object(name)

    def _content(self) -> Object:
        if self._current is None:
            raise ValueError("it has geometry outside of an object")
        return self._current

    def _mesh(self, attributes: Attributes) -> None:
        self._content().has_content = True

    _components = _mesh

    def _vertex(self, attributes: Attributes) -> None:
        point = float(attributes["x"]), float(attributes["y"]), float(attributes["z"])
        self._content().coordinates.extend(point)

    def _triangle(self, attributes: Attributes) -> None:
        corners = int(attributes["v1"]), int(attributes["v2"]), int(attributes["v3"])
        self._content().corners.extend(corners)

    def _component(self, attributes: Attributes) -> None:
        self._content().components.append(self._placement(attributes)._replace(name=None))

    def _item(self, attributes: Attributes) -> None:
        self.items.append(self._placement(attributes))

    def _placement(self, attributes: Attributes) -> Placement:
        """Return the object that an element puts somewhere; without a path it is in this model file."""
        text = attributes.get("transform")
        matrix = None if text is None else row_vector_matrix([float(number) for number in text.split()], "a transform")
        file = attributes.get(_PATH, self._name).lstrip("/")
        return Placement((file, attributes["objectid"]), matrix, attributes.get("partnumber") or None)


class _Package:
    """The model files of an archive, read when an object refers to them."""

    def __init__(self, archive: Archive) -> None:
        self._archive = archive
        self._models: dict[str, Model] = {}
        self.root = _start_part(archive)

    def model(self, name: str) -> Model:
        if name.lower() not in self._models:
            with self._archive.open(name) as source:
                self._models[name.lower()] = Model(source, name)
        model = self._models[name.lower()]
        root = self._models[self.root.lower()]
        if model.units != root.units:
            raise ValueError(f"{name!r} has lengths in {model.units}, {self.root!r} in {root.units}")
        return model

    def node(self, key: Key) -> SceneNode:
        name, object_id = key
        found = self.model(name).objects.get(object_id)
        if found is None:
            raise ValueError(f"object {object_id} is placed, but is not in {name!r}")
        if found.mesh is None and not found.has_content:
            raise ValueError(f"object {object_id} ({found.name!r}) has neither a mesh nor components")
        return SceneNode(found.name, found.mesh, found.components)


def _start_part(archive: Archive) -> str:
    """Return the name of the model file that the archive's relationships state."""
    targets: list[str] = []

    def start(name: str, attributes: Attributes) -> None:
        if local_name(name) == "Relationship" and attributes.get("Type", "").endswith(_START):
            targets.append(posixpath.normpath(unquote(attributes["Target"])).lstrip("/"))

    if _RELATIONS in archive:
        with archive.open(_RELATIONS) as source:
            parse_events(source, start)
    if not targets:
        targets = [name for name in archive.names if name.lower().endswith(".model")]
    if len(targets) != 1:
        raise ValueError(f"it has {len(targets)} models to start from; expected one")
    return targets[0]
