"""Valid files of every format, made from random meshes.

    for file in valid_files(rng):
        path.with_name(file.name).write_bytes(file.data)      # load_parts: file.parts parts of file.triangles triangles

The writers share no line with the readers.
"""

import base64
import io
import json
import struct
import zipfile
from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np

CUBE = np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)], dtype=np.float64)
QUADS = np.array([[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]])
TRIANGLES = np.concatenate([QUADS[:, [0, 1, 2]], QUADS[:, [0, 2, 3]]])


class ValidFile(NamedTuple):
    """A file's name (its suffix is the format), its bytes, and what `load_parts` must find in it."""

    name: str
    data: bytes
    parts: int
    triangles: int


def valid_files(rng: np.random.Generator) -> Iterator[ValidFile]:
    """Yield a file of every format and variant; what they hold is random, and so are sizes and counts."""
    for name, write in WRITERS.items():
        blocks = [_block(rng) for _ in range(int(rng.integers(2, 6)))]
        data, parts, triangles = write(rng, blocks)
        yield ValidFile(name, data, parts, triangles)


def zipped(members: dict[str, bytes]) -> bytes:
    """Return a zip archive of these members."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return file.getvalue()


def _block(rng: np.random.Generator) -> np.ndarray:
    """Return the eight corners of a box somewhere, as float32 values, which every format holds exactly."""
    return (CUBE * rng.uniform(0.1, 2.0, 3) + rng.uniform(-5, 5, 3)).astype(np.float32).astype(np.float64)


# ---------------------------------------------------------------------------------------------------- plain meshes

Written = tuple[bytes, int, int]


def _binary_stl(rng: np.random.Generator, blocks: list[np.ndarray]) -> Written:
    record = np.zeros(12 * len(blocks), [("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("attribute", "<u2")])
    record["corners"] = np.concatenate([block[TRIANGLES] for block in blocks])
    return bytes(80) + struct.pack("<I", len(record)) + record.tobytes(), 1, len(record)


def _text_stl(rng: np.random.Generator, blocks: list[np.ndarray]) -> Written:
    lines = []
    for number, block in enumerate(blocks):
        lines.append(f"solid block {number}")
        for triangle in block[TRIANGLES].tolist():
            lines += ["facet normal 0 0 0", "outer loop", *("vertex " + _numbers(row) for row in triangle)]
            lines += ["endloop", "endfacet"]
        lines.append(f"endsolid block {number}")
    return "\n".join(lines).encode() + b"\n", len(blocks), 12 * len(blocks)


def _off(rng: np.random.Generator, blocks: list[np.ndarray]) -> Written:
    rows = [_numbers(row) for block in blocks for row in block.tolist()]
    rows += ["4 " + _numbers(row) for k in range(len(blocks)) for row in (QUADS + 8 * k).tolist()]
    head = f"OFF\n{8 * len(blocks)} {6 * len(blocks)} 0\n"
    return (head + "\n".join(rows) + "\n").encode(), 1, 12 * len(blocks)


def _obj(rng: np.random.Generator, blocks: list[np.ndarray]) -> Written:
    lines = []
    for number, block in enumerate(blocks):
        lines += [f"g block#{number}", *("v " + _numbers(row) for row in block.tolist())]
        lines += ["f " + " ".join(f"{corner}//1" for corner in row) for row in (QUADS - 8).tolist()]
    return "\n".join(lines).encode() + b"\n", len(blocks), 12 * len(blocks)


_PLY_HEADER = """ply
format {form} 1.0
comment made for a test
element vertex {vertices}
property {real} x
property uchar red
property {real} y
property {real} z
element face {faces}
property list {count} {index} vertex_indices
property short flags
end_header
"""


def _ply(form: str, real: str, count: str, index: str) -> Callable[[np.random.Generator, list[np.ndarray]], Written]:
    types = {"float": "f4", "double": "f8", "uchar": "u1", "ushort": "u2", "int": "i4", "uint": "u4"}
    order = ">" if "big" in form else "<"

    def write(rng: np.random.Generator, blocks: list[np.ndarray]) -> Written:
        points = np.concatenate(blocks).tolist()
        faces = [row for k in range(len(blocks)) for row in _mixed_faces(rng, 8 * k)]
        head = _PLY_HEADER.format(
            form=form, real=real, count=count, index=index, vertices=len(points), faces=len(faces)
        ).encode()
        if form == "ascii":
            rows = [f"{x!r} 7 {y!r} {z!r}" for x, y, z in points]
            rows += [f"{len(face)} {_numbers(face)} 9" for face in faces]
            return head + "\n".join(rows).encode() + b"\n", 1, 12 * len(blocks)
        row = [("x", real), ("red", "uchar"), ("y", real), ("z", real)]
        vertices = np.zeros(len(points), [(name, order + types[kind]) for name, kind in row])
        for name, column in zip("xyz", np.array(points).T, strict=True):
            vertices[name] = column
        body = vertices.tobytes()
        for face in faces:
            body += np.array(len(face), order + types[count]).tobytes()
            body += np.array(face, order + types[index]).tobytes() + bytes(2)
        return head + body, 1, 12 * len(blocks)

    return write


def _mixed_faces(rng: np.random.Generator, first: int) -> list[list[int]]:
    """Return the faces of a box, some as quads and some as two triangles."""
    faces = []
    for quad in (QUADS + first).tolist():
        faces += [quad] if rng.integers(2) else [quad[:3], [quad[0], *quad[2:]]]
    return faces


# ---------------------------------------------------------------------------------------------------------- scenes


def _gltf_tree(rng: np.random.Generator, blocks: list[np.ndarray]) -> tuple[dict, bytes, int]:
    """Return a scene: each block once, the first one twice more below a moved node."""
    index = TRIANGLES.astype("<u2").tobytes()
    data = index + b"".join(block.astype("<f4").tobytes() for block in blocks)
    views = [{"buffer": 0, "byteLength": len(index)}]
    accessors = [{"bufferView": 0, "componentType": 5123, "count": 36, "type": "SCALAR"}]
    meshes, nodes = [], []
    for k, block in enumerate(blocks):
        views.append({"buffer": 0, "byteOffset": len(index) + 96 * k, "byteLength": 96})
        ends = {"min": block.min(axis=0).tolist(), "max": block.max(axis=0).tolist()}
        accessors.append({"bufferView": k + 1, "componentType": 5126, "count": 8, "type": "VEC3", **ends})
        meshes.append({"name": f"mesh {k}", "primitives": [{"attributes": {"POSITION": k + 1}, "indices": 0}]})
        nodes.append({"name": f"block {k}", "mesh": k})
    nodes.append({"mesh": 0, "scale": [2, 2, -2]})
    nodes.append({"mesh": 0, "children": [len(nodes) - 1], "translation": [1, 2, 3], "rotation": [0, 0, 0.6, 0.8]})
    tree = {
        "asset": {"version": "2.0"},
        "scene": 0,
        "scenes": [{"nodes": [*range(len(blocks)), len(nodes) - 1]}],
        "nodes": nodes,
        "meshes": meshes,
        "accessors": accessors,
        "bufferViews": views,
        "buffers": [{"byteLength": len(data)}],
    }
    return tree, data, len(nodes)


def _glb(rng: np.random.Generator, blocks: list[np.ndarray]) -> Written:
    tree, data, parts = _gltf_tree(rng, blocks)
    text = json.dumps(tree).encode()
    text += b" " * (-len(text) % 4)
    data += bytes(-len(data) % 4)
    chunks = struct.pack("<I4s", len(text), b"JSON") + text + struct.pack("<I4s", len(data), b"BIN\0") + data
    return struct.pack("<4sII", b"glTF", 2, 12 + len(chunks)) + chunks, parts, 12 * parts


def _gltf(rng: np.random.Generator, blocks: list[np.ndarray]) -> Written:
    tree, data, parts = _gltf_tree(rng, blocks)
    tree["buffers"][0]["uri"] = "data:application/octet-stream;base64," + base64.b64encode(data).decode()
    return json.dumps(tree).encode(), parts, 12 * parts


_CORE = "http://schemas.microsoft.com/3dmanufacturing/core/2015/02"
_PRODUCTION = "http://schemas.microsoft.com/3dmanufacturing/production/2015/06"
_RELATIONS = (
    '<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
    '<Relationship Target="/3D/root.model" Id="r0" '
    'Type="http://schemas.microsoft.com/3dmanufacturing/2013/01/3dmodel"/></Relationships>'
)


def _object(number: int, block: np.ndarray) -> str:
    vertices = "".join('<vertex x="{!r}" y="{!r}" z="{!r}"/>'.format(*row) for row in block.tolist())
    triangles = "".join('<triangle v1="{}" v2="{}" v3="{}"/>'.format(*row) for row in TRIANGLES.tolist())
    return (
        f'<object id="{number}" type="model" name="block {number}"><mesh><vertices>{vertices}</vertices>'
        f"<triangles>{triangles}</triangles></mesh></object>"
    )


def _model(resources: str, build: str, head: str = "") -> bytes:
    return (
        f'<?xml version="1.0" encoding="UTF-8"?><model unit="inch" xmlns="{_CORE}" xmlns:p="{_PRODUCTION}" {head}>'
        f"<resources>{resources}</resources><build>{build}</build></model>"
    ).encode()


def _3mf(rng: np.random.Generator, blocks: list[np.ndarray]) -> Written:
    """Return a tray: rows of components of components, and an item of its own for each block."""
    resources = "".join(_object(k + 1, block) for k, block in enumerate(blocks))
    wide, deep = int(rng.integers(1, 5)), int(rng.integers(1, 5))
    moved = '<component objectid="{}" transform="1 0 0 0 1 0 0 0 1 {} {} 0"/>'
    rows = "".join(moved.format(1, 3 * k, 0) for k in range(wide))
    tray = "".join(moved.format(901, 0, 3 * k) for k in range(deep))
    resources += f'<object id="901"><components>{rows}</components></object>'
    resources += f'<object id="902" name="tray"><components>{tray}</components></object>'
    build = "".join(f'<item objectid="{k + 1}" partnumber="same"/>' for k in range(len(blocks)))
    build += '<item objectid="902" transform="0 1 0 1 0 0 0 0 1 0 0 5"/>'
    parts = len(blocks) + wide * deep
    return zipped({"_rels/.rels": _RELATIONS.encode(), "3D/root.model": _model(resources, build)}), parts, 12 * parts


def _production_3mf(rng: np.random.Generator, blocks: list[np.ndarray]) -> Written:
    """Return blocks in model files of their own, all with object id 1, reached by paths."""
    members = {"_rels/.rels": _RELATIONS.encode()}
    resources, build = "", ""
    for k, block in enumerate(blocks):
        members[f"3D/Objects/block {k}.model"] = _model(_object(1, block), "")
        path = f'p:path="/3D/Objects/block {k}.model"'
        resources += f'<object id="{k + 2}"><components><component {path} objectid="1"/></components></object>'
        build += f'<item objectid="{k + 2}"/><item {path} objectid="1"/>'
    members["3D/root.model"] = _model(resources, build, 'requiredextensions="p"')
    return zipped(members), 2 * len(blocks), 24 * len(blocks)


_XAML = "http://schemas.microsoft.com/winfx/2006/xaml/presentation"


def _xaml(rng: np.random.Generator, blocks: list[np.ndarray]) -> Written:
    models = "".join(
        f"<GeometryModel3D><GeometryModel3D.Transform>{_XAML_TRANSFORMS[k % len(_XAML_TRANSFORMS)]}"
        f"</GeometryModel3D.Transform><GeometryModel3D.Geometry><MeshGeometry3D "
        f'Positions="{" ".join(",".join(map(repr, row)) for row in block.tolist())}" '
        f'TriangleIndices="{_numbers(TRIANGLES.ravel().tolist())}"/></GeometryModel3D.Geometry></GeometryModel3D>'
        for k, block in enumerate(blocks)
    )
    text = (
        f'<Viewport3D xmlns="{_XAML}"><ModelVisual3D><ModelVisual3D.Content><Model3DGroup>{models}</Model3DGroup>'
        "</ModelVisual3D.Content></ModelVisual3D></Viewport3D>"
    )
    return text.encode(), len(blocks), 12 * len(blocks)


_XAML_TRANSFORMS = [
    '<TranslateTransform3D OffsetX="3"/>',
    '<ScaleTransform3D ScaleY="2" CenterX="1"/>',
    '<RotateTransform3D><RotateTransform3D.Rotation><AxisAngleRotation3D Axis="0,0,1" Angle="90"/>'
    "</RotateTransform3D.Rotation></RotateTransform3D>",
    '<Transform3DGroup><MatrixTransform3D Matrix="1,0,0,0 0,1,0,0 0,0,1,0 5,0,0,1"/></Transform3DGroup>',
]


def _3dxml(rng: np.random.Generator, blocks: list[np.ndarray]) -> Written:
    """Return two instances of a sub-assembly that holds each block once."""
    spaces = 'xmlns="http://www.3ds.com/xsd/3DXML" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"'
    members = {"Manifest.xml": b"<Manifest><Root>tree.3dxml</Root></Manifest>"}
    content = '<Reference3D id="1" name="root"/><Reference3D id="2" name="sub"/>'
    for k, far in ((3, 0), (4, 9)):
        matrix = f"1 0 0 0 1 0 0 0 1 {far} 0 0"
        content += _instance3d(k, "sub", 1, 2, matrix)
    for k, block in enumerate(blocks):
        first = 10 + 4 * k
        content += f'<Reference3D id="{first}" name="block"/>' + _instance3d(first + 1, "b", 2, first, "")
        content += f'<ReferenceRep id="{first + 2}" format="TESSELLATED" associatedFile="urn:3DXML:part{k}.3DRep"/>'
        content += f'<InstanceRep id="{first + 3}"><IsAggregatedBy>{first}</IsAggregatedBy>'
        content += f"<IsInstanceOf>{first + 2}</IsInstanceOf></InstanceRep>"
        members[f"part{k}.3DRep"] = _representation(block, spaces)
    members["tree.3dxml"] = f'<Model {spaces}><ProductStructure root="1">{content}</ProductStructure></Model>'.encode()
    return zipped(members), 2 * len(blocks), 24 * len(blocks)


def _instance3d(number: int, name: str, parent: int, child: int, matrix: str) -> str:
    placed = f"<RelativeMatrix>{matrix}</RelativeMatrix>" if matrix else ""
    return (
        f'<Instance3D id="{number}" name="{name}"><IsAggregatedBy>{parent}</IsAggregatedBy>'
        f"<IsInstanceOf>{child}</IsInstanceOf>{placed}</Instance3D>"
    )


def _representation(block: np.ndarray, spaces: str) -> bytes:
    """Return the faces of a box as four triangles, two strips and two fans."""
    quads = QUADS.tolist()
    triangles = _numbers(TRIANGLES[[0, 6, 1, 7]].ravel().tolist())
    strips = ",".join(_numbers([q[0], q[1], q[3], q[2]]) for q in quads[2:4])
    fans = ",".join(_numbers(q) for q in quads[4:6])
    positions = ",".join(_numbers(row) for row in block.tolist())
    return (
        f'<XMLRepresentation {spaces}><Root xsi:type="BagRepType"><Rep xsi:type="PolygonalRepType"><Faces>'
        f'<Face triangles="{triangles}"/><Face strips="{strips}" fans="{fans}"/></Faces>'
        f"<VertexBuffer><Positions>{positions}</Positions></VertexBuffer></Rep></Root></XMLRepresentation>"
    ).encode()


def _dae(rng: np.random.Generator, blocks: list[np.ndarray]) -> Written:
    """Return each block once, and the first one again, as a node of a library that two nodes show."""
    geometries = nodes = ""
    for k, block in enumerate(blocks):
        corners = _numbers([value for corner in QUADS.ravel().tolist() for value in (corner, 0)])
        geometries += (
            f'<geometry id="g{k}"><mesh><source id="s{k}"><float_array id="a{k}" count="24">'
            f"{_numbers(block.ravel().tolist())}</float_array><technique_common>"
            f'<accessor source="#a{k}" count="8" stride="3"/></technique_common></source>'
            f'<vertices id="v{k}"><input semantic="POSITION" source="#s{k}"/></vertices><polylist count="6">'
            f'<input semantic="VERTEX" source="#v{k}" offset="0"/><input semantic="NORMAL" source="#x" offset="1"/>'
            f"<vcount>4 4 4 4 4 4</vcount><p>{corners}</p></polylist></mesh></geometry>"
        )
        nodes += f'<node id="n{k}" name="block {k}"><instance_geometry url="#g{k}"/></node>'
    nodes += '<node><translate>9 0 0</translate><instance_node url="#again"/><instance_node url="#again"/></node>'
    text = (
        '<?xml version="1.0"?><COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema"><asset>'
        f'<unit meter="0.0254"/><up_axis>X_UP</up_axis></asset><library_geometries>{geometries}</library_geometries>'
        '<library_nodes><node id="again"><rotate>0 0 1 30</rotate><instance_geometry url="#g0"/></node></library_nodes>'
        f'<library_visual_scenes><visual_scene id="scene">{nodes}</visual_scene></library_visual_scenes>'
        '<scene><instance_visual_scene url="#scene"/></scene></COLLADA>'
    )
    return text.encode(), len(blocks) + 2, 12 * (len(blocks) + 2)


def _urdf(rng: np.random.Generator, blocks: list[np.ndarray]) -> Written:
    """Return a chain of links, each a box as large as its block, moved by its joint."""
    links = joints = ""
    for k, block in enumerate(blocks):
        size = _numbers((block[7] - block[0]).tolist())
        links += f'<link name="link {k}"><collision><geometry><box size="{size}"/></geometry></collision></link>'
        if k:
            origin = f'<origin xyz="{_numbers(block[0].tolist())}" rpy="{_numbers(rng.uniform(-3, 3, 3).tolist())}"/>'
            ends = f'<parent link="link {k - 1}"/><child link="link {k}"/>'
            joints += f'<joint name="joint {k}" type="fixed">{origin}{ends}</joint>'
    return f'<?xml version="1.0"?><robot name="chain">{links}{joints}</robot>'.encode(), len(blocks), 12 * len(blocks)


def _numbers(values: list) -> str:
    return " ".join(map(repr, values))


WRITERS: dict[str, Callable[[np.random.Generator, list[np.ndarray]], Written]] = {
    "binary.stl": _binary_stl,
    "text.stl": _text_stl,
    "quads.off": _off,
    "groups.obj": _obj,
    "text.ply": _ply("ascii", "double", "uchar", "int"),
    "little.ply": _ply("binary_little_endian", "float", "uchar", "int"),
    "big.ply": _ply("binary_big_endian", "double", "ushort", "uint"),
    "scene.glb": _glb,
    "scene.gltf": _gltf,
    "tray.3mf": _3mf,
    "production.3mf": _production_3mf,
    "model.xaml": _xaml,
    "assembly.3dxml": _3dxml,
    "scene.dae": _dae,
    "chain.urdf": _urdf,
}
