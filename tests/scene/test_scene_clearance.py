"""Clearances in a scene: the triangles of `clearance`, body by body; rules by name and pair; buried bodies."""

import itertools
import math
import pickle

import numpy as np
import pytest

import tumble
from covering import crossed
from solid_forms import BOX, SMALL
from tumble import Scene, translation
from tumble.mesh import random_pose

BALL = tumble.shapes.icosphere(1)


def random_scene(seed, count=14, **options):
    rng = np.random.default_rng(seed)
    shapes = [BALL, BOX, tumble.shapes.torus(segments=8, sides=5), tumble.Mesh([], [])]
    scene = Scene(**options)
    for k in range(count):
        pose = random_pose(rng, 1.0)
        pose[:3, 3] = rng.uniform(-3.5, 3.5, 3)
        scene.add(f"body {k}", shapes[k % 4 if k % 7 == 3 else k % 3], pose)
    return scene


def by_brute_force(scene, clearance_of):
    """Every two bodies one by one: names, pairs and distances."""
    found = {}
    for a, b in itertools.combinations(scene, 2):
        one = tumble.clearance(scene.mesh(a), scene.mesh(b), clearance_of(a, b), scene.pose(a), scene.pose(b))
        if one:
            found[a, b] = one
    return found


def assert_same(found, expected):
    assert found.names == list(expected)
    for each in found:
        np.testing.assert_array_equal(each.pairs, expected[each.a, each.b].pairs)
        np.testing.assert_array_equal(each.distances, expected[each.a, each.b].distances)
        assert not each.distances.flags.writeable


@crossed(1, d=[0.0, 0.1, 0.7, 1e9], broad_phase=["auto", "sweep", "tree"])
def test_one_clearance_for_all(d, broad_phase):
    for seed in range(3):
        scene = random_scene(seed, 14 if d < 1.0 else 4, broad_phase=broad_phase)
        expected = by_brute_force(scene, lambda a, b: d)
        assert_same(scene.collisions(clearance=d), expected)
        assert scene.collisions(clearance=d, first=True).names == list(expected)
        assert scene.collides(clearance=d) == bool(expected)
        if d == 0.0:
            assert scene.collisions().names == list(expected)


def rules_of(rng, names):
    """Rules for some bodies and some pairs, and what they say for every two."""
    bodies = {str(name): float(rng.choice([0.0, 0.3, 1.5])) for name in rng.choice(names, 3, replace=False)}
    two = [tuple(map(str, rng.choice(names, 2, replace=False))) for _ in range(4)]
    pairs = {pair: float(rng.choice([0.0, 2.0])) for pair in two if pair[::-1] not in two}
    default = float(rng.choice([0.0, 0.5]))

    def clearance_of(a, b):
        for key in ((a, b), (b, a)):
            if key in pairs:
                return pairs[key]
        own = [bodies[name] for name in (a, b) if name in bodies]
        return max(own, default=default)

    rules = {**bodies, **pairs}
    return ({None: default, **rules} if default else rules), clearance_of


@pytest.mark.parametrize("seed", range(8))
def test_rules_for_bodies_and_pairs(seed):
    rng = np.random.default_rng(seed)
    scene = random_scene(seed)
    rules, clearance_of = rules_of(rng, scene.names)
    expected = by_brute_force(scene, clearance_of)
    assert_same(scene.collisions(clearance=rules), expected)
    assert scene.collides(clearance=rules) == bool(expected)


def row(*places):
    scene = Scene()
    for k, x in enumerate(places):
        scene.add("abcdef"[k], BOX, translation(x, 0, 0))
    return scene


def names_of(scene, clearance):
    return ["".join(names) for names in scene.collisions(clearance=clearance, first=True).names]


def test_exactly_at_the_clearance():
    scene = row(0, 3, 7, 12)  # boxes of side 2: gaps of 1, 2, 3; 5, 7; 10
    assert names_of(scene, 1.0) == []
    assert names_of(scene, np.nextafter(1.0, 2.0)) == ["ab"]
    assert names_of(scene, 2.0) == ["ab"]
    assert names_of(scene, 2.5) == ["ab", "bc"]
    assert [each.distances.min() for each in scene.collisions(clearance=2.5)] == [1.0, 2.0]


def test_the_most_special_rule_counts_and_the_larger_of_two_bodies():
    scene = row(0, 3, 7, 12)
    assert names_of(scene, {"a": 1.5}) == ["ab"]
    assert names_of(scene, {"b": 1.5}) == ["ab"]
    assert names_of(scene, {"a": 0.75, "b": 0.75}) == []  # not the sum
    assert names_of(scene, {"a": 0.5, "b": 1.5}) == ["ab"]
    assert names_of(scene, {("b", "a"): 1.5}) == ["ab"]
    assert names_of(scene, {None: 2.5}) == ["ab", "bc"]
    assert names_of(scene, {None: 2.5, "a": 0.0}) == ["bc"]
    assert names_of(scene, {None: 2.5, ("a", "b"): 0.0}) == ["bc"]
    assert names_of(scene, {"b": 9.0, ("a", "b"): 1.0}) == ["bc", "bd"]
    assert names_of(scene, {("a", "d"): 11.0, "d": 0.0}) == ["ad"]
    assert names_of(scene, {}) == []
    assert names_of(scene, {("a", "b"): 1.5, ("b", "a"): 1.5}) == ["ab"]


