"""What is cached must not change under the cache, and nothing in the input is dropped in silence."""

import copy
import pickle

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


def answers():
    box, small = tumble.shapes.box(), tumble.Mesh(tumble.shapes.box().vertices / 4, tumble.shapes.box().faces)
    poses = np.stack([np.eye(4), tumble.translation(0.5, 0.0, 0.0)])
    scene = tumble.Scene()
    scene.add("a", box)
    scene.add("b", small)
    scene.add("c", box, tumble.translation(0.5, 0.0, 0.0))
    return {
        "collide": tumble.collide(box, box, contacts=True),
        "collide_many": tumble.collide_many(box, small, poses, solid=True, clearance=0.1, first=False),
        "collide_all": tumble.collide_all([box, small]),
        "clearance": tumble.clearance(box, small, 1.0),
        "distance_many": tumble.distance_many(box, small, poses),
        "closest_points": tumble.closest_points(box, [[0, 0, 1]]),
        "signed_distance": tumble.signed_distance(box, [[0, 0, 1]]),
        "contains": tumble.contains(box, [[0, 0, 1]]),
        "cast_rays": tumble.cast_rays(box, [[0, 0, 1]], [[0, 0, -1]]),
        "Scene.collisions": scene.collisions(solid=True, clearance=0.1),
        "BodyCollision": scene.collisions(contacts=True)[0],
        "Scene.distance": scene.distance(),
        "time_of_impact": tumble.time_of_impact(box, small, None, tumble.Motion.screw(translation=(1, 0, 0))),
        "time_of_impact_many": tumble.time_of_impact_many(box, small, poses),
        "Scene.time_of_impact": scene.time_of_impact({"b": tumble.Motion.screw(translation=(1, 0, 0))}),
        "Motion": tumble.Motion.path(poses),
    }


def arrays_of(record, path=""):
    """All arrays of a record, and of the records that it consists of."""
    for name in getattr(record, "__dataclass_fields__", ()):
        value = getattr(record, name)
        if isinstance(value, np.ndarray):
            yield f"{path}.{name}", value
        elif value is not None:
            yield from arrays_of(value, f"{path}.{name}")


def test_answers_are_read_only_and_stay_so_in_a_pickle():
    for name, answer in answers().items():
        arrays = dict(arrays_of(answer, name))
        assert arrays
        for same in (pickle.loads(pickle.dumps(answer)), copy.deepcopy(answer)):
            assert type(same) is type(answer)
            found = dict(arrays_of(same, name))
            assert found.keys() == arrays.keys()
            for path, array in found.items():
                np.testing.assert_array_equal(array, arrays[path])
                assert not array.flags.writeable, path
        assert [path for path, array in arrays.items() if array.flags.writeable] == []


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
