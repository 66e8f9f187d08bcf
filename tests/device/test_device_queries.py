"""`device=` in collide, collide_many and Scene: the same records as from the CPU, and refusals in words."""

import gc
from concurrent.futures import ThreadPoolExecutor
from functools import cache

import numpy as np
import pytest
from device_cases import WAYS, ask_device, needs_device, on_device

import forest
import tumble
from input_forms import SAME_NUMBERS
from tumble.device import measured
from tumble.device.host import binary_stack
from tumble.device.host.candidates import COUNTERS, FOUND, POOLED, _Query
from tumble.device.host.scratch import spare_buffers
from tumble.device.host.tree_store import TreeStore
from tumble.device.host.walk_kinds import BINARY_STACK
from tumble.device.opencl import open_device
from tumble.mesh import random_pose
from tumble.query.bodies import Bodies
from tumble.query.engine import TOUCHING, Request
from tumble.query.settings import DeviceSettings
from tumble.traversal.rules import RULES

pytestmark = needs_device

KNOT = tumble.shapes.knot()
RING = tumble.shapes.torus(segments=32, sides=16)
POSES = np.array([random_pose(k, 1.6) for k in range(60)])


@cache
def on_cpu():
    """What the CPU finds; not at import, as every process of a run imports all files."""
    return tumble.collide_many(KNOT, RING, POSES, first=False)


def assert_same(found, expected=None):
    expected = on_cpu() if expected is None else expected
    np.testing.assert_array_equal(found.counts, expected.counts)
    np.testing.assert_array_equal(found.triangles, expected.triangles)


def all_pairs(settings):
    return tumble.collide_many(KNOT, RING, POSES, first=False, device="opencl", settings=settings)


@pytest.mark.parametrize("way", WAYS)
def test_many_poses(way):
    assert 0 < on_cpu().hit.sum() < len(POSES)
    assert_same(all_pairs(WAYS[way]))


def test_collide_many():
    assert_same(tumble.collide_many(KNOT, RING, POSES, first=False, device="opencl"))
    assert_same(tumble.collide_many(KNOT, RING, POSES, first=False, device="opencl:0", threads=1, tree="obb"))
    assert len(tumble.collide_many(KNOT, RING, [], device="opencl")) == 0
    fixed = POSES[::-1].copy()
    assert_same(
        tumble.collide_many(KNOT, RING, POSES, fixed, first=False, device="opencl"),
        tumble.collide_many(KNOT, RING, POSES, fixed, first=False),
    )


def test_first_hits_are_true_pairs_and_always_the_same():
    results = [tumble.collide_many(KNOT, RING, POSES, device="opencl", threads=threads) for threads in (1, 2, None)]
    for found in results:
        np.testing.assert_array_equal(found.hit, on_cpu().hit)
        np.testing.assert_array_equal(found.triangles, results[0].triangles)
    for k in np.flatnonzero(on_cpu().hit):
        assert tuple(results[0].pairs(k)[0]) in set(map(tuple, on_cpu().pairs(k).tolist()))


def test_first_hits_take_less():
    stats = [
        on_device(KNOT, RING, pose_b=POSES[int(np.argmax(on_cpu().counts))], first=f, stats=True).stats for f in (0, 1)
    ]
    assert stats[1].hits == 1
    assert stats[1].iterations < stats[0].iterations / 4


def test_first_hits_of_walks_that_are_split():
    """Each launch is short then, and a pair of bodies with a hit is not walked on in later rounds."""
    for steps in (1, 64):
        settings = DeviceSettings(steps=steps)
        with measured() as timings:
            found = tumble.collide_many(KNOT, RING, POSES, device="opencl", settings=settings)
        assert timings.launches > 2
        np.testing.assert_array_equal(found.hit, on_cpu().hit)
        np.testing.assert_array_equal(
            found.triangles, tumble.collide_many(KNOT, RING, POSES, device="opencl", settings=settings).triangles
        )
        for k in np.flatnonzero(on_cpu().hit):
            assert tuple(found.pairs(k)[0]) in set(map(tuple, on_cpu().pairs(k).tolist()))
    touching = np.argsort(-on_cpu().counts)[:4]
    for k in touching:
        both = [on_device(KNOT, RING, pose_b=POSES[k], first=f, settings=settings, stats=True).stats for f in (0, 1)]
        assert both[1].iterations < both[0].iterations / 2


