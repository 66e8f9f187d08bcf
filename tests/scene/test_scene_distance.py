"""The nearest bodies of a scene are those that asking about every two bodies finds."""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np
import pytest

import scene_cases
import tumble
from covering import crossed
from tumble.mesh import random_pose
from tumble.scene import Scene
from tumble.scene.nearest import box_distances, enlarged

BALL = tumble.shapes.icosphere(1, 0.3)


def all_distances(pairs):
    """{(a, b): distance} of pairs of (scene, name)."""
    return {
        (a, b): tumble.distance(one.mesh(a), other.mesh(b), one.pose(a), other.pose(b)).distance
        for (one, a), (other, b) in pairs
    }


def within(scene):
    return all_distances(combinations([(scene, name) for name in scene], 2))


def spread_out(seed, count, spread):
    scene, rng = Scene(), np.random.default_rng(seed)
    for k in range(count):
        scene.add(f"body {k}", scene_cases.MESHES[k % len(scene_cases.MESHES)], random_pose(rng, spread))
    return scene


@crossed(1, seed=range(6), spread=[3.0, 12.0, 100.0])
def test_the_nearest_two(seed, spread):
    scene = spread_out(seed, 24, spread)
    expected, found = within(scene), scene.distance()
    assert found.distance == min(expected.values())
    assert expected[found.a, found.b] == found.distance == float(found)
    one, other = (
        tumble.mesh.apply_pose(scene.pose(name)[:3], scene.mesh(name).triangles[k])
        for name, k in ((found.a, found.pair[0]), (found.b, found.pair[1]))
    )
    assert np.linalg.norm(found.points[0] - found.points[1]) == pytest.approx(found.distance, abs=1e-12)
    assert one.shape == other.shape == (3, 3)
    for threads in (1, 2):
        again = scene.distance(threads=threads)
        assert (again.a, again.b, again.pair) == (found.a, found.b, found.pair)
    assert scene.distance(method="stack").distance == found.distance
    assert scene.distance(upper_bound=found.distance).distance == found.distance
    if found.distance > 0.0:
        assert scene.distance(upper_bound=np.nextafter(found.distance, 0.0)).distance == math.inf


@pytest.mark.parametrize("spread", [3.0, 12.0, 100.0])
def test_the_nearest_to_one(spread):
    scene = spread_out(3, 20, spread)
    expected = within(scene)
    for name in scene:
        mine = {(a if b == name else b): value for (a, b), value in expected.items() if name in (a, b)}
        found = scene.nearest(name)
        assert found.distance == min(mine.values())
        if math.isfinite(found.distance):
            assert (found.a, mine[found.b]) == (name, found.distance)
        else:
            assert (found.a, found.b, found.pair) == (None, None, None)
    pose = random_pose(8, spread)
    mine = {name: tumble.distance(BALL, scene.mesh(name), pose, scene.pose(name)).distance for name in scene}
    found = scene.nearest(BALL, pose)
    assert (found.a, found.distance, mine[found.b]) == (None, min(mine.values()), min(mine.values()))
    before = scene.pose("body 0")
    moved = scene.nearest("body 0", tumble.translation(500.0, 0.0, 0.0))
    assert moved.distance > 100.0
    np.testing.assert_array_equal(scene.pose("body 0"), before)


@pytest.mark.parametrize("spread", [3.0, 30.0])
def test_between_two_scenes(spread):
    one, other = spread_out(4, 12, spread), spread_out(5, 15, spread)
    expected = all_distances([((one, a), (other, b)) for a in one for b in other])
    found = one.distance_between(other)
    assert found.distance == min(expected.values()) == expected[found.a, found.b]
    assert other.distance_between(one).distance == found.distance
    for wrong in (one, None):
        with pytest.raises(tumble.InputError, match="another Scene"):
            one.distance_between(wrong)


def row_of_balls(places, **options):
    scene = Scene(**options)
    for place in places:
        scene.add(str(place), BALL, tumble.translation(place, 0.0, 0.0))
    return scene


def test_filters_and_allowed_contacts_leave_pairs_out():
    scene = row_of_balls([0, 1, 4, 9])
    assert {scene.distance().a, scene.distance().b} == {"0", "1"}
    scene.allow("0", "1")
    assert {scene.distance().a, scene.distance().b} == {"1", "4"}
    assert scene.nearest("0").b == "4"
    scene.set_filter("1", group=2, mask=2)
    assert {scene.distance().a, scene.distance().b} == {"0", "4"}
    assert scene.nearest("1").distance == math.inf
    scene.allow("4")
    assert {scene.distance().a, scene.distance().b} == {"0", "9"}


def test_only_near_bodies_are_searched(monkeypatch):
    import tumble.scene.nearest as nearest

    asked = []
    ask = nearest.ask
    monkeypatch.setattr(
        nearest,
        "ask",
        lambda question, a, b, pairs, *rest, **named: (
            asked.append(len(pairs)) or ask(question, a, b, pairs, *rest, **named)
        ),
    )
    scene = row_of_balls([3.0 * k + 0.001 * k * k for k in range(200)])
    assert {scene.distance().a, scene.distance().b} == {"0.0", "3.001"}
    assert sum(asked) < 600


def test_scenes_with_nothing_to_compare():
    empty = Scene()
    assert empty.distance().distance == math.inf
    assert empty.nearest(BALL).distance == math.inf
    assert repr(empty.distance()) == "<BodiesNearest: None and None, inf>"
    empty.add("nothing", tumble.Mesh([], []))
    empty.add("nothing else", tumble.Mesh([], []))
    assert empty.distance().distance == math.inf
    empty.add("ball", BALL)
    assert empty.distance().distance == empty.nearest("ball").distance == math.inf
    with pytest.raises(tumble.InputError, match="there is no body 'else'"):
        empty.nearest("else")
    with pytest.raises(tumble.OptionError, match="upper_bound"):
        empty.distance(upper_bound=-1.0)
    with pytest.raises(tumble.OptionError, match="distances"):
        row_of_balls([0, 1], tree="boxtree").distance()


def test_points_alone_and_far_scales():
    point = tumble.Mesh([[0.0, 0, 0]], [[0, 0, 0]])
    for size in (1e-90, 1.0, 1e90):
        scene = Scene()
        for k, place in enumerate((0.0, 1.0, 1.75, 7.0)):
            scene.add(str(k), point, tumble.translation(place * size, 0.0, 0.0))
        found = scene.distance()
        assert (found.a, found.b) == ("1", "2")
        assert found.distance == pytest.approx(0.75 * size, rel=1e-12)


def test_enlarged_boxes_meet_where_they_are_near_enough():
    rng = np.random.default_rng(1)
    low = rng.normal(size=(2, 500, 3)) * 10.0 ** rng.integers(-3, 6, (1, 500, 1))
    a, b = np.concatenate([low, low + rng.random((2, 500, 3))], axis=2)
    apart = box_distances(a, b)
    for row in range(500):
        one, other = enlarged(a[row : row + 1], apart[row])[0], enlarged(b[row : row + 1], apart[row])[0]
        assert (one[:3] <= other[3:]).all()
        assert (other[:3] <= one[3:]).all()
