"""The validator refuses every wrong link: each column of each node, changed by any amount."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from link_definitions import HANDMADE, parent_lists, tree_over
from tree_cases import random_soup

import tumble
from tumble import Tree, TreeError
from tumble.hierarchy.layout import COLUMNS, COUNT, ESCAPE, FIRST, PARENT, START
from tumble.hierarchy.validate import validate_links, validate_ranges


def with_nodes(tree: Tree, nodes: np.ndarray) -> Tree:
    return Tree._of_sound(tree.mesh, tree.volume, nodes, tree.rows, tree.order)


def refused(tree: Tree, nodes: np.ndarray) -> bool:
    try:
        with_nodes(tree, nodes).validate()
    except TreeError:
        return True
    return False


def trees() -> list[Tree]:
    built = [tumble.build(random_soup(9, 1), "sphere", "sah"), tumble.build(random_soup(12, 2), arity=3, leaf_size=2)]
    return [tree_over(HANDMADE[name], per_leaf=2) for name in HANDMADE if name != "paper"] + built


def wrong_values(right: int, count: int) -> list[int]:
    """Every value from -3 to a little beyond the end, and extreme ones, but the right one."""
    extreme = [-(2**31), 2**31 - 1, -(2**31) + right, right ^ (1 << 20), right ^ (1 << 30)]
    return [value for value in [*range(-3, count), *extreme] if value != right and -(2**31) <= value < 2**31]


EVERY = pytest.mark.parametrize("every", [6, pytest.param(1, marks=pytest.mark.slow)])
"""which nodes are changed"""


@EVERY
@pytest.mark.parametrize("column", range(COLUMNS))
def test_any_single_change_is_refused(column: int, every: int) -> None:
    survivors = []
    for number, tree in enumerate(trees()):
        for node in range(column % min(every, len(tree)), len(tree), every):
            for value in wrong_values(int(tree.nodes[node, column]), len(tree) + 3):
                nodes = tree.nodes.copy()
                nodes[node, column] = value
                if not refused(tree, nodes):
                    survivors.append((number, node, int(tree.nodes[node, column]), value))
    assert survivors == []


@EVERY
@pytest.mark.parametrize("column", [c for c in range(COLUMNS) if c not in (START, COUNT)])
def test_any_single_change_of_the_postindexed_rows_is_refused(column: int, every: int) -> None:
    survivors = []
    for number, tree in enumerate(trees()):
        rows = tree.postorder.layout.nodes
        for node in range(column % min(every, len(tree)), len(tree), every):
            for value in wrong_values(int(rows[node, column]), len(tree) + 3):
                nodes = rows.copy()
                nodes[node, column] = value
                try:
                    validate_links(nodes, post_indexed=True)
                except TreeError:
                    continue
                survivors.append((number, node, int(rows[node, column]), value))
    assert survivors == []


@given(parents=parent_lists(most=15), data=st.data())
def test_several_changes_at_once_are_refused(parents: list[int], data: st.DataObject) -> None:
    """What passes is a tree, complete in every link: made anew from its parents, it is the same."""
    tree = tree_over(parents)
    nodes = tree.nodes.copy()
    for _ in range(data.draw(st.integers(1, 4))):
        row, column = data.draw(st.integers(0, len(nodes) - 1)), data.draw(st.integers(0, START - 1))
        nodes[row, column] = data.draw(st.integers(-2, len(nodes) + 1))
    if not refused(tree, nodes):
        again = Tree.from_parents(tree.mesh, nodes[:, PARENT].tolist(), np.flatnonzero(nodes[:, FIRST] < 0).tolist())
        assert np.array_equal(again.nodes, nodes)


def test_swapped_rows_are_refused() -> None:
    for tree in trees():
        for i in range(len(tree)):
            for j in range(i):
                nodes = tree.nodes.copy()
                nodes[[i, j]] = nodes[[j, i]]
                assert refused(tree, nodes), (i, j)


def test_rotated_and_shortened_rows_are_refused() -> None:
    for tree in trees():
        if len(tree) > 1:
            assert refused(tree, np.roll(tree.nodes, 1, axis=0))
            assert refused(tree, tree.nodes[:-1])
            assert refused(tree, tree.nodes[1:])
        assert refused(tree, np.concatenate([tree.nodes, tree.nodes[-1:]]))
        assert refused(tree, tree.nodes[:, :7])
        assert refused(tree, tree.nodes[:0])


def test_subtrees_that_stand_elsewhere_are_refused() -> None:
    """Two equal leaves that swap their ranges keep every link and lose the order of the triangles."""
    tree = tree_over(HANDMADE["pair"], per_leaf=2)
    nodes = tree.nodes.copy()
    nodes[[1, 2], START] = nodes[[2, 1], START]
    with pytest.raises(TreeError, match="does not start with its first child"):
        with_nodes(tree, nodes).validate()


def test_the_message_names_the_node() -> None:
    tree = tree_over(HANDMADE["paper"])
    for column, word in enumerate(["first child", "escapes", "level", "level", "right", "right-child level"]):
        nodes = tree.nodes.copy()
        nodes[4, column] += 1
        with pytest.raises(TreeError, match=r"node 4 .*" + word):
            with_nodes(tree, nodes).validate()


def test_the_postindexed_layout_is_looked_at_too() -> None:
    tree = tumble.build(random_soup(9, 3))
    bvh = tree.postorder
    nodes = bvh.layout.nodes.copy()
    nodes[4, ESCAPE] += 1
    vars(tree)["postorder"] = bvh._replace(layout=bvh.layout._replace(nodes=nodes))
    with pytest.raises(TreeError, match="node 4 escapes"):
        tree.validate()


def test_ranges_must_cover_the_triangles() -> None:
    tree = tree_over(HANDMADE["paper"])
    with pytest.raises(TreeError, match="the root holds triangles 0 to 8, not all 9"):
        validate_ranges(tree.nodes, 9)


@pytest.mark.parametrize("count", [0, -1])
def test_a_leaf_without_triangles_is_refused(count: int) -> None:
    """All ranges meet, but one of them is empty, or runs backwards."""
    tree = tree_over(HANDMADE["pair"], per_leaf=2)
    nodes = tree.nodes.copy()
    nodes[1, COUNT], nodes[2, START], nodes[2, COUNT] = count, count, 4 - count
    with pytest.raises(TreeError, match="node 1 holds no triangle"):
        validate_ranges(nodes, 4)


def test_a_boundary_moved_between_leaves_is_seen_by_containment() -> None:
    """A range moved consistently is another good partition, but the boxes do not fit it any more."""
    tree = tree_over(HANDMADE["pair"], per_leaf=2)
    nodes = tree.nodes.copy()
    nodes[1, COUNT] += 1
    nodes[2, START] += 1
    nodes[2, COUNT] -= 1
    validate_links(nodes)
    validate_ranges(nodes, 4)
    with pytest.raises(TreeError, match="node 1 does not contain its triangle 2"):
        with_nodes(tree, nodes).validate()
