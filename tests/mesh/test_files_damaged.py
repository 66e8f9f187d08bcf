import contextlib
import json
import struct
import zipfile

import numpy as np
import pytest
import trimesh

from covering import sized
from tumble.errors import FileError, TumbleError
from tumble.mesh import load, load_parts, shapes


def _ball():
    mesh = shapes.icosphere(1)
    return trimesh.Trimesh(mesh.vertices, mesh.faces, process=False)


def refused(path, *words):
    with pytest.raises(FileError) as caught:
        load(path)
    for word in (str(path), *words):
        assert word in str(caught.value)
    with pytest.raises(FileError):
        load_parts([path])
    return caught.value


def test_missing_directory_archive_unknown_and_empty(tmp_path):
    error = refused(tmp_path / "no.stl", "No such file")
    assert isinstance(error.__cause__, FileNotFoundError)
    assert isinstance(error, OSError)
    assert isinstance(error, TumbleError)
    refused(tmp_path, "directory")
    for name, word in [("a.xyzzy", "unknown suffix '.xyzzy'"), ("a", "unknown suffix"), ("a.zip", "unpack")]:
        (tmp_path / name).write_bytes(b"anything")
        refused(tmp_path / name, word)
    for suffix in ("stl", "glb", "ply", "3mf"):
        (tmp_path / f"empty.{suffix}").touch()
        refused(tmp_path / f"empty.{suffix}", "0 bytes")
    with pytest.raises(FileError):
        load("null\0byte.stl")


FORMATS = {
    "binary.stl": lambda: _ball().export(file_type="stl"),
    "text.stl": lambda: _ball().export(file_type="stl_ascii"),
    "binary.ply": lambda: _ball().export(file_type="ply"),
    "text.ply": lambda: _ball().export(file_type="ply", encoding="ascii"),
    "ball.off": lambda: _ball().export(file_type="off"),
    "ball.glb": lambda: _ball().export(file_type="glb"),
    "ball.3mf": lambda: trimesh.Scene(_ball()).export(file_type="3mf"),
}


