"""Refitted trees: as conservative as built ones, the same bits where nothing moved, links untouched."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from packed_exact import triangles_left_out
from packed_links import validate_blocks
from tree_cases import AWKWARD

from tumble import Mesh, shapes
from tumble.hierarchy.packed.layout import CHILD, LANES, ROWS
from tumble.hierarchy.packed.over_boxes import boxes_about, build_over_boxes, frame_about
from tumble.hierarchy.packed.refit import refit


def blocks_over(mesh: Mesh) -> np.ndarray:
    boxes = boxes_about(np.tile(mesh.vertices, 2), mesh.faces)
    return build_over_boxes(boxes, frame_about(boxes))


def assert_sound(mesh: Mesh, moved: np.ndarray) -> None:
    blocks = blocks_over(mesh)
    validate_blocks(blocks, len(mesh))
    tree = refit(blocks, moved, mesh.faces)
    validate_blocks(tree.blocks, len(mesh))
    assert triangles_left_out(Mesh(moved, mesh.faces), tree) == []


@pytest.mark.parametrize("name", AWKWARD)
def test_nothing_moves(name: str) -> None:
    mesh = AWKWARD[name]()
    blocks = blocks_over(mesh)
    again = refit(blocks, mesh.vertices, mesh.faces)
    np.testing.assert_array_equal(again.blocks.view(np.int32), blocks.view(np.int32))
    assert not np.shares_memory(again.blocks, blocks)
    assert_sound(mesh, mesh.vertices)


@given(st.integers(0, 2**32 - 1), st.sampled_from([1e-310, 1e-9, 1.0, 1e50]), st.sampled_from([0.0, 1e6]))
@settings(max_examples=settings().max_examples // 3)
def test_everything_moves(seed: int, scale: float, offset: float) -> None:
    rng = np.random.default_rng(seed)
    mesh = shapes.cloth(int(rng.integers(1, 9)), 5)
    assert_sound(mesh, (rng.normal(size=mesh.vertices.shape) + offset) * scale)


def test_many_threads_build_what_can_be_refitted() -> None:
    """Also where branches are grown apart, blocks come after those that lead to them."""
    mesh = shapes.torus(segments=200, sides=100)
    blocks = blocks_over(mesh)
    child = blocks.reshape(-1, ROWS, LANES).view(np.int32)[:, CHILD]
    assert (child.max(axis=1, where=child > 0, initial=len(blocks)) > np.arange(len(blocks))).all()
    assert (child.min(axis=1, where=child > 0, initial=len(blocks)) > np.arange(len(blocks))).all()
    again = refit(blocks, mesh.vertices, mesh.faces)
    np.testing.assert_array_equal(again.blocks.view(np.int32), blocks.view(np.int32))


def test_no_faces() -> None:
    tree = refit(blocks_over(Mesh([[0, 0, 0]], [])), np.zeros((1, 3)), np.empty((0, 3), np.int32))
    assert not tree.blocks.any()
