"""More pairs than memory can hold are refused at once, by every call that returns pairs."""

from __future__ import annotations

import os
import subprocess
import sys

import numpy as np
import pytest

import tumble
from covering import sized
from tumble.core.limits import LEAST
from tumble.traversal.every import METHODS, prepare

MANY = 260
"""triangles upon each other: 67 600 pairs, more than the least limit"""
POSES = np.tile(np.eye(4), (3, 1, 1))


def same_triangles(count: int) -> tumble.Mesh:
    return tumble.Mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0]], np.tile([0, 1, 2], (count, 1)))


def apart(count: int) -> tumble.Mesh:
    """The same with vertices of their own: no two are neighbours."""
    mesh = same_triangles(count)
    return tumble.Mesh(mesh.vertices[mesh.faces].reshape(-1, 3), np.arange(3 * count).reshape(-1, 3))


@pytest.fixture
def least():
    before = tumble.limits.max_pairs
    tumble.limits.max_pairs = LEAST
    yield
    tumble.limits.max_pairs = before


def scene_of(mesh: tumble.Mesh, tree: str = "auto") -> tumble.Scene:
    scene = tumble.Scene(tree=tree)
    scene.add("a", mesh)
    scene.add("b", mesh)
    return scene


PILE, FEWER, TWINS = same_triangles(MANY), same_triangles(200), apart(380)
FEWER_PAIRS = len(FEWER) ** 2
CALLS = {
    "collide": lambda: tumble.collide(PILE, PILE),
    "collide stats": lambda: tumble.collide(PILE, PILE, stats=True),
    "collide contacts": lambda: tumble.collide(PILE, PILE, contacts=True),
    "collide boxtree": lambda: tumble.collide(PILE, PILE, tree="boxtree"),
    "collide bulk": lambda: tumble.collide(PILE, PILE, method="bulk"),
    "collide front": lambda: tumble.collide(PILE, PILE, method="front"),
    **{f"collide {name}": lambda name=name: tumble.collide(PILE, PILE, method=name, stats=True) for name in METHODS},
    "collide_many": lambda: tumble.collide_many(PILE, PILE, POSES, first=False),
    "collide_many together": lambda: tumble.collide_many(FEWER, PILE, POSES, first=False),
    "collide_many boxtree": lambda: tumble.collide_many(PILE, PILE, POSES, first=False, tree="boxtree"),
    "self_collide": lambda: tumble.self_collide(TWINS),
    "self_collide candidates": lambda: tumble.self_collide(TWINS, candidates=True),
    "candidates": lambda: tumble.candidates(TWINS, ["face-face"]),
    "collide_all": lambda: tumble.collide_all([PILE, PILE]),
    "collide_all candidates": lambda: tumble.collide_all([PILE, PILE], candidates=True),
    "Scene": lambda: scene_of(PILE).collisions(),
    "Scene boxtree": lambda: scene_of(PILE, "boxtree").collisions(),
    "Scene with": lambda: scene_of(PILE).collisions_with(PILE),
    "touching_parts": lambda: tumble.touching_parts([tumble.Part("a", PILE), tumble.Part("b", PILE)]),
    "Deformable": lambda: tumble.Deformable(TWINS).self_collide(),
    "Tracker": lambda: tumble.Tracker(PILE, PILE).collide(),
}
DEVICE_CALLS = {
    "collide": lambda: tumble.collide(PILE, PILE, device="opencl"),
    "collide bulk": lambda: tumble.collide(PILE, PILE, device="opencl", method="bulk"),
    "collide front": lambda: tumble.collide(PILE, PILE, device="opencl", method="front"),
    "collide_many": lambda: tumble.collide_many(PILE, PILE, POSES, first=False, device="opencl"),
    "collide_many together": lambda: tumble.collide_many(FEWER, PILE, POSES, first=False, device="opencl"),
    "Tracker": lambda: tumble.Tracker(PILE, PILE, device="opencl").collide(),
}


@pytest.mark.parametrize("name", CALLS)
def test_too_many_pairs_are_refused_with_the_limit_and_a_way_out(name, least):
    with pytest.raises(tumble.LimitError, match=r"more than 65536 .*first=True.*tumble\.limits\.max_pairs"):
        CALLS[name]()


