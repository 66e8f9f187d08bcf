import copy
import gc
import pickle
import weakref

import numpy as np
import pytest

from tumble.errors import InputError, MeshError, TumbleError
from tumble.mesh import MAX_COORDINATE, Mesh

TRIANGLE = ([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]])


def test_arrays_have_the_promised_layout():
    mesh = Mesh(*TRIANGLE)
    assert mesh.vertices.dtype == np.float64
    assert mesh.vertices.flags.c_contiguous
    assert mesh.faces.dtype == np.int32
    assert mesh.faces.flags.c_contiguous
    assert len(mesh) == 1
    assert mesh.triangles.shape == (1, 3, 3)
    assert mesh.triangles[0].tolist() == TRIANGLE[0]
    assert repr(mesh) == "<Mesh of 1 triangles, 3 vertices>"


@pytest.mark.parametrize("dtype", [np.int8, np.int64, np.uint64, np.float16, np.float32, np.longdouble, ">f8"])
def test_any_real_dtype_of_vertices(dtype):
    mesh = Mesh(np.asfortranarray(np.array(TRIANGLE[0], dtype=dtype)), TRIANGLE[1])
    assert mesh.vertices.tolist() == TRIANGLE[0]
    assert mesh.vertices.dtype.isnative
    assert mesh.vertices.flags.c_contiguous


def test_input_is_copied_so_later_edits_do_not_show():
    vertices, faces = np.array(TRIANGLE[0], float), np.array(TRIANGLE[1], np.int32)
    mesh = Mesh(vertices, faces)
    vertices[0] = 7
    faces[0] = 0
    assert mesh.vertices.tolist() == TRIANGLE[0]
    assert mesh.faces.tolist() == TRIANGLE[1]


def test_read_only_views_are_copied():
    mesh = Mesh(*TRIANGLE)
    base = np.array(TRIANGLE[0], float)
    view = base[:]
    view.flags.writeable = False
    other = Mesh(view, mesh.faces)
    base[0] = 9
    assert other.vertices.tolist() == TRIANGLE[0]


def test_nothing_can_be_changed():
    mesh = Mesh(*TRIANGLE)
    with pytest.raises(ValueError, match="read-only"):
        mesh.vertices[0] = 1
    with pytest.raises(ValueError, match="read-only"):
        mesh.faces[0] = 1
    with pytest.raises(ValueError, match="read-only"):
        mesh.bounds[0] = 1
    with pytest.raises(AttributeError, match="immutable"):
        mesh.vertices = None
    with pytest.raises(AttributeError):
        mesh.colour = "red"
    with pytest.raises(AttributeError, match="immutable"):
        del mesh.faces


def test_identity_is_equality_and_hash():
    a, b = Mesh(*TRIANGLE), Mesh(*TRIANGLE)
    assert a == a
    assert a != b
    assert len({a, b, a}) == 2


def test_pickle_and_copies():
    mesh = Mesh(*TRIANGLE)
    mesh._trees["key"] = object()
    back = pickle.loads(pickle.dumps(mesh))
    assert np.array_equal(back.vertices, mesh.vertices)
    assert np.array_equal(back.faces, mesh.faces)
    assert back._trees == {}
    assert not back.vertices.flags.writeable
    assert copy.copy(mesh).vertices is mesh.vertices
    assert np.array_equal(copy.deepcopy([mesh])[0].faces, mesh.faces)


def test_weak_references_work(quick_collections):
    mesh = Mesh(*TRIANGLE)
    reference = weakref.ref(mesh)
    del mesh
    gc.collect()
    assert reference() is None


def test_bounds_and_extent_ignore_unreferenced_vertices():
    mesh = Mesh([[0, 0, 0], [1, 0, 0], [0, -2, 0], [50, 50, 50]], [[0, 1, 2]])
    assert mesh.bounds.tolist() == [[0, -2, 0], [1, 0, 0]]
    assert mesh.bounds is mesh.bounds
    assert mesh.extent == 2.0


