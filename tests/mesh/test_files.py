import sys

import numpy as np
import pytest
import trimesh
from mesh_topology import is_closed, volume

from tumble.errors import OptionError
from tumble.mesh import Mesh, Part, load, load_parts, random_pose, shapes

TWO_OBJECTS = """
o lower
v 0 0 0
v 1 0 0
v 0 1 0
v 1 1 0
f 1/1/1 2/2/1 3/3/1
o upper
v 0 0 1
v 1 0 1
v 0 1 1
f -3//1 -2//1 -1//1
o lower
f 2 4 3
"""


def as_trimesh(mesh):
    return trimesh.Trimesh(mesh.vertices, mesh.faces, process=False)


def exported(mesh, path, **options):
    as_trimesh(mesh).export(path, **options)
    return path


def assert_same_triangles(found, expected, tolerance=1e-6):
    assert len(found) == len(expected)
    assert np.allclose(found.triangles, expected.triangles, atol=tolerance)


@pytest.mark.parametrize("suffix", ["stl", "ply", "off", "obj", "glb", "gltf", "3mf", "STL", "OFF"])
def test_every_format_gives_the_triangles_in_order(tmp_path, suffix):
    mesh = shapes.torus(segments=20, sides=10)
    path = exported(mesh, tmp_path / f"torus.{suffix}")
    assert_same_triangles(load(path), mesh)
    assert_same_triangles(load(str(path)), mesh)
    ((name, part),) = load_parts([path])
    assert name == "torus"
    assert_same_triangles(part, mesh)


@pytest.mark.parametrize("options", [{"file_type": "stl_ascii"}])
def test_text_stl(tmp_path, options):
    mesh = shapes.icosphere(2)
    assert_same_triangles(load(exported(mesh, tmp_path / "ball.stl", **options)), mesh)


def test_text_ply_and_doubles_are_exact(tmp_path):
    mesh = shapes.icosphere(1)
    rows = [" ".join(map(repr, row)) for row in mesh.vertices.tolist()]
    rows += ["3 " + " ".join(map(str, row)) for row in mesh.faces.tolist()]
    head = (
        f"ply\nformat ascii 1.0\nelement vertex {len(mesh.vertices)}\nproperty double x\nproperty double y\n"
        f"property double z\nelement face {len(mesh)}\nproperty list uchar int vertex_indices\nend_header\n"
    )
    path = tmp_path / "ball.ply"
    path.write_text(head + "\n".join(rows))
    assert np.array_equal(load(path).triangles, mesh.triangles)


def test_nothing_is_merged(tmp_path):
    near = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [1e-12, 0, 0], [1, 1e-12, 0], [0, 0, 1]])
    mesh = Mesh(near, [[0, 1, 2], [3, 4, 5], [0, 1, 2], [0, 0, 0]])
    for suffix in ("3mf", "off", "obj"):
        path = tmp_path / f"near.{suffix}"
        path.write_bytes(_text(mesh, suffix) if suffix != "3mf" else as_trimesh(mesh).export(file_type="3mf"))
        assert len(load(path)) == 4
        assert len(load(path).vertices) == 6


def _text(mesh, suffix):
    rows = [" ".join(map(repr, row)) for row in mesh.vertices.tolist()]
    if suffix == "off":
        faces = ["3 " + " ".join(map(str, row)) for row in mesh.faces.tolist()]
        return "\n".join(["OFF", f"{len(rows)} {len(faces)} 0", *rows, *faces]).encode()
    faces = ["f " + " ".join(map(str, row)) for row in (mesh.faces + 1).tolist()]
    return "\n".join([f"v {row}" for row in rows] + faces).encode()


def _scene():
    scene = trimesh.Scene()
    stretched = random_pose(4, spread=2) @ np.diag([1, 2, 0.5, 1])
    mirrored = np.diag([1, 1, -1, 1.0])
    scene.add_geometry(as_trimesh(shapes.box()), node_name="crate", geom_name="box", transform=stretched)
    scene.graph.update("mirror", "world", matrix=mirrored, geometry="box")
    scene.add_geometry(as_trimesh(shapes.icosphere(1)), node_name="ball")
    return scene, stretched


@pytest.mark.parametrize("suffix", ["glb", "3mf"])
def test_scene_nodes_become_parts_where_the_scene_puts_them(tmp_path, suffix):
    scene, stretched = _scene()
    if suffix == "glb":  # 3MF has no points
        scene.add_geometry(trimesh.PointCloud(np.random.default_rng(0).random((5, 3))), node_name="dust")
    path = tmp_path / f"scene.{suffix}"
    path.write_bytes(scene.export(file_type=suffix))
    parts = {part.name: part.mesh for part in load_parts(path)}
    assert set(parts) == {"crate", "mirror", "ball"}
    corners = np.column_stack([shapes.box().vertices, np.ones(8)]) @ stretched.T
    assert np.allclose(np.sort(parts["crate"].vertices, axis=0), np.sort(corners[:, :3], axis=0), atol=1e-6)
    for mesh in parts.values():
        assert volume(mesh) > 0
        assert is_closed(mesh)
    assert len(load(path)) == 12 + 12 + 80


