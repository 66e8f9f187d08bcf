"""Options that make no sense are refused by name."""

import numpy as np
import pytest
from tree_cases import random_soup

import tumble
from tumble import OptionError


@pytest.mark.parametrize("volume", ["", "AABB", "OBB", "aabb ", None, 3, ["aabb"], b"aabb"])
def test_unknown_volumes(volume: object) -> None:
    with pytest.raises(OptionError, match=r"unknown volume .*aabb, .*sphere"):
        tumble.build(random_soup(3), volume)


@pytest.mark.parametrize("split", ["", "Median", "lbvh", 0, ("sah",)])
def test_unknown_split_rules(split: object) -> None:
    with pytest.raises(OptionError, match=r"unknown split rule .*median, sah, middle"):
        tumble.build(random_soup(3), split=split)


BAD_NUMBERS = [True, False, 1.0, 2.5, "2", [2], np.float64(2), np.bool_(True), float("nan"), 2**31]


@pytest.mark.parametrize("value", [0, -1, *BAD_NUMBERS])
def test_leaf_sizes(value: object) -> None:
    with pytest.raises(OptionError, match="leaf_size must be a whole number from 1"):
        tumble.build(random_soup(3), leaf_size=value)


@pytest.mark.parametrize("value", [1, 0, -2, 65, None, *BAD_NUMBERS])
def test_arities(value: object) -> None:
    with pytest.raises(OptionError, match="arity must be a whole number from 2 to 64"):
        tumble.build(random_soup(3), arity=value)


def test_options_are_checked_for_empty_meshes_too() -> None:
    with pytest.raises(OptionError):
        tumble.build(tumble.Mesh([], []), leaf_size=0)


def test_numpy_integers_are_whole_numbers() -> None:
    mesh = random_soup(9)
    assert tumble.build(mesh, leaf_size=np.int16(2), arity=np.uint8(3)) is tumble.build(mesh, leaf_size=2, arity=3)


def test_what_is_no_mesh_is_refused() -> None:
    with pytest.raises(tumble.TumbleError):
        tumble.build("bunny.ply")
