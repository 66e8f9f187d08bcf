"""The host code of all traversals on a device without a driver: memory, rounds, retries, refusals."""

import gc
import re
from pathlib import Path

import null_kernels
import numpy as np
import pytest
from null_device import LIMITS, NullDevice

import forest
import tumble
from tumble.device import measured
from tumble.device.host import bulk, bulk_rounds
from tumble.device.host.binary_stack import ask
from tumble.device.host.front import FRONT, LEAVES, FrontWalk, Segments
from tumble.device.host.implicit_trees import DeviceTrees
from tumble.device.host.scratch import SPARE_BUFFERS, GrowingBuffer, spare_buffers
from tumble.device.host.tree_store import TreeStore
from tumble.errors import DeviceError, OptionError
from tumble.hierarchy.implicit.posed import posed_meshes
from tumble.query.bodies import Bodies
from tumble.query.engine import TOUCHING, Request
from tumble.query.settings import BulkSettings, DeviceSettings, FrontSettings

TRIANGLES = 1 << null_kernels.LEVELS
STANDING = [np.eye(4)] * 2


# Buffers


def test_a_growing_buffer_keeps_its_first_rows():
    device = NullDevice()
    buffer = GrowingBuffer(device, 12, 4)
    device.write(buffer.buffer, np.arange(12, dtype=np.uint32))
    buffer.grow(100, kept=3)
    assert buffer.capacity >= 100
    assert buffer.buffer.view(np.uint32)[:9].tolist() == list(range(9))


def test_the_next_query_gets_the_largest_buffer():
    device = NullDevice()
    small, large = GrowingBuffer(device, 8, 10), GrowingBuffer(device, 8, 1000)
    kept = large.buffer
    small.release()
    large.release()
    assert GrowingBuffer(device, 8, 10).buffer is kept
    assert GrowingBuffer(device, 8, 11).capacity == 11  # the small one does not suffice


def test_spare_buffers_are_few_and_not_large(quick_collections):
    device = NullDevice(memory=1 << 20)
    spare = spare_buffers(device)
    spare.give(*(device.empty(100 + k) for k in range(2 * SPARE_BUFFERS)))
    gc.collect()
    assert device.used == sum(100 + k for k in range(SPARE_BUFFERS, 2 * SPARE_BUFFERS))
    spare.give(device.empty(1 << 17))  # more than a sixteenth of the memory
    gc.collect()
    assert device.used < 1 << 16


def test_spare_memory_is_given_back_before_a_query_is_refused(quick_collections):
    device = NullDevice(memory=10_000)
    spare_buffers(device).give(device.empty(600))
    gc.collect()
    assert device.empty(9_900).size == 9_900
    with pytest.raises(DeviceError, match=r"null:0 .*bytes left, not 10001; use device='cpu'"):
        device.empty(10_001)


# The binary stack


def a_request(meshes_a, meshes_b, pairs, **options):
    sides = []
    for meshes in (meshes_a, meshes_b):
        trees = [tumble.build(mesh, "obb", leaf_size=1) for mesh in meshes]
        sides.append(Bodies(trees, np.arange(len(trees)), np.tile(np.eye(4), (len(trees), 1, 1))))
    settings = options.pop("settings", DeviceSettings())
    return Request(TOUCHING, *sides, np.array(pairs), "auto", "null", settings, **options)


def found_by(kernel, request, **description):
    device = NullDevice({"binary_stack_pool": kernel, "binary_stack": kernel}, **description)
    with measured() as timings:
        return ask(device, request), device, timings


ONE = forest.soup(1, 1)
SAME = [(1, 0, 0)]
"""a certain candidate of two meshes of one triangle"""


def test_certain_candidates_are_not_tested_again():
    far = tumble.Mesh(ONE.vertices + 9.0, ONE.faces)
    request = a_request([ONE, far], [ONE], [[0, 0], [1, 0], [0, 0]])
    table, device, timings = found_by(null_kernels.Finding(SAME), request)
    assert table.counts.tolist() == [1, 1, 1]  # the device is believed
    assert timings.unsure == 0
    table, *_ = found_by(null_kernels.Finding([(0, 0, 0)]), request)
    assert table.counts.tolist() == [1, 0, 1]  # and otherwise the host tests
    assert [launch.kernel for launch in device.launches] == ["binary_stack_pool"]


