"""Options of types that make no sense: an error of ours that names the option."""

import numpy as np
import pytest

import tumble
from tumble.compat.trimesh import CollisionManager
from tumble.core.options import whole_number
from tumble.dynamics import World
from tumble.errors import InputError, OptionError, PoseError, TumbleError

BOX = tumble.shapes.box()
WRONG_WORDS = [
    np.eye(4),
    np.empty((0, 4, 4)),
    np.array(["cpu", "cpu"]),
    np.array([]),
    np.zeros(4, [("x", float), ("y", int)]),
]
WRONG_NUMBERS = [np.eye(2), int, np.array([1, 2]), [1], 1.0, "1", True]


def box_in_scene():
    scene = tumble.Scene()
    scene.add("box", BOX)
    scene.add("other", BOX)
    return scene


@pytest.mark.parametrize("wrong", WRONG_WORDS, ids=str)
@pytest.mark.parametrize("option", ["method", "tree", "device"])
def test_arrays_in_place_of_words(option, wrong):
    for others in ({}, {"tree": "aabb"}, {"method": "stack"}, {"tree": "boxtree"}, {"contacts": True}):
        with pytest.raises(OptionError, match=option):
            tumble.collide(BOX, BOX, **(others | {option: wrong}))


@pytest.mark.parametrize("wrong", WRONG_WORDS[:2], ids=str)
@pytest.mark.parametrize("option", ["first", "contacts"])
def test_arrays_in_place_of_truth_values(option, wrong):
    with pytest.raises(OptionError, match=option):
        tumble.collide(BOX, BOX, **{option: wrong})


@pytest.mark.parametrize("wrong", WRONG_WORDS[:2], ids=str)
def test_arrays_in_place_of_solid(wrong):
    with pytest.raises(OptionError, match="solid"):
        tumble.collides(BOX, BOX, solid=wrong)
    with pytest.raises(OptionError, match="solid"):
        tumble.collide_many(BOX, BOX, [np.eye(4)], solid=wrong)


@pytest.mark.parametrize("wrong", WRONG_WORDS, ids=str)
def test_arrays_in_place_of_devices(wrong):
    for ask in (
        lambda: tumble.collide_many(BOX, BOX, [np.eye(4)], device=wrong),
        lambda: box_in_scene().collisions(device=wrong),
        lambda: tumble.collide_all([BOX, BOX], device=wrong),
    ):
        with pytest.raises(TumbleError):
            ask()


@pytest.mark.parametrize("wrong", WRONG_NUMBERS, ids=str)
def test_what_is_no_whole_number(wrong):
    assert whole_number(wrong) is None
    with pytest.raises(OptionError, match="threads"):
        tumble.collide_many(BOX, BOX, [np.eye(4)], threads=wrong)
    with pytest.raises(OptionError, match="max_pairs"):
        tumble.limits.max_pairs = wrong
    with pytest.raises(InputError, match="number of steps"):
        World().step(wrong)


def test_whole_numbers():
    assert [whole_number(each) for each in (3, np.int8(3), np.array(3), -(1 << 70))] == [3, 3, 3, -(1 << 70)]


def test_names_that_are_no_list():
    with pytest.raises(InputError, match="list of names"):
        box_in_scene().move_many(7, [np.eye(4)])


@pytest.mark.parametrize("poses", [np.int64(3), np.array(3.0), np.float32(2), np.bool_(True), 7, None])
def test_poses_that_are_no_list(poses):
    with pytest.raises(PoseError, match="one 4×4 pose for each of 1 names"):
        box_in_scene().move_many(["box"], poses)


def test_names_of_objects():
    manager = CollisionManager()
    for name in ([1, 2], ([1], 2)):
        with pytest.raises(InputError, match="hashable"):
            manager.add_object(name, BOX)
    manager.add_object(1, BOX)
    manager.add_object("a", BOX)  # 1 and "a" have no order
    assert manager.in_collision_internal(return_names=True) == (True, {(1, "a")})


def test_numbers_beyond_float64():
    with pytest.raises(OptionError, match="radius"):
        tumble.candidates(BOX, radius=1 << 5000)
