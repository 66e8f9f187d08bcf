"""The split rules of paper `boxtree` for trees that store volumes, and the criterion in the paper's own words."""

from __future__ import annotations

import numpy as np
import pytest
from tree_cases import AWKWARD, random_soup, same_tree, soup

import tumble
from covering import crossed
from tumble import shapes
from tumble.hierarchy.boxtree.build import build_boxtree
from tumble.hierarchy.boxtree.grow import LITERAL_SPLITS
from tumble.hierarchy.boxtree.layout import MAX_DEPTH
from tumble.hierarchy.layout import COUNT, ESCAPE, FIRST

RULES = ("least-volume", pytest.param("look-ahead", marks=pytest.mark.slow))


@pytest.mark.parametrize("split", RULES)
def test_trees_are_sound_and_the_same_each_time(split: str) -> None:
    for make in AWKWARD.values():
        tumble.build(make(), split=split, leaf_size=2).validate()
    one, other = (tumble.build(random_soup(500, 11), split=split, leaf_size=2, arity=3) for _ in range(2))
    one.validate()
    assert same_tree(one, other)
    assert sorted(one.order.tolist()) == list(range(500))


def children_counts(tree: tumble.Tree) -> set[int]:
    first = tree.nodes[0, FIRST]
    return {int(tree.nodes[first, COUNT]), int(tree.nodes[tree.nodes[first, ESCAPE], COUNT])}


@pytest.mark.parametrize("split", RULES)
def test_clusters_stay_together(split: str) -> None:
    triangles = np.random.default_rng(2).uniform(0, 1, (12, 3, 3))
    triangles[9:] += [40, 0, 0]
    assert children_counts(tumble.build(soup(triangles), split=split)) == {9, 3}


def test_least_volume_splits_off_no_single_triangles() -> None:
    """An eighth of the triangles at least, or halves: two of 32 far away stay with some of the others."""
    triangles = np.random.default_rng(2).uniform(0, 1, (32, 3, 3))
    triangles[30:] += [40, 0, 0]
    assert min(children_counts(tumble.build(soup(triangles), split="least-volume"))) >= 4


@pytest.mark.slow
def test_looking_ahead_costs_no_more_than_a_tenth() -> None:
    """Half areas of all boxes: the rule differs from `sah` and is about as good."""
    areas = {}
    for split in ("sah", "look-ahead", "median"):
        x, y, z = (lambda rows: (rows[:, 3:] - rows[:, :3]).T)(tumble.build(shapes.knot(), split=split).rows)
        areas[split] = float((x * y + y * z + z * x).sum())
    assert areas["look-ahead"] != areas["sah"]
    assert areas["look-ahead"] < 1.1 * areas["sah"] < areas["median"]


@crossed(1, name=AWKWARD, split=tuple(LITERAL_SPLITS))
def test_the_criterion_in_the_papers_words_gives_sound_trees(name: str, split: str) -> None:
    tree = build_boxtree(AWKWARD[name](), split, 1, "coplanar")
    tree.validate()
    assert tree.depth <= MAX_DEPTH


def test_taken_literally_the_criterion_makes_chains() -> None:
    mesh = shapes.knot(segments=40, sides=6)
    depths = {split: build_boxtree(mesh, split, 1, "coplanar").depth for split in ("least-volume", *LITERAL_SPLITS)}
    assert depths["least-volume"] < 20
    assert depths["shuffled"] < 20
    assert min(depth for split, depth in depths.items() if split.startswith("literal")) > 40
