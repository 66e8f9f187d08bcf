"""Real buildings, pair by pair, beside IfcOpenShell; Manifold's volumes judge where the two differ."""

import os
from pathlib import Path

import numpy as np
import pytest

import tumble
from tumble.clash import CheckSettings, Kind, check_parts

MESHES = Path(os.environ.get("TUMBLE_MESHES", Path(__file__).resolve().parents[2] / ".." / "shared" / "meshes"))
BIM = MESHES / "bim"
BUILDING = ("Building-Architecture", "Building-Hvac", "Building-Structural")
TOLERANCE = 1e-3  # m
ROUNDING = 1e-9  # m, within which IfcOpenShell takes surfaces for touching
SPACES = ("IfcSpace", "IfcSpatialZone")  # they are no parts: everything is in one

pytestmark = [pytest.mark.slow, pytest.mark.skipif(not BIM.is_dir(), reason=f"{BIM} is not there; set TUMBLE_MESHES")]


def found_by_ifcopenshell(files):
    """Return the pairs of GlobalIds that its three modes find, those of spaces left out."""
    ifcopenshell = pytest.importorskip("ifcopenshell")
    geom = pytest.importorskip("ifcopenshell.geom")
    tree, elements = geom.tree(backend="opencascade.trianglebvh"), {}
    for file in files:
        model = ifcopenshell.open(str(file))
        iterator = geom.iterator(geom.settings(), model, 2)
        more = iterator.initialize()
        while more:
            shape = iterator.get()
            guid = shape.guid
            if model.by_guid(guid).is_a() not in SPACES:
                elements[guid] = model.by_guid(guid)
                tree.add_element(shape)
            more = iterator.next()
    every = list(elements.values())
    modes = (
        tree.clash_collision_many(every, every, allow_touching=True),
        tree.clash_collision_many(every, every, allow_touching=False),
        tree.clash_intersection_many(every, every, tolerance=TOLERANCE, check_all=True),
    )
    return [{tuple(sorted((clash.a.get_argument(0), clash.b.get_argument(0)))) for clash in mode} for mode in modes]


def solid_of(mesh):
    manifold = pytest.importorskip("manifold3d")
    places, numbers = np.unique(mesh.vertices.round(9), axis=0, return_inverse=True)
    faces = numbers.reshape(-1)[mesh.faces]
    faces = faces[(faces != np.roll(faces, 1, axis=1)).all(axis=1)]
    return manifold.Manifold(manifold.Mesh64(vert_properties=places, tri_verts=faces.astype(np.uint64)))


def common_volume(a, b):
    """Return Manifold's volume of what two meshes have in common, None where it does not take one of them."""
    solids = solid_of(a), solid_of(b)
    if any(solid.status().name != "NoError" for solid in solids):
        return None
    return (solids[0] ^ solids[1]).volume()


@pytest.mark.parametrize("names", [BUILDING, ("Infra-Bridge",), ("Infra-Plumbing",), ("Infra-Rail",)])
def test_every_pair_is_classified_without_contradiction(names):
    files = [BIM / f"{name}.ifc" for name in names]
    touching, crossing, deep = found_by_ifcopenshell(files)
    parts = tumble.load_assembly(files).parts
    findings = check_parts(parts, CheckSettings(tolerance=TOLERANCE)).findings
    kinds = {tuple(sorted((parts[each.a].guid, parts[each.b].guid))): each.kind for each in findings}
    meshes = {part.guid: part.mesh for part in parts}

    for a, b in (touching | crossing | deep) - set(kinds):
        gap = tumble.distance(meshes[a], meshes[b]).distance
        assert 0.0 < gap < ROUNDING, (a, b, gap)

    judged = 0
    for each in findings:
        a, b = parts[each.a].mesh, parts[each.b].mesh
        volume = common_volume(a, b)
        if volume is None or each.kind is Kind.DUPLICATE:
            continue
        judged += 1
        area = min(area_of(mesh) for mesh in (a, b))
        if each.kind in (Kind.CONTACT, Kind.TOUCHING):
            assert volume <= TOLERANCE * area, each
        else:
            assert each.kind in (Kind.CROSSING, Kind.PIERCING, Kind.INSIDE), each
            assert volume > 0.0, each
            assert volume == pytest.approx(each.volume, rel=1e-6), each
    assert judged > len(findings) / 2


def area_of(mesh):
    edges = mesh.vertices[mesh.faces[:, 1:]] - mesh.vertices[mesh.faces[:, :1]]
    return 0.5 * np.linalg.norm(np.cross(edges[:, 0], edges[:, 1]), axis=1).sum()