def test_filters_and_allowed_contacts_count():
    scene = row(0, 3, 7, 12)
    scene.allow("a", "b")
    assert names_of(scene, 2.5) == ["bc"]
    scene.disallow("a")
    scene.set_filter("c", group=2, mask=2)
    assert names_of(scene, 2.5) == ["ab"]
    scene.remove("a")
    scene.add("a", BOX, translation(8, 0, 0))
    assert names_of(scene, 2.5) == ["da"]


@pytest.mark.parametrize("wrong", [-1.0, math.nan, math.inf, "far", True, [1.0], np.ones(3)], ids=repr)
def test_what_is_no_clearance_is_named(wrong):
    scene = row(0, 3)
    for ask in (scene.collisions, scene.collides):
        with pytest.raises(tumble.OptionError, match="clearance must be a finite number from 0, not"):
            ask(clearance=wrong)
        with pytest.raises(tumble.OptionError, match=r"clearance\['a'\] must be a finite number from 0, not"):
            ask(clearance={"a": wrong})


@pytest.mark.parametrize(
    ("rules", "words"),
    [
        ({"z": 1.0}, "clearance names 'z', and there is no such body among the 2"),
        ({("a", "z"): 1.0}, "clearance names 'z'"),
        ({("a", 3): 1.0}, "clearance names 3"),
        ({("a", "a"): 1.0}, "which is one body"),
        ({("a", "b", "a"): 1.0}, "use a name, a pair of names, or None"),
        ({3: 1.0}, "clearance is given for 3"),
        ({("a", "b"): 1.0, ("b", "a"): 2.0}, r"two values for \('b', 'a'\): 1.0 and 2.0"),
    ],
)
def test_rules_that_make_no_sense(rules, words):
    with pytest.raises(tumble.InputError, match=words):
        row(0, 3).collisions(clearance=rules)


def test_options():
    scene = row(0, 3, 7)
    one = scene.collisions(clearance=2.5, stats=True)
    assert one.stats.hits == len(one.triangles)
    for options in ({"threads": 1}, {"threads": 2}, {"method": "stack", "stats": True}, {"method": "brute"}):
        np.testing.assert_array_equal(scene.collisions(clearance=2.5, **options).triangles, one.triangles)
    with pytest.raises(tumble.OptionError, match="contacts=True cannot be used with a clearance"):
        scene.collisions(clearance=1.0, contacts=True)
    with pytest.raises(tumble.OptionError, match="for clearances"):
        Scene(tree="boxtree").collisions(clearance=1.0)
    assert scene.collisions()[:0] == []
    assert scene.collisions(clearance=0.5).distances is not None
    assert row(0, 1).collisions()[0].distances is None
    again = pickle.loads(pickle.dumps(one))
    np.testing.assert_array_equal(again[0].distances, one[0].distances)


class TestBuried:
    def scene(self):
        scene = Scene()
        scene.add("block", BOX)
        scene.add("pin", SMALL)
        scene.add("beside", BOX, translation(2, 0, 0))
        scene.add("far", BOX, translation(20, 0, 0))
        return scene

    def test_a_buried_body_is_a_record(self):
        found = self.scene().collisions(solid=True)
        assert found
        assert found.names == [("block", "pin"), ("block", "beside")]
        assert found.buried.tolist() == [True, False]
        assert found.hit.tolist() == [True, True]
        assert [each.buried for each in found] == [True, False]
        assert (len(found[0]), found[0].pairs.shape) == (0, (0, 2))
        assert len(found[1]) > 0
        assert repr(found[0]) == "<BodyCollision of 'block' and 'pin': 0 triangle pairs, one inside the other>"
        assert self.scene().collisions(solid=True, first=True).buried.tolist() == [True, False]
        assert pickle.loads(pickle.dumps(found))[0].buried
        plain = self.scene().collisions()
        assert plain.names == [("block", "beside")]
        assert plain.buried is None
        assert plain[0].buried is False

    def test_nothing_but_a_buried_body(self):
        scene = Scene()
        scene.add("block", BOX)
        scene.add("pin", SMALL)
        assert not scene.collisions()
        found = scene.collisions(solid=True)
        assert found
        assert len(found) == 1
        scene.allow("block", "pin")
        assert not scene.collisions(solid=True)

    def test_with_a_clearance(self):
        scene = self.scene()
        scene.move("far", translation(5, 0, 0))
        found = scene.collisions(solid=True, clearance=0.6)  # the pin is 0.5 below the surface, and 0.5 from beside
        assert found.names == [("block", "pin"), ("block", "beside"), ("pin", "beside")]
        assert found.buried.tolist() == [True, False, False]
        assert set(found[0].distances.tolist()) == {0.5}
        assert scene.collisions(solid=True, clearance=0.4).names == [("block", "pin"), ("block", "beside")]
        assert scene.collides(solid=True, clearance=0.4)
        scene.remove("beside")
        scene.move("pin", translation(9, 9, 9))
        assert not scene.collides(solid=True, clearance=1.0)

    def test_an_open_body_is_named(self):
        scene = self.scene()
        scene.add("open", tumble.Mesh(BOX.vertices, BOX.faces[1:]), translation(40, 0, 0))
        scene.collisions(solid=True)  # no question is about it
        scene.move("open", translation(4.25, 0, 0))
        found = scene.collisions(solid=True, clearance=0.5)  # near, but its box meets no other
        assert ("beside", "open") in found.names
        scene.move("open", translation(4, 0, 0))
        assert ("beside", "open") in scene.collisions().names
        with pytest.raises(tumble.MeshError, match="body 'open' has 3 open edges"):
            scene.collisions(solid=True)