def test_only_a_hit_of_an_earlier_round_ends_a_walk():
    """One of the same round may come before or after: if it counted, the answer would depend on that."""
    device, counters = open_device("opencl"), np.zeros(COUNTERS, np.uint32)
    trees = [tumble.build(mesh, "obb", leaf_size=1) for mesh in (KNOT, RING)]
    pose = POSES[[int(np.argmax(on_cpu().counts))]]
    sides = [Bodies([tree], np.array([0]), where) for tree, where in zip(trees, (np.eye(4)[None], pose), strict=True)]
    request = Request(TOUCHING, *sides, np.array([[0, 0]]), "auto", "opencl", DeviceSettings(), first=True)
    with device.working():
        walks = binary_stack._walks(request, binary_stack._store(device, request, BINARY_STACK), BINARY_STACK)
        query = _Query(device, walks, request.settings, False)
        for number in (0, 1):
            device.fill(query.hits, 0)  # round 0 had one
            device.write(query.counters, np.zeros_like(counters))
            device.wait(query._launch(query.tasks, 1, query.pools[0], number))
            device.read(query.counters, counters)
            assert (counters[FOUND] + counters[POOLED] > 0) == (number == 0)
        query.release()


def test_collide():
    k = int(np.argmax(on_cpu().counts))
    found = tumble.collide(KNOT, RING, pose_b=POSES[k], device="opencl", stats=True)
    np.testing.assert_array_equal(found.pairs, on_cpu().pairs(k))
    assert not found.pairs.flags.writeable
    assert found.stats.hits == len(found)
    tree = tumble.build(KNOT, "obb", leaf_size=2)
    np.testing.assert_array_equal(tumble.collide(tree, RING, None, POSES[k], device="opencl").pairs, on_cpu().pairs(k))
    assert tumble.collide(KNOT, RING, pose_b=POSES[k], device="opencl").stats is None


def test_counts_are_those_of_the_stack_traversal():
    """Float32 is conservative, but not much: some boxes more overlap. However a walk is split, it counts the same."""
    for k in np.argsort(-on_cpu().counts)[:4]:
        trees = [tumble.build(mesh, "obb") for mesh in (KNOT, RING)]
        cpu = tumble.collide(*trees, None, POSES[k], method="stack", stats=True).stats
        found = [on_device(*trees, None, POSES[k], settings=WAYS[way], stats=True).stats for way in list(WAYS)[:5]]
        assert len(set(found)) == 1
        assert abs(found[0].iterations - cpu.iterations) < 0.02 * cpu.iterations
        assert cpu.leaf_overlaps <= found[0].leaf_overlaps < 1.1 * cpu.leaf_overlaps


@pytest.mark.parametrize("ways", [1, pytest.param(2, marks=pytest.mark.slow)])
def test_each_rule_goes_the_way_of_the_cpu(ways):
    """The numbers of rules are the same on both sides, and so is what they mean, also after a split.

    By default the rules take the two ways by turns: each is a program to compile.
    """
    a, b = (forest.random_tree(seed, 400, "obb", size=16, chain=0.1) for seed in (5, 6))
    cpu = {
        rule: tumble.collide(a, b, method="binary-stack", settings=tumble.WalkSettings(rule=rule), stats=True)
        for rule in RULES
    }
    assert len({found.stats.iterations for found in cpu.values()}) == len(RULES)
    both = {"pool": False}, {"steps": 5}
    for number, (rule, expected) in enumerate(cpu.items()):
        for options in both if ways == 2 else both[number % 2 :][:1]:
            found = on_device(a, b, settings=DeviceSettings(rule=rule, **options), stats=True)
            np.testing.assert_array_equal(found.pairs, expected.pairs)
            difference = abs(found.stats.iterations - expected.stats.iterations)
            assert difference < 0.002 * expected.stats.iterations, rule
    with pytest.raises(tumble.OptionError, match="unknown descent rule 'smallest'"):
        tumble.collide(a, b, device="opencl", settings=DeviceSettings(rule="smallest"))


