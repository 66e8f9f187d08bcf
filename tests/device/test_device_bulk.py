"""The bulk-synchronous traversal on a device: leaf pairs and touching triangles are those of the CPU, always."""

from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from device_cases import needs_device

import bulk_cases
import forest
import tumble
from oracle import touching_pairs
from tumble import BulkSettings
from tumble.device.host import bulk_rounds
from tumble.device.host.bulk import device_leaf_pairs
from tumble.errors import DeviceError, OptionError
from tumble.query.settings import BULK_AS_IN_PAPER

pytestmark = needs_device

# each of them is compiled anew, with counters and without: µ and κ are constants of the kernel
WAYS = {
    "default": None,
    "default of a GPU": BulkSettings(queue=512, group=64),
    "tiles, many flushes, no room": BulkSettings(
        entry_level=2, queue=7, group=5, depth_step=4, first_capacity=1, most_pairs=64, padded=False
    ),
    "paper": BULK_AS_IN_PAPER,
    "paper, no room": BulkSettings(
        queue=7, group=16, depth_step=3, first_capacity=1, most_pairs=64, tested=False, padded=False
    ),
}
MORE_WAYS = {
    "queue of one": BulkSettings(queue=1, group=1, depth_step=2),
    "queue of one, large group": BulkSettings(queue=1, group=64, depth_step=3),
    "many flushes, no room": BulkSettings(queue=7, group=16, depth_step=3, first_capacity=1, most_pairs=64),
    "deep entry, compressed": BulkSettings(entry_level=3, depth_step=2, queue=512, padded=False),
    "split entry": BulkSettings(entry_level=4, depth_step=1, group=33, first_capacity=5, most_pairs=40),
    "four tiles along a side": BulkSettings(depth_step=5, queue=64, group=3),
    "paper, queue of one": replace(BULK_AS_IN_PAPER, queue=1, group=1),
    "paper, split entry": replace(BULK_AS_IN_PAPER, entry_level=4, group=33, first_capacity=5, most_pairs=40),
    "paper, inactive nodes": replace(BULK_AS_IN_PAPER, inactive=True),
    "paper, search in local memory": replace(BULK_AS_IN_PAPER, search="local"),
    "paper, search in a table": replace(BULK_AS_IN_PAPER, search="table", padded=False),
    "paper, prefix sums": replace(BULK_AS_IN_PAPER, places="scan"),
    "paper, prefix sums, no room": BulkSettings(
        queue=7, group=33, depth_step=3, first_capacity=1, most_pairs=64, tested=False, search="local", places="scan"
    ),
}


# those that other tests compile as well, with a smaller ball
QUICK = [("tiles, many flushes, no room", False, 0), ("paper, prefix sums, no room", True, 0)]


@pytest.mark.parametrize(
    ("way", "stats", "level"),
    [*QUICK, *(pytest.param(*case, 2, marks=pytest.mark.slow) for case in product([*WAYS, *MORE_WAYS], [True, False]))],
)
def test_leaf_pairs_are_those_of_brute_force(way, stats, level):
    meshes, poses = bulk_cases.scene(level)
    options = {"within": [0, 4, 6], "candidates": True, "device": "opencl", "settings": (WAYS | MORE_WAYS)[way]}
    found = tumble.collide_all(meshes, poses, neighbours=True, stats=stats, **options)
    bulk_cases.assert_same(found, bulk_cases.brute_candidates(meshes, poses, within=(0, 4, 6)))
    assert not stats or found.stats.leaf_overlaps == len(found.triangles)
    apart = tumble.collide_all(meshes, poses, **options)
    here = tumble.collide_all(meshes, poses, within=[0, 4, 6], candidates=True)
    np.testing.assert_array_equal(apart.triangles, here.triangles)
    assert apart.stats is None


