"""What is cached must not change under the cache, and nothing in the input is dropped in silence."""

import numpy as np
import pytest

import tumble


def test_a_mesh_shares_no_memory_with_its_input():
    vertices = np.array(tumble.shapes.box().vertices)
    faces = np.array(tumble.shapes.box().faces)
    window = vertices[:]
    vertices.flags.writeable = faces.flags.writeable = False
    mesh = tumble.Mesh(vertices, faces)
    window += 5
    np.testing.assert_array_equal(mesh.vertices, tumble.shapes.box().vertices)
    assert not np.shares_memory(mesh.vertices, vertices)
    assert not np.shares_memory(mesh.faces, faces)


def test_arrays_of_a_mesh_cannot_be_made_writable():
    mesh = tumble.shapes.box()
    for array in (mesh.vertices, mesh.faces):
        with pytest.raises(ValueError, match="WRITEABLE"):
            array.flags.writeable = True


@pytest.mark.parametrize("name", ["mesh", "nodes", "rows", "order", "volume"])
def test_a_tree_refuses_new_content(name: str):
    tree = tumble.build(tumble.shapes.box())
    with pytest.raises(AttributeError, match="immutable"):
        setattr(tree, name, getattr(tree, name))


def test_masks_are_not_dropped_in_silence():
    box = tumble.shapes.box()
    mask = np.zeros(box.faces.shape, bool)
    assert len(tumble.Mesh(box.vertices, np.ma.masked_array(box.faces, mask))) == len(box)
    mask[3] = True
    with pytest.raises(tumble.MeshError, match="masked"):
        tumble.Mesh(box.vertices, np.ma.masked_array(box.faces, mask))
    with pytest.raises(tumble.PoseError, match="masked"):
        tumble.collides(box, box, np.ma.masked_array(np.eye(4), np.eye(4, dtype=bool)))


def test_a_trace_of_rounding_in_the_last_row_is_no_transposed_pose():
    pose = tumble.rotation("x", 0.3)
    pose[3, 0] = 1e-17
    assert tumble.collides(tumble.shapes.box(), tumble.shapes.box(), pose)
    pose[3, 0] = 1e-3
    with pytest.raises(tumble.PoseError):
        tumble.collides(tumble.shapes.box(), tumble.shapes.box(), pose)