@pytest.mark.parametrize(
    "rule", [each if each == "alternate" else pytest.param(each, marks=pytest.mark.slow) for each in RULES]
)
def test_each_rule_finds_the_pairs_without_counting(rule):
    a, b = (forest.random_tree(seed, 400, "obb", size=16, chain=0.1) for seed in (5, 6))
    found = tumble.collide(a, b, device="opencl", method="binary-stack", settings=DeviceSettings(rule=rule))
    np.testing.assert_array_equal(found.pairs, tumble.collide(a.mesh, b.mesh).pairs)


def test_a_scene():
    rng = np.random.default_rng(3)
    scene, meshes = (
        tumble.Scene(),
        (KNOT, RING, tumble.shapes.box(), tumble.Mesh(np.empty((0, 3)), np.empty((0, 3), int))),
    )
    for k in range(40):
        scene.add(f"body {k}", meshes[k % 4], random_pose(rng, 2.5))
    scene.remove("body 5")
    expected = scene.collisions()
    assert len(expected) > 10
    for options in ({}, {"threads": 1}):
        found = scene.collisions(device="opencl", **options)
        assert found.names == expected.names
        np.testing.assert_array_equal(found.counts, expected.counts)
        np.testing.assert_array_equal(found.triangles, expected.triangles)
    assert scene.collisions(device="opencl", first=True).names == expected.names
    lonely = tumble.Scene()
    assert len(lonely.collisions(device="opencl")) == 0
    lonely.add("hermit", KNOT)
    assert len(lonely.collisions(device="opencl")) == 0


# Buffers


@pytest.mark.parametrize("way", ["one work-item a pair", "pool", "split at every step"])
def test_a_full_buffer_is_grown_and_the_launch_repeated(way):
    spare_buffers(open_device("opencl")).release_idle()
    with measured() as timings:
        assert_same(all_pairs(DeviceSettings(**{**WAYS[way].__dict__, "first_capacity": 1})))
    assert timings.grown == 1
    assert timings.candidates >= on_cpu().counts.sum()
    with measured() as timings:  # the larger one is kept
        assert_same(all_pairs(WAYS[way]))
    assert timings.grown == 0


def test_too_many_candidates_are_found_in_parts_or_by_the_cpu():
    for most in (1, 500, 5000):
        spare_buffers(open_device("opencl")).release_idle()
        settings = DeviceSettings(first_capacity=1, most_candidates=most)
        with measured() as timings:
            assert_same(all_pairs(settings))
        # one at most: nearly all is left to the CPU; else the list is halved until each part fits
        assert timings.candidates < len(POSES) if most == 1 else timings.candidates >= on_cpu().counts.sum()
        assert timings.launches > 3
        stats = on_device(KNOT, RING, None, POSES[0], settings, stats=True).stats
        assert stats.hits == on_cpu().counts[0]


def test_trees_are_copied_once_and_gone_with_their_meshes(quick_collections):
    store = open_device("opencl").keep(TreeStore)
    before = len(store)
    meshes = [forest.soup(seed, 40) for seed in range(6)]
    tumble.collide(meshes[0], meshes[1], device="opencl")
    assert len(store) == before + 2
    tumble.collide(meshes[1], meshes[0], device="opencl")
    assert len(store) == before + 2
    for mesh in meshes:
        tumble.collide(mesh, KNOT, device="opencl")
    assert len(store) >= before + 6
    stored = len(store)
    del meshes, mesh
    gc.collect()
    assert len(store) == stored - 6


