"""Following a front on a device: leaf pairs, fronts and counts are those of the CPU."""

import numpy as np
import pytest
from device_cases import needs_device, read_front

import bulk_cases
import forest
import front_cases
import tumble
from tumble.device import measured
from tumble.device.host.scratch import spare_buffers
from tumble.errors import OptionError
from tumble.hierarchy.implicit import implicit_trees
from tumble.query.settings import FrontSettings
from tumble.traversal.bulk.entry import tree_pairs
from tumble.traversal.front.follow import front_pairs

pytestmark = needs_device


def both(meshes, poses=None, padded=True):
    from tumble.device.engines import device_trees

    return implicit_trees(meshes, poses, padded=padded), device_trees(meshes, poses, padded=padded)


@pytest.mark.parametrize("way", front_cases.SETTINGS)
def test_all_as_on_the_cpu(way):
    from tumble.device.host.front import device_front_pairs

    meshes, poses = bulk_cases.scene()
    settings = front_cases.SETTINGS[way]
    trees, there = both(meshes, poses, settings.padded)
    wanted = tree_pairs(trees.posed, within=[0, 4, 6])
    front, device_front = None, None
    for adjacent in (True, False):
        spare_buffers(there.device).release_idle()
        keys, front, work = front_pairs(trees, front, wanted, settings, adjacent=adjacent, threads=2)
        found, device_front, done = device_front_pairs(there, device_front, wanted, settings, adjacent=adjacent)
        np.testing.assert_array_equal(np.sort(found), np.sort(keys))
        np.testing.assert_array_equal(np.sort(read_front(device_front)), np.sort(front.pairs))
        assert device_front.size == front.size
        assert (done.repeated > 0) == (settings.first_capacity is not None)
        for name in ("tests", "overlaps", "leaf_overlaps", "largest"):
            assert getattr(done, name) == getattr(work, name), name


def test_fronts_of_meshes_in_motion():
    from tumble.device.host.front import device_front_pairs

    settings = front_cases.SETTINGS["small stacks and segments"]
    meshes = [forest.soup(seed, count, 0.2) for seed, count in ((1, 40), (2, 1), (3, 17), (4, 64))]
    trees, there = both(meshes)
    front, device_front = None, None
    for frame, poses in enumerate(front_cases.motion(5, len(meshes), 9)):
        for moved in (trees, there):
            moved.move([meshes[0].vertices * (1.0 + 0.1 * frame), None, None, None], poses, rebuild=frame % 2 == 0)
        wanted = tree_pairs(trees.posed, within=[0, 1, 3])
        options = {"adjacent": True, "counting": False}
        keys, front, _ = front_pairs(trees, front, wanted, settings, adjacent=True, threads=2)
        found, following, _ = device_front_pairs(there, device_front, wanted, settings, **options)
        np.testing.assert_array_equal(np.sort(found), np.sort(keys))
        np.testing.assert_array_equal(np.sort(read_front(following)), np.sort(front.pairs))
        if device_front is not None:
            device_front.release()
        device_front = following


@pytest.mark.slow
@front_cases.real_steps
@pytest.mark.parametrize("scene", front_cases.STEPS)
def test_real_frames_from_the_front_of_the_frame_before(scene):
    from tumble.device.front_primed import primed_front

    before, after, count = front_cases.real_step(scene)
    there, here = (primed_front([before], [after], within=True, device=device).run()[0] for device in ("opencl", "cpu"))
    assert len(there) == count
    np.testing.assert_array_equal(np.sort(there), np.sort(here))


@pytest.mark.parametrize("rebuild", [True, False])
def test_a_step_by_itself(rebuild):
    from tumble.device.front_primed import primed_front

    before = [forest.soup(1, 50, 0.2), forest.soup(2, 60, 0.2)]
    after = [forest.soup(1, 50, 0.25), forest.soup(2, 60, 0.25)]
    options = {"within": True, "adjacent": False, "rebuild": rebuild}
    steps = [primed_front(before, after, device=device, **options) for device in ("cpu", "opencl")]
    here, size = steps[0].run()
    for _ in range(2):
        with measured() as timings:
            there, size_there = steps[1].run()
        np.testing.assert_array_equal(np.sort(here), np.sort(there))
        assert size_there == size
        assert timings.kernel > 0
    asked = tumble.collide_all(after, within=True, candidates=True)
    assert len(here) == len(asked.triangles) > 100


def test_float64_has_the_last_word():
    from tumble.device.host.front import device_front_pairs

    trees, there = both([front_cases.clusters(1, 60), front_cases.clusters(2, 50)])
    wanted = tree_pairs(trees.posed, within=[0])
    keys, _, work = front_pairs(trees, None, wanted, FrontSettings(), adjacent=True, threads=2)
    with measured() as timings:
        found, _, done = device_front_pairs(there, None, wanted, FrontSettings(), adjacent=True)
    np.testing.assert_array_equal(np.sort(found), np.sort(keys))
    assert (done.overlaps, done.leaf_overlaps) == (work.overlaps, work.leaf_overlaps)
    assert timings.unsure > 100
    assert timings.candidates > len(found)


def test_two_meshes():
    rng = np.random.default_rng(8)
    a, b, pose = forest.random_mesh(rng, 37), forest.random_mesh(rng, 20), forest.POSES[3]
    there, here = (tumble.collide(a, b, pose, method="front", device=d, stats=True) for d in ("opencl", "cpu"))
    np.testing.assert_array_equal(there.pairs, tumble.collide(a, b, pose).pairs)
    assert there.stats == here.stats
    assert tumble.collide(a, b, pose, method="front", device="opencl").stats is None


def test_nothing_to_follow():
    from tumble.device.host.front import device_front_pairs

    _, there = both([bulk_cases.EMPTY, bulk_cases.EMPTY])
    pairs = np.array([[0, 1], [0, 0]])
    keys, front, _ = device_front_pairs(there, None, pairs, FrontSettings(), adjacent=True)
    assert (len(keys), front.size, len(read_front(front))) == (0, 0, 0)
    assert len(device_front_pairs(there, front, pairs, FrontSettings(), adjacent=True)[0]) == 0


def test_what_a_device_cannot_do_is_refused():
    from tumble.device.host.front import device_front_pairs

    _, there = both([forest.soup(1, 20), forest.soup(2, 20)])
    for settings, words in (
        (FrontSettings(group=1 << 16, stack=1), r"group=65536: opencl:\d+ takes up to \d+ work-items"),
        (
            FrontSettings(stack=4096, group=64),
            r"stack=4096: opencl:\d+ has local memory for \d+ pairs in each of group=64",
        ),
    ):
        with pytest.raises(OptionError, match=words):
            device_front_pairs(there, None, np.array([[0, 1]]), settings, adjacent=True)
