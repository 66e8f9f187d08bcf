"""glTF: nodes become parts, every statement of the tree is checked, and no other file than a regular one is opened."""

import json
import os
import socket
import struct
from pathlib import Path

import numpy as np
import pytest
from valid_files import _gltf_tree

from tumble.errors import FileError
from tumble.mesh import load_parts
from tumble.mesh.formats import read_regular

CUBE = np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)], dtype=np.float64)


def scene(blocks=1):
    tree, data, _ = _gltf_tree(np.random.default_rng(0), [CUBE + 10 * k for k in range(blocks)])
    tree["nodes"] = tree["nodes"][:blocks]
    tree["scenes"] = [{"nodes": list(range(blocks))}]
    return tree, data


def written(path, tree, data=b""):
    if path.suffix == ".glb":
        text = json.dumps(tree).encode()
        text += b" " * (-len(text) % 4)
        chunks = struct.pack("<I4s", len(text), b"JSON") + text + struct.pack("<I4s", len(data), b"BIN\0") + data
        path.write_bytes(struct.pack("<4sII", b"glTF", 2, 12 + len(chunks)) + chunks)
    else:
        path.write_text(json.dumps(tree))
    return path


def refused(path, *words):
    with pytest.raises(FileError) as caught:
        load_parts(path)
    for word in words:
        assert word in str(caught.value)


def test_nodes_become_parts_in_the_order_of_the_file(tmp_path):
    tree, data = scene(3)
    tree["nodes"].append({"children": [2, 0], "translation": [0, 0, 5]})
    tree["scenes"] = [{"nodes": [3, 1]}]
    parts = load_parts(written(tmp_path / "a.glb", tree, data))
    assert [(part.name, part.mesh.bounds[0].tolist(), part.units) for part in parts] == [
        ("block 0", [0, 0, 5], "m"),
        ("block 1", [10, 10, 10], "m"),
        ("block 2", [20, 20, 25], "m"),
    ]


def test_the_primitives_of_a_node_are_one_part_and_cameras_do_not_hide_it(tmp_path):
    tree, data = scene(2)
    tree["meshes"][0]["primitives"] += tree["meshes"][1]["primitives"]
    tree["meshes"][0]["primitives"].append({"attributes": {"POSITION": 1}, "mode": 1})
    tree["cameras"] = [{"type": "perspective", "perspective": {"yfov": 1, "znear": 1}}]
    tree["nodes"][0].update(camera=0, translation=[0, 7, 0])
    first, second = load_parts(written(tmp_path / "a.glb", tree, data))
    assert (len(first.mesh), len(second.mesh)) == (24, 12)
    assert first.mesh.bounds.tolist() == [[0, 7, 0], [11, 18, 11]]


def test_strips_leave_out_the_triangles_that_only_join_them(tmp_path):
    tree, data = scene()
    strip = np.array([0, 1, 2, 3, 3, 4, 4, 5, 6, 7], "<u2").tobytes()
    tree["bufferViews"].append({"buffer": 0, "byteOffset": len(data), "byteLength": len(strip)})
    tree["accessors"].append({"bufferView": 2, "componentType": 5123, "count": 10, "type": "SCALAR"})
    tree["buffers"][0]["byteLength"] += len(strip)
    tree["meshes"][0]["primitives"][0].update(mode=5, indices=2)
    (part,) = load_parts(written(tmp_path / "a.glb", tree, data + strip))
    assert part.mesh.faces.tolist() == [[0, 1, 2], [3, 2, 1], [4, 5, 6], [7, 6, 5]]


def test_a_file_without_scenes_shows_all_its_roots(tmp_path):
    tree, data = scene(2)
    del tree["scenes"], tree["scene"]
    tree["nodes"].append({"children": [1], "translation": [0, 0, 5]})
    parts = load_parts(written(tmp_path / "a.glb", tree, data))
    assert [part.mesh.bounds[0, 2] for part in parts] == [0, 15]


def _set(*path, value):
    def edit(tree):
        *most, last = path
        for key in most:
            tree = tree[key]
        tree[last] = value

    return edit


