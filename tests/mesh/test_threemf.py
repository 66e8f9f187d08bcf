"""3MF: every mesh that the build reaches is a part, where the chain of transforms puts it."""

import zipfile
from collections import Counter
from xml.etree import ElementTree

import numpy as np
import pytest
from mesh_topology import volume
from valid_files import _PRODUCTION, _RELATIONS, CUBE, TRIANGLES, _model, _object, valid_files, zipped

from tumble.errors import FileError
from tumble.mesh import Mesh, load, load_parts

BEAMS = "http://schemas.microsoft.com/3dmanufacturing/beamlattice/2017/02"
SLICES = "http://schemas.microsoft.com/3dmanufacturing/slice/2015/07"


def written(path, resources, build, head="", **others):
    members = {"_rels/.rels": _RELATIONS.encode(), "3D/root.model": _model(resources, build, head)}
    path.write_bytes(zipped(members | others))
    return path


def moved(number, x, y=0, z=0, tag="component"):
    return f'<{tag} objectid="{number}" transform="1 0 0 0 1 0 0 0 1 {x} {y} {z}"/>'


def components(number, content, name=""):
    return f'<object id="{number}" name="{name}"><components>{content}</components></object>'


def corners(parts):
    return sorted(tuple(part.mesh.bounds[0].tolist()) for part in parts)


def refused(path, *words):
    with pytest.raises(FileError) as caught:
        load_parts(path)
    for word in words:
        assert word in str(caught.value)


def test_a_tray_of_rows_of_parts(tmp_path):
    row = components(2, "".join(moved(1, 3 * k) for k in range(20)))
    tray = components(3, "".join(moved(2, 0, 3 * k) for k in range(20)))
    path = written(tmp_path / "tray.3mf", _object(1, CUBE) + row + tray, moved(3, 100, 0, 7, "item"))
    parts = load_parts(path)
    assert len(parts) == 400
    assert corners(parts) == sorted((100.0 + 3 * x, 3.0 * y, 7.0) for x in range(20) for y in range(20))
    assert len({part.name for part in parts}) == 400
    assert len(load(path)) == 4800


def test_items_with_one_part_number_and_an_object_called_world(tmp_path):
    world = _object(2, CUBE).replace('name="block 2"', 'name="world"')
    items = "".join(f'<item objectid="{k}" partnumber="7-11"/>' for k in (1, 1, 2)) + '<item objectid="2"/>'
    parts = load_parts(written(tmp_path / "a.3mf", _object(1, CUBE) + world, items))
    assert [part.name for part in parts] == ["7-11", "7-11#2", "7-11#3", "world"]
    assert [len(part.mesh) for part in parts] == [12] * 4


def test_names_come_from_the_item_the_object_or_its_id(tmp_path):
    plain = _object(2, CUBE).replace(' name="block 2"', "")
    numbered = _object(3, CUBE).replace('name="block 3"', 'partnumber="P3"')
    assembly = components(4, '<component objectid="1"/>', "assembly")
    build = '<item objectid="1"/><item objectid="2"/><item objectid="3"/><item objectid="4" partnumber="A"/>'
    parts = load_parts(written(tmp_path / "a.3mf", _object(1, CUBE) + plain + numbered + assembly, build))
    assert [part.name for part in parts] == ["block 1", "object 2", "P3", "block 1#2"]


def test_transforms_are_applied_inside_out_and_mirrors_keep_outward(tmp_path):
    turned = components(2, '<component objectid="1" transform="0 1 0 -1 0 0 0 0 2 5 0 0"/>')  # a quarter turn about z
    path = written(
        tmp_path / "a.3mf", _object(1, CUBE) + turned, '<item objectid="2" transform="-1 0 0 0 1 0 0 0 1 0 9 0"/>'
    )
    (part,) = load_parts(path)
    # x, y, z becomes -y + 5, x, 2 z; then -x, y + 9, z
    expected = np.stack([CUBE[:, 1] - 5, CUBE[:, 0] + 9, 2 * CUBE[:, 2]], axis=1)
    assert np.array_equal(part.mesh.vertices, expected)
    # the winding: outward before, outward after two mirrors (the second one is the reflection of the item)
    assert np.sign(volume(part.mesh)) == np.sign(volume(Mesh(CUBE, TRIANGLES)))
    assert abs(volume(part.mesh)) == pytest.approx(2.0)


@pytest.mark.parametrize("seed", range(6))
def test_random_builds_against_a_count_of_their_own(tmp_path, seed):
    """The sum over the items of what they reach, counted on the XML by recursion."""
    for file in valid_files(np.random.default_rng(seed)):
        if file.name.endswith("3mf"):
            path = tmp_path / file.name
            path.write_bytes(file.data)
            parts = load_parts(path)
            counted = _count_by_recursion(path)
            assert sum(len(part.mesh) for part in parts) == counted == file.triangles
            assert len(parts) == file.parts


