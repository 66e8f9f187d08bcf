"""Groups, masks and allowed contacts, in every kind of query."""

import pytest

import tumble
from tumble.errors import InputError, OptionError
from tumble.scene import Scene

BOX = tumble.shapes.box()
ALL = 0xFFFFFFFF


def heap(names="abcd", broad_phase="auto", **filters):
    """Bodies that all touch each other."""
    scene = Scene(broad_phase=broad_phase)
    for k, name in enumerate(names):
        group, mask = filters.get(name, (1, ALL))
        scene.add(name, BOX, tumble.translation(k / 8, 0, 0), group=group, mask=mask)
    return scene


def seen(scene):
    return ["".join(names) for names in scene.collisions().names]


@pytest.mark.parametrize("broad_phase", ["sweep", "tree"])
def test_both_masks_must_agree(broad_phase):
    scene = heap("abcd", broad_phase, a=(0b01, 0b10), b=(0b10, 0b01), c=(0b10, 0b10), d=(0b11, ALL))
    # b-c: c does not see itself in b's mask; a-c: c's mask lacks a's group
    assert seen(scene) == ["ab", "ad", "bd", "cd"]
    assert ["".join(names) for names in scene.candidates()] == seen(scene)
    scene.set_filter("c", mask=ALL)
    assert seen(scene) == ["ab", "ac", "ad", "bd", "cd"]
    scene.set_filter("a", group=0)
    assert seen(scene) == ["bd", "cd"]
    assert scene.filter("a") == (0, 0b10)
    scene.set_filter("a", group=1 << 31, mask=1 << 31)
    scene.set_filter("d", group=ALL)
    assert seen(scene) == ["ad", "bd", "cd"]


def test_a_body_sees_with_its_own_filter():
    scene = heap("abc", a=(0b01, 0b10), b=(0b10, 0b01), c=(0b10, 0b10))
    assert scene.collisions_with("a").names == [("a", "b")]
    assert scene.collisions_with("c").names == []
    assert [b for _, b in scene.collisions_with(BOX).names] == ["a", "b", "c"]


def test_filters_count_between_scenes():
    one = heap("ab", a=(0b01, 0b10), b=(0b10, ALL))
    other = heap("cd", c=(0b10, ALL), d=(0b01, ALL))
    assert ["".join(names) for names in one.collisions_between(other).names] == ["ac", "bc", "bd"]
    one.allow("b")
    one.allow("a", "b")
    assert ["".join(names) for names in one.collisions_between(other).names] == ["ac"]
    other.allow("c")
    assert not one.collisions_between(other)


def test_allowed_pairs_are_not_reported():
    scene = heap()
    scene.allow("a", "b")
    scene.allow("d", "c")
    assert seen(scene) == ["ac", "ad", "bc", "bd"]
    assert scene.allowed == [("a", "b"), ("c", "d")]
    assert scene.collisions_with("b").names == [("b", "c"), ("b", "d")]
    assert [b for _, b in scene.collisions_with(BOX).names] == ["a", "b", "c", "d"]
    scene.disallow("b", "a")
    assert seen(scene) == ["ab", "ac", "ad", "bc", "bd"]
    scene.disallow("a", "c")
    assert scene.disallowed == []
    assert scene.allowed == [("c", "d")]


def test_a_body_that_may_touch_everything_and_its_exceptions():
    scene = heap()
    scene.allow("b")
    assert seen(scene) == ["ac", "ad", "cd"]
    assert scene.allowed == [("b", None)]
    assert [b for _, b in scene.collisions_with(BOX).names] == ["a", "c", "d"]
    assert scene.collisions_with("b").names == []
    scene.add("e", BOX)
    assert seen(scene) == ["ac", "ad", "ae", "cd", "ce", "de"]
    scene.disallow("b", "d")
    assert seen(scene) == ["ac", "ad", "ae", "bd", "cd", "ce", "de"]
    assert scene.collisions_with("b").names == [("b", "d")]
    assert scene.collisions_with("d").names == [("d", "a"), ("d", "b"), ("d", "c"), ("d", "e")]
    assert scene.disallowed == [("b", "d")]
    scene.allow("d", "b")
    assert "bd" not in seen(scene)
    assert scene.allowed == [("b", None), ("b", "d")]
    scene.disallow("b")
    assert scene.allowed == scene.disallowed == []
    assert len(seen(scene)) == 10


def test_all_is_forgotten_with_the_body():
    scene = heap()
    scene.allow("a", "b")
    scene.allow("a")
    scene.disallow("a", "c")
    scene.remove("a")
    assert scene.allowed == scene.disallowed == []
    scene.add("a", BOX)
    assert seen(scene) == ["bc", "bd", "ba", "cd", "ca", "da"]


def test_allowed_pairs_follow_their_bodies_to_other_slots():
    scene = heap("abcd")
    scene.allow("c", "d")
    scene.allow("b")
    scene.collisions()
    for k in range(60):
        if k == 3:
            scene.remove("a")
        seen_from_outside = ["a", "c", "d"] if k < 3 else ["c", "d"]
        assert [b for _, b in scene.collisions_with(BOX).names] == seen_from_outside
        scene.add(f"guest {k}", BOX, tumble.translation(90, 0, 0))
        assert [b for _, b in scene.collisions_with(BOX).names] == seen_from_outside
        scene.remove(f"guest {k}")
    assert seen(scene) == []
    assert scene.allowed == [("b", None), ("c", "d")]
    scene.disallow("d", "c")
    assert seen(scene) == ["cd"]


def test_nonsense_is_refused():
    scene = heap()
    for call in (scene.allow, scene.disallow):
        with pytest.raises(InputError, match="no body 'x'"):
            call("x")
        with pytest.raises(InputError, match="no body 'x'"):
            call("a", "x")
    with pytest.raises(InputError, match="'a' is given twice"):
        scene.allow("a", "a")
    assert scene.allowed == []
    for wrong in (-1, 1 << 32, 1.5, "robot", None):
        with pytest.raises(OptionError, match="32 bits"):
            scene.add("new", BOX, group=wrong)
        with pytest.raises(OptionError, match="mask must be"):
            scene.add("new", BOX, mask=wrong)
    with pytest.raises(OptionError, match="32 bits"):
        scene.set_filter("a", group=2, mask=-1)
    assert scene.filter("a") == (1, ALL)
    assert "new" not in scene
