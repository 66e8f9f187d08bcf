"""COLLADA: units, axes, transforms, every kind of primitive; pycollada is the judge where it is installed."""

import numpy as np
import pytest
from small_files import LOW, TRIANGLE, collada, collada_geometry

from tumble.errors import FileError
from tumble.mesh import load, load_parts, shapes
from tumble.mesh.formats import dae

SQUARE = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0], [9.0, 9.0, 9.0]]
NODE = '<node id="n" name="lid"><instance_geometry url="#g"/></node>'


def written(folder, text):
    path = folder / "a.dae"
    path.write_text(text)
    return path


def read(folder, text):
    return load_parts(written(folder, text))


@pytest.mark.parametrize(
    "primitive, faces",
    [
        (TRIANGLE, [[0, 1, 2]]),
        ('<triangles count="2"><input/><input semantic="NORMAL" offset="1"/><p>0 7 1 7 2 7 0 7 2 7 3 7</p></triangles>',
         [[0, 1, 2], [0, 2, 3]]),
        ('<polylist count="2"><input/><vcount>4 3</vcount><p>0 1 2 3 0 1 2</p></polylist>',
         [[0, 1, 2], [0, 2, 3], [0, 1, 2]]),
        ('<polygons count="2"><input/><p>0 1 2 3</p><p>3 2 1</p></polygons>', [[0, 1, 2], [0, 2, 3], [3, 2, 1]]),
        ('<tristrips count="1"><input/><p>0 1 3 2</p></tristrips>', [[0, 1, 3], [2, 3, 1]]),
        ('<trifans count="1"><input/><p>0 1 2 3</p></trifans>', [[0, 1, 2], [0, 2, 3]]),
        ('<lines count="1"><input/><p>0 1</p></lines>' + TRIANGLE, [[0, 1, 2]]),
        (TRIANGLE + TRIANGLE.replace("0 1 2", "1 2 3"), [[0, 1, 2], [1, 2, 3]]),
    ],
)  # fmt: skip
def test_primitives(tmp_path, primitive, faces):
    ((name, mesh),) = read(tmp_path, collada(collada_geometry("g", SQUARE, primitive), NODE))
    assert name == "a"
    assert np.array_equal(mesh.triangles, np.array(SQUARE)[faces])


@pytest.mark.parametrize(
    "axis, places", [("Z_UP", [0, 1, 2]), ("Y_UP", [0, -3, 1]), ("X_UP", [-2, -3, 0]), (None, [0, -3, 1])]
)
def test_parts_stand_upright(tmp_path, axis, places):
    points = [[1.0, 2.0, 3.0], [4.0, 5.0, 6.5], [7.0, 8.0, 1.0]]
    asset = "" if axis is None else f"<up_axis>{axis}</up_axis>"
    ((_, mesh),) = read(tmp_path, collada(collada_geometry("g", points, TRIANGLE), NODE, asset))
    expected = {
        (0, 1, 2): lambda x, y, z: (x, y, z),
        (0, -3, 1): lambda x, y, z: (x, -z, y),
        (-2, -3, 0): lambda x, y, z: (-y, -z, x),
    }[tuple(places)]
    assert mesh.vertices.tolist() == [list(expected(*point)) for point in points]


@pytest.mark.parametrize(
    "metres, units, factor", [("0.001", "mm", 1), ("0.0254", "in", 1), ("1", "m", 1), ("2.5", "m", 2.5)]
)
def test_units(tmp_path, metres, units, factor):
    asset = f'<unit name="own" meter="{metres}"/><up_axis>Z_UP</up_axis>'
    (part,) = read(tmp_path, collada(collada_geometry("g", LOW, TRIANGLE), NODE, asset))
    assert part.units == units
    assert np.array_equal(part.mesh.vertices, factor * np.array(LOW))
    (part,) = dae.read_scene(tmp_path / "a.dae", upright=False)  # as robots want it
    assert part.units == "m"


