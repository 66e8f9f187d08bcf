"""Trees of k-DOPs are built, checked, saved and made by hand like all others."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from kdop_exact import KS

import forest
import tumble
from covering import crossed, sized
from matrix import k_cases
from tumble import Tree, TreeError
from tumble.volume.kdop.directions import DIRECTIONS

SCALES = [3e-322, 1e-300, 1.0, 1e100]


def soup(scale: float = 1.0, triangles: int = 25) -> tumble.Mesh:
    mesh = forest.soup(7, triangles)
    return tumble.Mesh(np.clip(mesh.vertices * scale, -1e100, 1e100), mesh.faces)


def changed(tree: Tree, node: int, column: int, value: float) -> Tree:
    rows = tree.rows.copy()
    rows[node, column] = value
    return Tree._of_sound(tree.mesh, tree.volume, tree.nodes, rows, tree.order)


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("k", k_cases(KS))
def test_built_trees_are_valid(k: int, scale: float) -> None:
    for split in ("median", "sah", "middle"):
        tree = tumble.build(soup(scale), f"kdop{k}", split, leaf_size=2)
        tree.validate()
        assert tree.rows.shape == (len(tree), k)
        assert tree.volume == f"kdop{k}"


@pytest.mark.parametrize("k", k_cases(KS))
def test_inner_nodes_are_as_tight_as_fitted_ones(k: int) -> None:
    mesh = soup(1.0, 60)
    tree = tumble.build(mesh, f"kdop{k}")
    places = mesh.vertices[mesh.faces].reshape(-1, 3) @ DIRECTIONS[k].T
    np.testing.assert_allclose(tree.rows[0], [*places.min(axis=0), *places.max(axis=0)], rtol=1e-14)


@pytest.mark.parametrize("k", k_cases(KS))
def test_trees_survive_a_file(k: int, tmp_path: Path) -> None:
    tree = tumble.build(soup(), f"kdop{k}", "sah")
    tree.save(tmp_path / "tree.npz")
    loaded = tumble.load_tree(tmp_path / "tree.npz")
    assert loaded.volume == tree.volume
    for name in ("nodes", "rows", "order"):
        np.testing.assert_array_equal(getattr(loaded, name), getattr(tree, name))


def test_a_file_with_rows_of_another_k_is_refused(tmp_path: Path) -> None:
    tree = tumble.build(soup(), "kdop24")
    Tree._of_sound(tree.mesh, "kdop18", tree.nodes, tree.rows, tree.order).save(tmp_path / "tree.npz")
    with pytest.raises(tumble.FileError, match="do not fit"):
        tumble.load_tree(tmp_path / "tree.npz")


@pytest.mark.parametrize("k", k_cases(KS))
def test_handmade_trees_are_valid(k: int) -> None:
    for seed in range(5):
        forest.random_tree(seed, 30, f"kdop{k}").validate()


@sized(3, 6)
@crossed(1, scale=SCALES, k=k_cases(KS))
def test_the_validator_refuses_a_side_that_is_too_tight(k: int, scale: float, count: int) -> None:
    tree = tumble.build(soup(scale, count), f"kdop{k}")
    tree.validate()
    half = k // 2
    for node in range(len(tree)):
        for column in range(k):
            value = np.nextafter(tree.rows[node, column], np.inf if column < half else -np.inf)
            with pytest.raises(TreeError, match=f"node {node} does not contain its triangle"):
                changed(tree, node, column, value).validate()


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf, 1e4, -1e4, 1e308])
@pytest.mark.parametrize("k", k_cases(KS))
def test_the_validator_refuses_sides_out_of_all_proportion(k: int, value: float) -> None:
    tree = tumble.build(soup(1.0, 4), f"kdop{k}")
    for node in range(len(tree)):
        for column in range(k):
            with pytest.raises(TreeError, match=f"node {node} "):
                changed(tree, node, column, value).validate()


@pytest.mark.parametrize("name", ["kdop", "kdop8", "kdop12", "kdop-6", "24", "KDOP24", "kdop024"])
def test_other_names_are_refused_with_the_choices(name: str) -> None:
    with pytest.raises(tumble.OptionError, match="aabb, sphere, kdop6, kdop14, kdop18, kdop24, kdop26"):
        tumble.build(soup(), name)
    with pytest.raises(tumble.OptionError, match=name):
        tumble.collide(soup(), soup(), tree=name)


def test_trees_of_different_k_do_not_mix() -> None:
    with pytest.raises(tumble.OptionError, match=r"kdop18.*kdop24"):
        tumble.collide(tumble.build(soup(), "kdop18"), tumble.build(soup(), "kdop24"))