@pytest.mark.parametrize("vertices", [[], np.empty((0, 3)), TRIANGLE[0]])
@pytest.mark.parametrize("faces", [[], np.empty((0, 3), np.int64), np.empty(0)])
def test_empty_meshes_are_fine(vertices, faces):
    mesh = Mesh(vertices, faces)
    assert len(mesh) == 0
    assert mesh.faces.shape == (0, 3)
    assert mesh.triangles.shape == (0, 3, 3)
    assert mesh.bounds is None
    assert mesh.extent == 0.0
    assert mesh


def test_the_limit_itself_is_allowed():
    assert Mesh([[MAX_COORDINATE, 0, 0], [0, -MAX_COORDINATE, 0], [0, 0, 1]], [[0, 1, 2]]).extent == 1e100


def _vertices_with(row, value, count=20):
    vertices = np.zeros((count, 3))
    vertices[row, 1] = value
    return vertices


@pytest.mark.parametrize(
    "vertices, words",
    [
        (_vertices_with(17, np.nan), ["vertex 17", "NaN", "[0.0, nan, 0.0]"]),
        (_vertices_with(3, -np.inf), ["vertex 3", "infinity", "-inf"]),
        (_vertices_with(5, 1.1e100), ["vertex 5", "1e+100", "1.1e+100"]),
        (_vertices_with(5, 1).astype(np.longdouble) * np.longdouble("1e400"), ["vertex 5", "infinity"]),
        (np.zeros((4, 2)), ["(4, 2)"]),
        (np.zeros(3), ["(3,)"]),
        (np.zeros((2, 3, 3)), ["(2, 3, 3)"]),
        (5, ["()"]),
        ([[0, 0, 0], [1, 2]], ["vertices"]),
        ([["a", "b", "c"]], ["dtype <U1"]),
        ([[1j, 0, 0]], ["complex128"]),
        ([[True, False, True]], ["bool"]),
        ([[None, 0, 0]], ["object"]),
        ([[2**70, 0, 0]], ["object", "64 bits"]),
        ([[0, 0, 0], [2**53 + 1, 0, 0]], ["vertex 1", "9007199254740993", "2**53"]),
        (np.array([[-(2**63), 0, 0]]), ["vertex 0", "2**53"]),
        (np.array([[2**64 - 1, 0, 0]], np.uint64), ["vertex 0", "2**53"]),
        (np.broadcast_to(np.zeros(3), (2**31, 3)), ["2147483648 vertices", "2147483647"]),
    ],
)
def test_bad_vertices_are_named(vertices, words):
    with pytest.raises(MeshError) as caught:
        Mesh(vertices, [])
    for word in words:
        assert word in str(caught.value)


@pytest.mark.parametrize(
    "faces, words",
    [
        ([[0, 1, 2], [0, 1, 3]], ["face 1", "[0, 1, 3]", "index 3", "3 vertices"]),
        ([[0, 1, 2], [0, -1, 2]], ["face 1", "index -1", "negative"]),
        (np.array([[0, 1, 2**64 - 1]], np.uint64), ["face 0", "18446744073709551615", "3 vertices"]),
        (np.array([[0, 1, 2**32]], np.int64), ["face 0", "4294967296"]),
        ([[0.0, 1.0, 2.0]], ["float64", "astype"]),
        ([[0, 1, 2, 0]], ["(1, 4)", "quads", "triangulate"]),
        (np.empty((0, 4), int), ["(0, 4)"]),
        ([0, 1, 2], ["(3,)"]),
        ([[0, 1, 2], [0, 1]], ["faces"]),
        ([["0", "1", "2"]], ["dtype"]),
        ([[True, False, True]], ["bool"]),
        (np.broadcast_to(np.zeros(3, int), (2**31, 3)), ["2147483648 faces"]),
    ],
)
def test_bad_faces_are_named(faces, words):
    with pytest.raises(MeshError) as caught:
        Mesh(TRIANGLE[0], faces)
    for word in words:
        assert word in str(caught.value)


def test_unreferenced_nan_is_refused_too():
    with pytest.raises(MeshError, match="vertex 3 has a NaN"):
        Mesh([*TRIANGLE[0], [np.nan, 0, 0]], TRIANGLE[1])


def test_errors_are_value_errors_and_tumble_errors():
    for kind in (ValueError, InputError, TumbleError):
        with pytest.raises(kind):
            Mesh([[np.nan, 0, 0]], [])