@sized(8, 60)
@pytest.mark.parametrize("name", FORMATS)
def test_truncated_at_any_place(tmp_path, name, count):
    data = FORMATS[name]()
    data = data.encode() if isinstance(data, str) else data
    path = tmp_path / name
    path.write_bytes(data)
    assert len(load(path)) == 80
    # The last number of a text file may lose a digit and still be a number; every other cut must be seen.
    last = len(data) - (6 if name.startswith(("text", "ball.off")) else 1)
    for cut in {*range(1, last, 97 * 60 // count), *range(last - 40, last)}:
        path.write_bytes(data[:cut])
        with pytest.raises(FileError) as caught:
            load(path)
        assert str(path) in str(caught.value)
        assert caught.value.__cause__ is not None or "no triangles" in str(caught.value)


@sized(15, 60)
@pytest.mark.parametrize("name", FORMATS)
def test_noise_never_escapes_as_another_error(tmp_path, name, count):
    data = FORMATS[name]()
    data = bytearray(data.encode() if isinstance(data, str) else data)
    path = tmp_path / name
    rng = np.random.default_rng(7)
    for _ in range(count):
        noisy = bytearray(data)
        for at in rng.integers(0, len(noisy), 5):
            noisy[at] = rng.integers(0, 256)
        path.write_bytes(noisy)
        with contextlib.suppress(FileError):
            load(path)


def test_binary_stl_says_both_sizes(tmp_path):
    path = tmp_path / "cut.stl"
    path.write_bytes(_ball().export(file_type="stl")[:-50])
    refused(path, "announces 80 triangles", "4084 bytes", "it has 4034")


@pytest.mark.parametrize(
    "name, text, words",
    [
        ("a.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 4\n", ["number 1", "'1 2 4'", "vertex 4", "3 vertices"]),
        ("a.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\nf 0 1 2\n", ["face number 2", "vertex 0"]),
        ("a.obj", "v 0 0 0\nv 1 0 0\nf -3 1 2\nv 0 1 0\n", ["face number 1", "vertex -3"]),
        ("a.obj", "v 0 0 0\nv 1 0 0\nv 0 1\nf 1 2 3\n", ["vertex number 3", "2 coordinates"]),
        ("a.obj", "v 0 0 0\nv 1 0 nan\nv 0 1 0\nf 1 2 3\n", ["vertex 1 has a NaN"]),
        ("a.obj", "v 0 0 0\nv 1 0 0,5\nv 0 1 0\nf 1 2 3\n", ["0,5"]),
        ("a.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2\n", ["face number 1", "2 corners"]),
        ("a.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nl 1 2\n", ["holds no triangles"]),
        ("a.obj", "<html>not a mesh</html>", ["holds no triangles"]),
        ("a.off", "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 3\n", ["face 0", "index 3"]),
        ("a.off", "OFF\n3 1 0\n0 0 0\n1 0 inf\n0 1 0\n3 0 1 2\n", ["vertex 1 has an infinity"]),
        ("a.off", "OFF\n-3 1 0\n", ["numbers of vertices"]),
        ("a.off", "NOPE\n3 1 0\n", ["NOPE"]),
        ("a.stl", "solid x\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 nan 0\n"
         "endloop\nendfacet\nendsolid x\n", ["vertex 2 has a NaN"]),
        ("a.stl", "solid x\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\n"
         "endloop\nendfacet\nendsolid x\n", ["'x'", "2 vertices in 1 facets"]),
        ("a.stl", "solid x\nendsolid x\n", ["holds no triangles"]),
        ("a.ply", "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\n"
         "property float z\nend_header\n0 0 0\n1 0 0\n0 1 0\n", ["holds no triangles"]),
        ("a.ply", "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\n"
         "property float z\nelement face 1\nproperty list uchar int vertex_indices\nend_header\n"
         "0 0 0\n1 0 0\n0 1 0\n3 0 1 7\n", ["index 7"]),
        ("a.ply", "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\n"
         "property float z\nelement face 1\nproperty list uchar int vertex_indices\nend_header\n"
         "0 0 0\n1 0\n0 1 0\n3 0 1 2\n", ["vertex 1 is incomplete"]),
        ("a.gltf", "{}", ["holds no triangles"]),
        ("a.gltf", "[1, 2", ["GLTF"]),
        ("a.xyz", "0 0 0\n1 1 1\n", ["points without triangles"]),
        ("a.iges", "S      1", ["not read", "STEP"]),
    ],
)  # fmt: skip
def test_damaged_text_is_named(tmp_path, name, text, words):
    path = tmp_path / name
    path.write_text(text)
    refused(path, *words)


def test_nan_in_binary_formats(tmp_path):
    source = _ball()
    source.vertices = np.where(np.arange(len(source.vertices))[:, None] == 5, np.nan, source.vertices)
    for suffix in ("ply", "glb"):
        path = tmp_path / f"nan.{suffix}"
        path.write_bytes(source.export(file_type=suffix))
        refused(path, "vertex 5 has a NaN")


def _edited_glb(path, edit):
    data = _ball().export(file_type="glb")
    size = struct.unpack_from("<I", data, 12)[0]
    tree = json.loads(data[20 : 20 + size])
    edit(tree)
    text = json.dumps(tree).encode()
    text += b" " * (-len(text) % 4)
    rest = data[20 + size :]
    path.write_bytes(data[:8] + struct.pack("<II", 20 + len(text) + len(rest), len(text)) + data[16:20] + text + rest)
    return path


def _accessor(tree, **changes):
    tree["accessors"][tree["meshes"][0]["primitives"][0]["attributes"]["POSITION"]].update(changes)


@pytest.mark.parametrize(
    "edit, words",
    [
        (
            lambda t: t.update(extensionsRequired=["EXT_meshopt_compression"]),
            ["EXT_meshopt_compression", "decode"],
        ),
        (lambda t: t.update(extensionsUsed=["EXT_mesh_gpu_instancing"]), ["EXT_mesh_gpu_instancing"]),
        (lambda t: t["meshes"][0]["primitives"][0].update(mode=6), ["triangle fan"]),
        (lambda t: _accessor(t, sparse={"count": 1}), ["sparse"]),
        (lambda t: _accessor(t, normalized=True), ["normalised"]),
        (lambda t: t["accessors"][0].pop("bufferView"), ["no data"]),
        (lambda t: t["accessors"][0].update(count=10**6), ["GLB"]),
        (lambda t: t["buffers"][0].update(byteLength=10**6), ["buffer 0", "1000000 bytes"]),
        (lambda t: t["buffers"][0].update(uri="gone.bin"), ["gone.bin"]),
    ],
)
def test_gltf_that_trimesh_would_get_wrong(tmp_path, edit, words):
    refused(_edited_glb(tmp_path / "odd.glb", edit), *words)


def test_the_edit_of_the_test_above_is_harmless_by_itself(tmp_path):
    assert len(load(_edited_glb(tmp_path / "same.glb", lambda tree: None))) == 80


def test_draco_without_its_decoder_says_what_to_install(tmp_path, monkeypatch):
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    path = _edited_glb(tmp_path / "d.glb", lambda t: t.update(extensionsUsed=["KHR_draco_mesh_compression"]))
    refused(path, "KHR_draco_mesh_compression", "pip install DracoPy")


def test_gltf_with_a_short_or_missing_buffer_file(tmp_path):
    for name, data in _ball().export(file_type="gltf").items():
        (tmp_path / name).write_bytes(data)
    assert len(load(tmp_path / "model.gltf")) == 80
    buffer = next(tmp_path.glob("*.bin"))
    buffer.write_bytes(buffer.read_bytes()[:-8])
    refused(tmp_path / "model.gltf", "truncated")
    buffer.unlink()
    refused(tmp_path / "model.gltf", "which does not exist", buffer.name)


def test_3mf_with_bad_numbers_or_indices(tmp_path):
    whole = tmp_path / "whole.3mf"
    whole.write_bytes(trimesh.Scene(_ball()).export(file_type="3mf"))
    for old, new in ((b'v1="0"', b'v1="999"'), (b' x="', b' x="1,5 '), (b' x="', b' x="nan" w="')):
        path = tmp_path / "bad.3mf"
        with zipfile.ZipFile(whole) as source, zipfile.ZipFile(path, "w") as target:
            for item in source.namelist():
                target.writestr(item, source.read(item).replace(old, new, 1))
        refused(path)