@pytest.mark.slow
@pytest.mark.parametrize("step", [1, 2, 3, 4])
@pytest.mark.parametrize("queue", [1, 2, 64, 512])
@pytest.mark.parametrize("tested", [True, False])
def test_sweep_of_parameters(step, queue, tested):
    meshes = [forest.soup(1, 70, 0.3), forest.soup(2, 41, 0.3)]
    reference = tumble.collide_all(meshes, within=True, candidates=True)
    for entry in (0, 2, 5):
        for group in (1, 32, 256):
            for room in (1, 1 << 16):
                bulk = BulkSettings(
                    entry, step, queue, group, first_capacity=room, most_pairs=max(50, room), tested=tested
                )
                found = tumble.collide_all(meshes, within=True, candidates=True, settings=bulk, device="opencl")
                np.testing.assert_array_equal(found.triangles, reference.triangles, err_msg=str(bulk))


@pytest.mark.parametrize("pose", range(len(forest.POSES)))
def test_touching_triangles_by_the_oracle(pose):
    rng = np.random.default_rng(pose)
    # depths of 6 and 4: by steps of two, it does not matter whether they are counted from the root or from the leaves
    a, b, pose = forest.random_mesh(rng, 37), forest.random_mesh(rng, 14), forest.POSES[pose]
    found = tumble.collide(a, b, pose, method="bulk", device="opencl", contacts=True, stats=True)
    np.testing.assert_array_equal(found.pairs, touching_pairs(a.vertices, a.faces, b.vertices, b.faces, pose))
    here = tumble.collide(a, b, pose, method="bulk", stats=True).stats
    # boxes of roots are on the device, so that it finds out what the CPU knows ahead: that there is nothing to do
    assert found.stats == here or (here.iterations, found.stats.iterations, found.stats.overlaps) == (0, 1, 0)
    untested = tumble.collide(a, b, pose, method="bulk", device="opencl", stats=True, settings=BULK_AS_IN_PAPER).stats
    assert untested == tumble.collide(a, b, pose, method="bulk", stats=True, settings=BULK_AS_IN_PAPER).stats
    here = tumble.collide(a, b, pose, method="bulk", stats=True, settings=BulkSettings(depth_step=2)).stats
    # in the paper's way the first frontier, one pair of roots, is tested in a round of its own
    met = int(here.tests > 0)
    more = {"iterations": here.iterations + 1, "tests": here.tests + 1, "overlaps": here.overlaps + met}
    assert untested == replace(here, **more)
    assert len(found.contacts) == len(found.pairs)


