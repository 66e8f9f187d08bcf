"""Implicit trees that stay on a device between calls, on one without a driver."""

import gc

import numpy as np
import pytest
from device_cases import read_order
from null_device import NullDevice

import forest
import tumble
from tumble.device.host.implicit_store import ImplicitTreeStore
from tumble.device.host.implicit_trees import DeviceTrees

STANDING = [np.eye(4)] * 2


def sent(device):
    return [command for command in device.commands if command.name in ("upload", "write")]


def test_a_second_call_sends_no_tree_again():
    device = NullDevice()
    store, meshes = device.keep(ImplicitTreeStore), [forest.soup(1, 30), forest.soup(2, 50)]
    trees = store.trees(meshes, STANDING, True, 1)
    once, launches = len(sent(device)), len(device.launches)
    assert once > 5
    assert store.trees(meshes, STANDING, True, 1) is trees
    assert (len(sent(device)), len(device.launches)) == (once, launches)
    moved = [np.eye(4), tumble.translation(1, 2, 3)]
    assert store.trees(meshes, moved, True, 1) is trees
    np.testing.assert_array_equal(trees.posed.world.vertices[90:], meshes[1].vertices + np.array([1, 2, 3]))
    assert [command.size for command in sent(device)[once:]] == [12 * (90 + 150)]  # vertices, nothing else
    assert store.trees(meshes, moved, True, 1) is trees
    assert len(sent(device)) == once + 1
    assert store.trees(meshes, moved, False, 1) is not trees
    assert store.trees(meshes[::-1], moved, True, 1) is not trees


def test_counts_are_those_of_new_trees():
    device = NullDevice()
    store, meshes = device.keep(ImplicitTreeStore), [forest.soup(1, 30), forest.soup(2, 50)]
    moved = [np.eye(4), forest.POSES[3]]
    trees = store.trees(meshes, STANDING, True, 1)
    store.trees(meshes, moved, True, 1)
    before = read_order(trees)
    trees.ready()
    np.testing.assert_array_equal(read_order(trees), before)
    trees.ready(as_built=True)
    fresh = DeviceTrees(NullDevice(), trees.posed)
    np.testing.assert_array_equal(read_order(trees), read_order(fresh))
    assert not np.array_equal(read_order(trees), before)


def test_trees_go_with_the_first_of_their_meshes(quick_collections):
    device = NullDevice()
    store, kept = device.keep(ImplicitTreeStore), forest.soup(1, 30)
    gone = [forest.soup(2, 50), forest.soup(3, 50)]
    for other in gone:
        store.trees([kept, other], STANDING, True, 1)
    store.trees([kept, kept], STANDING, True, 1)
    used = device.used
    assert len(store) == 3
    device.launches.clear()  # which knows the buffers too
    del gone, other
    gc.collect()
    assert len(store) == 1
    assert device.used < used / 2


def test_few_trees_are_kept_those_used_last(monkeypatch):
    monkeypatch.setattr("tumble.device.host.implicit_store.MOST_LISTS", 3)
    device = NullDevice()
    store, meshes = device.keep(ImplicitTreeStore), [forest.soup(seed, 20) for seed in range(4)]
    trees = [store.trees([mesh, mesh], STANDING, True, 1) for mesh in meshes[:3]]
    assert store.trees([meshes[0]] * 2, STANDING, True, 1) is trees[0]
    store.trees([meshes[3]] * 2, STANDING, True, 1)
    assert len(store) == 3
    assert store.trees([meshes[0]] * 2, STANDING, True, 1) is trees[0]
    assert store.trees([meshes[1]] * 2, STANDING, True, 1) is not trees[1]


def test_trees_beyond_a_share_of_the_memory_are_not_kept():
    device = NullDevice(memory=1 << 20)
    store, large = device.keep(ImplicitTreeStore), forest.soup(1, 1000)
    trees = store.trees([large, large], STANDING, True, 1)
    assert trees.nbytes > 1 << 16
    assert len(store) == 0


def test_trees_that_were_interrupted_while_they_moved_are_built_again(monkeypatch):
    device = NullDevice()
    store, meshes = device.keep(ImplicitTreeStore), [forest.soup(1, 30)]
    trees = store.trees(meshes, STANDING[:1], True, 1)

    def interrupt(*arguments):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(device, "launch", interrupt)
        with pytest.raises(KeyboardInterrupt):
            store.trees(meshes, [tumble.translation(1, 0, 0)], True, 1)
    assert store.trees(meshes, STANDING[:1], True, 1) is not trees
