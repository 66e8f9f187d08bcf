"""The program that `ifc.py` runs: elements of an IFC file, by IfcOpenShell, as arrays in one .npz file.

    python ifc_program.py SOURCE TARGET

Nothing of Tumble is imported here. Elements come in the order of the file, however many threads make their shapes.
"""

import hashlib
import json
import os
import sys
from collections import Counter
from typing import Any, TypeAlias

import ifcopenshell
import ifcopenshell.geom
import ifcopenshell.util.element
import ifcopenshell.util.shape
import ifcopenshell.util.unit
import numpy as np

Mesh: TypeAlias = tuple[Any, Any]

# Products with a shape that are no bodies: what was cut out, what only marks a place or a region.
NO_BODIES = (
    "IfcFeatureElement",
    "IfcVirtualElement",
    "IfcSpatialElement",
    "IfcSpatialStructureElement",
    "IfcAnnotation",
    "IfcGrid",
    "IfcPort",
    "IfcStructuralItem",
    "IfcStructuralActivity",
    "IfcPositioningElement",
)
PRECISION = 1e-5
MAX_DEPTH = 20
"""sites, buildings, storeys and spaces around an element; a damaged file can put one into itself"""


def main(source: str, target: str) -> None:
    """Read one file and write the other."""
    file = ifcopenshell.open(source)
    shaped = [product for product in file.by_type("IfcProduct") if product.Representation is not None]
    no_bodies = {product.id() for product in shaped if any(is_a(product, kind) for kind in NO_BODIES)}
    wanted = [product for product in shaped if product.id() not in no_bodies]
    found = shapes(file, wanted)
    elements: list[dict[str, Any]] = []
    said = {
        "elements": elements,
        "skipped": [
            [label(each), "IfcOpenShell makes no triangles of it"] for each in wanted if each.id() not in found
        ],
        "left_out": Counter(product.is_a() for product in shaped if product.id() in no_bodies),
        "frame": frame(file),
    }
    geometries: dict[str, int] = {}
    meshes: list[Mesh] = []
    matrices: list[Any] = []
    for product in wanted:
        if product.id() not in found:
            continue
        geometry, mesh, matrix = found[product.id()]
        if geometry not in geometries:
            geometries[geometry] = len(meshes)
            meshes.append(mesh)
        elements.append(element(product, geometries[geometry]))
        matrices.append(matrix)
    np.savez(
        target,
        vertices=np.concatenate([np.empty((0, 3)), *(mesh[0] for mesh in meshes)]),
        faces=np.concatenate([np.empty((0, 3), np.int64), *(mesh[1] for mesh in meshes)]),
        vertex_ends=np.cumsum([len(mesh[0]) for mesh in meshes], dtype=np.int64),
        face_ends=np.cumsum([len(mesh[1]) for mesh in meshes], dtype=np.int64),
        matrices=np.array(matrices).reshape(-1, 4, 4),
        said=np.frombuffer(json.dumps(said).encode(), np.uint8),
    )


def shapes(file: Any, wanted: list[Any]) -> dict[int, tuple[str, Mesh, Any]]:
    """Return what names the geometry, its vertices and faces, and its place, by the number of the element."""
    settings = ifcopenshell.geom.settings()
    settings.set("apply-default-materials", False)
    metres = ifcopenshell.util.unit.calculate_unit_scale(file)
    found: dict[int, tuple[str, Mesh, Any]] = {}
    known: dict[str, tuple[str, Mesh]] = {}
    if not wanted:
        return found
    iterator = ifcopenshell.geom.iterator(settings, file, os.cpu_count() or 1, include=wanted)
    more: Any = iterator.initialize()
    while more:
        shape = iterator.get()
        geometry = shape.geometry.id
        if geometry not in known:
            made = triangulated(shape.geometry)
            mesh = stored(file, geometry, metres, made) or made
            known[geometry] = hashlib.sha256(mesh[0].tobytes() + mesh[1].tobytes()).hexdigest(), mesh
        if len(known[geometry][1][1]):
            found[shape.id] = *known[geometry], np.array(ifcopenshell.util.shape.get_shape_matrix(shape))
        more = iterator.next()
    return found


