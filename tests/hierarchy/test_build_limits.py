"""Large and deep input: neither out of stack, nor out of memory, nor for ever."""

import numpy as np
import pytest
from tree_cases import SPLITS, VOLUMES, all_equal, in_a_line, on_one_axis, one_centre, soup

import tumble
from covering import crossed, sized
from tumble import shapes


@pytest.mark.parametrize(
    ("times", "faces", "depth"),
    [(0, 796, 10), (2, 12_736, 14), pytest.param(4, 203_776, 18, marks=pytest.mark.slow)],
)
def test_the_paper_s_depths(times: int, faces: int, depth: int) -> None:
    """Paper `stackless`: 796 faces give a tree of depth 10, and four subdivisions later one of depth 18."""
    mesh = tumble.subdivide(shapes.closed_object(796), times)
    assert len(mesh) == faces
    tree = tumble.build(mesh)
    tree.validate()
    assert tree.depth == depth
    assert tree.leaf_count == len(mesh)
    assert len(tree) == 2 * len(mesh) - 1


@sized(15_000, 1_000_000)
@pytest.mark.parametrize("split", SPLITS)
def test_many_triangles_in_a_line(split: str, count: int) -> None:
    mesh = in_a_line(count)
    tree = tumble.build(mesh, split=split, leaf_size=4)
    tree.validate()
    assert tree.depth <= 40
    assert tree.nbytes / len(mesh) < 2 * (32 + 48) / 2 + 4
    first_corners = mesh.vertices[mesh.faces[tree.order, 0], 0]
    assert (np.abs(np.diff(first_corners)) <= 4).all(), "neighbours in space are neighbours in the order"


@sized(6_000, 100_000)
@pytest.mark.parametrize("split", SPLITS)
@pytest.mark.parametrize("make", [all_equal, one_centre])
def test_equal_centres_are_halved_by_count(make: object, split: str, count: int) -> None:
    tree = tumble.build(make(count), split=split)
    tree.validate()
    assert tree.depth == count.bit_length()


@pytest.mark.parametrize("split", SPLITS)
def test_segments_on_one_axis_give_a_shallow_tree(split: str) -> None:
    """Their boxes have no area, so a surface-area rule sees no difference between the cuts."""
    tree = tumble.build(on_one_axis(20_000), split=split)
    tree.validate()
    assert tree.depth <= 45


@sized(138, 1380)
@crossed(1, volume=VOLUMES, split=SPLITS)
def test_a_deep_tree(volume: str, split: str, count: int) -> None:
    """Triangles at powers of 2 on three axes: cut in the middle, this goes down one triangle at a time."""
    small = np.array([[1.0, 0, 0], [1, 0.1, 0], [1, 0, 0.1]])
    line = np.ldexp(small, np.arange(-1050, 330, 1380 // count)[:, None, None])
    tree = tumble.build(soup(np.concatenate([np.roll(line, k, axis=2) for k in range(3)])), volume, split)
    tree.validate()
    assert tree.depth == (3 * count).bit_length() if split == "median" else tree.depth > 100


@pytest.mark.slow
@pytest.mark.parametrize("volume", VOLUMES)
def test_three_million_triangles(volume: str) -> None:
    mesh = tumble.subdivide(shapes.closed_object(796), 6)
    tree = tumble.build(mesh, volume, leaf_size=2)
    tree.validate()
    assert tree.depth == 21
    assert tree.nbytes == len(tree) * (32 + 8 * tree.rows.shape[1]) + 4 * len(mesh)
    assert len(tree) < 1.5 * len(mesh)
