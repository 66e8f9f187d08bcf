"""3MF: a part for every mesh that an item of the build reaches, through components of any depth.

Every model file is read once. The production extension, which spreads objects over several model files, is followed
(`p:path`); an extension that the file requires and that would change the geometry is refused. A part is named by its
item's part number when the item is a mesh itself, else by its object's name, else by the object's part number or id.
"""

import posixpath
from pathlib import Path
from urllib.parse import unquote

from tumble.mesh.formats.archive import Archive
from tumble.mesh.formats.instances import Key, SceneNode, expand
from tumble.mesh.formats.threemf_model import Model
from tumble.mesh.formats.xml_events import Attributes, local_name, parse_events
from tumble.mesh.part import Part

_RELATIONS = "_rels/.rels"
_START = "/3dmodel"


def read(path: Path, split: bool) -> list[Part]:
    """Return one Part per mesh that the build places."""
    with Archive(path) as archive:
        package = _Package(archive)
        root = package.model(package.root)
        if not root.items and root.objects:
            raise ValueError(f"its build is empty: none of its {len(root.objects)} objects is placed")
        return expand(root.items, package.node, root.units)


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
