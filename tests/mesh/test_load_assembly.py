"""Several files as one assembly: units, origin, folders, what a part is, and what the file says about it."""

import copy
import json
import pickle
from fractions import Fraction

import numpy as np
import pytest
from small_files import HIGH, LOW, SMALL, collada, collada_geometry, gltf_tree, instance_3d, three_dxml
from small_files import TRIANGLE as ONE_TRIANGLE

import tumble
from tumble.errors import FileError, MeshError, OptionError
from tumble.mesh import Assembly, Mesh, Part, load, load_assembly, load_parts, shapes
from tumble.mesh.formats.map_frame import MapFrame
from tumble.mesh.formats.placing import Instance
from tumble.mesh.origin import FAR, local_origin
from tumble.mesh.units import MICROMETRES, converted, unit_of_metres


def written(folder, kind, parts=(("a", LOW),), stem="file"):
    path = folder / f"{stem}.{kind}"
    path.write_bytes(SMALL[kind](parts))
    return path


def obj_text(mesh, *heads):
    """An OBJ file: a mesh once for each head, which names an object or a group."""
    text = ""
    for head in heads:
        text += head + "\n" + "".join("v {!r} {!r} {!r}\n".format(*row) for row in mesh.vertices.tolist())
        text += "".join("f {} {} {}\n".format(*row) for row in (mesh.faces - len(mesh.vertices)).tolist())
    return text


# ------------------------------------------------------------------------------------------------------------- parts


def test_a_part_says_what_its_file_says():
    said = {"kind": "IfcWall", "guid": "0abc", "group": "ground floor", "shape": "0 wall", "pose": np.eye(4)}
    part = Part("wall", shapes.box(), "m", **said)
    assert len(part) == 2
    assert part == ("wall", part.mesh)
    for other in (
        part,
        copy.copy(part),
        copy.deepcopy(part),
        pickle.loads(pickle.dumps(part)),
        part._replace(name="b"),
    ):
        assert (other.units, other.kind, other.guid, other.group, other.shape) == ("m", *list(said.values())[:4])
        assert np.array_equal(other.pose, np.eye(4))
    assert "kind='IfcWall', guid='0abc', group='ground floor', shape='0 wall')" in repr(part)
    plain = Part("wall", part.mesh)
    assert {plain.units, plain.kind, plain.guid, plain.group, plain.shape, plain.pose} == {None}
    with pytest.raises(TypeError):
        Part("wall", part.mesh, "m", "IfcWall")


def test_copies_of_a_shape_are_each_other_moved(tmp_path):
    tree = gltf_tree([("a", LOW)])
    turn = [0, 0, 0.6, 0.8]
    tree["nodes"] = [
        {"name": "row", "children": [1, 2], "translation": [5, 0, 0]},
        {"name": "first", "mesh": 0, "translation": [1, 2, 3]},
        {"name": "second", "mesh": 0, "rotation": turn},
        {"name": "large", "mesh": 0, "scale": [2, 2, 2]},
        {"name": "also large", "mesh": 0, "scale": [2, 2, 2], "translation": [0, 0, 9]},
        {"name": "mirrored", "mesh": 0, "scale": [1, 1, -1]},
        {"name": "plain", "mesh": 0},
    ]
    path = tmp_path / "copies.gltf"
    path.write_text(json.dumps(tree))
    parts = {part.name: part for part in load_parts(path)}
    groups = {
        part.shape: sorted(other.name for other in parts.values() if other.shape == part.shape)
        for part in parts.values()
    }
    assert sorted(groups.values()) == [["also large", "large"], ["first", "plain", "second"], ["mirrored"]]
    assert {parts["first"].group, parts["second"].group} == {"row"}
    assert parts["plain"].group is None
    for a in parts.values():
        for b in (other for other in parts.values() if other.shape == a.shape):
            moved = tumble.transformed(a.mesh, b.pose @ np.linalg.inv(a.pose))
            assert np.allclose(moved.vertices, b.mesh.vertices, atol=1e-12)