def triangulated(geometry: Any) -> Mesh:
    """Return the triangles that IfcOpenShell made."""
    vertices, faces = ifcopenshell.util.shape.get_vertices(geometry), ifcopenshell.util.shape.get_faces(geometry)
    return np.array(vertices, float).reshape(-1, 3), np.array(faces, np.int64).reshape(-1, 3)


def stored(file: Any, geometry: str, metres: float, made: Mesh) -> Mesh | None:
    """Return the triangles of the file itself, where a shape is nothing else; None if it is.

    IfcOpenShell leaves out triangles without area, and what was closed comes out open.
    """
    if not geometry.isdecimal():  # something was cut out, or added
        return None
    items = file.by_id(int(geometry)).Items
    if not all(item.is_a("IfcTriangulatedFaceSet") for item in items):
        return None
    vertices, faces, start = [], [], 0
    for item in items:
        points = np.array(item.Coordinates.CoordList, float)
        corners = np.array(item.CoordIndex, np.int64) - 1
        if getattr(item, "PnIndex", None):
            corners = np.array(item.PnIndex, np.int64)[corners] - 1
        vertices.append(points * metres)
        faces.append(corners + start)
        start += len(points)
    mesh = np.concatenate(vertices), np.concatenate(faces)
    return mesh if same_box(mesh, made) else None


def same_box(a: Mesh, b: Mesh) -> bool:
    """Tell whether two meshes fill the same box, up to what IfcOpenShell calls precision."""
    if not len(a[1]) or not len(b[1]) or not 0 <= a[1].min() <= a[1].max() < len(a[0]):
        return False
    corners = [mesh[0][mesh[1].ravel()] for mesh in (a, b)]
    ends = [np.concatenate([each.min(axis=0), each.max(axis=0)]) for each in corners]
    return bool(np.abs(ends[0] - ends[1]).max() <= PRECISION)


def element(product: Any, geometry: int) -> dict[str, Any]:
    """Return what is known of an element besides its shape."""
    around: list[str] = []
    outer = ifcopenshell.util.element.get_container(product)
    while outer is not None and not outer.is_a("IfcProject") and len(around) < MAX_DEPTH:
        around.append(outer.Name or outer.is_a())
        outer = ifcopenshell.util.element.get_aggregate(outer)
    return {
        "name": product.Name,
        "kind": product.is_a(),
        "guid": product.GlobalId,
        "group": around[::-1],
        "geometry": geometry,
    }


def frame(file: Any) -> list[Any] | None:
    """Return where the origin is on the map, as the fields of a MapFrame; None if the file does not say."""
    try:
        conversions = file.by_type("IfcMapConversion")
    except RuntimeError:  # IFC2X3 has none
        return None
    if not conversions:
        return None
    conversion, system = conversions[0], conversions[0].TargetCRS
    own = ifcopenshell.util.unit.calculate_unit_scale(file)
    metres = own if system.MapUnit is None else in_metres(system.MapUnit)
    x, y = conversion.XAxisAbscissa, conversion.XAxisOrdinate
    x, y = (1.0, 0.0) if x is None or y is None else (x, y)
    length = (x * x + y * y) ** 0.5
    place = [metres * each for each in (conversion.Eastings, conversion.Northings, conversion.OrthogonalHeight)]
    scale = 1.0 if conversion.Scale is None else conversion.Scale * (metres / own)
    return [*place, x / length, y / length, scale, system.Name or ""]


def in_metres(unit: Any) -> float:
    """Return the length of a unit."""
    if unit.is_a("IfcSIUnit"):
        return float(ifcopenshell.util.unit.get_prefix_multiplier(unit.Prefix))
    factor = unit.ConversionFactor
    return float(factor.ValueComponent.wrappedValue) * in_metres(factor.UnitComponent)


def is_a(product: Any, kind: str) -> bool:
    """Tell whether a product is of a kind, which the file's schema may not have."""
    return bool(product.is_a(kind))


def label(product: Any) -> str:
    """Return the name and type of an element, for messages."""
    return f"{product.Name or 'unnamed'} ({product.is_a()} {product.GlobalId})"


if __name__ == "__main__":
    main(*sys.argv[1:])
