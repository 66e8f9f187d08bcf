"""Wrong input is refused by name, and changes nothing."""

import numpy as np
import pytest

import tumble
from tumble.errors import InputError, MeshError, OptionError, PoseError
from tumble.scene import Scene

BOX = tumble.shapes.box()


@pytest.fixture
def scene():
    scene = Scene()
    for name in ("left", "right"):
        scene.add(name, BOX)
    return scene


def test_unknown_names(scene):
    calls = (
        lambda: scene.remove("middle"),
        lambda: scene.move("middle", None),
        lambda: scene.move_many(["left", "middle"], [np.eye(4)] * 2),
        lambda: scene.move_many({"middle": None}),
        lambda: scene.pose("middle"),
        lambda: scene.mesh("middle"),
        lambda: scene.bounds("middle"),
        lambda: scene.filter("middle"),
        lambda: scene.set_filter("middle", group=1),
        lambda: scene.collisions_with("middle"),
    )
    for call in calls:
        with pytest.raises(InputError, match="no body 'middle' among the 2 of this scene"):
            call()
    with pytest.raises(InputError, match="no body 7"):
        scene.pose(7)
    with pytest.raises(InputError, match=r"no body \[\]"):
        scene.pose([])


def test_a_name_serves_one_body(scene):
    with pytest.raises(InputError, match="a body 'left' already"):
        scene.add("left", BOX)
    for name in (3, None, ("a", "b")):
        with pytest.raises(InputError, match="must be a string"):
            scene.add(name, BOX)
    assert scene.names == ("left", "right")


NAN = np.eye(4)
NAN[1, 2] = np.nan
MIRROR = np.diag([1.0, 1, -1, 1])
FAR = tumble.translation(1e100, 0, 0) + np.array([[0, 0, 0, 1e99]] + [[0] * 4] * 3)
TRANSPOSED = tumble.translation(1, 2, 3).T
WRONG = {
    r"pose\[1\]\[2\] is nan": NAN,
    "it scales by": 2 * np.eye(4) - np.diag([0, 0, 0, 1.0]),
    "reflection": MIRROR,
    "beyond the supported": FAR,
    "transposed": TRANSPOSED,
    r"found shape \(3, 3\)": np.eye(3),
    "found dtype complex128": np.eye(4, dtype=complex),
    "found dtype <U4": "here",
    "masked": np.ma.masked_array(np.eye(4), np.eye(4, dtype=bool)),
}


@pytest.mark.parametrize("message", WRONG)
def test_poses_that_are_no_rigid_motion(scene, message):
    pose = WRONG[message]
    calls = (
        lambda: scene.add("new", BOX, pose),
        lambda: scene.move("right", pose),
        lambda: scene.move_many(["left", "right"], [tumble.translation(1, 0, 0), pose]),
        lambda: scene.move_many({"left": tumble.translation(1, 0, 0), "right": pose}),
        lambda: scene.collisions_with("right", pose),
    )
    for k, call in enumerate(calls):
        with pytest.raises(PoseError, match=f"body '{'right' if k else 'new'}': .*{message}"):
            call()
    with pytest.raises(PoseError, match=message) as refusal:
        scene.collisions_with(BOX, pose)
    assert "body" not in str(refusal.value)
    assert scene.names == ("left", "right")
    np.testing.assert_array_equal(scene.pose("left"), np.eye(4))
    np.testing.assert_array_equal(scene.pose("right"), np.eye(4))


@pytest.mark.parametrize("message", ["is nan", "it scales by", "reflection", "beyond the supported", "transposed"])
def test_the_body_at_fault_among_many(scene, message):
    pose = next(WRONG[key] for key in WRONG if message in key or key.endswith(message))
    scene = Scene()
    for k in range(9):
        scene.add(str(k), BOX)
    poses = np.tile(np.eye(4), (9, 1, 1))
    poses[:, 0, 3] = 5.0
    poses[6] = pose
    with pytest.raises(PoseError, match=f"body '6': .*{message}"):
        scene.move_many(scene.names, poses)
    assert all(scene.pose(name)[0, 3] == 0.0 for name in scene)


def test_as_many_poses_as_names(scene):
    for poses in (np.eye(4), [np.eye(4)], None, np.tile(np.eye(4), (3, 1, 1)), 7):
        with pytest.raises(PoseError, match="one 4×4 pose for each of 2 names"):
            scene.move_many(["left", "right"], poses)
    with pytest.raises(InputError, match="or one mapping"):
        scene.move_many({"left": None}, [None])
    with pytest.raises(InputError, match="a list of names"):
        scene.move_many("left", [None])


def test_meshes_and_scenes_that_are_none(scene):
    with pytest.raises(MeshError, match=r"expected a tumble\.Mesh"):
        scene.add("new", 7)
    with pytest.raises(MeshError, match=r"expected a tumble\.Mesh"):
        scene.collisions_with(None)
    for other in (scene, None, BOX):
        with pytest.raises(InputError, match="another Scene"):
            scene.collisions_between(other)


def test_many_kinds_of_poses_are_fine(scene):
    here = tumble.translation(1, 2, 3)
    frozen = here.copy()
    frozen.flags.writeable = False
    for pose in (here, here.tolist(), here.astype(np.float32), here.astype(int), np.asfortranarray(here), frozen):
        scene.move("left", None)
        scene.move("left", pose)
        np.testing.assert_array_equal(scene.pose("left"), here)
    scene.move_many(["left", "right"], [None, here.tolist()])
    np.testing.assert_array_equal(scene.pose("left"), np.eye(4))
    np.testing.assert_array_equal(scene.pose("right"), here)
    both = np.stack((here, here))
    both.flags.writeable = False
    scene.move_many(iter(["left", "right"]), both)
    scene.move_many(["left", "right"], np.stack((here, here), axis=-1).transpose(2, 0, 1))
    np.testing.assert_array_equal(scene.pose("left"), here)
    scene.move_many(["left", "left"], [None, tumble.translation(7, 7, 7)])
    np.testing.assert_array_equal(scene.pose("left"), tumble.translation(7, 7, 7))
    scene.move_many([], [])
    scene.move_many({})
    scene.move_many([], np.empty((0, 4, 4)))


def test_a_scene_is_a_collection_of_names(scene):
    assert len(scene) == 2
    assert list(scene) == ["left", "right"]
    assert "left" in scene
    assert "middle" not in scene
    assert [] not in scene
    assert bool(Scene())
    assert repr(scene) == "<Scene of 2 bodies>"
    assert scene.broad_phase == "auto"
    assert scene.mesh("left") is BOX


def test_a_device_does_not_walk_other_trees_than_the_scene_was_made_for():
    """Devices walk oriented boxes; a scene of boxtrees that was sent there would be answered by those in silence."""
    scene = Scene(tree="boxtree")
    scene.add("left", BOX)
    scene.add("right", BOX)
    with pytest.raises(OptionError, match="boxtree"):
        scene.collisions(device="opencl")
    assert len(scene.collisions()) == 1