def test_groups_are_the_assemblies_around_a_part(tmp_path):
    path = tmp_path / "tree.3dxml"
    structure = '<Reference3D id="1" name="car"/><Reference3D id="2" name="engine"/><Reference3D id="3" name="bolt"/>'
    structure += instance_3d(4, 1, 2) + instance_3d(5, 2, 3) + instance_3d(6, 1, 3)
    structure += '<ReferenceRep id="7" format="TESSELLATED" associatedFile="urn:3DXML:b.3DRep"/>'
    structure += '<InstanceRep id="8"><IsAggregatedBy>3</IsAggregatedBy><IsInstanceOf>7</IsInstanceOf></InstanceRep>'
    rep = '<Rep xsi:type="PolygonalRepType"><Faces><Face triangles="0 1 2"/></Faces>'
    rep += "<VertexBuffer><Positions>0 0 0,1 0 0,0 1 0</Positions></VertexBuffer></Rep>"
    path.write_bytes(three_dxml(structure, {"b.3DRep": rep}))
    parts = load_parts(path)
    assert [(part.name, part.group) for part in parts] == [("bolt", "car/engine"), ("bolt#2", "car")]
    assert parts[0].shape == parts[1].shape


def test_shapes_of_different_files_are_different(tmp_path):
    a, b = written(tmp_path, "gltf", stem="a"), written(tmp_path, "gltf", stem="b")
    assert len({part.shape for part in load_assembly([a, b]).parts}) == 2


# ------------------------------------------------------------------------------------------------------------- units


@pytest.mark.parametrize("unit", MICROMETRES)
@pytest.mark.parametrize("to", MICROMETRES)
def test_conversion_rounds_at_most_twice(unit, to):
    values = np.random.default_rng(0).uniform(-1e4, 1e4, 200)
    factor = Fraction(MICROMETRES[unit], MICROMETRES[to])
    once = factor.numerator == 1 or factor.denominator == 1
    for value, found in zip(values.tolist(), converted(values, unit, to).tolist(), strict=True):
        exact = Fraction(value) * factor
        assert found == float(exact) if once else abs(Fraction(found) - exact) <= abs(exact) * Fraction(1, 2**52)
    ordered = np.sort(values)
    assert (np.diff(converted(ordered, unit, to)) >= 0).all()


def test_metres_name_a_unit():
    assert [unit_of_metres(each) for each in (1e-6, 0.001, 0.01, 1.0, 0.0254, 0.3048, 0.5)] == [*MICROMETRES, None]


def test_files_are_converted_to_one_unit(tmp_path):
    inches = collada_geometry("g", [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 10.0]], ONE_TRIANGLE)
    nodes = '<node id="n"><translate>10 0 0</translate><instance_geometry url="#g"/></node>'
    (tmp_path / "c.dae").write_text(collada(inches, nodes, '<unit meter="0.0254"/><up_axis>Z_UP</up_axis>'))
    files = [written(tmp_path, "3mf", stem="a"), written(tmp_path, "gltf", stem="b"), tmp_path / "c.dae"]
    found = load_assembly(files)
    assert found.units == "mm"
    assert {part.units for part in found.parts} == {"mm"}
    a, b, c = (part.mesh for part in found.parts)
    assert np.array_equal(b.vertices, 1000 * a.vertices)
    assert c.vertices[0].tolist() == [254 + 25.4, 50.8, pytest.approx(76.2)]
    (note,) = found.notes
    assert note == "b.gltf, c.dae: converted from in, m to mm."
    assert load_assembly(files, to="cm").units == "cm"
    assert np.array_equal(load_assembly(files, to="cm").parts[0].mesh.vertices, a.vertices / 10)
    assert {part.units for part in load_parts(files)} == {"mm", "m", "in"}
    assert load_parts(files)[1].mesh.vertices[1].tolist() == [1, 0, 0]


def test_files_without_units(tmp_path):
    stl, gltf = written(tmp_path, "stl", stem="a"), written(tmp_path, "gltf", stem="b")
    assert load_assembly(stl).units is None
    assert load_assembly(stl).notes == []
    assert load_assembly(stl, unit="in").units == "in"
    mixed = load_assembly([stl, gltf])
    assert mixed.units == "m"
    assert mixed.notes == ["a.stl: no unit of length is stated; taken as m, like the other files."]
    assert np.array_equal(mixed.parts[0].mesh.vertices, load(stl).vertices)
    given = load_assembly([stl, gltf], unit="mm")
    assert given.units == "mm"
    assert np.array_equal(given.parts[0].mesh.vertices, load(stl).vertices)
    assert np.array_equal(given.parts[1].mesh.vertices, 1000 * load(gltf).vertices)
    both = load_assembly([stl, gltf], unit="mm", to="m")
    assert np.array_equal(both.parts[0].mesh.vertices, load(stl).vertices / 1000)
    assert {part.units for part in both.parts} == {"m"}
    with pytest.raises(OptionError, match=r"a\.stl states no unit"):
        load_assembly([gltf, stl], to="mm")
    for option in ("unit", "to"):
        with pytest.raises(OptionError, match="um, mm, cm, m, in, ft"):
            load_assembly(stl, **{option: "parsec"})


