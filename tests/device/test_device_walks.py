"""The walks of paper `stackless` on devices: the pairs of the CPU, and counters that fit each other."""

import numpy as np
import pytest
from device_cases import WAYS, needs_device
from null_device import NullDevice
from null_kernels import Finding

import forest
import tumble
from tumble.device.host.binary_stack import ask
from tumble.device.host.local_units import preorder_links
from tumble.device.host.tree_store import PreorderTreeStore, TreeStore
from tumble.device.host.walk_kinds import WALK_KINDS
from tumble.hierarchy.layout import COUNT, ESCAPE, FIRST, PARENT, RIGHTS, START
from tumble.mesh import random_pose
from tumble.query.bodies import Bodies
from tumble.query.engine import TOUCHING, Request
from tumble.query.settings import DeviceSettings

IN_TURNS = ("alternating", "stackless", "stackless-post")
METHODS = ("leaf", *IN_TURNS)
KNOT = tumble.shapes.knot()
RING = tumble.shapes.torus(segments=32, sides=16)
BOX = tumble.shapes.box()
POSES = np.array([random_pose(k, 1.6) for k in range(12)])
OWN_WAYS = {name: settings for name, settings in WAYS.items() if settings.rule == DeviceSettings.rule}
SPLIT = DeviceSettings(steps=3)


def all_pairs(method, settings=None, **options):
    options = {"first": False, **options}
    return tumble.collide_many(KNOT, RING, POSES, device="opencl", method=method, settings=settings, **options)


def on_device(a, b, method, pose=None, **options):
    return tumble.collide(a, b, None, pose, device="opencl", method=method, stats=True, **options)


@needs_device
@pytest.mark.parametrize("way", OWN_WAYS)
@pytest.mark.parametrize("method", METHODS)
def test_many_poses(method, way):
    expected, found = tumble.collide_many(KNOT, RING, POSES, first=False), all_pairs(method, OWN_WAYS[way])
    assert 0 < expected.hit.sum() < len(POSES)
    np.testing.assert_array_equal(found.counts, expected.counts)
    np.testing.assert_array_equal(found.triangles, expected.triangles)
    np.testing.assert_array_equal(all_pairs(method, OWN_WAYS[way], first=True).hit, expected.hit)


@needs_device
@pytest.mark.parametrize("seed", range(6))
def test_trees_of_any_shape(seed):
    """Any number of children, only children and chains; walks that are split at once, and whole ones."""
    a, b = (forest.random_tree(10 * seed + side, 60, "obb", size=5) for side in (1, 2))
    expected = tumble.collide(a.mesh, b.mesh).pairs
    for method in METHODS:
        for settings in (DeviceSettings(pool=False), SPLIT):
            found = on_device(a, b, method, settings=settings)
            np.testing.assert_array_equal(found.pairs, expected, err_msg=f"{method}, {settings}")


@needs_device
@pytest.mark.parametrize("shapes", [(KNOT, RING), (RING, KNOT), (BOX, KNOT), (KNOT, BOX)])
def test_the_three_walk_alike_whether_split_or_not(shapes):
    """Also with trees of different depths, where pairs of one leaf come up."""
    ways = [DeviceSettings(pool=False), SPLIT]
    found = {on_device(*shapes, method, POSES[3], settings=way).stats for method in IN_TURNS for way in ways}
    assert len(found) == 1
    assert found.pop().overlaps > 0


@needs_device
@pytest.mark.parametrize("stack", [1, pytest.param(4, marks=pytest.mark.slow)])
def test_what_does_not_fit_on_the_stack_is_computed(stack, monkeypatch):
    a, b = (forest.random_tree(seed, 150, "obb", size=6, chain=0.1) for seed in (7, 8))
    expected = on_device(a, b, "alternating")
    assert expected.stats.overlaps > 200
    small = WALK_KINDS["alternating"]._replace(options=(("PREORDER", 0), ("STACK", stack)))
    monkeypatch.setitem(WALK_KINDS, "alternating", small)
    found = on_device(a, b, "alternating")
    np.testing.assert_array_equal(found.pairs, expected.pairs)
    assert found.stats == expected.stats