class TestOthers:
    """`collisions_with` and `collisions_between`."""

    @pytest.mark.parametrize("seed", range(3))
    def test_with_a_mesh_or_a_body(self, seed):
        scene = random_scene(seed, 14)
        rules, _ = rules_of(np.random.default_rng(seed), scene.names)
        for given in (0.7, 0.0, rules):
            inside = scene.collisions(clearance=given)
            for name in scene.names:
                due = {(each.a, each.b): each.distances.tolist() for each in inside if name in (each.a, each.b)}
                found = scene.collisions_with(name, clearance=given)
                assert [each.a for each in found] == [name] * len(due)
                for each in found:
                    # the other way round the pairs are in another order
                    key = (each.a, each.b) if (each.a, each.b) in due else (each.b, each.a)
                    assert sorted(each.distances.tolist()) == sorted(due[key])
        place = tumble.translation(0.3, 0.1, 0.2)
        found = scene.collisions_with(BOX, place, clearance={None: 0.7, "body 1": 1.5})
        due = {}
        for name in scene.names:
            d = 1.5 if name == "body 1" else 0.7
            one = tumble.clearance(BOX, scene.mesh(name), d, place, scene.pose(name))
            if one:
                due[None, name] = one
        assert due
        assert_same(found, due)

    def test_between_scenes(self):
        one, other = random_scene(4, 9), random_scene(5, 9)
        due = {}
        for a, b in itertools.product(one, other):
            found = tumble.clearance(one.mesh(a), other.mesh(b), 0.6, one.pose(a), other.pose(b))
            if found:
                due[a, b] = found
        assert due
        assert_same(one.collisions_between(other, clearance=0.6), due)
        with pytest.raises(tumble.OptionError, match=r"clearance must be a finite number"):
            one.collisions_between(other, clearance={"body 1": 1.0})

    def test_solids(self):
        scene, other = Scene(), Scene()
        scene.add("large", BOX)
        small = tumble.Mesh(BOX.vertices / 4, BOX.faces)
        other.add("small", small)
        assert not scene.collisions_with(small)
        (found,) = scene.collisions_with(small, solid=True)
        assert (found.a, found.b, found.buried, len(found)) == (None, "large", True, 0)
        assert scene.collisions_between(other, solid=True).names == [("large", "small")]
        assert scene.collisions_between(other, solid=True, clearance=9.0)[0].buried
        opened = tumble.Mesh(small.vertices, small.faces[1:])
        with pytest.raises(tumble.MeshError, match="the mesh has 3 open edges"):
            scene.collisions_with(opened, solid=True)

    def test_refusals(self):
        scene = random_scene(1, 5)
        with pytest.raises(tumble.InputError, match="no such body"):
            scene.collisions_with(BOX, clearance={"nobody": 1.0})
        with pytest.raises(tumble.OptionError, match="method"):
            scene.collisions_with(BOX, clearance=1.0, method="bulk")
        with pytest.raises(tumble.OptionError, match="contacts"):
            scene.collisions_with(BOX, clearance=1.0, contacts=True)
        with pytest.raises(tumble.OptionError, match="solid"):
            scene.collisions_with(BOX, solid=np.eye(2))


def test_a_clearance_larger_than_any_number_can_double():
    scene = Scene()
    scene.add("a", BOX)
    scene.add("b", BOX, tumble.translation(1e90, 0.0, 0.0))
    for given in (1.7e308, {"a": 1.7e308}, {("a", "b"): 1.7e308}):
        assert scene.collides(clearance=given)
