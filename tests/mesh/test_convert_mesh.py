import gc
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
import trimesh

from tumble.errors import MeshError
from tumble.mesh import Mesh, as_mesh, convert, shapes


def test_a_mesh_passes_through():
    mesh = shapes.box()
    assert as_mesh(mesh) is mesh


@pytest.mark.parametrize("kind", [tuple, list])
def test_pairs_are_converted(kind):
    mesh = as_mesh(kind(([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]])))
    assert isinstance(mesh, Mesh)
    assert len(mesh) == 1


def test_a_trimesh_is_remembered_until_edited():
    source = trimesh.creation.icosphere(2)
    mesh = as_mesh(source)
    assert np.array_equal(mesh.vertices, source.vertices)
    assert np.array_equal(mesh.faces, source.faces)
    assert as_mesh(source) is mesh
    source.vertices[0] *= 2
    edited = as_mesh(source)
    assert edited is not mesh
    assert np.array_equal(edited.vertices, source.vertices)
    source.apply_translation([1, 0, 0])
    assert np.array_equal(as_mesh(source).vertices, source.vertices)
    source.update_faces(np.arange(len(source.faces)) > 3)
    assert np.array_equal(as_mesh(source).faces, source.faces)


def test_equal_trimeshes_do_not_share_and_primitives_follow_their_size():
    a, b = trimesh.creation.box(), trimesh.creation.box()
    assert as_mesh(a) is not as_mesh(b)
    box = trimesh.primitives.Box()
    assert as_mesh(box).extent == 0.5
    box.primitive.extents = [2, 2, 4]
    assert as_mesh(box).extent == 2.0


def test_nothing_is_kept_alive(quick_collections):
    before = len(convert._remembered)
    sources = [trimesh.creation.box() for _ in range(20)]
    meshes = [as_mesh(source) for source in sources]
    assert len(convert._remembered) == before + 20
    del sources
    gc.collect()
    assert len(convert._remembered) == before
    assert all(len(mesh) == 12 for mesh in meshes)


def test_threads_get_the_same_mesh():
    source = trimesh.creation.icosphere(3)
    with ThreadPoolExecutor(8) as pool:
        meshes = list(pool.map(as_mesh, [source] * 64))
    assert len(set(meshes)) == 1


@pytest.mark.parametrize(
    "thing, words",
    [
        ("part.stl", ["path 'part.stl'", "tumble.load"]),
        (Path("part.stl"), ["path 'part.stl'", "tumble.load"]),
        (trimesh.Scene(), ["trimesh.Scene", "to_mesh"]),
        (trimesh.PointCloud(np.zeros((3, 3))), ["PointCloud", "no triangles"]),
        (None, ["NoneType"]),
        (np.zeros((2, 3)), ["numpy.ndarray"]),
        ((1, 2, 3), ["a tuple of 3 items"]),
    ],
)
def test_anything_else_says_what_is_accepted(thing, words):
    with pytest.raises(MeshError, match=r"a \(vertices, faces\) pair") as caught:
        as_mesh(thing)
    for word in words:
        assert word in str(caught.value)


def test_a_damaged_trimesh_is_refused_and_not_remembered():
    source = trimesh.Trimesh([[0, 0, 0], [1, 0, 0], [0, np.nan, 0]], [[0, 1, 2]], process=False)
    for _ in range(2):
        with pytest.raises(MeshError, match="vertex 2 has a NaN"):
            as_mesh(source)


@pytest.mark.process
def test_trimesh_is_not_imported_by_conversion():
    code = (
        "import sys; from tumble.mesh import as_mesh\n"
        "as_mesh(([[0,0,0],[1,0,0],[0,1,0]], [[0,1,2]]))\n"
        "assert not {'trimesh', 'numba', 'scipy'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
