"""Trees live on their mesh, are shared between threads, and survive pickling and copying."""

import copy
import gc
import pickle
import threading
import weakref

import numpy as np
import pytest
from tree_cases import VOLUMES, random_soup, same_tree

import tumble
from tumble import Mesh, Tree


def test_the_second_build_is_the_first() -> None:
    mesh = random_soup(50)
    assert tumble.build(mesh) is tumble.build(mesh, "aabb", "median", 1, 2)


def test_every_option_makes_a_tree_of_its_own() -> None:
    mesh = random_soup(50)
    options = [{}, {"volume": "sphere"}, {"split": "sah"}, {"split": "middle"}, {"leaf_size": 2}, {"arity": 3}]
    trees = [tumble.build(mesh, **option) for option in options]
    assert len(set(map(id, trees))) == len(options)


def test_threads_share_one_tree() -> None:
    mesh = random_soup(8_000)
    barrier, found = threading.Barrier(8), []

    def work() -> None:
        barrier.wait()
        found.append(tumble.build(mesh, split="sah"))

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 8
    assert all(tree is found[0] for tree in found)
    found[0].validate()


@pytest.mark.parametrize("protocol", range(2, pickle.HIGHEST_PROTOCOL + 1))
@pytest.mark.parametrize("volume", VOLUMES)
def test_trees_survive_pickling(volume: str, protocol: int) -> None:
    tree = tumble.build(random_soup(40), volume, leaf_size=2)
    assert tree.postorder is not None  # what is derived is not pickled
    again = pickle.loads(pickle.dumps(tree, protocol))
    assert same_tree(tree, again)
    assert "postorder" not in vars(again)
    again.validate()
    assert not again.nodes.flags.writeable


def test_meshes_are_pickled_without_their_trees() -> None:
    mesh = random_soup(40)
    bare = len(pickle.dumps(mesh))
    tumble.build(mesh)
    assert len(pickle.dumps(mesh)) == bare
    again = pickle.loads(pickle.dumps(mesh))
    assert same_tree(tumble.build(mesh), tumble.build(again))


def test_pickled_trees_and_meshes_answer_alike() -> None:
    mesh, other = random_soup(60, 1), random_soup(60, 2)
    pose = tumble.rotation([1, 2, 3], 0.7)
    expected = tumble.collide(mesh, other, pose).pairs
    assert len(expected) > 5
    for one in (mesh, tumble.build(mesh, "sphere"), tumble.build(mesh, arity=3)):
        again = pickle.loads(pickle.dumps(one))
        assert np.array_equal(tumble.collide(again, other, pose, stats=True).pairs, expected)


def test_copies() -> None:
    tree = tumble.build(random_soup(40))
    for again in (copy.copy(tree), copy.deepcopy(tree)):
        assert same_tree(tree, again)
        assert again.mesh is tree.mesh
        again.validate()


def test_a_tree_does_not_follow_the_arrays_it_was_made_of() -> None:
    """The mesh is copied from what the caller may change."""
    vertices = np.random.default_rng(1).normal(size=(9, 3))
    mesh = Mesh(vertices, np.arange(9).reshape(3, 3))
    tree = tumble.build(mesh)
    vertices += 100
    tree.validate()


def test_a_mesh_and_its_trees_can_be_freed(quick_collections: None) -> None:
    mesh = random_soup(10)
    tree = weakref.ref(tumble.build(mesh))
    del mesh
    gc.collect()
    assert tree() is None


def test_repr_says_what_it_is() -> None:
    assert repr(tumble.build(random_soup(4))).startswith("<Tree of 7 aabb nodes, depth 2, over <Mesh of 4 triangles")
    assert isinstance(tumble.build(random_soup(4)), Tree)
