"""The validator of packed trees notices every kind of damage."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from packed_links import validate_blocks

from tumble import shapes
from tumble.errors import TreeError
from tumble.hierarchy.packed.build import build_blocks
from tumble.hierarchy.packed.layout import CHILD, HALF, LANES, MIDDLE, ROWS, SECOND, SIZE, empty_blocks

MESH = shapes.torus(segments=12, sides=8)

Damage = Callable[[np.ndarray, np.ndarray], None]


def damaged(damage: Damage) -> np.ndarray:
    built = build_blocks(MESH.vertices, MESH.faces).blocks
    blocks = empty_blocks(len(built))
    blocks[:] = built
    fields = blocks.reshape(-1, ROWS, LANES)
    damage(fields, fields.view(np.int32))
    return blocks


def some_leaf(links: np.ndarray) -> tuple[int, int]:
    block, lane = np.argwhere((links[:, CHILD] < 0) & (links[:, SECOND] >= 0))[0]
    return block, lane


def some_empty(links: np.ndarray) -> tuple[int, int]:
    block, lane = np.argwhere(links[1:, CHILD] == 0)[0]
    return block + 1, lane


def repeat_a_triangle(fields: np.ndarray, links: np.ndarray) -> None:
    block, lane = some_leaf(links)
    links[block, SECOND, lane] = -1 - links[block, CHILD, lane]


def name_another_twice(fields: np.ndarray, links: np.ndarray) -> None:
    """A triangle in place of another one: as many names as before."""
    (a, i), (b, j) = np.argwhere((links[:, CHILD] < 0) & (links[:, SECOND] >= 0))[:2]
    links[a, SECOND, i] = links[b, SECOND, j]


def name_one_more(fields: np.ndarray, links: np.ndarray) -> None:
    block, lane = some_leaf(links)
    for b, i in np.argwhere((links[:, CHILD] < 0) & (links[:, SECOND] < 0)):
        links[b, SECOND, i] = links[block, SECOND, lane]
        return
    raise AssertionError("there is no leaf of one triangle")


def lose_a_triangle(fields: np.ndarray, links: np.ndarray) -> None:
    block, lane = some_leaf(links)
    links[block, SECOND, lane] = -1


def name_a_wrong_second(fields: np.ndarray, links: np.ndarray) -> None:
    block, lane = some_leaf(links)
    links[block, SECOND, lane] = -7


def link_twice(fields: np.ndarray, links: np.ndarray) -> None:
    inner = np.argwhere(links[:, CHILD] > 0)
    (a, i), (b, j) = inner[-1], inner[-2]
    links[a, CHILD, i] = links[b, CHILD, j]


def link_too_far(fields: np.ndarray, links: np.ndarray) -> None:
    block, lane = np.argwhere(links[:, CHILD] > 0)[-1]
    links[block, CHILD, lane] = len(links)


def make_a_ring(fields: np.ndarray, links: np.ndarray) -> None:
    """Two blocks swap places so that one leads to itself, and every block still has one parent."""
    inner = np.argwhere(links[:, CHILD] > 0)
    block, lane = next((b, i) for b, i in inner if b > 0)
    for a, i in inner:
        if links[a, CHILD, i] == block:
            links[a, CHILD, i], links[block, CHILD, lane] = links[block, CHILD, lane], block
            return


def fill_an_empty_lane(fields: np.ndarray, links: np.ndarray) -> None:
    block, lane = some_empty(links)
    fields[block, MIDDLE, lane] = 1.0


def hide_a_negative_zero(fields: np.ndarray, links: np.ndarray) -> None:
    block, lane = some_empty(links)
    fields[block, HALF, lane] = -0.0


def use_a_second_root(fields: np.ndarray, links: np.ndarray) -> None:
    fields[0, :, 1] = fields[0, :, 0]


def wrong_size(fields: np.ndarray, links: np.ndarray) -> None:
    fields[0, SIZE, 0] *= 1.0001


def flat_box(fields: np.ndarray, links: np.ndarray) -> None:
    block, lane = some_leaf(links)
    fields[block, HALF + 1, lane] = 0.0


def no_number(fields: np.ndarray, links: np.ndarray) -> None:
    block, lane = some_leaf(links)
    fields[block, MIDDLE + 2, lane] = np.nan


@pytest.mark.parametrize(
    "damage, word",
    [
        (repeat_a_triangle, "once"),
        (name_another_twice, "once"),
        (name_one_more, "once"),
        (lose_a_triangle, "once"),
        (name_a_wrong_second, "-7"),
        (link_twice, "once"),
        (link_too_far, "once"),
        (make_a_ring, "ring"),
        (fill_an_empty_lane, "empty"),
        (hide_a_negative_zero, "empty"),
        (use_a_second_root, "alone"),
        (wrong_size, "sum"),
        (flat_box, "positive"),
        (no_number, "finite"),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_damage_is_found(damage: Damage, word: str) -> None:
    with pytest.raises(TreeError, match=word):
        validate_blocks(damaged(damage), len(MESH))


def test_where_triangles_may_repeat_each_is_there_and_none_twice_in_a_leaf() -> None:
    assert validate_blocks(damaged(name_one_more), len(MESH), repeats=True) > 1
    for damage in (repeat_a_triangle, name_another_twice, lose_a_triangle):
        with pytest.raises(TreeError, match="once"):
            validate_blocks(damaged(damage), len(MESH), repeats=True)


def test_what_is_whole_passes() -> None:
    assert validate_blocks(damaged(lambda fields, links: None), len(MESH)) > 1


def test_foreign_arrays_are_refused() -> None:
    blocks = build_blocks(MESH.vertices, MESH.faces).blocks
    with pytest.raises(TreeError, match="float32"):
        validate_blocks(blocks.astype(np.float64), len(MESH))
    with pytest.raises(TreeError, match="shape"):
        validate_blocks(blocks.reshape(-1), len(MESH))
    shifted = np.empty(blocks.size + 1, np.float32)[1:].reshape(blocks.shape)
    shifted[:] = blocks
    with pytest.raises(TreeError, match="multiple"):
        validate_blocks(shifted, len(MESH))
