"""Every kind of tree over every kind of mesh is valid, within its bounds, and the same each time."""

import numpy as np
import pytest
from tree_cases import AWKWARD, SHAPES, SPLITS, VOLUMES, random_soup, same_tree, soup

import tumble
from covering import crossed
from tumble import Mesh, Tree
from tumble.hierarchy.layout import COUNT, ESCAPE, FIRST, LEVEL, PARENT, RIGHT, START

SIZES = [
    (1, 2),
    (3, 5),
    (7, 64),
    (10**6, 2),
    *(pytest.param(each, marks=pytest.mark.slow) for each in ((1, 3), (2, 2))),
]


def check(tree: Tree, leaf_size: int, arity: int) -> None:
    """Everything that is promised, whatever the input and the rule."""
    tree.validate()
    count = len(tree.mesh)
    leaves = tree.nodes[tree.nodes[:, FIRST] < 0]
    children = np.bincount(tree.nodes[1:, PARENT], minlength=len(tree))
    assert sorted(tree.order.tolist()) == list(range(count))
    assert leaves[:, COUNT].min() >= 1
    assert leaves[:, COUNT].max() == tree.leaf_size <= leaf_size
    assert leaves[:, COUNT].sum() == count
    assert len(tree) <= 2 * tree.leaf_count - 1 <= 2 * count - 1
    assert not ((children == 1) | (children > arity)).any()
    assert children.max() == tree.arity <= arity
    assert tree.depth == tree.nodes[:, LEVEL].max() < count
    assert tree.nbytes <= (2 * count - 1) * (32 + 8 * tree.rows.shape[1]) + 4 * count
    inner = np.flatnonzero(tree.nodes[:, FIRST] >= 0)
    assert (tree.nodes[inner, COUNT] > leaf_size).all()
    assert (tree.nodes[inner, FIRST] == inner + 1).all()
    assert (tree.nodes[:, ESCAPE] > np.arange(len(tree))).all()


@crossed(case=AWKWARD, volume=VOLUMES, split=SPLITS, size=SIZES)
def test_awkward_meshes(case: str, volume: str, split: str, size: tuple[int, int]) -> None:
    leaf_size, arity = size
    check(tumble.build(AWKWARD[case](), volume, split, leaf_size, arity), leaf_size, arity)


@crossed(1, case=SHAPES, volume=VOLUMES, split=SPLITS)
def test_shapes(case: str, volume: str, split: str) -> None:
    mesh = SHAPES[case]()
    for leaf_size, arity in ((1, 2), (4, 3)):
        check(tumble.build(mesh, volume, split, leaf_size, arity), leaf_size, arity)


@pytest.mark.parametrize("volume", VOLUMES)
def test_an_empty_mesh_has_an_empty_tree(volume: str) -> None:
    tree = tumble.build(Mesh([], []), volume)
    tree.validate()
    assert (len(tree), tree.depth, tree.arity, tree.leaf_count, tree.leaf_size, tree.nbytes) == (0,) * 6
    assert tree.nodes.shape == (0, 8)
    assert len(tree.postorder.layout.nodes) == 0


@pytest.mark.parametrize("count", [1, 2, 3, 4, 5, 7, 8, 9, 31, 32, 33, 1000, 1024, 1025])
def test_median_trees_are_as_flat_as_can_be(count: int) -> None:
    for mesh in (random_soup(count, count), Mesh([[0, 0, 0]], [[0, 0, 0]] * count)):
        tree = tumble.build(mesh)
        assert len(tree) == 2 * count - 1
        assert tree.depth == (count - 1).bit_length()


def test_median_halves_every_range_along_the_longest_axis() -> None:
    """The paper's rule, checked from its definition at every inner node."""
    tree = tumble.build(random_soup(200, 8))
    corners = tree.mesh.triangles[tree.order]
    middles = (corners.min(axis=1) + corners.max(axis=1)) / 2
    for node in np.flatnonzero(tree.nodes[:, FIRST] >= 0):
        start, count = tree.nodes[node, START], tree.nodes[node, COUNT]
        half = tree.nodes[tree.nodes[node, FIRST], COUNT]
        assert half == count // 2
        part = corners[start : start + count].reshape(-1, 3)
        axis = np.argmax(part.max(axis=0) - part.min(axis=0))
        keys = middles[start : start + count, axis]
        assert keys[:half].max() <= keys[half:].min()


