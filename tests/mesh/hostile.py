"""Files that are small and would take very much time or memory; run as a program, it reads those that it is given.

Each maker returns the bytes of a file.
"""

import json
import resource
import signal
import sys

import numpy as np
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
}


def main(paths: list[str]) -> None:
    from tumble.errors import TumbleError
    from tumble.mesh import load_parts

    with open("/proc/self/statm") as statm:
        now = int(statm.read().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (now + MEMORY, now + MEMORY))
    for path in paths:
        signal.alarm(SECONDS)  # ends this program
        try:
            parts = load_parts(path)
            found = f"{len(parts)} parts, {sum(len(part.mesh) for part in parts)} triangles"
        except TumbleError as error:
            found = str(error)
        signal.alarm(0)
        print(json.dumps([path, found]), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
