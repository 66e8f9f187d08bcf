import numpy as np
import pytest
from mesh_topology import areas, euler_characteristic, is_closed, volume

from tumble.errors import OptionError
from tumble.mesh import Mesh, shapes, subdivide


@pytest.mark.parametrize("times", [0, 1, 2, pytest.param(3, marks=pytest.mark.slow)])
def test_closed_stays_closed_on_the_same_surface(times):
    coarse = shapes.closed_object()
    fine = subdivide(coarse, times)
    assert len(fine) == len(coarse) * 4**times
    assert is_closed(fine)
    assert euler_characteristic(fine) == 2
    assert volume(fine) == pytest.approx(volume(coarse))


def test_children_follow_their_parent_and_fill_it():
    coarse = shapes.blob(faces=2000)
    fine = subdivide(coarse)
    assert np.allclose(areas(fine).reshape(-1, 4), areas(coarse)[:, None] / 4)
    assert np.allclose(fine.triangles.reshape(-1, 4, 3, 3).mean(axis=(1, 2)), coarse.triangles.mean(axis=1))
    for corner in range(3):
        assert np.array_equal(fine.triangles[corner::4, corner], coarse.triangles[:, corner])


def test_the_largest_mesh_of_the_paper():
    assert len(subdivide(shapes.closed_object(796), 4)) == 203_776


def test_vertices_are_shared():
    assert len(subdivide(shapes.box()).vertices) == 8 + 18


def test_empty_and_open_and_degenerate_meshes():
    assert len(subdivide(Mesh([], []), 3)) == 0
    assert euler_characteristic(subdivide(shapes.cloth(3, 2), 2)) == 1
    point = subdivide(Mesh([[1, 2, 3]], [[0, 0, 0]]), 2)
    assert len(point) == 16
    assert np.all(point.triangles == [1, 2, 3])


@pytest.mark.parametrize("times", [-1, 1.5, "2", True, 40])
def test_times_is_checked(times):
    with pytest.raises(OptionError, match="times"):
        subdivide(shapes.box(), times)
