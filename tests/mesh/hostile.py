"""Files that are small and would take very much time or memory. Each maker returns the bytes of a file.

    python tests/mesh/hostile.py [FILE …]

reads files, or all that are made here, under limits, and prints a line for each: [path, outcome, processor's seconds,
bytes of memory].
"""

import json
import os
import resource
import signal
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from small_files import (
    LOW,
    SMALL,
    TRIANGLE,
    collada,
    collada_geometry,
    gltf_tree,
    instance_3d,
    three_dxml,
    three_mf,
)
from valid_files import _CORE, CUBE, _gltf_tree, _model, _object, zipped

SECONDS = 60
"""to read one file, on a machine that has much else to do; the files take a tenth of it at most"""
MEMORY = 1200 * 2**20
"""bytes that may be added to what the program takes before it reads"""


def _many_primitives() -> bytes:
    tree, data, _ = _gltf_tree(np.random.default_rng(0), [CUBE])
    tree["meshes"][0]["primitives"] *= 30_000
    tree["nodes"] = tree["nodes"][:1]
    tree["scenes"] = [{"nodes": [0]}]
    return _glb(tree, data)


def _many_nodes() -> bytes:
    tree, data, _ = _gltf_tree(np.random.default_rng(0), [CUBE])
    tree["nodes"] = [{"mesh": 0} for _ in range(30_000)]
    tree["scenes"] = [{"nodes": list(range(30_000))}]
    return _glb(tree, data)


def _glb(tree: dict, data: bytes) -> bytes:
    text = json.dumps(tree).encode()
    text += b" " * (-len(text) % 4)
    sizes = [len(part).to_bytes(4, "little") for part in (bytes(28) + text + data, text, data)]
    return b"glTF\2\0\0\0" + sizes[0] + sizes[1] + b"JSON" + text + sizes[2] + b"BIN\0" + data


def _many_groups() -> bytes:
    vertices = "".join(f"v {k} 0 0\n" for k in range(50_000))
    return (vertices + "".join(f"g {k}\nf {k + 1} {k + 2} {k + 3}\n" for k in range(10_000))).encode()


def _bomb_3mf(content: bytes) -> bytes:
    head, tail = _model(_object(1, CUBE), '<item objectid="1"/>').split(b"<vertices>")
    return zipped({"3D/3dmodel.model": head + b"<vertices>" + content + tail})


def _tower_of_entities() -> bytes:
    levels = "".join(f'<!ENTITY e{k + 1} "{f"&e{k};" * 10}">' for k in range(9))
    return f'<!DOCTYPE m [<!ENTITY e0 "{"a" * 1000}">{levels}]><model xmlns="{_CORE}">&e9;</model>'.encode()


def _external_entity() -> bytes:
    return b'<!DOCTYPE robot [<!ENTITY e SYSTEM "file:///etc/passwd">]><robot name="&e;"/>'


def _gltf_nodes(nodes: list[dict], count: int = 3) -> bytes:
    tree = gltf_tree([("a", LOW)])
    tree["accessors"][0]["count"] = count
    return json.dumps(tree | {"nodes": nodes, "scene": 0, "scenes": [{"nodes": [0]}]}).encode()


def _long_name() -> bytes:
    tree = gltf_tree([("a", LOW)])
    tree["meshes"][0]["name"] = "x" * 1_000_000
    tree["nodes"] = [
        {"name": "n" * 1_000_000, "children": list(range(1, 5_001))},
        *({"mesh": 0} for _ in range(5_000)),
    ]
    return json.dumps(tree | {"scene": 0, "scenes": [{"nodes": [0]}]}).encode()


def _components(children: dict[int, list[int]]) -> bytes:
    """A 3MF file of objects that hold others, and object 1 placed."""
    triangle = (
        '<mesh><vertices><vertex x="0" y="0" z="0"/><vertex x="1" y="0" z="0"/><vertex x="0" y="1" z="0"/></vertices>'
        '<triangles><triangle v1="0" v2="1" v3="2"/></triangles></mesh>'
    )
    objects = ""
    for number, inner in children.items():
        held = "".join(f'<component objectid="{each}"/>' for each in inner)
        objects += f'<object id="{number}">{f"<components>{held}</components>" if inner else triangle}</object>'
    return three_mf(objects, '<item objectid="1"/>')


