"""The animated glTF: its structure, read back byte by byte, and what trimesh makes of it."""

import io
import json
import struct

import numpy as np
import trimesh
from recordings import recorded

from tumble.playback.gltf import as_glb
from tumble.playback.view import matrices_of

WIDTHS = {"SCALAR": 1, "VEC3": 3, "VEC4": 4}
TYPES = {5126: np.float32, 5125: np.uint32}


def read(content):
    """Return the document and its arrays, after checks of what glTF 2.0 demands of both."""
    magic, version, length = struct.unpack_from("<4sII", content)
    assert (magic, version, length) == (b"glTF", 2, len(content))
    size, kind = struct.unpack_from("<I4s", content, 12)
    assert (kind, size % 4) == (b"JSON", 0)
    document = json.loads(content[20 : 20 + size])
    data_size, kind = struct.unpack_from("<I4s", content, 20 + size)
    assert (kind, data_size % 4, 28 + size + data_size) == (b"BIN\0", 0, len(content))
    data = content[28 + size :]
    assert document["asset"]["version"] == "2.0"
    assert document["buffers"] == [{"byteLength": len(data)}]
    arrays = []
    for accessor in document["accessors"]:
        view = document["bufferViews"][accessor["bufferView"]]
        kind, width = TYPES[accessor["componentType"]], WIDTHS[accessor["type"]]
        assert view["byteOffset"] % 4 == 0
        assert view["byteLength"] == 4 * width * accessor["count"]
        array = np.frombuffer(data, kind, width * accessor["count"], view["byteOffset"]).reshape(-1, width)
        if "min" in accessor:
            np.testing.assert_array_equal(array.min(axis=0), np.float32(accessor["min"]))
            np.testing.assert_array_equal(array.max(axis=0), np.float32(accessor["max"]))
        arrays.append(array)
    return document, arrays


def test_nodes_and_meshes():
    recording, _ = recorded()
    document, arrays = read(as_glb(recording))
    nodes = document["nodes"]
    assert [node["name"] for node in nodes] == [*recording.names, "a title & more"]
    assert document["scenes"][0]["nodes"] == [len(nodes) - 1]
    assert nodes[-1]["children"] == list(range(len(nodes) - 1))
    # Three boxes in three colours share one set of vertices.
    shapes = [document["meshes"][nodes[k]["mesh"]]["primitives"][0] for k in range(3)]
    assert len({shape["attributes"]["POSITION"] for shape in shapes}) == 1
    assert len({shape["material"] for shape in shapes}) == 3
    for mesh in document["meshes"]:
        shape = mesh["primitives"][0]
        positions, normals = (arrays[shape["attributes"][name]] for name in ("POSITION", "NORMAL"))
        np.testing.assert_allclose(np.linalg.norm(normals, axis=1), 1.0, atol=1e-5)
        assert arrays[shape["indices"]].max() == len(positions) - 1
        assert "min" in document["accessors"][shape["attributes"]["POSITION"]]


def test_channels_carry_the_poses():
    recording, poses = recorded()
    document, arrays = read(as_glb(recording))
    (animation,) = document["animations"]
    seen = {}
    for channel in animation["channels"]:
        sampler = animation["samplers"][channel["sampler"]]
        times = arrays[sampler["input"]][:, 0]
        assert (np.diff(times) > 0).all()
        assert len(times) == len(arrays[sampler["output"]]) == 7
        assert "min" in document["accessors"][sampler["input"]]
        seen[channel["target"]["node"], channel["target"]["path"]] = arrays[sampler["output"]]
    assert set(seen) == {(body, path) for body in range(4) for path in ("translation", "rotation")}  # the block stands
    for body in range(4):
        np.testing.assert_allclose(seen[body, "translation"], poses[:, body, :3, 3], atol=1e-6)
        turns = seen[body, "rotation"].astype(float)[:, [3, 0, 1, 2]]
        np.testing.assert_allclose(matrices_of(turns), poses[:, body, :3, :3], atol=1e-6)


def test_trimesh_reads_it_upright():
    recording, poses = recorded()
    scene = trimesh.load_scene(io.BytesIO(as_glb(recording)), file_type="glb")
    assert sum(len(scene.geometry[name].faces) for name in scene.graph.geometry_nodes) == 12 * 4 + 320
    low, high = scene.bounds
    ours = recording.meshes[0].vertices @ poses[0, 2, :3, :3].T + poses[0, 2, :3, 3]
    np.testing.assert_allclose([low[1], high[1]], [0.0, ours[:, 2].max()], atol=1e-4)


def test_one_frame_makes_no_animation():
    recording, _ = recorded(steps=0)
    assert "animations" not in read(as_glb(recording))[0]
