"""What a scene keeps of its last answer changes no answer, and spares all pairs whose bodies stay where they are."""

import numpy as np
import pytest

import tumble
from tumble import shapes
from tumble.scene import kept

MESHES = [shapes.icosphere(1), shapes.torus(segments=8, sides=6), shapes.box()]


def crowd(rng, count=40):
    scene = tumble.Scene()
    for k in range(count):
        scene.add(f"b{k}", MESHES[k % 3], anywhere(rng))
    return scene


def anywhere(rng):
    return tumble.translation(*rng.uniform(0.0, 6.0, 3)) @ tumble.rotation(rng.normal(size=3), rng.uniform(0.0, 6.0))


def same(found, expected):
    assert found.names == expected.names
    np.testing.assert_array_equal(found.counts, expected.counts)
    np.testing.assert_array_equal(found.triangles, expected.triangles)


@pytest.fixture
def asked(monkeypatch):
    """How many pairs of bodies each question was about."""
    counts = []

    def counting(question, a, b, pairs, options):
        counts.append(len(pairs))
        return ask(question, a, b, pairs, options)

    ask = kept.ask
    monkeypatch.setattr(kept, "ask", counting)
    return counts


def change(scene, rng, number):
    """Change something of a scene, in a way that depends on the round."""
    names = scene.names
    one, other = (names[k] for k in rng.choice(len(names), 2, replace=False))
    if number % 7 == 0:
        scene.remove(one)
        scene.add(one, MESHES[int(rng.integers(3))], anywhere(rng))
    elif number % 7 == 1:
        scene.allow(one, other if rng.random() < 0.5 else None)
    elif number % 7 == 2:
        scene.disallow(one)
    elif number % 7 == 3:
        scene.set_filter(one, group=int(rng.integers(4)))
    elif number % 7 == 4:
        for name in names[: len(names) * 2 // 3]:
            scene.remove(name)
        for k in range(25):
            scene.add(f"new{number}-{k}", MESHES[k % 3], anywhere(rng))
    else:
        scene.move_many({one: anywhere(rng), other: anywhere(rng)})


@pytest.mark.parametrize("seed", range(3))
def test_answers_are_those_of_a_scene_that_was_never_asked(seed):
    rng = np.random.default_rng(seed)
    scene = crowd(rng)
    for number in range(30):
        change(scene, rng, number)
        found = scene.collisions(threads=1 + number % 2)
        same(found, scene.copy().collisions())
        same(scene.collisions(), found)


def test_only_pairs_of_what_has_moved_are_asked_about(asked):
    scene = crowd(np.random.default_rng(5))
    first = scene.collisions()
    assert asked == [scene.count_candidates()]
    again = scene.collisions()
    assert len(asked) == 1
    same(again, first)
    scene.move("b7", tumble.translation(3.0, 3.0, 3.0))
    of_one = sum("b7" in pair for pair in scene.candidates())
    assert 0 < of_one < scene.count_candidates()
    scene.collisions()
    assert asked[1:] == [of_one]


def test_what_is_buried_is_found_beside_what_is_kept():
    scene = tumble.Scene()
    scene.add("large", shapes.icosphere(2, 2.0))
    scene.add("small", shapes.icosphere(1, 0.5))
    scene.add("beside", shapes.icosphere(1, 0.5), tumble.translation(2.0, 0.0, 0.0))
    plain = scene.collisions()
    assert plain.names == [("large", "beside")]
    found = scene.collisions(solid=True)
    assert found.names == [("large", "small"), ("large", "beside")]
    assert found.buried.tolist() == [True, False]


@pytest.mark.parametrize("options", [{"first": True}, {"contacts": True}, {"stats": True}, {"method": "stackless"}])
def test_other_columns_and_engines_are_never_taken_from_what_is_kept(options, asked):
    scene = crowd(np.random.default_rng(2))
    before = scene.collisions()
    found = scene.collisions(**options)
    assert found.names == before.names
    assert len(asked) == 1
    assert (found.contacts is not None) == ("contacts" in options)
    same(scene.collisions(), before)


def test_options_are_refused_although_nothing_has_to_be_asked():
    scene = crowd(np.random.default_rng(3))
    scene.collisions()
    with pytest.raises(tumble.OptionError, match="threads"):
        scene.collisions(threads=0)


def test_pairs_that_filters_let_in_again_are_asked_about(asked):
    scene = crowd(np.random.default_rng(4))
    everything = scene.collisions()
    scene.allow("b3")
    assert not any("b3" in names for names in scene.collisions().names)
    scene.disallow("b3")
    same(scene.collisions(), everything)
    assert len(asked) == 3
    assert asked[1] == 0 < asked[2]


def test_an_answer_about_no_pairs_is_followed_by_one_about_some():
    scene = tumble.Scene()
    scene.add("a", MESHES[0])
    scene.add("b", MESHES[0], tumble.translation(0.1, 0.0, 0.0))
    scene.allow("a", "b")
    assert len(scene.collisions()) == 0
    scene.disallow("a", "b")
    assert scene.collisions().names == [("a", "b")]
    scene.allow("a", "b")
    assert len(scene.collisions()) == 0


def test_a_slot_with_another_body_in_it_is_another_body():
    """All have one pose and meet their neighbour, so that only the meshes tell the slots' owners apart."""
    scene = tumble.Scene()

    def add_two(k, mesh):
        for side in (0, 1):
            scene.add(f"{k}, {side}", tumble.Mesh(mesh.vertices + np.array([10.0 * k, 0.1 * side, 0.0]), mesh.faces))

    for k in range(100):
        add_two(k, MESHES[0] if k < 30 else MESHES[1])
    assert len(scene.collisions()) == 100
    for k in range(100):
        if k % 3 > 0:  # so that the slots of the twelfth two, say, get the thirty-sixth
            for side in (0, 1):
                scene.remove(f"{k}, {side}")
    generations = set()
    for k in range(100, 400):
        add_two(k, MESHES[0])
        for side in (0, 1):
            scene.remove(f"{k}, {side}")
        generations.add(scene._table.generation)
        same(scene.collisions(), scene.copy().collisions())
    assert len(generations) > 1