@pytest.mark.parametrize("pool", [True, False])
def test_a_full_buffer_is_grown_and_the_launch_repeated(pool):
    meshes = [forest.soup(seed, 3) for seed in range(2)]
    rows = [(1, i, j) for i in range(3) for j in range(3)]
    request = a_request(meshes, meshes, [[0, 1], [1, 0]], settings=DeviceSettings(first_capacity=4, pool=pool))
    table, device, timings = found_by(null_kernels.Finding(rows), request)
    assert table.counts.tolist() == [9, 9]
    assert sorted(map(tuple, table.triangles[:9].tolist())) == [(i, j) for i in range(3) for j in range(3)]
    assert (timings.grown, timings.launches, timings.candidates) == (1, 2, 18)
    with measured() as timings:
        ask(device, request)
    assert (timings.grown, timings.launches) == (0, 1)


def test_walks_that_were_split_go_on_in_rounds():
    table, device, timings = found_by(null_kernels.Finding(SAME, splits=3), a_request([ONE], [ONE], [[0, 0]]))
    assert table.counts.tolist() == [1]
    assert timings.launches == 4
    tasks = [launch.arguments[5] for launch in device.launches]
    pools = [launch.arguments[10] for launch in device.launches]
    assert tasks[1:] == pools[:-1]
    assert pools[0] is not pools[1]


def test_first_hits_are_searched_in_launches_that_end():
    request = a_request([ONE], [ONE], [[0, 0], [0, 0]], first=True, settings=DeviceSettings(steps=7))
    table, device, timings = found_by(null_kernels.Finding(SAME, splits=2), request)
    assert table.counts.tolist() == [1, 1]
    assert timings.launches == 3
    assert [launch.arguments[12] for launch in device.launches] == [7, 7, 7]  # turns, as without `first`
    hits, numbers = zip(*(launch.arguments[16:] for launch in device.launches), strict=True)
    assert numbers == (0, 1, 2)
    assert hits[0].view(np.uint32).tolist() == [0xFFFFFFFF] * 2  # no round had a hit yet


