"""Pre-order and post-indexed links against their definitions, on trees of all shapes."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from link_definitions import HANDMADE, Definitions, parent_lists, tree_over
from tree_cases import VOLUMES, random_soup

import tumble
from covering import sized
from tumble.hierarchy.layout import COUNT, ESCAPE, FIRST, LEVEL, PARENT, RIGHT, RIGHTS, START, postorder
from tumble.hierarchy.validate import validate_links, validate_ranges

LINKS = [FIRST, ESCAPE, PARENT, LEVEL, RIGHT, RIGHTS]


def check_layouts(parents: list[int]) -> None:
    definitions = Definitions(parents)
    tree = tree_over(parents, per_leaf=2)
    tree.validate()
    pre, post = tree.nodes, tree.postorder.layout.nodes
    assert pre[:, LINKS].tolist() == [list(row) for row in definitions.rows(definitions.preorder())]
    assert post[:, LINKS].tolist() == [list(row) for row in definitions.rows(definitions.postindexed())]
    check_moved_along(tree, definitions)


def check_moved_along(tree: tumble.Tree, definitions: Definitions) -> None:
    """Ranges and volumes stand at the same nodes in both layouts."""
    before = {node: k for k, node in enumerate(definitions.preorder())}
    source = [before[node] for node in definitions.postindexed()]
    bvh = tree.postorder
    assert np.array_equal(bvh.layout.nodes[:, [START, COUNT]], tree.nodes[source][:, [START, COUNT]])
    assert np.array_equal(bvh.volumes[0], tree.rows[source])
    assert postorder(tree.nodes)[1].tolist() == source


@pytest.mark.parametrize("name", HANDMADE)
def test_handmade_shapes(name: str) -> None:
    check_layouts(HANDMADE[name])


@given(parent_lists())
def test_random_shapes(parents: list[int]) -> None:
    check_layouts(parents)


@given(parent_lists(most=12))
def test_random_small_shapes(parents: list[int]) -> None:
    check_layouts(parents)


def test_the_postindexed_rule_of_the_paper() -> None:
    """Going x levels up a chain of right children from i leads to i - x."""
    for arity in (2, 3, 5):
        nodes = tumble.build(random_soup(200), split="sah", arity=arity).postorder.layout.nodes
        for i in range(len(nodes)):
            up = i
            for x in range(nodes[i, RIGHTS] + 1):
                assert up == i - x
                up = nodes[up, PARENT]


@sized(2_000, 10_000)
@pytest.mark.parametrize("side", ["left", "right", "only"])
def test_a_chain_of_thousands_of_nodes(side: str, count: int) -> None:
    """Inner node k has the inner node k + 1 and a leaf, on this side or that; or nothing but the inner node."""
    count = count if side == "only" else count // 2
    if side == "only":
        parents = list(range(-1, count - 1))
    else:
        # children come in twos, 2k + 1 and 2k + 2, below the one of the last two on this side
        hooks = [0] + [2 * k + (1 if side == "left" else 2) for k in range(count - 1)]
        parents = [-1, *np.repeat(hooks, 2).tolist()]
    tree = tree_over(parents)
    tree.validate()
    nodes, post = tree.nodes, tree.postorder.layout.nodes
    assert len(nodes) == len(parents)
    assert tree.depth == (count if side != "only" else count - 1)
    assert nodes[:, RIGHTS].max() == {"left": 1, "right": count, "only": count - 1}[side]
    assert nodes[-1, ESCAPE] == len(nodes)
    assert (
        post[post[:, ESCAPE] == len(nodes)][:, RIGHTS].max() == nodes[nodes[:, ESCAPE] == len(nodes)][:, RIGHTS].max()
    )


@pytest.mark.parametrize("volume", VOLUMES)
def test_built_trees_obey_the_definitions(volume: str) -> None:
    for arity, leaf_size in ((2, 1), (4, 2)):
        tree = tumble.build(random_soup(60), volume, "sah", leaf_size, arity)
        definitions = Definitions(tree.nodes[:, PARENT].tolist())
        assert tree.nodes[:, LINKS].tolist() == [list(row) for row in definitions.rows(list(range(len(tree))))]
        rows = definitions.rows(definitions.postindexed())
        assert tree.postorder.layout.nodes[:, LINKS].tolist() == [list(row) for row in rows]


@given(parent_lists())
def test_the_validator_accepts_both_layouts_and_does_not_mix_them_up(parents: list[int]) -> None:
    tree = tree_over(parents)
    validate_links(tree.nodes)
    validate_links(tree.postorder.layout.nodes, post_indexed=True)
    validate_ranges(tree.nodes, len(tree.order))
    validate_ranges(tree.postorder.layout.nodes, len(tree.order))
    alike = Definitions(parents).preorder() == Definitions(parents).postindexed()
    if not alike:
        with pytest.raises(tumble.TreeError):
            validate_links(tree.nodes, post_indexed=True)
        with pytest.raises(tumble.TreeError):
            validate_links(tree.postorder.layout.nodes)