def test_obj_objects_become_parts_and_load_keeps_the_order_of_the_file(tmp_path):
    path = tmp_path / "two.obj"
    path.write_text(TWO_OBJECTS)
    lower, upper = load_parts(path)
    assert isinstance(lower, Part)
    assert (lower.name, upper.name) == ("lower", "upper")
    assert lower.mesh.faces.tolist() == [[0, 1, 2], [1, 3, 2]]
    assert upper.mesh.vertices[:, 2].tolist() == [1, 1, 1]
    assert load(path).triangles[:, 0].tolist() == [[0, 0, 0], [0, 0, 1], [1, 0, 0]]
    assert [part.name for part in load_parts(path, split=False)] == ["two"]


def test_obj_groups_polygons_comments_and_continued_lines(tmp_path):
    path = tmp_path / "groups.obj"
    path.write_text(
        "# a comment\nv 0 0 0 1.0\nv 2 0 0 # trailing\nv 3 1 0\nv 2 2 0\nv 0 2 0\n\tv 5 5 5\nvn 0 0 1\n"
        "g plate side\nf 1 2 \\\n3 4 5\ng other\r\nusemtl x\nf 1 2 6\n"
    )
    plate, other = load_parts(path)
    assert plate.name == "plate side"
    assert plate.mesh.faces.tolist() == [[0, 1, 2], [0, 2, 3], [0, 3, 4]]
    assert other.mesh.vertices.tolist() == [[0, 0, 0], [2, 0, 0], [5, 5, 5]]


def test_obj_names_with_a_number_sign_are_not_cut(tmp_path):
    path = tmp_path / "bolts.obj"
    faces = "f 1 2 3\n"
    names = ["g bolt#1", "g bolt#2", "g bolt #2", "g\tnut # the first", "g nut", "g #", "g #7"]
    path.write_text("v 0 0 0\nv 1 0 0\nv 0 1 0 # last\n" + "".join(f"{name}\n{faces}" for name in names))
    parts = load_parts(path)
    assert [part.name for part in parts] == ["bolt#1", "bolt#2", "bolt #2", "nut", "unnamed", "#7"]
    assert [len(part.mesh) for part in parts] == [1, 1, 1, 2, 1, 1]


def test_stl_solids_become_parts(tmp_path):
    box = as_trimesh(shapes.box()).export(file_type="stl_ascii").split("\n", 1)[1]
    path = tmp_path / "solids.stl"
    path.write_text(f"solid left side\n{box}\nSOLID\n{box.upper()}\nsolid left side\n{box}")
    assert [part.name for part in load_parts(path)] == ["left side", "solid 2", "left side#2"]
    assert len(load(path)) == 36


def test_off_with_colours_comments_polygons_and_counts_on_the_first_line(tmp_path):
    path = tmp_path / "quad.off"
    path.write_text(
        "COFF 4 1 0 # counts\n0 0 0 9 0 0 9\n\n1 0 0 9 0 0 9\n1 1 0 0 0 0 0\n0 1 0 0 0 0 0\n4 0 1 2 3 9 9\n"
    )
    assert load(path).faces.tolist() == [[0, 1, 2], [0, 2, 3]]


def test_names_are_unique_over_several_files(tmp_path):
    (tmp_path / "sub").mkdir()
    first = exported(shapes.box(), tmp_path / "a.stl")
    second = exported(shapes.box(), tmp_path / "sub" / "a.ply")
    third = tmp_path / "two.obj"
    third.write_text(TWO_OBJECTS)
    odd = exported(shapes.box(), tmp_path / "a#2.off")
    names = [part.name for part in load_parts([first, second, third, odd, first])]
    assert names == ["a", "a#3", "two/lower", "two/upper", "a#2", "a#4"]


def test_a_broken_reference_to_trimesh_is_not_needed_for_plain_formats(tmp_path, monkeypatch):
    path = exported(shapes.box(), tmp_path / "box.stl")
    monkeypatch.setitem(sys.modules, "trimesh", None)
    assert len(load(path)) == 12


def test_nonsense_instead_of_paths():
    for nonsense in (None, 3, b"a.stl"):
        with pytest.raises(OptionError, match="path"):
            load(nonsense)
    with pytest.raises(OptionError, match="no file"):
        load_parts([])
