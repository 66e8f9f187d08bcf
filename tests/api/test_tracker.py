"""Meshes that are followed from frame to frame: every frame as if it were the first."""

import threading

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import forest
import tumble
from oracle import touching_pairs
from tumble import FrontSettings, shapes
from tumble.errors import DeviceError, MeshError, OptionError, PoseError
from tumble.scenario.sheet import FRAMES, SheetOverBall
from tumble.traversal.front.follow import LONGEST, MOST_STARTS, SLACK, Restarts

DEVICES = ["cpu", pytest.param("opencl", marks=pytest.mark.skipif(not tumble.devices(), reason="no OpenCL device"))]
ON = pytest.mark.parametrize("device", DEVICES)


def on_the_way(frames, jumps=()):
    """Yield poses of small steps, and of jumps far away and back."""
    for frame in range(frames):
        away = 40.0 if frame in jumps else 0.0
        yield tumble.translation(0.9 - 0.03 * frame + away, 0.1, 0.0) @ tumble.rotation((1.0, 2.0, 0.5), 0.05 * frame)


@ON
def test_a_long_motion_with_jumps(device):
    a, b = shapes.torus(segments=20, sides=12), shapes.icosphere(3, 0.8)
    tracker = tumble.Tracker(a, b, device=device)
    counts = []
    for pose in on_the_way(40, jumps=(7, 8, 20)):
        found = tracker.collide(pose_b=pose)
        np.testing.assert_array_equal(found.pairs, tumble.collide(a, b, pose_b=pose).pairs)
        counts.append(len(found))
    assert min(counts) == 0
    assert max(counts) > 100
    assert tracker.frames == 40
    assert 2 <= tracker.restarts < 20


def test_fallbacks_do_not_depend_on_device_or_threads():
    a, b = shapes.torus(segments=20, sides=12), shapes.icosphere(3, 0.8)
    ways = [{"threads": 1}, {"threads": 3, "settings": FrontSettings(stack=2, steps=3, first_capacity=9)}]
    ways += [{"device": "opencl"}] if tumble.devices() else []
    seen = set()
    for way in ways:
        tracker, sizes = tumble.Tracker(a, b, **way), []
        for pose in on_the_way(25, jumps=(7, 8, 20)):
            tracker.collide(pose_b=pose)
            sizes.append((tracker.restarts, tracker.front_size))
        seen.add(tuple(sizes))
    assert len(seen) == 1


def test_a_front_that_pays_is_followed():
    """Small steps start where the last one ended: fewer tests than from the roots."""
    a, b = shapes.torus(segments=40, sides=24), shapes.icosphere(4, 0.8)
    tracker = tumble.Tracker(a, b)
    steps = [tumble.translation(0.5 + 0.0005 * k, 0.0, 0.0) for k in range(8)]
    tracked = [tracker.collide(pose_b=pose, stats=True).stats.tests for pose in steps]
    fresh = [tumble.collide(a, b, pose_b=pose, method="front", stats=True).stats.tests for pose in steps]
    assert tracker.restarts == 0
    assert tracked[0] == fresh[0]
    assert sum(tracked[1:]) < 0.9 * sum(fresh[1:])