@pytest.mark.parametrize(("queue", "group"), [(7, 33), pytest.param(64, 16, marks=pytest.mark.slow)])
def test_groups_write_in_as_many_turns_as_equation_3_allows(queue, group):
    """⌈4^µ |G| / κ⌉ at most, and by prefix sums one atomic addition for all of them."""
    from tumble.device.engines import device_trees

    trees = device_trees([forest.soup(1, 70, 0.3)])
    bulk, own = BulkSettings(queue=queue, group=group, depth_step=3, tested=False), np.zeros((1, 2), np.int64)
    scan = replace(bulk, places="scan", search="local")
    _, work = device_leaf_pairs(trees, own, bulk, adjacent=True)
    _, scanned = device_leaf_pairs(trees, own, scan, adjacent=True)
    assert 1 < work.most_flushes <= -(-(4**3) * group // queue)
    assert scanned.most_flushes == work.most_flushes
    assert scanned.flushes < work.flushes
    assert work.flushes >= (work.tests - 1) / queue


@pytest.mark.parametrize("way", ["default", "paper"])
@pytest.mark.parametrize("scale", [1e-160, 1e80])
def test_float64_has_the_last_word(way, scale):
    """Boxes that share a face in float64 only, or do not, far from the origin, where float32 cannot tell."""
    rng = np.random.default_rng(9)
    corners = (rng.integers(0, 9, (120, 3, 3)) + np.array([2**40, 0, -(2**30)])) * scale
    mesh = tumble.Mesh(corners.reshape(-1, 3), np.arange(360).reshape(-1, 3))
    other = tumble.Mesh(mesh.vertices + 2.0**30 * scale, mesh.faces)
    expected = bulk_cases.brute_candidates([mesh, other], within=(0,))
    found = tumble.collide_all(
        [mesh, other], within=[0], candidates=True, neighbours=True, device="opencl", settings=WAYS[way]
    )
    bulk_cases.assert_same(found, expected)


def test_leaves_without_room_while_frontiers_have_it():
    """Small meshes find all their leaf pairs in the second round, for which there is no room; large ones go on."""
    small = [forest.soup(seed, 40, 2.0) for seed in range(2)]
    large = tumble.shapes.icosphere(3)
    meshes = [*small, large, large]
    poses = [tumble.translation(50, 0, 0)] * len(small) + [None, tumble.translation(1.9, 0, 0)]
    expected = tumble.collide_all(meshes, poses, candidates=True).triangles
    assert len(expected) > 1000
    bulk = BulkSettings(first_capacity=200)
    found = tumble.collide_all(meshes, poses, candidates=True, settings=bulk, device="opencl").triangles
    np.testing.assert_array_equal(found, expected)


def test_many_meshes_and_themselves():
    meshes, poses = bulk_cases.scene()
    there, here = (tumble.collide_all(meshes, poses, within=True, device=device) for device in ("opencl", "cpu"))
    assert len(here) > 8
    for name in ("meshes", "counts", "triangles"):
        np.testing.assert_array_equal(getattr(there, name), getattr(here, name))


def test_moved_trees_answer_for_where_they_are():
    from tumble.device.engines import device_trees

    meshes = [forest.soup(5, 90, 0.2), forest.soup(6, 50, 0.2)]
    trees, pose = device_trees(meshes), tumble.translation(0.3, 0.1, 0.0)
    for rebuild in (False, True):
        trees.move([meshes[0].vertices * 1.5, None], [None, pose], rebuild=rebuild)
        grown = tumble.Mesh(meshes[0].vertices * 1.5, meshes[0].faces)
        np.testing.assert_array_equal(
            tumble.collide_all(trees).pairs(0, 1), tumble.collide(grown, meshes[1], None, pose).pairs
        )
    with pytest.raises(OptionError, match="a device of their own"):
        tumble.collide_all(trees, device="opencl")


def test_nothing_to_find():
    empty = tumble.Mesh(np.empty((0, 3)), np.empty((0, 3), int))
    assert not tumble.collide_all([empty, empty], within=True, device="opencl")
    assert not tumble.collide_all([], device="opencl")
    far = forest.soup(7, 20), tumble.transformed(forest.soup(8, 20), tumble.translation(50, 0, 0))
    assert not tumble.collide_all(far, device="opencl")


def test_what_a_device_cannot_do_is_refused():
    meshes = [forest.soup(9, 20)]
    with pytest.raises(OptionError, match=r"group=1048576: opencl:\d+ takes up to \d+ work-items"):
        tumble.collide_all(meshes, within=True, device="opencl", settings=BulkSettings(group=1 << 20))
    with pytest.raises(OptionError, match=r"queue=1048576: opencl:\d+ has local memory for \d+ pairs"):
        tumble.collide_all(meshes, within=True, device="opencl", settings=BulkSettings(queue=1 << 20))
    with pytest.raises(DeviceError, match="unknown device 'cuda'"):
        tumble.collide_all(meshes, within=True, device="cuda")
    with pytest.raises(OptionError, match=r"settings=WalkSettings.* cannot be used with .*method='bulk'"):
        tumble.collide(meshes[0], meshes[0], method="bulk", device="opencl", settings=tumble.WalkSettings())


@pytest.mark.parametrize("way", ["tiles, many flushes, no room", "paper, no room"])
def test_leaf_pairs_that_no_buffer_holds_are_read_in_parts(way, monkeypatch):
    most = 4 ** WAYS[way].step
    monkeypatch.setattr(bulk_rounds, "MOST_COUNTED", most)
    meshes = [forest.soup(5, 90, 0.4), forest.soup(6, 70, 0.4)]
    here = tumble.collide_all(meshes, within=True, candidates=True)
    assert len(here.triangles) > 2 * most
    there = tumble.collide_all(meshes, within=True, candidates=True, device="opencl", settings=WAYS[way])
    np.testing.assert_array_equal(there.triangles, here.triangles)