def test_too_many_candidates_are_found_in_halves_and_then_by_the_cpu():
    pairs = [[0, 0]] * 5
    request = a_request([ONE], [ONE], pairs, stats=True, settings=DeviceSettings(most_candidates=2))
    table, device, _ = found_by(null_kernels.Finding(SAME), request)
    assert table.counts.tolist() == [1] * 5
    assert table.stats.hits == 5
    assert [len(launch.arguments[3].view(np.uint32)) // 4 for launch in device.launches] == [5, 2, 3, 1, 2]
    request = request._replace(settings=DeviceSettings(most_candidates=0))
    table, *_ = found_by(null_kernels.Finding(SAME), request)
    assert table.counts.tolist() == [1] * 5


def test_trees_are_uploaded_once_and_gaps_are_closed(quick_collections):
    device = NullDevice({"binary_stack_pool": null_kernels.Finding(SAME)})
    request = a_request([ONE, forest.soup(2, 40)], [ONE], [[0, 0]])
    ask(device, request)
    written, stored = device.count("write"), device.keep(TreeStore)
    assert len(stored) == 2  # of a mesh that is on both sides, one
    ask(device, request)
    assert device.count("write") == written + 1  # the counters
    before = stored.buffers[0].view(np.float32)[:16].copy()
    for seed in range(3, 40):
        ask(device, a_request([forest.soup(seed, 300)], [ONE], [[0, 0]]))
        gc.collect()
    np.testing.assert_array_equal(stored.buffers[0].view(np.float32)[:16], before)
    assert stored.capacity < 20 * 600
    assert len(stored) == 2


def test_a_query_for_which_there_is_no_memory_is_refused():
    device = NullDevice({"binary_stack_pool": null_kernels.Finding(SAME)}, memory=1 << 16)
    with pytest.raises(DeviceError, match="bytes left"):
        ask(device, a_request([ONE], [ONE], [[0, 0]]))


# Bulk and front


def trees_on(device, padded=True):
    posed = posed_meshes([forest.soup(seed, TRIANGLES) for seed in range(2)], None, 1)
    return DeviceTrees(device, posed, padded)


ROUNDS = {"tested": bulk.TestedRounds, "untested": bulk.UntestedRounds}
ROOM = {"enough": {}, "none": {"first_capacity": 1}, "little": {"first_capacity": 1, "most_pairs": 9}}


@pytest.mark.parametrize("room", ROOM)
@pytest.mark.parametrize("kind", ROUNDS)
def test_no_pair_is_lost_or_found_twice(kind, room):
    device = NullDevice({"bulk_round": null_kernels.bulk_round})
    trees, first = trees_on(device), np.arange(7)
    for _ in range(2):  # with new buffers, and with those of the first time
        rounds = ROUNDS[kind](trees, BulkSettings(depth_step=1, queue=512, **ROOM[room]), True, False)
        rounds.run(first)
        found = np.sort(rounds.read_leaves())
        np.testing.assert_array_equal(found, null_kernels.expected_leaves(first))
        assert rounds.work.rounds >= null_kernels.LEVELS
        assert (rounds.work.repeated > 0) == (room != "enough")
        assert (rounds.work.split > 0) == (room == "little")
    assert (device.count("copy") > 0) == (room == "little")  # leaf pairs that were there when the buffer grew


@pytest.mark.parametrize("kind", ROUNDS)
def test_leaf_pairs_beyond_the_largest_buffer_are_read_in_parts(kind, monkeypatch):
    monkeypatch.setattr(bulk_rounds, "MOST_COUNTED", 16)
    device = NullDevice({"bulk_round": null_kernels.bulk_round})
    rounds = ROUNDS[kind](trees_on(device), BulkSettings(depth_step=1, queue=512), True, False)
    rounds.run(np.arange(3))
    assert len(rounds.parts) > 2
    np.testing.assert_array_equal(np.sort(rounds.read_leaves()), null_kernels.expected_leaves(range(3)))


def test_rounds_are_sent_at_once():
    device = NullDevice({"bulk_round": null_kernels.bulk_round})
    trees = trees_on(device)
    rounds = bulk.TestedRounds(trees, BulkSettings(depth_step=1, queue=512), True, False)
    before, launched = device.count("read"), device.count("launch")
    rounds.run(np.arange(2))
    assert device.count("read") == before + 1
    assert device.count("launch") == launched + null_kernels.LEVELS


def test_more_than_a_device_has_is_refused():
    device = NullDevice(limits=LIMITS._replace(group_items=32, local_bytes=2304))
    trees = trees_on(device)
    with pytest.raises(OptionError, match="group=33: null:0 takes up to 32 work-items in a group"):
        bulk.TestedRounds(trees, BulkSettings(group=33, queue=8), True, False)
    with pytest.raises(OptionError, match="queue=129: null:0 has local memory for 128 pairs"):
        bulk.TestedRounds(trees, BulkSettings(queue=129), True, False)
    bulk.UntestedRounds(trees, BulkSettings(queue=256, group=1, tested=False), True, False)
    with pytest.raises(OptionError, match="stack=33: null:0 has local memory for 32 pairs in each of group=8 stacks"):
        FrontWalk(trees, FrontSettings(stack=33, group=8), True, False, 0)
    assert FrontWalk(trees, FrontSettings(stack=33), True, False, 0).group == 4  # stacks of the default are fewer
    with pytest.raises(OptionError, match="stack=300: null:0 has local memory for 256 pairs in each of group=1 stacks"):
        FrontWalk(trees, FrontSettings(stack=300), True, False, 0)


def test_a_kernel_has_the_groups_that_its_driver_allows():
    device = NullDevice({"bulk_round": null_kernels.bulk_round}, kind="gpu")
    device.kernel_groups = {"bulk_round": 48, "front_walk": 7, "sort_block": 32, "contact": 5, "binary_stack_pool": 3}
    trees = trees_on(device)
    assert {launch.group for launch in device.launches} == {32}
    assert {dict(launch.program.options)["BLOCK"] for launch in device.launches} == {64}
    rounds = bulk.TestedRounds(trees, BulkSettings(depth_step=1, queue=512), True, False)
    assert (rounds.group, dict(rounds.program.options)["GROUP"]) == (32, 32)
    rounds.run(np.arange(3))
    np.testing.assert_array_equal(np.sort(rounds.read_leaves()), null_kernels.expected_leaves(range(3)))
    walk = FrontWalk(trees, FrontSettings(), True, False, 0)
    assert (walk.group, dict(walk.program.options)["GROUP"]) == (4, 4)
    with pytest.raises(OptionError, match="group=49: bulk_round takes up to 48 work-items in a group on null:0"):
        bulk.TestedRounds(trees, BulkSettings(group=49, queue=8), True, False)
    with pytest.raises(OptionError, match="group=8: front_walk takes up to 7 work-items in a group on null:0"):
        FrontWalk(trees, FrontSettings(group=8), True, False, 0)
    device.kernels["binary_stack_pool"] = null_kernels.Finding(SAME)
    device.launches.clear()
    for pairs in ([[0, 0]], [[0, 0]] * 9):  # one size whatever the count, or drivers compile again
        ask(device, a_request([ONE], [ONE], pairs, contacts=True))
    assert {(launch.kernel, launch.group) for launch in device.launches} == {("binary_stack_pool", 3), ("contact", 4)}


def test_defaults_depend_on_the_kind_of_device():
    for kind, group, items in (("cpu", 1, 4), ("gpu", 64, 4 * 64), ("accelerator", 64, 4 * 64)):
        device = NullDevice({"binary_stack_pool": null_kernels.Finding(SAME)}, kind=kind)
        assert bulk.TestedRounds(trees_on(device), BulkSettings(queue=512), True, False).group == group
        assert bulk.TestedRounds(trees_on(device), BulkSettings(queue=512, group=2), True, False).group == 2
        for settings, expected in ((DeviceSettings(), items), (DeviceSettings(items_per_unit=2), 8)):
            ask(device, a_request([ONE], [ONE], [[0, 0]] * 300, settings=settings))
            assert device.launches[-1].items == expected
        assert ("sort_block" in {launch.kernel for launch in device.launches}) == (kind != "cpu")


@pytest.mark.parametrize("room", [None, 1])
def test_streams_grow_and_lose_nothing(room, monkeypatch):
    found = []
    monkeypatch.setattr("tumble.device.host.front.check_pairs", lambda count, hint: found.append(count))
    device = NullDevice({"front_walk": null_kernels.front_walk})
    first = np.arange(6)
    walk = FrontWalk(trees_on(device), FrontSettings(segments=4, group=8, first_capacity=room), True, False, 0)
    walk.run([Segments(device.upload(first), len(first), np.array([len(first)]))])
    np.testing.assert_array_equal(
        np.sort(walk.streams[LEAVES].stored().read(device)), null_kernels.expected_leaves(first)
    )
    levels = range(1, null_kernels.LEVELS + 1)
    descendants = np.concatenate([(level << 32) + np.arange(len(first) << level) for level in levels])
    np.testing.assert_array_equal(np.sort(walk.streams[FRONT].stored().read(device)), descendants)
    assert found[-1] == max(found) == len(first) << null_kernels.LEVELS  # what the limit of a call is about
    assert walk.work.rounds == null_kernels.LEVELS
    assert (walk.work.repeated > 0) == (room is not None)


def test_a_front_may_take_all_of_the_largest_buffer():
    """What is wanted beyond it is not needed: neither the first capacity nor room for twice as many pairs."""
    first = np.arange(64)
    leaves = len(first) << null_kernels.LEVELS
    for room in (None, 100):
        device = NullDevice({"front_walk": null_kernels.front_walk}, LIMITS._replace(buffer_bytes=8 * 2 * leaves))
        walk = FrontWalk(trees_on(device), FrontSettings(segments=4, group=8, first_capacity=room), True, False, 0)
        walk.run([Segments(device.upload(first), len(first), np.array([len(first)]))])
        assert walk.streams[FRONT].stored().size == 2 * leaves - 2 * len(first)
        assert walk.streams[FRONT].buffer.size <= device.limits.buffer_bytes
        found = np.sort(walk.streams[LEAVES].stored().read(device))
        np.testing.assert_array_equal(found, null_kernels.expected_leaves(first))


def test_a_front_beyond_the_largest_buffer_is_refused():
    device = NullDevice({"front_walk": null_kernels.front_walk}, LIMITS._replace(buffer_bytes=1 << 13))
    walk = FrontWalk(trees_on(device), FrontSettings(segments=4, group=8, first_capacity=1000), True, False, 0)
    first = np.arange(64)
    with pytest.raises(DeviceError, match=r"has buffers for 1024 pairs, but a front takes \d+; use method='bulk'"):
        walk.run([Segments(device.upload(first), len(first), np.array([len(first)]))])


def test_host_code_knows_the_protocol_alone():
    for path in (Path(tumble.__file__).parent / "device" / "host").glob("*.py"):
        assert not re.search(r"tumble\.device\.(opencl|null|engines)|pyopencl", path.read_text("utf-8")), path