@pytest.mark.parametrize(
    "edit, words",
    [
        (_set("accessors", 1, "count", value=10**9), ["accessor 1 ends at byte 12000000000"]),
        (_set("accessors", 0, "count", value=10**6), ["accessor 0 ends at byte"]),
        (_set("accessors", 0, "count", value=-3), ["count should be a whole number"]),
        (_set("accessors", 0, "count", value=35), ["35 corners"]),
        (_set("accessors", 1, "byteOffset", value=1e300), ["byteOffset should be"]),
        (_set("accessors", 1, "type", value="VEC2"), ["three coordinates"]),
        (_set("accessors", 0, "componentType", value=5126), ["not unsigned integers"]),
        (_set("accessors", 1, "bufferView", value=7), ["entry 7 of 'bufferViews', which has 2"]),
        (_set("bufferViews", 1, "byteLength", value=10**12), ["buffer view 1 ends at byte"]),
        (_set("bufferViews", 1, "byteStride", value=0), ["overlap"]),
        (_set("buffers", 0, "byteLength", value=10**12), ["should have 1000000000000 bytes"]),
        (_set("nodes", 0, "children", value=[0]), ["node 0 is in the scene twice"]),
        (_set("scenes", 0, "nodes", value=[0, 0]), ["node 0 is in the scene twice"]),
        (_set("nodes", 0, "translation", value=[1, 2]), ["translation of node 0"]),
        (_set("nodes", 0, "mesh", value="x"), ["entry 'x' of 'meshes'"]),
        (_set("extensionsRequired", value=["XY_shapes"]), ["XY_shapes"]),
        (_set("asset", value={"version": "1.0"}), ["glTF 1.0"]),
        (_set("nodes", value={}), ["'nodes' is not a list"]),
        (_set("meshes", 0, "primitives", value=[{}]), ["without attributes"]),
        (_set("buffers", 0, "uri", value="http://localhost/x.bin"), ["only files beside it"]),
        (_set("buffers", 0, "uri", value="data:;base64,***"), ["not base64"]),
        (_set("buffers", 0, "uri", value="/dev/zero"), ["outside of its folder"]),
        (_set("buffers", 0, "uri", value="."), ["'.', which does not exist, or is not a regular file"]),
        (_set("buffers", 0, "uri", value="gone.bin"), ["it refers to 'gone.bin', which does not exist"]),
        (_set("buffers", 0, "uri", value="x" * 5000), ["it refers to 'xxxxx", "which"]),
        (_set("buffers", 0, "uri", value="a%00b.bin"), ["it refers to 'a%00b.bin', which"]),
        (_set("buffers", 0, "uri", value="\ud800.bin"), ["it refers to '\\ud800.bin', which"]),
    ],
)
def test_what_the_tree_states_is_checked(tmp_path, edit, words):
    tree, data = scene()
    edit(tree)
    refused(written(tmp_path / "a.glb", tree, data), *words)


def test_buffers_that_are_pipes_or_sockets_are_refused_without_waiting(tmp_path):
    tree, _ = scene()
    tree["buffers"][0]["uri"] = "pipe.bin"
    os.mkfifo(tmp_path / "pipe.bin")
    refused(written(tmp_path / "a.gltf", tree), "'pipe.bin', which does not exist, or is not a regular file")
    (tmp_path / "pipe.bin").unlink()
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(tmp_path / "pipe.bin"))
        refused(tmp_path / "a.gltf", "'pipe.bin', which does not exist, or is not a regular file")


@pytest.mark.skipif(not os.path.exists("/proc/self/status"), reason="no /proc")
def test_files_that_state_no_size_are_not_read_to_their_end():
    assert read_regular(Path("/proc/self/status")) == b""


def test_data_that_is_used_again_and_again_is_refused_before_it_is_copied(tmp_path):
    tree, data = scene()
    tree["meshes"][0]["primitives"] *= 1000
    tree["nodes"] *= 2000
    tree["scenes"][0]["nodes"] = list(range(2000))
    refused(written(tmp_path / "a.glb", tree, data), "place 24000000 triangles")
    tree["scenes"][0]["nodes"] = [0, 1]
    parts = load_parts(written(tmp_path / "a.glb", tree, data))
    assert [len(part.mesh) for part in parts] == [12_000, 12_000]


def test_draco_decodes_to_what_the_file_announces(tmp_path):
    draco = pytest.importorskip("DracoPy")
    tree, _ = scene()
    faces = np.arange(6, dtype=np.uint32).reshape(2, 3)
    data = draco.encode(CUBE[:6].astype(np.float32), faces, quantization_bits=16)
    data += bytes(-len(data) % 4)
    tree["bufferViews"] = [{"buffer": 0, "byteLength": len(data)}]
    tree["buffers"] = [{"byteLength": len(data)}]
    tree["accessors"] = [
        {"componentType": 5125, "count": 6, "type": "SCALAR"},
        {"componentType": 5126, "count": 6, "type": "VEC3"},
    ]
    compressed = {"KHR_draco_mesh_compression": {"bufferView": 0, "attributes": {"POSITION": 0}}}
    tree["meshes"][0]["primitives"][0]["extensions"] = compressed
    (part,) = load_parts(written(tmp_path / "a.glb", tree, data))
    assert np.allclose(np.sort(part.mesh.triangles, axis=0), np.sort(CUBE[:6][faces], axis=0), atol=1e-4)
    tree["accessors"][0]["count"] = 9
    refused(written(tmp_path / "a.glb", tree, data), "announces 3 triangles, and decodes to 2")
