"""The builder of packed trees: sound and conservative on any mesh, balanced where nothing can be told apart."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from packed_exact import nodes_with_triangles, triangles_left_out
from packed_links import validate_blocks
from tree_cases import AWKWARD, SHAPES, all_equal, in_a_line, random_soup, soup

from tumble import Mesh, shapes
from tumble.errors import TreeError
from tumble.hierarchy.packed.build import (
    MOST_TRIANGLES,
    ONE_BRANCH,
    ONE_PIECE,
    BuiltBlocks,
    _enclose_all,
    _gather,
    _grow_branches,
    build_blocks,
    localised,
    most_blocks,
)
from tumble.hierarchy.packed.grow import BRANCH_DEPTH, HALVING_DEPTH
from tumble.hierarchy.packed.layout import HALF, LANES, MIDDLE, ROWS


def built(mesh: Mesh, threads: int | None = None) -> BuiltBlocks:
    return build_blocks(mesh.vertices, mesh.faces, threads)


def check(mesh: Mesh) -> int:
    """Everything that must hold for a mesh; returns the depth."""
    tree = built(mesh)
    assert triangles_left_out(mesh, tree) == []
    check_frame(mesh, tree)
    assert len(tree.blocks) <= 1 + most_blocks((2 if tree.repeats else 1) * len(mesh))
    return validate_blocks(tree.blocks, len(mesh), tree.repeats)


def check_frame(mesh: Mesh, tree: BuiltBlocks) -> None:
    low, high = mesh.bounds
    assert np.array_equal(tree.origin, 0.5 * (low + high))
    half = float(np.maximum(high - tree.origin, tree.origin - low).max())
    assert np.frexp(tree.scale)[0] == 0.5, "the scale is not a power of two"
    if half == 0.0:
        assert tree.scale == 1.0
    elif half > 1e-290:  # below, the scale is as large as it gets
        assert 0.5 < half * tree.scale <= 1.0


@pytest.mark.parametrize("name", AWKWARD)
def test_awkward_meshes(name: str) -> None:
    check(AWKWARD[name]())


@pytest.mark.parametrize(
    "name",
    [
        "closed object",
        *(pytest.param(each, marks=pytest.mark.slow) for each in ("gear", "box", "cloth")),
    ],
)
def test_shapes(name: str) -> None:
    assert check(SHAPES[name]()) <= 6


@pytest.mark.parametrize(
    "count",
    [*range(1, 20), 64, 65, *(pytest.param(count, marks=pytest.mark.slow) for count in (*range(20, 40), 63, 128, 129))],
)
def test_every_small_number_of_triangles(count: int) -> None:
    check(random_soup(count, seed=count))


def test_no_triangles() -> None:
    tree = build_blocks(np.zeros((2, 3)), np.zeros((0, 3), np.int32))
    assert validate_blocks(tree.blocks, 0) == 1
    assert tree.scale == 1.0
    assert not tree.blocks.any()


coordinates = st.one_of(
    st.integers(-3, 3).map(float),
    st.floats(-1e100, 1e100, allow_subnormal=True),
    st.floats(-1.0, 1.0).map(lambda x: x * 1e-310),
    st.floats(1e6, 1e6 + 1.0),
)


@st.composite
def meshes(draw: st.DrawFn) -> Mesh:
    """A few vertices, used again and again: equal, flat and pointlike triangles are common."""
    rows = draw(st.lists(st.tuples(coordinates, coordinates, coordinates), min_size=1, max_size=12))
    corner = st.integers(0, len(rows) - 1)
    faces = draw(st.lists(st.tuples(corner, corner, corner), min_size=1, max_size=60))
    flat = draw(st.sampled_from([None, 0, 1, 2]))
    vertices = np.array(rows)
    if flat is not None:
        vertices[:, flat] = vertices[0, flat]
    return Mesh(vertices, faces)


@given(meshes())
@example(Mesh([[1e100, -1e100, 5e-324]], [[0, 0, 0]] * 20))
def test_any_mesh(mesh: Mesh) -> None:
    check(mesh)


@given(st.integers(1, 400), st.integers(0, 2**32), st.sampled_from([1e-320, 1e-150, 1.0, 1e99]))
def test_any_soup_is_sound(count: int, seed: int, size: float) -> None:
    mesh = random_soup(count, seed, size)
    tree = built(mesh)
    validate_blocks(tree.blocks, count, tree.repeats)


def test_vertices_without_triangles_do_not_coarsen_the_boxes() -> None:
    mesh = shapes.icosphere(1)
    stray = Mesh(np.vstack([mesh.vertices, [[1e100, 0, 0]]]), mesh.faces)
    assert built(stray).blocks.tobytes() == built(mesh).blocks.tobytes()
    assert built(stray).scale == built(mesh).scale


def test_the_place_of_a_mesh_costs_no_precision() -> None:
    """Moved far away by a power of two, the boxes of the same local coordinates stay the same."""
    vertices = np.round(np.random.default_rng(0).normal(size=(300, 3)) * 2**10) / 2**10
    faces = np.arange(300).reshape(-1, 3)
    near, far = built(Mesh(vertices, faces)), built(Mesh(vertices + 2.0**30, faces))
    assert near.blocks.tobytes() == far.blocks.tobytes()


def test_boxes_are_tight() -> None:
    """A leaf's box exceeds that of its triangles by float32's rounding, and no more."""
    mesh = random_soup(200)
    tree = built(mesh)
    fields = tree.blocks.reshape(-1, ROWS, LANES)
    local = (mesh.triangles - tree.origin) * tree.scale
    for block, lane, triangles in nodes_with_triangles(tree):
        corners = local[triangles].reshape(-1, 3)
        middle, half = (fields[block, row : row + 3, lane].astype(float) for row in (MIDDLE, HALF))
        assert (middle - half > corners.min(axis=0) - 1e-6).all()
        assert (middle + half < corners.max(axis=0) + 1e-6).all()


@pytest.mark.parametrize(
    "mesh",
    [
        all_equal(ONE_PIECE + 5000),
        in_a_line(ONE_PIECE + 3000),
        random_soup(ONE_PIECE + 1),
        random_soup(ONE_BRANCH + 1),
        all_equal(ONE_BRANCH + 700),
        shapes.torus(segments=200, sides=60),
    ],
    ids=["equal", "line", "soup", "small soup", "small equal", "torus"],
)
def test_threads_do_not_change_a_bit(mesh: Mesh) -> None:
    one = built(mesh, threads=1)
    assert validate_blocks(one.blocks, len(mesh), one.repeats) <= 8
    for threads in (2, 5, None):
        other = built(mesh, threads)
        assert other.blocks.tobytes() == one.blocks.tobytes()
        assert np.array_equal(other.origin, one.origin)
        assert other.scale == one.scale


def test_what_cannot_be_told_apart_is_halved() -> None:
    """Equal triangles give the flattest tree there is: a block of eight for each factor of eight."""
    assert validate_blocks(built(all_equal(4000)).blocks, 4000) <= 5


def test_deep_down_ranges_are_halved() -> None:
    """Cuts by surface take off the largest of these, few at a time; where halving begins, the tree is flat at once."""
    sizes = np.ldexp(1.0, -(np.arange(3000) // 30))
    mesh = soup(sizes[:, None, None] * np.array([[1.0, 0, 0], [1, 0.1, 0], [1, 0, 0.1]]))
    # 3000, 375, 47, 6: four levels of blocks, and the root's
    assert depth_from(mesh, HALVING_DEPTH) == 5
    assert 5 < depth_from(mesh, HALVING_DEPTH - 1) < depth_from(mesh, 1) < 20


def depth_from(mesh: Mesh, depth: int) -> int:
    """The depth of a tree whose first block is said to be so deep already."""
    boxes, whole = _enclose_all(mesh.faces, localised(mesh.vertices, mesh.faces)[1], 1)
    whole[BRANCH_DEPTH] = depth
    return validate_blocks(_gather(_grow_branches(boxes, whole[None], 1), whole, len(mesh), 1), len(mesh))


@pytest.mark.parametrize("name", ["torus", "knot", "bowl"])
def test_memory(name: str) -> None:
    """Blocks are well filled: below 36 bytes a triangle."""
    mesh = {"torus": lambda: shapes.torus(segments=100, sides=50), "knot": shapes.knot, "bowl": shapes.bowl}[name]()
    assert built(mesh).blocks.nbytes < 36 * len(mesh)


def test_lists_and_foreign_layouts_are_read_right() -> None:
    mesh = shapes.torus(segments=9, sides=7)
    columns = build_blocks(np.asfortranarray(mesh.vertices), np.asfortranarray(mesh.faces))
    assert columns.blocks.tobytes() == built(mesh).blocks.tobytes()


@pytest.mark.parametrize("count", [3, 8])
def test_the_best_fitting_triangles_share_a_leaf(count: int) -> None:
    """A few quads far apart, each of two triangles: every leaf is a quad, even where lanes are left."""
    quad = np.array([[[0.0, 0, 0], [1, 0, 0], [1, 1, 0]], [[0, 0, 0], [1, 1, 0], [0, 1, 0]]])
    places = np.random.default_rng(1).uniform(-50, 50, (count, 1, 1, 3))
    tree = built(soup((quad + places).reshape(-1, 3, 3)))
    leaves = [sorted(triangles) for _, _, triangles in nodes_with_triangles(tree) if len(triangles) <= 2]
    assert sorted(leaves) == [[2 * k, 2 * k + 1] for k in range(count)]
    assert len(tree.blocks) == 2


def test_triangles_that_do_not_fit_together_are_leaves_of_their_own() -> None:
    tree = built(soup(np.eye(3)[None] + np.arange(8)[:, None, None] * 10.0))
    assert all(len(triangles) in (1, 8) for _, _, triangles in nodes_with_triangles(tree))


def test_too_many_triangles_are_refused() -> None:
    faces = np.broadcast_to(np.zeros(3, np.int32), (MOST_TRIANGLES + 1, 3))
    with pytest.raises(TreeError, match=str(MOST_TRIANGLES + 1)):
        build_blocks(np.zeros((1, 3)), faces)