@needs_device
@pytest.mark.parametrize("method", METHODS)
def test_counters_fit_each_other(method):
    """Two children a node, one triangle a leaf: an overlap above the leaves opens two more turns."""
    stats, start = on_device(KNOT, RING, method, POSES[3]).stats, len(KNOT) if method == "leaf" else 1
    assert stats.leaf_overlaps > 100
    assert stats.iterations == start + 2 * (stats.overlaps - stats.leaf_overlaps)
    assert stats.triangle_tests == stats.leaf_overlaps


@needs_device
@pytest.mark.slow
@pytest.mark.parametrize("method", METHODS)
def test_counters_are_nearly_those_of_the_cpu(method):
    """Float32 boxes are a little wider: they overlap where those of the CPU do, and hardly anywhere else."""
    found = on_device(KNOT, RING, method, POSES[3]).stats
    expected = tumble.collide(KNOT, RING, None, POSES[3], method=method, tree="obb", stats=True).stats
    for counter in ("iterations", "overlaps", "leaf_overlaps"):
        assert getattr(expected, counter) <= getattr(found, counter) <= 1.02 * getattr(expected, counter)
    assert found.hits == expected.hits


@needs_device
@pytest.mark.parametrize("method", METHODS)
def test_walks_with_their_own_way_refuse_rules(method):
    with pytest.raises(tumble.OptionError, match=f"'{method}' has its own way down.*: binary-stack"):
        on_device(KNOT, RING, method, settings=DeviceSettings(rule="triangles"))
    with pytest.raises(tumble.OptionError, match="unknown descent rule 'by chance'"):
        on_device(KNOT, RING, method, settings=DeviceSettings(rule="by chance"))


@pytest.mark.parametrize("pool", [True, False])
@pytest.mark.parametrize("method", METHODS)
def test_the_host_launches_the_kernel_of_the_method(method, pool):
    """On a device without a driver: kernel, files, and the trees in the order that the walk takes."""
    kind, one = WALK_KINDS[method], forest.soup(1, 1)
    name = kind.kernel + "_pool" * pool
    bodies = Bodies([tumble.build(one, "obb")], np.zeros(1, np.int64), np.eye(4)[None])
    request = Request(TOUCHING, bodies, bodies, np.zeros((1, 2), np.int64), "obb", "null", DeviceSettings(pool=pool))
    device = NullDevice({name: Finding([(1, 0, 0)])})
    assert ask(device, request, kind).triangles.tolist() == [[0, 0]]
    (launch,) = device.launches
    assert (launch.kernel, launch.program.files[-1]) == (name, kind.kernel)
    assert dict(launch.program.options)["PREORDER"] == (method == "stackless")
    assert len(device.keep(PreorderTreeStore if method == "stackless" else TreeStore)) == 1


def test_links_in_pre_order_leave_out_what_follows_from_the_order():
    tree = tumble.build(forest.soup(1, 33), "obb", leaf_size=2, arity=3)
    links, nodes = preorder_links(tree), tree.preorder.layout.nodes
    leaves, places = nodes[:, FIRST] < 0, np.arange(len(nodes))
    np.testing.assert_array_equal(links[:, 0] < 0, leaves)
    np.testing.assert_array_equal(-1 - links[leaves, 0], nodes[leaves, START])
    np.testing.assert_array_equal(links[~leaves, 0], nodes[~leaves, ESCAPE])
    np.testing.assert_array_equal(links[:, 1:], nodes[:, [PARENT, RIGHTS, COUNT]])
    # what kernels compute instead
    np.testing.assert_array_equal(nodes[~leaves, FIRST], places[~leaves] + 1)
    np.testing.assert_array_equal(nodes[leaves, ESCAPE], places[leaves] + 1)