@pytest.mark.parametrize("arity", [2, 4, 8, 16])
def test_children_of_wide_nodes_are_of_equal_size(arity: int) -> None:
    """The largest part is cut again, so 256 triangles fall into parts that are equal all the way down."""
    tree = tumble.build(random_soup(256, 14), arity=arity)
    for node in np.flatnonzero(tree.nodes[:, FIRST] >= 0):
        parts = tree.nodes[tree.nodes[:, PARENT] == node, COUNT]
        assert len(parts) == min(arity, tree.nodes[node, COUNT])
        assert len(set(parts.tolist())) == 1


def test_middle_cuts_space_in_two() -> None:
    tree = tumble.build(random_soup(200, 9), split="middle")
    corners = tree.mesh.triangles[tree.order]
    middles = (corners.min(axis=1) + corners.max(axis=1)) / 2
    for node in np.flatnonzero(tree.nodes[:, FIRST] >= 0):
        start, count = tree.nodes[node, START], tree.nodes[node, COUNT]
        cut = tree.nodes[tree.nodes[node, FIRST], COUNT]
        keys = middles[start : start + count]
        axis = np.argmax(keys.max(axis=0) - keys.min(axis=0))
        limit = (keys[:, axis].min() + keys[:, axis].max()) / 2
        assert keys[:cut, axis].max() <= limit * (1 + 1e-15 * np.sign(limit)) <= keys[cut:, axis].min() + 1e-15


def test_middle_puts_what_lies_on_the_cut_to_the_right() -> None:
    places = np.array([[0.0, 0, 0], [1, 0, 0], [2, 0, 0]])
    tree = tumble.build(Mesh(places, [[k, k, k] for k in range(3)]), split="middle")
    assert tree.nodes[[1, tree.nodes[1, ESCAPE]], COUNT].tolist() == [1, 2]
    assert tree.order[0] == 0


def test_sah_finds_the_gap_between_two_clusters() -> None:
    """Nine triangles here and three there: by count one would be cut apart."""
    rng = np.random.default_rng(10)
    cluster = rng.uniform(0, 1, (12, 3, 3))
    cluster[9:] += [40, 0, 0]
    tree = tumble.build(soup(cluster), split="sah")
    first = tree.nodes[0, FIRST]
    assert {tree.nodes[first, COUNT], tree.nodes[tree.nodes[first, ESCAPE], COUNT]} == {9, 3}


def test_sah_costs_less_than_the_others() -> None:
    """Half areas of all inner boxes, weighed by their triangles."""
    mesh = SHAPES["knot"]()
    costs = {}
    for split in SPLITS:
        tree = tumble.build(mesh, split=split)
        x, y, z = (tree.rows[:, 3:] - tree.rows[:, :3]).T
        costs[split] = float((x * y + y * z + z * x).sum())
    assert costs["sah"] < costs["median"]
    assert costs["sah"] < costs["middle"]


@pytest.mark.parametrize("split", SPLITS)
def test_the_same_input_gives_the_same_tree(split: str) -> None:
    one, other = (tumble.build(random_soup(500, 11), split=split, leaf_size=2, arity=3) for _ in range(2))
    assert one is not other
    assert same_tree(one, other)


def test_the_links_do_not_depend_on_the_volume() -> None:
    mesh = random_soup(300, 12)
    boxes, balls = tumble.build(mesh, "aabb"), tumble.build(mesh, "sphere")
    assert np.array_equal(boxes.nodes, balls.nodes)
    assert np.array_equal(boxes.order, balls.order)


def test_every_box_is_exactly_that_of_its_triangles() -> None:
    tree = tumble.build(random_soup(200, 13), split="sah", arity=4, leaf_size=3)
    corners = tree.mesh.triangles[tree.order]
    for node, row in zip(tree.nodes, tree.rows, strict=True):
        part = corners[node[START] : node[START] + node[COUNT]].reshape(-1, 3)
        assert row.tolist() == [*part.min(axis=0), *part.max(axis=0)]


def test_the_root_and_its_record() -> None:
    tree = tumble.build(random_soup(20))
    assert tree.nodes[0].tolist() == [1, len(tree), -1, 0, 0, 0, 0, 20]
    assert tree.nodes[1, RIGHT] == 0
    assert tree.preorder.layout.nodes is tree.nodes
    with pytest.raises(ValueError, match="read-only"):
        tree.nodes[0, 0] = 5
