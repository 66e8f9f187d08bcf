"""PLY: rows of any layout, and headers that promise more than there is."""

import numpy as np
import pytest

from tumble.errors import FileError
from tumble.mesh import load

POINTS = np.array([[0, 0, 0], [2, 0, 0], [3, 1, 0], [2, 2, 0], [0, 2, 0]], dtype=np.float64)
POLYGONS = [[0, 1, 2, 3, 4], [4, 0, 1], [1, 2, 3, 4]]
TRIANGLES = [[0, 1, 2], [0, 2, 3], [0, 3, 4], [4, 0, 1], [1, 2, 3], [1, 3, 4]]
VERTEX = "element vertex 5\nproperty float x\nproperty float y\nproperty float z\n"
FACE = "element face 3\nproperty list uchar int vertex_index\n"


def header(form, *elements):
    return "\n".join(["ply", f"format {form} 1.0", "".join(elements) + "end_header", ""]).encode()


def binary(order="<", count="u1", index="i4", before=b"", after=b""):
    body = POINTS.astype(order + "f4").tobytes()
    for polygon in POLYGONS:
        body += (
            before
            + np.array(len(polygon), order + count).tobytes()
            + np.array(polygon, order + index).tobytes()
            + after
        )
    return body


def read(tmp_path, data):
    path = tmp_path / "a.ply"
    path.write_bytes(data)
    return load(path)


@pytest.mark.parametrize("order, form", [("<", "binary_little_endian"), (">", "binary_big_endian")])
@pytest.mark.parametrize("count, count_name", [("u1", "uchar"), ("i2", "int16"), ("u4", "uint")])
@pytest.mark.parametrize("index, index_name", [("i4", "int"), ("u2", "ushort"), ("u1", "uint8")])
def test_binary_polygons_of_mixed_sizes(tmp_path, order, form, count, count_name, index, index_name):
    face = f"element face 3\nproperty list {count_name} {index_name} vertex_indices\n"
    mesh = read(tmp_path, header(form, VERTEX, face) + binary(order, count, index))
    assert mesh.faces.tolist() == TRIANGLES
    assert np.array_equal(mesh.vertices, POINTS)


def test_other_properties_lists_and_elements_around_them(tmp_path):
    note = "element note 2\nproperty list uchar double values\nproperty char mark\n"
    notes = b"\x02" + bytes(16) + b"!" + b"\x00" + b"?"
    face = FACE.replace("3\n", "3\nproperty list uchar uchar skipped\n") + "property short tail\n"
    data = header("binary_little_endian", note, VERTEX, face) + notes + binary(before=b"\x02ab", after=b"\0\0")
    assert read(tmp_path, data).faces.tolist() == TRIANGLES


def test_text_with_mixed_polygons_and_carriage_returns(tmp_path):
    rows = [" ".join(map(str, row)) for row in POINTS.tolist()]
    rows += [" ".join(map(str, [len(row), *row])) for row in POLYGONS]
    text = header("ascii", VERTEX, FACE) + "\n\n".join(rows).encode()
    assert read(tmp_path, text).faces.tolist() == TRIANGLES
    assert read(tmp_path, text.replace(b"\n", b"\r\n")).faces.tolist() == TRIANGLES


HUGE = VERTEX.replace("5", "4000000000")


@pytest.mark.parametrize(
    "data, words",
    [
        (header("binary_little_endian", VERTEX, FACE) + binary()[:-1], "after the end of the file"),
        (header("binary_little_endian", HUGE, FACE) + binary(), "announces at least 48000000003 bytes"),
        (header("ascii", HUGE, FACE) + b"0 0 0\n", "announces 4000000003 lines"),
        (header("binary_little_endian", VERTEX, FACE.replace("uchar", "uint")) + binary(), "truncated or damaged"),
        (
            header("binary_little_endian", VERTEX, FACE.replace("uchar", "char")) + binary()[:60] + b"\xff" * 99,
            "-1 values",
        ),
        (header("binary_little_endian", VERTEX, FACE.replace("uchar", "float")) + binary(), "whole number"),
        (header("binary_middle_endian", VERTEX, FACE) + binary(), "binary_middle_endian"),
        (header("ascii", VERTEX.replace(" z", " w"), FACE) + b"0 0 0\n" * 9, "lack x, y or z"),
        (header("ascii", VERTEX, FACE.replace("vertex_index", "corners")) + b"0 0 0\n" * 9, "0 lists"),
        (header("ascii", VERTEX, FACE, "element tristrips 1\nproperty list int int vertex_indices\n"), "tristrips"),
        (header("ascii", VERTEX, FACE) + b"0 0 0\n" * 5 + b"3 0 1 2.5\n" * 3, "not a whole number"),
        (header("ascii", VERTEX, FACE) + b"0 0 0\n" * 5 + b"-3 0 1 2\n" * 3, "face 0 is incomplete"),
        (header("ascii", VERTEX, FACE) + b"0 0 0\n" * 5 + b"2 0 1\n" * 3, "2 corners"),
    ],
)
def test_what_does_not_fit_is_refused(tmp_path, data, words):
    with pytest.raises(FileError, match=words):
        read(tmp_path, data)