def test_a_conversion_that_overflows_names_the_file(tmp_path):
    path = written(tmp_path, "gltf", [("a", [[1e38, 0.0, 0.0], *LOW[1:]])])
    assert load_assembly(path).parts
    with pytest.raises(MeshError, match="range"):
        Mesh(np.array([[1e101, 0, 0]]), [])
    big = tmp_path / "big.dae"
    points = [[1e97, 0.0, 0.0], *LOW[1:]]
    big.write_text(collada(collada_geometry("g", points, ONE_TRIANGLE), '<node><instance_geometry url="#g"/></node>'))
    assert load_assembly(big).units == "m"
    with pytest.raises(FileError, match=r"big\.dae"):
        load_assembly(big, to="um")


# ------------------------------------------------------------------------------------------------------------ origin


def test_far_coordinates_are_moved_without_rounding(tmp_path):
    far = np.array([456_789.123, 5_432_100.75, 12.5])
    rng = np.random.default_rng(1)
    stored = (far + rng.uniform(-20, 20, (30, 3))).tolist()
    path = written(tmp_path, "off", [("a", stored[k : k + 3]) for k in range(0, 30, 3)])
    found = load_assembly(path)
    assert found.origin == (456_790.0, 5_432_100.0, 0.0)
    exact = [[Fraction(x) - Fraction(o) for x, o in zip(row, found.origin, strict=True)] for row in stored]
    assert [[Fraction(x) for x in row] for row in found.parts[0].mesh.vertices.tolist()] == exact
    assert len(found.notes) == 1
    assert "(456790, 5432100, 0)" in found.notes[0]
    assert np.array_equal(load(path).vertices, stored)


def test_the_origin_is_subtracted_before_a_mesh_is_placed(tmp_path):
    tree = gltf_tree([("a", LOW), ("b", HIGH)])
    far = [1e9 + 0.125, -3e9, 0.0]
    tree["nodes"] = [
        {"name": "a", "mesh": 0, "translation": far, "rotation": [0, 0, 0.6, 0.8]},
        {"name": "b", "mesh": 0, "translation": [far[0] + 3, far[1], 7.0]},
    ]
    path = tmp_path / "far.gltf"
    path.write_text(json.dumps(tree))
    found = load_assembly(path)
    a, b = found.parts
    x, y, z = (each - origin for each, origin in zip(far, found.origin, strict=True))
    assert max(abs(x), abs(y)) < 4
    assert found.origin[2] == z == 0
    # 1e9 in float64 has steps of 1e-7: placed first, the turned corner would be off by as much
    assert np.abs(a.mesh.vertices - [[x, y, 0], [x + 0.28, y + 0.96, 0], [x - 0.96, y + 0.28, 0]]).max() < 1e-15
    moved = tumble.transformed(a.mesh, b.pose @ np.linalg.inv(a.pose))
    assert np.allclose(moved.vertices, b.mesh.vertices, atol=1e-12)


def test_shared_meshes_that_are_moved_keep_their_pose(tmp_path):
    tree = gltf_tree([("a", (np.array(LOW) + 4096.0).tolist())])
    tree["nodes"] = [{"name": "a", "mesh": 0}, {"name": "b", "mesh": 0, "translation": [0, 0, 2]}]
    path = tmp_path / "far.gltf"
    path.write_text(json.dumps(tree))
    found = load_assembly(path)
    assert found.origin == (4097.0, 4097.0, 4098.0) or all(4095 < each < 4099 for each in found.origin)
    a, b = found.parts
    moved = tumble.transformed(a.mesh, b.pose @ np.linalg.inv(a.pose))
    assert np.allclose(moved.vertices, b.mesh.vertices, atol=1e-9)


@pytest.mark.parametrize("away, moved", [(0.0, False), (FAR - 10.0, False), (FAR + 10.0, True)])
def test_only_what_is_far_is_moved(away, moved):
    mesh = tumble.transformed(shapes.box(), tumble.translation(away, 0, 0))
    assert (local_origin([Instance("a", mesh)]) is not None) == moved
    assert (local_origin([Instance("a", shapes.box(), tumble.translation(0, away, 0))]) is not None) == moved


def test_one_point_has_no_size_to_compare_with():
    assert local_origin([Instance("a", Mesh([[9.0, 9, 9]], [[0, 0, 0]]))]) is None


# ----------------------------------------------------------------------------------------------------- files, folders


