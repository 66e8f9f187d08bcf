"""Boxtrees: every rebuilt box holds its triangles, nine bytes a node, the same bits for any number of threads."""

from __future__ import annotations

import numpy as np
import pytest
from boxtree_exact import check_exactly, nodes_with_boxes
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tree_cases import AWKWARD, SHAPES, all_equal, in_a_line, random_soup, soup

import tumble
from covering import crossed
from tumble import Mesh, shapes
from tumble.hierarchy import BoxTree
from tumble.hierarchy.boxtree.build import ONE_PIECE, build_boxtree
from tumble.hierarchy.boxtree.layout import MAX_DEPTH, NODE
from tumble.hierarchy.build import BOXTREE_PLANES, BOXTREE_SPLITS

BUILDERS = [(split, planes) for split in BOXTREE_SPLITS for planes in BOXTREE_PLANES]


def boxtree(mesh: Mesh, split: str = "sah", leaf_size: int = 2, planes: str = "free") -> BoxTree:
    return tumble.build(mesh, "boxtree", split, leaf_size, planes=planes)


def check(tree: BoxTree) -> None:
    tree.validate()
    check_exactly(tree)
    assert tree.nodes.shape == (len(tree), 9)
    assert tree.nbytes == 9 * len(tree) + 4 * len(tree.mesh)
    single = (tree.nodes.view(NODE)["link"] < 0).sum()
    assert len(tree) == max(2 * tree.leaf_count - 1, 0) + single


@crossed(1, name=AWKWARD, split=BOXTREE_SPLITS, planes=BOXTREE_PLANES)
def test_awkward_meshes(name: str, split: str, planes: str) -> None:
    mesh = AWKWARD[name]()
    for leaf_size in (1, 31):
        tree = boxtree(mesh, split, leaf_size, planes)
        tree.validate()
        assert tree.leaf_size <= leaf_size
        assert tree.depth <= MAX_DEPTH
    check(boxtree(mesh, split, 2, planes))


@crossed(1, name=AWKWARD, leaf_size=[1, 3, 7, 31])
def test_leaf_sizes(name: str, leaf_size: int) -> None:
    tree = boxtree(AWKWARD[name](), leaf_size=leaf_size)
    check(tree)
    assert tree.leaf_size <= leaf_size


SMALL = ("box", "icosphere", "gear")
SMALL_FIRST = [name if name in SMALL else pytest.param(name, marks=pytest.mark.slow) for name in SHAPES]


@crossed(1, name=SMALL_FIRST, builder=BUILDERS)
def test_shapes(name: str, builder: tuple[str, str]) -> None:
    mesh = SHAPES[name]()
    split, planes = builder
    boxtree(mesh, split, 1, planes).validate()
    check(boxtree(mesh, split, 2, planes))


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