def test_gaps_are_closed(quick_collections):
    device = open_device("opencl")
    store = device._kept[TreeStore] = TreeStore(device)
    kept = forest.soup(1, 50), forest.soup(2, 50)
    expected = tumble.collide(*kept).pairs
    for seed in range(3, 30):
        gone = forest.soup(seed, 200)
        gc.collect()  # the one before: a mesh and its trees know each other
        tumble.collide(gone, kept[0], device="opencl")
        np.testing.assert_array_equal(tumble.collide(*kept, device="opencl").pairs, expected)
    assert store.capacity < 27 * 400


def test_many_threads_ask_at_once():
    def ask(k):
        return tumble.collide_many(KNOT, RING, POSES[k:], first=False, device="opencl").counts

    with ThreadPoolExecutor(4) as pool:
        for k, counts in enumerate(pool.map(ask, range(12))):
            np.testing.assert_array_equal(counts, on_cpu().counts[k:])


def test_timings_say_where_the_time_goes():
    with measured() as timings:
        tumble.collide_many(KNOT, RING, POSES, first=False, device="opencl")
    assert timings.pairs == len(POSES)
    assert timings.launches >= 1
    assert timings.kernel > 0
    assert timings.confirm > 0
    assert 0 < timings.unsure < timings.candidates
    assert timings.total >= timings.kernel
    with measured() as nothing:
        pass
    assert nothing.total == 0


# Refusals


@pytest.mark.parametrize(
    "options, words",
    [
        ({"method": "stack"}, "method='stack' cannot be used with device='opencl'; .* binary-stack, bulk, front"),
        ({"tree": "aabb"}, "tree='aabb' cannot be used with device='opencl'; .*obb-covariance"),
        ({"tree": "boxtree"}, "tree='boxtree' cannot be used"),
        ({"settings": tumble.BoxtreeSettings()}, "settings=BoxtreeSettings.* cannot be used"),
    ],
)
def test_options_that_devices_do_not_have(options, words):
    with pytest.raises(tumble.OptionError, match=words):
        tumble.collide(KNOT, RING, device="opencl", **options)


def test_trees_that_devices_do_not_walk():
    for tree in (tumble.build(RING), tumble.build(RING, "boxtree")):
        with pytest.raises(
            tumble.OptionError, match="cannot be used with device='opencl'; prepared trees can be: obb, obb-covariance"
        ):
            tumble.collide(tree, KNOT, device="opencl")
    with pytest.raises(tumble.OptionError, match=r"tree='obb-covariance' does not fit the given"):
        tumble.collide(tumble.build(RING, "obb"), KNOT, device="opencl", tree="obb-covariance")


def test_wrong_poses_and_devices():
    wrong = POSES[:3].copy()
    wrong[1] *= 2
    with pytest.raises(tumble.PoseError, match=r"poses_b\[1\]"):
        tumble.collide_many(KNOT, RING, wrong, device="opencl")
    with pytest.raises(tumble.PoseError):
        tumble.collide(KNOT, RING, wrong[1], device="opencl")
    for ask in (
        lambda: tumble.collide(KNOT, RING, device="opencl:77"),
        lambda: tumble.collide_many(KNOT, RING, POSES, device="opencl:77"),
        lambda: tumble.Scene().collisions(device="opencl:77"),
    ):
        with pytest.raises(tumble.DeviceError, match="opencl:77"):
            ask()


def test_a_mesh_that_the_list_does_not_ask_for_may_be_missing():
    meshes = [KNOT, None, RING]
    poses = np.stack([np.eye(4)] * 3)
    found = ask_device((meshes, meshes), (poses, poses), np.array([[0, 2]]))
    np.testing.assert_array_equal(found.triangles, tumble.collide(KNOT, RING).pairs)


@pytest.mark.parametrize("form", SAME_NUMBERS)
def test_the_form_of_an_array_does_not_matter(form):
    given, hit = SAME_NUMBERS[form], int(np.argmax(on_cpu().counts))
    for method in ("auto", "bulk", "front"):
        found = tumble.collide(KNOT, RING, None, given(POSES[hit]), method=method, device="opencl")
        np.testing.assert_array_equal(found.pairs, on_cpu().pairs(hit))
    assert_same(tumble.collide_many(KNOT, RING, given(POSES), first=False, device="opencl"))