def _count_by_recursion(path):
    with zipfile.ZipFile(path) as archive:
        models = {name: ElementTree.fromstring(archive.read(name)) for name in archive.namelist() if "model" in name}

    def reach(model, reference):
        model = reference.get(f"{{{_PRODUCTION}}}path", "/" + model)[1:]
        (found,) = (
            each for each in models[model].findall(".//{*}object") if each.get("id") == reference.get("objectid")
        )
        inside = sum(reach(model, each) for each in found.findall("{*}components/{*}component"))
        return inside + len(found.findall("{*}mesh/{*}triangles/{*}triangle"))

    return sum(reach("3D/root.model", item) for item in models["3D/root.model"].findall("{*}build/{*}item"))


def test_the_production_extension_neither_doubles_nor_loses(tmp_path):
    path = 'p:path="/3D/Other.model"'
    resources = _object(1, CUBE) + components(2, f'<component {path} objectid="1"/><component objectid="1"/>')
    other = _model(_object(1, CUBE + 50) + components(5, '<component objectid="1"/>'), '<item objectid="1"/>')
    build = f'<item objectid="2"/><item {path} objectid="5"/><item p:path="/3D/OTHER.model" objectid="5"/>'
    members = {"3D/other.model": other}  # names in an archive do not tell cases apart
    parts = load_parts(written(tmp_path / "a.3mf", resources, build, 'requiredextensions="p"', **members))
    assert corners(parts) == [(0.0, 0.0, 0.0), (50.0, 50.0, 50.0), (50.0, 50.0, 50.0), (50.0, 50.0, 50.0)]


@pytest.mark.parametrize("unit, units", [("micron", "um"), ("millimeter", "mm"), ("foot", "ft"), (None, "mm")])
def test_units_are_kept(tmp_path, unit, units):
    model = _model(_object(1, CUBE), '<item objectid="1"/>')
    model = model.replace(b'unit="inch"', f'unit="{unit}"'.encode() if unit else b"")
    path = tmp_path / "a.3mf"
    path.write_bytes(zipped({"3D/3dmodel.model": model}))
    assert [part.units for part in load_parts(path)] == [units]
    assert [part.units for part in load_parts(path, split=False)] == [units]


def test_what_is_not_understood_is_refused(tmp_path):
    item, path = '<item objectid="1"/>', tmp_path / "a.3mf"
    beams = _object(1, CUBE).replace(
        "</mesh>", f'<b:beamlattice xmlns:b="{BEAMS}"><b:beams><b:beam v1="0"/></b:beams></b:beamlattice></mesh>'
    )
    refused(written(path, beams, item), "beam lattice")
    refused(written(path, _object(1, CUBE), item, f'xmlns:b="{BEAMS}" requiredextensions="p b"'), "'b'", "beamlattice")
    refused(written(path, _object(1, CUBE), item, 'requiredextensions="q"'), "'q'", "undeclared")
    coarse = _object(1, CUBE).replace("<object", f'<object xmlns:s="{SLICES}" s:meshresolution="lowres"')
    refused(written(path, coarse, item), "slices")
    refused(written(path, '<object id="1"/>', item), "neither a mesh nor components")
    refused(written(path, _object(1, CUBE), ""), "build is empty")
    refused(written(path, _object(1, CUBE), '<item objectid="2"/>'), "object 2", "is not in")
    refused(written(path, _object(1, CUBE) * 2, item), "two objects with id 1")
    refused(written(path, _object(1, CUBE), '<item objectid="1" p:path="/3D/gone.model"/>'), "gone.model")
    refused(written(path, _object(1, CUBE), '<item objectid="1" transform="1 0 0"/>'), "3 numbers, not 12")
    other = {"3D/other.model": _model(_object(1, CUBE), "").replace(b"inch", b"meter")}
    refused(written(path, "", '<item objectid="1" p:path="/3D/other.model"/>', **other), "other.model", "in m", "in in")


def test_cycles_and_towers_of_components_are_refused_at_once(tmp_path):
    path = tmp_path / "a.3mf"
    cycle = components(2, '<component objectid="3"/>') + components(3, '<component objectid="2"/>')
    refused(written(path, _object(1, CUBE) + cycle, '<item objectid="2"/>'), "cycle")
    refused(written(path, components(1, '<component objectid="1"/>'), '<item objectid="1"/>'), "cycle")
    twice = "".join(components(k + 1, f'<component objectid="{k}"/>' * 2) for k in range(1, 61))
    refused(written(path, _object(1, CUBE) + twice, '<item objectid="61"/>'), str(2**60), "copies")
    nothing = '<object id="1"><components/></object>'
    refused(written(path, nothing + twice, '<item objectid="61"/>'), "copies")
    chain = "".join(components(k + 1, f'<component objectid="{k}"/>') for k in range(1, 3000))
    assert len(load_parts(written(path, _object(1, CUBE) + chain, '<item objectid="3000"/>'))) == 1


def test_vertices_that_no_triangle_uses_are_not_copied(tmp_path):
    many = _object(1, np.concatenate([CUBE, np.full((1000, 3), 77.0)]))
    items = "".join(moved(1, 3 * k, tag="item") for k in range(4))
    parts = load_parts(written(tmp_path / "a.3mf", many, items))
    assert Counter(len(part.mesh.vertices) for part in parts) == {8: 4}