def test_folders_are_read_by_name_and_the_rest_is_named(tmp_path):
    for stem in ("b", "a"):
        written(tmp_path, "stl", stem=stem)
    (tmp_path / "notes.txt").write_text("hello")
    (tmp_path / ".hidden").write_text("hello")
    (tmp_path / "old").mkdir()
    shown = []
    found = load_assembly([tmp_path, tmp_path / "a.stl"], show=lambda *state: shown.append(state))
    assert [part.name for part in found.parts] == ["a", "b", "a#2"]
    assert [(name.rsplit("/", 1)[1], bool(why)) for name, why in found.skipped] == [("notes.txt", True), ("old", True)]
    assert shown == [(0, 3, tmp_path / "a.stl"), (1, 3, tmp_path / "b.stl"), (2, 3, tmp_path / "a.stl")]
    with pytest.raises(FileError, match="without files that can be read"):
        load_assembly(tmp_path / "old")
    (tmp_path / "b.stl").write_bytes(b"solid")
    with pytest.raises(FileError, match=r"b\.stl"):  # not skipped: the answer would be incomplete
        load_assembly(tmp_path)


def test_what_becomes_a_part(tmp_path):
    box = shapes.box()
    groups = tmp_path / "groups.obj"
    groups.write_text(obj_text(box, "g left", "g right"))
    objects = tmp_path / "objects.obj"
    objects.write_text(obj_text(box, "o one\ng left", "g right", "o two\ng left"))

    def names(path, parts):
        return [part.name for part in load_assembly(path, parts=parts).parts]

    assert names(groups, "nodes") == ["groups"]
    assert names(groups, "groups") == ["left", "right"]
    assert names(groups, "files") == ["groups"]
    assert names(objects, "nodes") == ["one", "two"]
    assert names(objects, "groups") == ["one/left", "one/right", "two/left"]
    assert names(objects, "files") == ["objects"]
    assert [part.name for part in load_parts(groups)] == ["left", "right"]
    assert [part.name for part in load_parts(objects)] == ["one", "two"]
    with pytest.raises(OptionError, match="nodes, groups, files, components"):
        load_assembly(groups, parts="solids")


def test_single_parts_are_split_into_what_is_connected(tmp_path):
    meshes = [tumble.transformed(shapes.icosphere(1), tumble.translation(3.0 * k, 0, 0)) for k in range(3)]
    soup = np.concatenate([mesh.triangles for mesh in meshes])[np.random.default_rng(0).permutation(240)]
    path = written(tmp_path, "off", [("", triangle) for triangle in soup.tolist()], "balls")
    parts = load_assembly(path, parts="components").parts
    assert [part.name for part in parts] == ["component 1", "component 2", "component 3"]
    assert sorted(len(part.mesh) for part in parts) == [80, 80, 80]
    found = np.concatenate([np.sort(part.mesh.triangles.reshape(-1, 9), axis=0) for part in parts])
    assert np.array_equal(np.sort(found, axis=0), np.sort(soup.reshape(-1, 9), axis=0))
    assert len(load_assembly(written(tmp_path, "gltf", [("a", LOW), ("b", HIGH)]), parts="components").parts) == 2
    assert [part.name for part in load_assembly(written(tmp_path, "off", stem="one"), parts="components").parts] == [
        "one"
    ]


def test_an_assembly_is_public():
    assert tumble.load_assembly is load_assembly
    assert tumble.Assembly is Assembly


# --------------------------------------------------------------------------------------------------------------- map


def test_frames_on_the_map():
    a = MapFrame(729013.3488297004, 9063992.684697363, 1.3, 0.5, 0.75**0.5, 1.0, "EPSG:32760")
    b = MapFrame(729011.2258823584, 9063960.607644705, 0.0, 1.0, 0.0, 1.0, "EPSG:32760")
    assert a.seen_from(MapFrame(*a)) is None
    matrix = b.seen_from(a)
    for point in ([0.0, 0.0, 0.0], [10.0, -4.0, 2.0]):
        on_map = np.array(point) + b[:3]
        x, y, z = (matrix @ [*point, 1.0])[:3]
        again = np.array([a.cosine * x - a.sine * y, a.sine * x + a.cosine * y, z]) + a[:3]
        assert np.allclose(again, on_map, atol=1e-8)
    moved = MapFrame(a.eastings + 1, *a[1:]).seen_from(a)
    assert np.array_equal(moved[:3, :3], np.eye(3))
    with pytest.raises(ValueError, match="EPSG:1"):
        MapFrame(*a[:6], "EPSG:1").seen_from(a)
