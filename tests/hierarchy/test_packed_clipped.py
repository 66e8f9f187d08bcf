"""Long thin triangles are cut into pieces whose boxes cover them, within a budget; other meshes are left alone."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from packed_exact import leaves_with_boxes, triangles_left_out
from packed_links import validate_blocks
from tree_cases import SHAPES, random_soup, segments, soup

from covering import crossed, sized
from tumble import Mesh, shapes
from tumble.hierarchy.packed import build, packed
from tumble.hierarchy.packed.build import ONE_PIECE, BuiltBlocks, build_blocks
from tumble.hierarchy.packed.layout import CHILD, LANES, ROWS, SECOND


def built(mesh: Mesh, threads: int | None = None) -> BuiltBlocks:
    return build_blocks(mesh.vertices, mesh.faces, threads)


def names(tree: BuiltBlocks) -> np.ndarray:
    """How often each triangle is named."""
    links = tree.blocks.reshape(-1, ROWS, LANES).view(np.int32)
    leaf = links[:, CHILD] < 0
    second = links[:, SECOND][leaf]
    return np.bincount(np.concatenate([-1 - links[:, CHILD][leaf], second[second >= 0]]))


def slivers(count: int, seed: int = 0, width: float = 0.01, length: float = 1.0) -> Mesh:
    """Long thin triangles in all directions."""
    rng = np.random.default_rng(seed)
    ends = rng.uniform(-1, 1, (count, 1, 3)) + np.stack([np.zeros((count, 3)), rng.normal(0, length, (count, 3))], 1)
    third = ends[:, 1] + rng.normal(0, width, (count, 3))
    return soup(np.concatenate([ends, third[:, None]], axis=1))


def check(mesh: Mesh) -> BuiltBlocks:
    tree = built(mesh)
    assert triangles_left_out(mesh, tree) == []
    validate_blocks(tree.blocks, len(mesh), tree.repeats)
    assert tree.repeats or names(tree).max() == 1
    assert names(tree).sum() <= 2 * len(mesh)
    return tree


@crossed(1, width=[0.0, 1e-9, 1e-3, 0.05], count=[3, 17, 120])
def test_slivers_are_cut_and_covered(count: int, width: float) -> None:
    tree = check(slivers(count, seed=count, width=width))
    assert tree.repeats
    assert names(tree).sum() > 1.3 * count


def test_boxes_of_pieces_are_small() -> None:
    """Cut in two, a diagonal needs half the surface; leaves of two spoil a part of it."""
    mesh = slivers(60, length=0.3)
    cut, whole = surface(built(mesh)), surface(uncut(mesh))
    assert cut < 0.75 * whole


def surface(tree: BuiltBlocks) -> float:
    total = 0.0
    for triangles, box in leaves_with_boxes(tree):
        x, y, z = (float(high - low) for low, high in box)
        total += len(triangles) * (x * y + y * z + z * x)
    return total


def uncut(mesh: Mesh) -> BuiltBlocks:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(build, "_firsts", lambda *arguments: None)
        return built(mesh)


@pytest.mark.parametrize("name", sorted(set(SHAPES) - {"gear"}))
def test_ordinary_meshes_are_not_cut(name: str) -> None:
    tree = built(SHAPES[name]())
    assert not tree.repeats
    assert names(tree).max() == 1


@sized(12, 40)
def test_a_gear_is_cut(count: int) -> None:
    mesh = shapes.gear(teeth=count)
    tree = check(mesh)
    assert tree.repeats
    assert tree.blocks.nbytes < 72 * len(mesh)


def test_few_slivers_in_an_ordinary_mesh_are_not_cut() -> None:
    ordinary, thin = shapes.icosphere(3), slivers(5, length=0.1)
    faces = np.concatenate([ordinary.faces, thin.faces + len(ordinary.vertices)])
    assert not built(Mesh(np.concatenate([ordinary.vertices, thin.vertices]), faces)).repeats


def test_the_budget_goes_to_those_that_waste_most() -> None:
    """Long slivers get more pieces than short ones, and fat triangles none."""
    fat = random_soup(100, seed=1).triangles
    mesh = soup(np.concatenate([fat, slivers(50, 2, 1e-3, 0.3).triangles, slivers(10, 3, 1e-3, 3.0).triangles]))
    count = names(check(mesh))
    assert count[:100].mean() < 1.05
    assert 1.2 < count[100:150].mean() < 0.5 * count[150:].mean()


@pytest.mark.parametrize("power", [-1060, -300, 40, 300])
@pytest.mark.parametrize("offset", [0.0, 1e9])
def test_anywhere_at_any_scale(power: int, offset: float) -> None:
    check(Mesh(np.ldexp(slivers(20, width=1e-4).vertices + offset, power), slivers(20).faces))


coordinates = st.one_of(
    st.integers(-3, 3).map(float),
    st.floats(-1.0, 1.0),
    st.floats(-1.0, 1.0).map(lambda x: x * 1e-6),
    st.floats(-1.0, 1.0).map(lambda x: x * 1e-40),
)
point = st.tuples(coordinates, coordinates, coordinates)


@given(st.lists(st.tuples(point, point, st.floats(0, 1), st.floats(0, 1e-3)), min_size=3, max_size=25))
@example([((0.0, 0.0, 0.0), (3.0, 3.0, 3.0), 0.0, 0.0)] * 5)
@example([((0.0, 0.0, 0.0), (1.0, 1.0 / 3.0, 1e-40), 1 / 3, 1e-17)] * 5)
@settings(max_examples=settings().max_examples // 3)
def test_any_slivers(rows: list) -> None:
    """A third corner on the edge between the others, or a little off it: edges across the slabs and along them."""
    triangles = [
        (p, q, [a + t * (b - a) + (off if axis == 1 else 0.0) for axis, (a, b) in enumerate(zip(p, q, strict=True))])
        for p, q, t, off in rows
    ]
    check(soup(np.array(triangles)))


@given(st.lists(st.tuples(*[st.integers(-4, 4)] * 9), min_size=3, max_size=20))
@settings(max_examples=2 * settings().max_examples // 3)
def test_corners_on_a_grid(rows: list) -> None:
    """Corners in the planes between slabs, edges within them, points and segments."""
    check(soup(np.array(rows, float)))


@pytest.mark.parametrize("mesh", [slivers(ONE_PIECE + 3000), segments(ONE_PIECE - 2000)], ids=["many", "many pieces"])
def test_threads_do_not_change_a_bit(mesh: Mesh) -> None:
    one = built(mesh, threads=1)
    assert one.repeats
    validate_blocks(one.blocks, len(mesh), repeats=True)
    for threads in (2, 5):
        assert built(mesh, threads).blocks.tobytes() == one.blocks.tobytes()


def test_the_flag_is_in_the_header_and_survives_pickling() -> None:
    from tumble.hierarchy.packed.header import REPEATS

    for mesh, repeats in ((slivers(30), True), (shapes.torus(), False)):
        tree = packed(mesh)
        for each in (tree, pickle.loads(pickle.dumps(mesh))._packed):
            assert each.repeats is repeats
            assert each.header[REPEATS] == float(repeats)