def _references(children: dict[int, list[int]]) -> bytes:
    """A 3DXML file of references that hold others."""
    structure = "".join(f'<Reference3D id="{number}" name="{number}"/>' for number in children)
    pairs = [(outer, inner) for outer, held in children.items() for inner in held]
    return three_dxml(structure + "".join(instance_3d(10_000 + k, *pair) for k, pair in enumerate(pairs)), {})


def _library(children: dict[int, list[int]]) -> bytes:
    """A COLLADA file of nodes that show others."""
    nodes = ""
    for number, inner in children.items():
        shown = "".join(f'<instance_node url="#n{each}"/>' for each in inner) or '<instance_geometry url="#g"/>'
        nodes += f'<node id="n{number}">{shown}</node>'
    scene = '<node><instance_node url="#n1"/></node>'
    return collada(collada_geometry("g", LOW, TRIANGLE), scene, library=nodes).encode()


def _chain(length: int, close: bool) -> bytes:
    """A robot whose links are a chain, or a ring."""
    links = "".join(
        f'<link name="{k}"><collision><geometry><box size="1 1 1"/></geometry></collision></link>'
        for k in range(length)
    )
    joints = "".join(
        f'<joint name="j{k}"><origin xyz="0 0 1"/><parent link="{k}"/><child link="{(k + 1) % length}"/></joint>'
        for k in range(length if close else length - 1)
    )
    return f'<robot name="chain">{links}{joints}</robot>'.encode()


def _bomb_3dxml() -> bytes:
    return three_dxml('<Reference3D id="1" name="root"/>' + " " * 100_000_000, {})


DOUBLING = {k: [k + 1, k + 1] for k in range(1, 60)} | {60: []}
RING = {1: [2], 2: [3], 3: [1]}
DEEP = {k: [k + 1] for k in range(1, 3000)} | {3000: []}
BILLION = 10**9