@given(meshes(), st.sampled_from(BUILDERS), st.integers(1, 4))
@settings(max_examples=settings().max_examples // 3)
@example(Mesh([[1e100, -1e100, 5e-324]], [[0, 0, 0]] * 20), ("sah", "free"), 1)
def test_any_mesh(mesh: Mesh, builder: tuple[str, str], leaf_size: int) -> None:
    check(boxtree(mesh, builder[0], leaf_size, builder[1]))


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


@pytest.mark.parametrize("split", BOXTREE_SPLITS)
def test_coplanar_planes(split: str) -> None:
    """Both children are cut on one axis, whenever they can be told apart."""
    tree = boxtree(shapes.torus(segments=20, sides=11), split, 1, "coplanar")
    fields = tree.nodes.view(NODE)[:, 0]
    first = fields["link"][tree.leaf_counts == 0]
    axes = fields["kind"] & 3
    assert (axes[first] == axes[first + 1]).mean() > 0.95


def test_free_planes_are_perpendicular_too() -> None:
    tree = boxtree(shapes.torus(segments=20, sides=11), leaf_size=1)
    fields = tree.nodes.view(NODE)[:, 0]
    first = fields["link"][tree.leaf_counts == 0]
    axes = fields["kind"] & 3
    assert (axes[first] != axes[first + 1]).mean() > 0.1


def test_only_chained_trees_have_chains_and_they_are_tighter() -> None:
    mesh = shapes.torus(segments=40, sides=20)
    surfaces = {}
    for planes in BOXTREE_PLANES:
        tree = boxtree(mesh, planes=planes)
        sizes = tree.boxes()[:, 3:] - tree.boxes()[:, :3]
        leaves = sizes[tree.leaf_counts > 0]
        surfaces[planes] = (leaves * np.roll(leaves, 1, axis=1)).sum() / len(leaves)
        inner = tree.leaf_counts == 0
        assert ((tree.nodes.view(NODE)["link"][inner, 0] < 0).any()) == (planes == "chained")
    assert surfaces["chained"] < 0.6 * surfaces["free"] < 0.6 * surfaces["coplanar"]


@pytest.mark.parametrize("split", ["least-volume", "longest-axis"])
def test_the_papers_partition_of_two_clusters(split: str) -> None:
    """Two unequal heaps far apart, mixed in the array: the first cut parts them, one lower box and one upper."""
    rng = np.random.default_rng(2)
    heaps = rng.uniform(0, 1, (60, 1, 3)) + rng.uniform(0, 0.1, (60, 3, 3))
    heaps[::3] += [0, 50, 0]
    tree = boxtree(soup(heaps), split, 1, "coplanar")
    boxes, fields = tree.boxes(), tree.nodes.view(NODE)[:, 0]
    low, high = (1, 2) if boxes[1, 1] < boxes[2, 1] else (2, 1)
    assert fields["kind"][low] & 7 == 1
    assert fields["kind"][high] & 7 == 1 | 4
    assert boxes[low, 4] < boxes[high, 1]


def test_the_longest_axis_is_the_only_one_looked_at() -> None:
    """Two sheets beside each other, each far longer than the gap: only the other rule cuts across the gap."""
    x, y = np.meshgrid(np.arange(40.0), [0.0, 8.0])
    places = np.stack([x, y, 0 * x], axis=-1).reshape(-1, 1, 3)
    mesh = soup(places + np.array([[0, 0, 0], [1.5, 0, 0], [0, 1, 0.5]]))
    axes = {split: boxtree(mesh, split, 1, "coplanar").nodes[1, 8] & 3 for split in ("least-volume", "longest-axis")}
    assert axes == {"least-volume": 1, "longest-axis": 0}


@pytest.mark.parametrize("split", ["least-volume", "longest-axis"])
def test_the_papers_trees_are_not_chains_of_single_triangles(split: str) -> None:
    assert boxtree(shapes.torus(segments=64, sides=32), split, 1, "coplanar").depth < 40


LARGE = {
    "equal": lambda: all_equal(ONE_PIECE + 5000),
    "line": lambda: in_a_line(ONE_PIECE + 3000),
    "soup": lambda: random_soup(ONE_PIECE + 1),
    "torus": lambda: shapes.torus(segments=200, sides=60),
}


@crossed(1, name=LARGE, builder=[("sah", "free"), ("sah", "chained"), ("least-volume", "coplanar")])
def test_threads_do_not_change_a_bit(name: str, builder: tuple[str, str]) -> None:
    mesh, (split, planes) = LARGE[name](), builder
    one = build_boxtree(mesh, split, 2, planes, threads=1)
    one.validate()
    for threads in (2, 5, None):
        other = build_boxtree(mesh, split, 2, planes, threads=threads)
        assert other.nodes.tobytes() == one.nodes.tobytes()
        assert np.array_equal(other.order, one.order)


@pytest.mark.parametrize("planes", BOXTREE_PLANES)
def test_boxes_are_what_the_way_down_gives(planes: str) -> None:
    tree = boxtree(shapes.torus(segments=20, sides=11), planes=planes)
    boxes = tree.boxes()
    for node, box, _ in nodes_with_boxes(tree):
        assert boxes[node].tolist() == box
