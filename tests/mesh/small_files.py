"""One small file per format, with triangles and names of the test's own: any number, any text.

    SMALL["dae"]([("lid", LOW), ("base", HIGH)])       # the bytes of a file with two parts

A triangle is a list of three points. Formats without names or without parts put all triangles into one part.
"""

import base64
import json
import struct
from collections.abc import Callable, Sequence
from html import escape

from valid_files import _CORE, _XAML, zipped

Triangle = Sequence[Sequence[float]]
Named = Sequence[tuple[str, Triangle]]

LOW = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]
HIGH = [[0.0, 0.0, 5.0], [1.0, 0.0, 5.0], [0.0, 1.0, 5.0]]


def _row(point: Sequence[float]) -> str:
    return " ".join(map(repr, point))


def _points(parts: Named) -> list[Sequence[float]]:
    return [point for _, triangle in parts for point in triangle]


def _obj(parts: Named) -> str:
    blocks = ["".join(f"v {_row(point)}\n" for point in triangle) + "f -3 -2 -1\n" for _, triangle in parts]
    return "mtllib ../../secret.mtl\n" + "".join(
        f"o {name}\n{block}" for (name, _), block in zip(parts, blocks, strict=True)
    )


def _off(parts: Named) -> str:
    faces = "".join(f"3 {3 * k} {3 * k + 1} {3 * k + 2}\n" for k in range(len(parts)))
    return f"OFF\n{3 * len(parts)} {len(parts)} 0\n" + "".join(_row(point) + "\n" for point in _points(parts)) + faces


def _ply(parts: Named) -> str:
    head = f"ply\nformat ascii 1.0\nelement vertex {3 * len(parts)}\n"
    head += "".join(f"property double {axis}\n" for axis in "xyz")
    head += f"element face {len(parts)}\nproperty list uchar int vertex_indices\nend_header\n"
    return head + _off(parts).split("\n", 2)[2]


def _stl(parts: Named) -> str:
    text = ""
    for name, triangle in parts:
        corners = "".join(f"vertex {_row(point)}\n" for point in triangle)
        text += f"solid {name}\nfacet normal 0 0 0\nouter loop\n{corners}endloop\nendfacet\nendsolid {name}\n"
    return text


def gltf_tree(parts: Named) -> dict:
    """Return the JSON tree of a glTF file, with its data inside."""
    data = b"".join(struct.pack("<9f", *(value for point in triangle for value in point)) for _, triangle in parts)
    count = range(len(parts))
    return {
        "asset": {"version": "2.0"},
        "nodes": [{"name": name, "mesh": k} for k, (name, _) in enumerate(parts)],
        "meshes": [{"primitives": [{"attributes": {"POSITION": k}}]} for k in count],
        "accessors": [{"bufferView": k, "componentType": 5126, "count": 3, "type": "VEC3"} for k in count],
        "bufferViews": [{"buffer": 0, "byteOffset": 36 * k, "byteLength": 36} for k in count],
        "buffers": [{"byteLength": len(data), "uri": "data:;base64," + base64.b64encode(data).decode()}],
    }


def three_mf(objects: str, items: str) -> bytes:
    """Return a 3MF file of these objects and items."""
    model = f'<model unit="millimeter" xmlns="{_CORE}"><resources>{objects}</resources><build>{items}</build></model>'
    return zipped({"3D/3dmodel.model": model.encode()})


def _3mf(parts: Named) -> bytes:
    objects = items = ""
    for number, (name, triangle) in enumerate(parts, 1):
        vertices = "".join('<vertex x="{!r}" y="{!r}" z="{!r}"/>'.format(*point) for point in triangle)
        objects += (
            f'<object id="{number}" name="{escape(name)}"><mesh><vertices>{vertices}</vertices>'
            '<triangles><triangle v1="0" v2="1" v3="2"/></triangles></mesh></object>'
        )
        items += f'<item objectid="{number}"/>'
    return three_mf(objects, items)


_SPACES = 'xmlns="http://www.3ds.com/xsd/3DXML" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"'


def three_dxml(structure: str, shapes: dict[str, str]) -> bytes:
    """Return a 3DXML file of a product structure with root 1, and the <Rep> elements of its shapes, by file name."""
    members = {name: f"<R {_SPACES}><Root>{content}</Root></R>".encode() for name, content in shapes.items()}
    members["Manifest.xml"] = b"<Manifest><Root>tree.3dxml</Root></Manifest>"
    tree = f'<Model {_SPACES}><ProductStructure root="1">{structure}</ProductStructure></Model>'
    return zipped(members | {"tree.3dxml": tree.encode()})


def instance_3d(number: int, inside: int, of: int) -> str:
    """Return an instance of a reference inside another."""
    ends = f"<IsAggregatedBy>{inside}</IsAggregatedBy><IsInstanceOf>{of}</IsInstanceOf>"
    return f'<Instance3D id="{number}">{ends}</Instance3D>'