MAKERS = {
    "primitives.glb": _many_primitives,
    "nodes.glb": _many_nodes,
    "groups.obj": _many_groups,
    "long-line.obj": lambda: b"v 0 0 0\nf " + b"1 " * 300_000 + b"\n",
    "faces.obj": lambda: b"v 0 0 0\n" + b"f 1 1 1\n" * 200_000,
    "continued.obj": lambda: b"\\\n" * 500_000,
    "blank.stl": lambda: b"solid\n" + b"\n" * 500_000,
    "spaces.stl": lambda: b"solid" + b" " * 500_000 + b"\nvertex" + b" " * 500_000,
    "solids.stl": lambda: b"solid\nendsolid\n" * 30_000,
    "never-ending.stl": lambda: b"solid\n" * 100_000,
    "vertices.stl": lambda: b"solid\n" + b"vertex " * 200_000 + b"endsolid",
    "blank.off": lambda: b"OFF\n" + b"\n \n" * 200_000,
    "counts.off": lambda: b"OFF\n9999999999 9999999999 0\n",
    "face.off": lambda: b"OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n999999999999 0 1 2\n",
    "header.ply": lambda: b"ply\n" + b"property float x\n" * 50_000,
    "elements.ply": lambda: b"ply\nformat ascii 1.0\n" + b"element vertex 0\n" * 50_000 + b"end_header\n",
    "small-bomb.3mf": lambda: _bomb_3mf(b'<vertex x="0" y="0" z="0"/>' * 1_500_000),
    "zip-bomb.3mf": lambda: _bomb_3mf(b'<vertex x="0" y="0" z="0"/>' * 15_000_000),
    "blank-bomb.3mf": lambda: _bomb_3mf(b" " * 300_000_000),
    "just-allowed.3mf": lambda: _bomb_3mf(b'<vertex x="0" y="0" z="0"/>' * 1_100_000),
    "deep.3mf": lambda: zipped({"3D/3dmodel.model": b"<model>" + b"<a>" * 1_000_000}),
    "entities.3mf": lambda: zipped({"3D/3dmodel.model": _tower_of_entities()}),
    "long-attribute.3mf": lambda: zipped({"3D/3dmodel.model": b'<model a="' + b"x" * 30_000_000}),
    "members.3mf": lambda: zipped({f"{k}.txt": b"" for k in range(5_000)}),
    "deep.xaml": lambda: b"<a>" * 300_000,
    "wide.xaml": lambda: b"<a>" + b"<a/>" * 1_010_000 + b"</a>",
    "entities.xaml": _tower_of_entities,
    "deep.gltf": lambda: b'{"a":' * 100_000,
    "lists.gltf": lambda: b'{"a":[' + b"[]," * 1_000_000 + b"0]}",
    "digits.gltf": lambda: b'{"scene":' + b"9" * 100_000 + b"}",
    "billion.gltf": lambda: _gltf_nodes([{"mesh": 0}], BILLION),
    "billion.stl": lambda: bytes(80) + BILLION.to_bytes(4, "little") + bytes(50),
    "billion.ply": lambda: (SMALL["ply"]([("", LOW)])).replace(b"vertex 3", b"vertex 1000000000"),
    "billion-binary.ply": lambda: (
        SMALL["ply"]([("", LOW)]).replace(b"face 1", b"face 1000000000").replace(b"ascii", b"binary_little_endian")
    ),
    "billion.obj": lambda: SMALL["obj"]([("", LOW)]).replace(b"-3 -2 -1", b"1 2 1000000000"),
    "billion.3mf": lambda: three_mf(
        '<object id="1"><mesh><triangles><triangle v1="0" v2="1" v3="1000000000"/></triangles></mesh></object>',
        '<item objectid="1"/>',
    ),
    "billion.dae": lambda: collada(
        collada_geometry("g", LOW, TRIANGLE, BILLION), '<node><instance_geometry url="#g"/></node>'
    ).encode(),
    "billion.xaml": lambda: SMALL["xaml"]([("", LOW)]).replace(b"/></Geo", b' TriangleIndices="0 1 1000000000"/></Geo'),
    "ring.gltf": lambda: _gltf_nodes([{"children": [1]}, {"children": [2]}, {"mesh": 0, "children": [0]}]),
    "ring.3mf": lambda: _components(RING),
    "ring.3dxml": lambda: _references(RING),
    "ring.dae": lambda: _library(RING),
    "ring.urdf": lambda: _chain(3, close=True),
    "deep-scene.gltf": lambda: _gltf_nodes(
        [{"name": f"node {k}", "children": [k + 1]} for k in range(20_000)] + [{"name": "last", "mesh": 0}]
    ),
    "deep-scene.3mf": lambda: _components(DEEP),
    "deep-scene.dae": lambda: _library(DEEP),
    "deep-nodes.dae": lambda: b"<COLLADA>" + b"<node>" * 300_000,
    "deep-scene.urdf": lambda: _chain(1500, close=False),
    "doubling.3mf": lambda: _components(DOUBLING),
    "doubling.dae": lambda: _library(DOUBLING),
    "long-name.gltf": _long_name,
    "zip-bomb.3dxml": _bomb_3dxml,
    "entities.dae": _tower_of_entities,
    "entities.urdf": _tower_of_entities,
    "external-entity.urdf": _external_entity,
    "entities.3dxml": lambda: zipped({"Manifest.xml": _tower_of_entities()}),
    "wide.dae": lambda: b"<COLLADA>" + b"<a/>" * 1_010_000 + b"</COLLADA>",
}


def _memory(field: str) -> int:
    """Return a field of /proc/self/status, in bytes."""
    with open("/proc/self/status") as status:
        (line,) = (line for line in status if line.startswith(field + ":"))
    return int(line.split()[1]) * 1024


def main(paths: list[str]) -> None:
    """Read each file in a process of its own, so that one finds no memory that another has left."""
    from tumble.mesh import load_assembly

    for path in paths:
        child = os.fork()
        if not child:
            _read(path, load_assembly)
            os._exit(0)
        if os.waitpid(child, 0)[1]:
            sys.exit(f"{path} ended the process")


def _read(path: str, load_assembly: Callable[..., Any]) -> None:
    """Print what becomes of a file, the processor's seconds, and the bytes that it added to the memory in use."""
    from tumble.errors import TumbleError

    limit = _memory("VmSize") + MEMORY
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
    before, started = _memory("VmRSS"), time.process_time()
    signal.alarm(SECONDS)  # ends this process
    try:
        parts = load_assembly(path, parts="groups").parts
        found = f"{len(parts)} parts, {sum(len(part.mesh) for part in parts)} triangles"
    except TumbleError as error:
        found = str(error)
    print(json.dumps([path, found, time.process_time() - started, _memory("VmHWM") - before]), flush=True)


def make_and_read_all() -> None:
    """Make every file in a folder of its own, and print what becomes of it."""
    with tempfile.TemporaryDirectory() as folder:
        for name, make in MAKERS.items():
            Path(folder, name).write_bytes(make())
        main([str(Path(folder, name)) for name in MAKERS])


if __name__ == "__main__":
    main(sys.argv[1:]) if sys.argv[1:] else make_and_read_all()