@pytest.mark.parametrize("name", DEVICE_CALLS)
@pytest.mark.skipif(not tumble.devices(), reason="no OpenCL device")
def test_devices_refuse_as_well(name, least):
    with pytest.raises(tumble.LimitError, match=r"more than 65536 .*tumble\.limits\.max_pairs"):
        DEVICE_CALLS[name]()


def test_what_needs_no_memory_is_not_refused(least):
    assert tumble.collides(PILE, PILE)
    assert len(tumble.collide(PILE, PILE, first=True)) == 1
    assert tumble.collide_many(PILE, PILE, POSES).hit.all()
    assert len(tumble.self_collide(TWINS, first=True)) == 1
    assert prepare(PILE, PILE).count() == MANY**2
    assert len(tumble.collide(same_triangles(256), same_triangles(256))) == LEAST


def test_as_many_as_the_limit_are_given(least):
    tumble.limits.max_pairs = MANY**2
    for name in ("collide", "collide boxtree", "collide stack", "collide bulk", "collide front"):
        assert len(CALLS[name]()) == MANY**2
    tumble.limits.max_pairs = MANY**2 - 1
    for name in ("collide", "collide boxtree", "collide stack", "collide bulk", "collide front"):
        with pytest.raises(tumble.LimitError):
            CALLS[name]()


@pytest.mark.parametrize(
    "name",
    [
        *("collide boxtree", "collide_many"),
        *(pytest.param(each, marks=pytest.mark.slow) for each in ("collide", "collide stack", "collide_all")),
    ],
)
def test_a_pile_of_a_hundred_thousand_is_refused_long_before_all_pairs_are_found(name, least):
    """10¹⁰ pairs take minutes to count and 160 GB to hold; this takes less than a second, and hangs if it counts."""
    pile = same_triangles(100_000)
    asked = {
        "collide": lambda: tumble.collide(pile, pile),
        "collide boxtree": lambda: tumble.collide(pile, pile, tree="boxtree"),
        "collide stack": lambda: tumble.collide(pile, pile, method="stack"),
        "collide_many": lambda: tumble.collide_many(pile, pile, POSES, first=False),
        "collide_all": lambda: tumble.collide_all([pile, pile]),
    }
    with pytest.raises(tumble.LimitError):
        asked[name]()


@pytest.mark.skipif(not tumble.devices(), reason="no OpenCL device")
@sized(30_000, 100_000)
def test_a_device_ends_its_walk_through_a_hundred_thousand_as_well(count, least):
    """In float32 none of these pairs is certain, so even first=True looks at all of them unless told to end."""
    pile = same_triangles(count)
    with pytest.raises(tumble.LimitError):
        on_device(pile, pile)
    assert on_device(pile, pile, first=True).counts.tolist() == [1, 1, 1]


def on_device(a, b, *, first=False):
    settings = tumble.DeviceSettings(most_candidates=1 << 15)
    return tumble.collide_many(a, b, POSES, POSES[0], first=first, device="opencl", settings=settings)


@pytest.mark.skipif(not tumble.devices(), reason="no OpenCL device")
def test_pairs_that_a_device_leaves_to_the_cpu_are_counted_together(least):
    assert 0 < FEWER_PAIRS < LEAST < len(POSES) * FEWER_PAIRS
    with pytest.raises(tumble.LimitError):
        on_device(FEWER, FEWER)


@pytest.mark.parametrize("wrong", [0, -1, 65535, 1 << 61, 1e9, "many", None, True])
def test_limits_that_make_no_sense(wrong):
    with pytest.raises(tumble.OptionError, match="max_pairs must be a whole number"):
        tumble.limits.max_pairs = wrong


def test_there_is_no_other_limit():
    with pytest.raises(AttributeError, match="max_pairs"):
        tumble.limits.max_pears = 1 << 20
    assert repr(tumble.limits) == f"<Limits max_pairs={tumble.limits.max_pairs}>"


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ("70000", "70000"),
        ("12", "OptionError"),
        *(pytest.param(*each, marks=pytest.mark.slow) for each in (("", str(1 << 26)), ("x", "x"))),
    ],
)
@pytest.mark.process
def test_the_environment_sets_the_first_limit(value, said):
    code = "import tumble; print(tumble.limits.max_pairs)"
    environment = {**os.environ, "TUMBLE_MAX_PAIRS": value}
    process = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, timeout=120, check=False
    )
    assert said in process.stdout + process.stderr
    assert ("TUMBLE_MAX_PAIRS" in process.stderr) == (value in ("12", "x"))