def _3dxml(parts: Named) -> bytes:
    structure, shapes = '<Reference3D id="1" name="root"/>', {}
    for k, (name, triangle) in enumerate(parts):
        first = 10 * (k + 1)
        structure += f'<Reference3D id="{first}" name="{escape(name)}"/>' + instance_3d(first + 1, 1, first)
        structure += f'<ReferenceRep id="{first + 2}" format="TESSELLATED" associatedFile="urn:3DXML:{k}.3DRep"/>'
        structure += f'<InstanceRep id="{first + 3}"><IsAggregatedBy>{first}</IsAggregatedBy>'
        structure += f"<IsInstanceOf>{first + 2}</IsInstanceOf></InstanceRep>"
        positions = ",".join(_row(point) for point in triangle)
        shapes[f"{k}.3DRep"] = (
            f'<Rep xsi:type="PolygonalRepType"><Faces><Face triangles="0 1 2"/></Faces>'
            f"<VertexBuffer><Positions>{positions}</Positions></VertexBuffer></Rep>"
        )
    return three_dxml(structure, shapes)


def _xaml(parts: Named) -> str:
    models = "".join(
        f'<GeometryModel3D Name="{escape(name)}"><GeometryModel3D.Geometry><MeshGeometry3D '
        f'Positions="{" ".join(_row(point) for point in triangle)}"/></GeometryModel3D.Geometry></GeometryModel3D>'
        for name, triangle in parts
    )
    return f'<Model3DGroup xmlns="{_XAML}">{models}</Model3DGroup>'


def collada(geometries: str, nodes: str, asset: str = "<up_axis>Z_UP</up_axis>", library: str = "") -> str:
    """Return a COLLADA file; `library` holds nodes that others show."""
    return (
        f'<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema"><asset>{asset}</asset>'
        f"<library_geometries>{geometries}</library_geometries><library_nodes>{library}</library_nodes>"
        f'<library_visual_scenes><visual_scene id="scene">{nodes}</visual_scene></library_visual_scenes>'
        '<scene><instance_visual_scene url="#scene"/></scene></COLLADA>'
    )


_XYZ = "".join(f'<param name="{axis}" type="float"/>' for axis in "XYZ")


def collada_geometry(name: str, points: Sequence[Sequence[float]], primitive: str, count: int | None = None) -> str:
    """Return a geometry over some points; `primitive` says <input/> where its input of vertices goes."""
    count = 3 * len(points) if count is None else count
    return (
        f'<geometry id="{name}"><mesh><source id="{name}-s"><float_array id="{name}-a" count="{count}">'
        f"{' '.join(_row(point) for point in points)}</float_array><technique_common>"
        f'<accessor source="#{name}-a" count="{count // 3}" stride="3">{_XYZ}</accessor></technique_common></source>'
        f'<vertices id="{name}-v"><input semantic="POSITION" source="#{name}-s"/></vertices>'
        + primitive.replace("<input/>", f'<input semantic="VERTEX" source="#{name}-v" offset="0"/>')
        + "</mesh></geometry>"
    )


TRIANGLE = '<triangles count="1"><input/><p>0 1 2</p></triangles>'


def _dae(parts: Named) -> str:
    geometries = "".join(collada_geometry(f"g{k}", triangle, TRIANGLE) for k, (_, triangle) in enumerate(parts))
    nodes = "".join(
        f'<node id="n{k}" name="{escape(name)}"><instance_geometry url="#g{k}"/></node>'
        for k, (name, _) in enumerate(parts)
    )
    return collada(geometries, nodes)


def _urdf(parts: Named) -> str:
    """Return a robot whose links are boxes at the first points of the triangles, as large as their second ones."""
    links = "".join(
        f'<link name="{escape(name)}"><collision><origin xyz="{_row(triangle[0])}"/>'
        f'<geometry><box size="{_row([abs(value) for value in triangle[1]])}"/></geometry></collision></link>'
        for name, triangle in parts
    )
    return f'<robot name="robot">{links}</robot>'


def _bytes(write: Callable[[Named], str]) -> Callable[[Named], bytes]:
    return lambda parts: write(parts).encode()


SMALL: dict[str, Callable[[Named], bytes]] = {
    "obj": _bytes(_obj),
    "off": _bytes(_off),
    "ply": _bytes(_ply),
    "stl": _bytes(_stl),
    "gltf": lambda parts: json.dumps(gltf_tree(parts)).encode(),
    "3mf": _3mf,
    "3dxml": _3dxml,
    "xaml": _bytes(_xaml),
    "dae": _bytes(_dae),
    "urdf": _bytes(_urdf),
}
NAMED = ("obj", "stl", "gltf", "3mf", "3dxml", "xaml", "dae", "urdf")
"""formats that keep the names of parts"""
