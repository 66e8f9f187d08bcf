"""Boxtrees: every rebuilt box holds its triangles, nine bytes a node, the same bits for any number of threads."""

from __future__ import annotations

import numpy as np
import pytest
from boxtree_exact import check_exactly, nodes_with_boxes
from hypothesis import example, given
from hypothesis import strategies as st
from tree_cases import AWKWARD, SHAPES, all_equal, in_a_line, random_soup, soup

import tumble
from tumble import Mesh, shapes
from tumble.hierarchy import BoxTree
from tumble.hierarchy.boxtree.build import ONE_PIECE, build_boxtree
from tumble.hierarchy.boxtree.layout import MAX_DEPTH
from tumble.hierarchy.build import BOXTREE_PLANES, BOXTREE_SPLITS

BUILDERS = [(split, planes) for split in BOXTREE_SPLITS for planes in BOXTREE_PLANES]


def boxtree(mesh: Mesh, split: str = "sah", leaf_size: int = 2, planes: str = "free") -> BoxTree:
    return tumble.build(mesh, "boxtree", split, leaf_size, planes=planes)


def check(tree: BoxTree) -> None:
    tree.validate()
    check_exactly(tree)
    assert tree.nodes.shape == (len(tree), 9)
    assert tree.nbytes == 9 * len(tree) + 4 * len(tree.mesh)
    assert len(tree) == max(2 * tree.leaf_count - 1, 0)


@pytest.mark.parametrize("split, planes", BUILDERS)
@pytest.mark.parametrize("leaf_size", [1, 2, 7, 31])
@pytest.mark.parametrize("name", AWKWARD)
def test_awkward_meshes(name: str, leaf_size: int, split: str, planes: str) -> None:
    tree = boxtree(AWKWARD[name](), split, leaf_size, planes)
    check(tree)
    assert tree.leaf_size <= leaf_size
    assert tree.depth <= MAX_DEPTH


@pytest.mark.parametrize("split, planes", BUILDERS)
@pytest.mark.parametrize("name", SHAPES)
def test_shapes(name: str, split: str, planes: str) -> None:
    check(boxtree(SHAPES[name](), split, 1, planes))


@st.composite
def meshes(draw: st.DrawFn) -> Mesh:
    number = st.one_of(
        st.floats(-1e100, 1e100, allow_nan=False),
        st.floats(-2, 2, allow_nan=False),
        st.integers(-3, 3).map(float),
        st.sampled_from([5e-324, -5e-324, 1e-310, 2.0**-149, 1e100, 1.0 + 2.0**-52]),
    )
    rows = draw(st.lists(st.tuples(number, number, number), min_size=1, max_size=12))
    corner = st.integers(0, len(rows) - 1)
    return Mesh(np.array(rows), draw(st.lists(st.tuples(corner, corner, corner), min_size=1, max_size=60)))


@pytest.mark.parametrize("split, planes", BUILDERS)
@given(mesh=meshes(), leaf_size=st.integers(1, 4))
@example(mesh=Mesh([[1e100, -1e100, 5e-324]], [[0, 0, 0]] * 20), leaf_size=1)
def test_any_mesh(split: str, planes: str, mesh: Mesh, leaf_size: int) -> None:
    check(boxtree(mesh, split, leaf_size, planes))


def test_no_triangles() -> None:
    tree = boxtree(Mesh(np.zeros((3, 3)), []))
    tree.validate()
    assert (len(tree), tree.nbytes, tree.depth, tree.leaf_count, tree.leaf_size) == (0, 0, 0, 0, 0)
    assert tree.boxes().shape == (0, 6)


def test_one_triangle() -> None:
    tree = boxtree(random_soup(1))
    assert tree.nodes.tobytes() == bytes([0, 0, 0, 0, 0, 0, 0, 0, 1 << 3])
    assert list(tree.order) == [0]
    assert (tree.depth, tree.leaf_count, tree.leaf_size) == (0, 1, 1)


@pytest.mark.parametrize("split, planes", BUILDERS)
def test_what_cannot_be_told_apart_is_halved(split: str, planes: str) -> None:
    assert boxtree(all_equal(1024), split, 1, planes).depth <= 12


def test_a_deep_mesh_stays_within_the_limit() -> None:
    """Cuts by surface take off the largest of these, few at a time."""
    sizes = np.ldexp(1.0, -np.arange(900))
    tree = boxtree(soup(sizes[:, None, None] * np.array([[1.0, 0, 0], [1, 0.1, 0], [1, 0, 0.1]])), leaf_size=1)
    tree.validate()
    assert tree.depth <= MAX_DEPTH


def test_children_are_smaller_than_parents_and_planes_touch() -> None:
    """Each plane of a child, unless it cuts off nothing, touches a triangle's box: no offset is wasted."""
    mesh = random_soup(200)
    tree = boxtree(mesh, leaf_size=1)
    local = (mesh.triangles - tree.origin) * tree.scale
    boxes = {node: (box, triangles) for node, box, triangles in nodes_with_boxes(tree)}
    fields = tree.nodes.view([("offset", "<f4"), ("link", "<i4"), ("kind", "u1")])[:, 0]

    def below(node: int) -> list[int]:
        if fields["kind"][node] >> 3:
            return boxes[node][1]
        return below(int(fields["link"][node])) + below(int(fields["link"][node]) + 1)

    for node in range(1, len(tree)):
        corners = local[below(node)].reshape(-1, 3)
        axis, upper = int(fields["kind"][node]) & 3, int(fields["kind"][node]) & 4
        if fields["offset"][node] > 0:
            own = boxes[node][0][axis if upper else 3 + axis]
            end = corners[:, axis].min() if upper else corners[:, axis].max()
            assert abs(own - end) < 1e-6


@pytest.mark.parametrize(
    "mesh",
    [
        all_equal(ONE_PIECE + 5000),
        in_a_line(ONE_PIECE + 3000),
        random_soup(ONE_PIECE + 1),
        shapes.torus(segments=200, sides=60),
    ],
    ids=["equal", "line", "soup", "torus"],
)
def test_threads_do_not_change_a_bit(mesh: Mesh) -> None:
    one = build_boxtree(mesh, 2, threads=1)
    one.validate()
    for threads in (2, 5, None):
        other = build_boxtree(mesh, 2, threads=threads)
        assert other.nodes.tobytes() == one.nodes.tobytes()
        assert np.array_equal(other.order, one.order)


def test_boxes_are_what_the_way_down_gives() -> None:
    tree = boxtree(shapes.torus(segments=20, sides=11))
    boxes = tree.boxes()
    for node, box, _ in nodes_with_boxes(tree):
        assert boxes[node].tolist() == box