def test_transforms_are_applied_in_order_and_nodes_are_shown_again(tmp_path):
    library = '<node id="pair" name="pair"><translate>0 0 1</translate>' + NODE.replace('id="n"', 'id="m"') + "</node>"
    nodes = (
        '<node name="outer"><translate>5 0 0</translate><rotate>0 0 1 90</rotate><scale>2 1 1</scale>'
        '<instance_node url="#pair"/><instance_node url="#pair"/></node>'
        '<node name="plain"><matrix>1 0 0 7 0 1 0 0 0 0 1 0 0 0 0 1</matrix><instance_geometry url="#g"/></node>'
    )
    parts = read(tmp_path, collada(collada_geometry("g", LOW, TRIANGLE), nodes, library=library))
    assert [(part.name, part.group) for part in parts] == [
        ("lid", "outer/pair"),
        ("lid#2", "outer/pair"),
        ("plain", None),
    ]
    assert np.allclose(parts[0].mesh.vertices, [[5, 0, 1], [5, 2, 1], [4, 0, 1]], atol=1e-15)
    assert np.array_equal(parts[2].mesh.vertices, np.array(LOW) + np.array([7.0, 0.0, 0.0]))


def test_skins_are_shown_as_they_are_bound(tmp_path):
    text = collada(collada_geometry("g", LOW, TRIANGLE), '<node name="man"><instance_controller url="#c"/></node>')
    skin = '<skin source="#g"><bind_shape_matrix>1 0 0 3 0 1 0 0 0 0 1 0 0 0 0 1</bind_shape_matrix></skin>'
    text = text.replace(
        "<library_nodes>",
        f'<library_controllers><controller id="c">{skin}</controller></library_controllers><library_nodes>',
    )
    ((_, mesh),) = read(tmp_path, text)
    assert mesh.vertices[0].tolist() == [3, 0, 0]


@pytest.mark.parametrize(
    "old, new, words",
    [
        ("COLLADA", "NOLLADA", "not with <COLLADA>"),
        ('url="#g"', 'url="../other.dae#g"', "only what is in the file itself"),
        ('url="#g"', 'url="#gone"', "of which it has 0"),
        ('count="9"', 'count="1000000000"', "announces 1000000000 numbers"),
        ('count="1"', 'count="2"', "announces 2 and has 1"),
        ("0 1 2</p>", "0 1</p>", "multiple of three"),
        ("0 1 2</p>", "0 1 3</p>", "index 3"),
        ("0 1 2</p>", "0 1 -1</p>", "negative"),
        ("0 1 2</p>", "0 1 99999999999999999999</p>", "a.dae"),
        ('stride="3"', 'stride="2"', "2 numbers each"),
        ('count="3" stride="3"', 'count="4" stride="3"', "refers to an array of 9"),
        ('offset="0"', 'offset="-1"', "negative"),
        ("Z_UP", "W_UP", "up axis"),
        ("<up_axis>", '<unit meter="0"/><up_axis>', "metres"),
        ("<instance_geometry", "<lookat>0 0 0 0 0 1 0 1 0</lookat><instance_geometry", "lookat"),
        ("<instance_geometry", "<translate>1 2</translate><instance_geometry", "2 numbers, not 3"),
        ("<mesh>", "<convex_mesh>", "a.dae"),
        ("<p>", "<ph><p>0 1 2</p></ph><p>", "holes"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_named(tmp_path, old, new, words):
    text = collada(collada_geometry("g", LOW, TRIANGLE), NODE)
    assert len(load(written(tmp_path, text))) == 1
    assert old in text
    with pytest.raises(FileError) as caught:
        load(written(tmp_path, text.replace(old, new)))
    assert words in str(caught.value)


def test_against_pycollada(tmp_path):
    collada_package = pytest.importorskip("collada")
    torus = shapes.torus(segments=9, sides=5)
    corners = " ".join(map(str, torus.faces.ravel().tolist()))
    primitive = f'<triangles count="{len(torus)}"><input/><p>{corners}</p></triangles>'
    nodes = (
        '<node id="a"><matrix>0 -1 0 3 1 0 0 4 0 0 1 5 0 0 0 1</matrix><rotate>0.6 0 0.8 9</rotate><scale>1 2 3</scale>'
        '<node id="b"><translate>1 1 1</translate><instance_geometry url="#g"/></node>'
        '<instance_geometry url="#g"/></node>'
    )
    path = written(tmp_path, collada(collada_geometry("g", torus.vertices.tolist(), primitive), nodes))
    ours = np.concatenate([part.mesh.triangles for part in load_parts(path)])
    theirs = [
        primitive.vertex[primitive.vertex_index]
        for geometry in collada_package.Collada(str(path)).scene.objects("geometry")
        for primitive in geometry.primitives()
    ]
    assert np.allclose(ours, np.concatenate(theirs), atol=1e-5)