@ON
@given(seed=st.integers(0, 2**32 - 1), count_a=st.integers(1, 25), count_b=st.integers(1, 25))
@settings(max_examples=settings().max_examples // 6)
def test_anything_by_the_oracle(device, seed, count_a, count_b):
    rng = np.random.default_rng(seed)
    a, b = forest.random_mesh(rng, count_a, 8), forest.random_mesh(rng, count_b, 8)
    tracker = tumble.Tracker(a, b, device=device)
    vertices = [a.vertices, b.vertices]
    for _ in range(4):
        side, pose = int(rng.integers(2)), forest.POSES[rng.integers(len(forest.POSES))]
        vertices[side] = vertices[side] + rng.integers(-2, 3, 3)
        moved = {f"vertices_{'ab'[side]}": vertices[side]}
        found = tracker.collide(pose, None, **moved)
        expected = touching_pairs(vertices[0], a.faces, vertices[1], b.faces, pose)
        np.testing.assert_array_equal(found.pairs, expected)


@ON
def test_a_sheet_falls_over_a_ball(device):
    sheet = SheetOverBall(12, 1)
    tracker = tumble.Tracker(sheet.mesh(0), sheet.ball, device=device)
    for frame in range(0, FRAMES, 15):
        found = tracker.collide(vertices_a=sheet.vertices(frame))
        np.testing.assert_array_equal(found.pairs, tumble.collide(sheet.mesh(frame), sheet.ball).pairs)
    assert len(found) > 100
    # the last vertices stay
    np.testing.assert_array_equal(tracker.collide().pairs, found.pairs)


@ON
def test_vertices_that_are_changed_in_place(device):
    """Simulators write each frame into the same array."""
    a, b = forest.soup(1, 50, 0.2), forest.soup(2, 40, 0.2)
    tracker, vertices = tumble.Tracker(a, b, device=device), a.vertices.copy()
    for _ in range(4):
        vertices += 0.1
        found = tracker.collide(vertices_a=vertices)
        np.testing.assert_array_equal(found.pairs, tumble.collide((vertices, a.faces), b).pairs)


@pytest.mark.slow
@ON
def test_three_hundred_frames(device):
    sheet = SheetOverBall(40)
    tracker = tumble.Tracker(sheet.mesh(0), sheet.ball, device=device)
    for frame in range(FRAMES):
        found = tracker.collide(vertices_a=sheet.vertices(frame))
        np.testing.assert_array_equal(found.pairs, tumble.collide(sheet.mesh(frame), sheet.ball).pairs)
    assert FRAMES // LONGEST <= tracker.restarts < FRAMES // 3


@ON
def test_what_cannot_be_used_changes_nothing(device):
    a, b = forest.soup(1, 50, 0.2), forest.soup(2, 40, 0.2)
    tracker = tumble.Tracker(a, b, device=device)
    pose, moved = tumble.translation(0.1, 0.0, 0.0), b.vertices + 0.05
    expected = tracker.collide(pose, vertices_b=moved).pairs
    before = tracker.frames, tracker.restarts, tracker.front_size
    broken = a.vertices.copy()
    broken[3, 1] = np.nan
    for error, words, wrong in (
        (MeshError, r"vertices_a: .*nan", {"vertices_a": broken}),
        (MeshError, "vertices_b has 119 vertices for a mesh of 120", {"vertices_b": b.vertices[1:]}),
        (MeshError, "vertices_b: ", {"vertices_a": a.vertices * 2, "vertices_b": "nonsense"}),
        (PoseError, "pose_b: ", {"pose_b": 2.0 * np.eye(4), "vertices_a": a.vertices * 2}),
    ):
        with pytest.raises(error, match=words):
            tracker.collide(**wrong)
        assert (tracker.frames, tracker.restarts, tracker.front_size) == before
    np.testing.assert_array_equal(tracker.collide(pose).pairs, expected)


def test_memory_that_is_not_there_changes_nothing(monkeypatch):
    a, b = forest.soup(1, 50, 0.2), forest.soup(2, 40, 0.2)
    tracker = tumble.Tracker(a, b)
    expected = tracker.collide().pairs

    def fail(*arguments, **options):
        raise MemoryError

    for place, name in (("tumble.hierarchy.implicit.posed", "world_of"), ("tumble.traversal.front.follow", "walk")):
        with monkeypatch.context() as patch:
            patch.setattr(f"{place}.{name}", fail)
            with pytest.raises(MemoryError):
                tracker.collide(vertices_a=a.vertices + 0.3)
        assert tracker.frames == 1
    np.testing.assert_array_equal(tracker.collide().pairs, expected)


@pytest.mark.skipif(not tumble.devices(), reason="no OpenCL device")
def test_a_device_that_fails_changes_nothing(monkeypatch):
    import pyopencl as cl

    from tumble.device.host import front as following
    from tumble.device.host.scratch import SpareBuffers

    a, b = forest.soup(1, 50, 0.2), forest.soup(2, 40, 0.2)
    tracker = tumble.Tracker(a, b, device="opencl")
    expected = tracker.collide().pairs
    before = tracker.frames, tracker.restarts, tracker.front_size

    def fail(*arguments, **options):
        raise cl.RuntimeError("clEnqueueNDRangeKernel failed: OUT_OF_RESOURCES")

    for broken, name in ((following.FrontWalk, "_round"), (tracker._trees, "_launch")):
        with monkeypatch.context() as patch:
            patch.setattr(broken, name, fail)
            with pytest.raises(DeviceError, match="OUT_OF_RESOURCES"):
                tracker.collide(vertices_a=a.vertices + 0.3)
        assert (tracker.frames, tracker.restarts, tracker.front_size) == before
        np.testing.assert_array_equal(tracker.collide().pairs, expected)
        before = tracker.frames, tracker.restarts, tracker.front_size
    with monkeypatch.context() as patch:
        patch.setattr(SpareBuffers, "take", fail)
        with pytest.raises(DeviceError, match="OUT_OF_RESOURCES"):
            tracker.collide(tumble.translation(0.1, 0.0, 0.0))
    np.testing.assert_array_equal(tracker.collide().pairs, expected)


def test_nothing_and_one_triangle():
    empty = tumble.Mesh(np.empty((0, 3)), np.empty((0, 3), int))
    one = tumble.Mesh(np.eye(3), [[0, 1, 2]])
    for device in ("cpu", *(["opencl"] if tumble.devices() else [])):
        for pair in ((empty, empty), (empty, one), (one, empty)):
            tracker = tumble.Tracker(*pair, device=device)
            assert not tracker.collide()
            assert not tracker.collide(tumble.translation(1, 0, 0))
        tracker = tumble.Tracker(one, one, device=device)
        assert [len(tracker.collide(tumble.translation(x, 0, 0))) for x in (0, 9, 9, 0, 0)] == [1, 0, 0, 1, 1]
    assert repr(tracker) == "<Tracker of 1 and 1 triangles, 5 frames, 0 restarts>"


def test_many_threads_ask_the_same_tracker():
    a, b = forest.soup(1, 50, 0.2), forest.soup(2, 40, 0.2)
    tracker, wrong = tumble.Tracker(a, b), []
    poses = [tumble.translation(0.05 * k, 0.0, 0.0) for k in range(8)]
    expected = [tumble.collide(a, b, pose).pairs for pose in poses]

    def ask():
        for pose, pairs in zip(poses, expected, strict=True):
            if not np.array_equal(tracker.collide(pose).pairs, pairs):
                wrong.append(pose)

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong
    assert tracker.frames == 32


def test_first_and_stats():
    a, b = forest.soup(1, 50, 0.2), forest.soup(2, 40, 0.2)
    tracker = tumble.Tracker(a, b)
    every = tracker.collide(stats=True)
    assert every.stats.hits == len(every) > 1
    np.testing.assert_array_equal(tracker.collide(first=True).pairs, every.pairs[:1])


def test_options_that_make_no_sense_are_refused():
    a = forest.soup(1, 5)
    with pytest.raises(OptionError, match=r"settings=3 .*tumble.FrontSettings"):
        tumble.Tracker(a, a, settings=3)
    with pytest.raises(OptionError, match="threads must be"):
        tumble.Tracker(a, a, threads=0)
    for wrong in ({"stack": 0}, {"steps": 1.5}, {"group": True}, {"queue": None}, {"padded": 3}):
        with pytest.raises(OptionError, match=f"{next(iter(wrong))} must be"):
            tumble.FrontSettings(**wrong)
    assert type(tumble.FrontSettings(stack=np.int8(5)).stack) is int
    with pytest.raises(DeviceError, match="unknown device 'cuda'"):
        tumble.Tracker(a, a, device="cuda")
    with pytest.raises(OptionError, match=r"device= must be one word"):
        tumble.Tracker(a, a, device=np.eye(4))


def test_the_rule():
    start = Restarts()
    assert start.due
    begun = start.after_start(3000, 100)
    assert not begun.due
    assert not begun.after_step(3000, 3000, 100).due
    # 3 m + (m - n) > 4 r: more tests than a start
    limit = 3000 + 3000 // 4 + 3 * SLACK // 4
    assert not begun.after_step(3000, limit, 100).due
    costly = begun.after_step(3000, limit + 1, 100)
    assert costly.due
    assert begun.after_step(3000, 3000, 49).due
    assert not begun.after_step(3000, 3000, 50).due
    assert not start.after_start(SLACK, 100).after_step(SLACK, SLACK, 0).due
    rule = begun
    for frame in range(LONGEST):
        assert not rule.due, frame
        rule = rule.after_step(3000, 3000, 100)
    assert rule.due
    # fronts that never pay: more and more frames from the roots, up to a limit
    runs, rule = [], start
    for _ in range(7):
        runs.append(0)
        while rule.due:
            runs[-1] += 1
            rule = rule.after_start(3000, 100)
        rule = rule.after_step(3000, 9000, 100)
    assert runs == [1, 1, 2, 4, 8, MOST_STARTS, MOST_STARTS]
    rule = rule.after_start(3000, 100)
    while rule.due:
        rule = rule.after_start(3000, 100)
    calm = rule.after_step(3000, 3000, 100)
    assert calm.next_starts == 1
