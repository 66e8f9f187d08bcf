"""Every public call takes every option, and the engines of the table answer alike or are refused by name.

The engines are those of the registry, so a new one is asked here at once.
"""

from functools import cache
from itertools import cycle
from typing import Any

import numpy as np
import pytest

import tumble
from tumble.api.ask import load_every_engine
from tumble.compat.trimesh import CollisionManager
from tumble.device.host.walk_kinds import WALK_KINDS
from tumble.query.engine import CLEARANCE, SELF_TOUCHING, TOUCHING, Engine, engines
from tumble.traversal.every import METHODS

A = tumble.shapes.torus(segments=10, sides=6)
B = tumble.shapes.box()
POSES = np.stack([tumble.translation(x, 0.1, 0.2) for x in (0.9, 1.3, 9.0)])
MOVED = tumble.transformed(B, POSES[0])
load_every_engine()
ENGINES = [each for each in engines() if each.device == "cpu" or tumble.devices()]
NAMES = [f"{each.method}-{each.device}-{'-'.join(each.trees[:1])}" for each in ENGINES]


def scene_of(tree: str = "auto") -> tumble.Scene:
    scene = tumble.Scene(tree=tree)
    scene.add("a", A)
    scene.add("b", B, POSES[0])
    return scene


def scene_collisions(**options: Any) -> Any:
    tree = options.pop("tree", "auto")
    return scene_of(tree).collisions(**options)


PARTS = [tumble.Part("a", A), tumble.Part("b", MOVED)]
CALLS = {
    "collide": lambda **options: tumble.collide(A, B, None, POSES[0], **options),
    "collide_many": lambda **options: tumble.collide_many(A, B, POSES, **{"first": False, **options}),
    "collide_all": lambda **options: tumble.collide_all([A, B], [None, POSES[0]], **options),
    "touching_parts": lambda **options: tumble.touching_parts(PARTS, **options),
    "Scene.collisions": scene_collisions,
    "Deformable.collide": lambda **options: tumble.Deformable(A).collide(B, None, POSES[0], **options),
    "self_collide": lambda **options: tumble.self_collide(CROSSED, **options),
    "candidates": lambda **options: tumble.candidates(A, **options),
}
CROSSED = tumble.Mesh(
    np.concatenate([A.vertices, MOVED.vertices]), np.concatenate([A.faces, MOVED.faces + len(A.vertices)])
)
TWO_MESHES = ("collide", "collide_many", "collide_all", "touching_parts", "Scene.collisions", "Deformable.collide")


def options_of(engine: Engine) -> dict[str, Any]:
    return {
        "method": engine.method, "device": engine.device, "settings": engine.settings,
        "tree": engine.trees[0] if engine.trees else "auto",
    }  # fmt: skip


def pairs_of(call: str, answer: Any) -> Any:
    """The pairs of triangles, or what there is instead."""
    if call == "touching_parts":
        return [(each.index_a, each.index_b, each.triangle_pairs) for each in answer]
    if call == "candidates":
        return [answer.face_vertex.tolist(), answer.edge_edge.tolist()]
    found = answer.pairs if hasattr(answer, "pairs") and not callable(answer.pairs) else answer.triangles
    return found.tolist()


@cache
def expected_pairs(name):
    """What a call without options finds; not at import, as every process of a run imports all files."""
    return pairs_of(name, CALLS[name]())


def test_there_is_something_to_find():
    assert all(map(expected_pairs, CALLS))


def shares_kernels(engine):
    """Whether the kernel that counts does for the others, too: it is there already for the tests of agreement."""
    return engine.method in METHODS and engine.method not in ("stack", "brute") and engine.device == "cpu"


def has_sibling(engine):
    """Whether its answers take the same road as those of `stack`, or on devices as those of `binary-stack`."""
    return shares_kernels(engine) or (engine.device != "cpu" and engine.method in set(WALK_KINDS) - {"binary-stack"})


def cases(calls):
    """Every call by every engine; by default those with a sibling answer one call each, by turns."""
    # the parts have no counters, so that kernels without would have to be compiled; not all answer `self_collide`
    turns = cycle([call for call in calls if call not in ("touching_parts", "self_collide")])
    for engine, name in zip(ENGINES, NAMES, strict=True):
        quick = [next(turns)] if has_sibling(engine) else calls
        for call in calls:
            yield pytest.param(call, engine, id=f"{call}-{name}", marks=[pytest.mark.slow] * (call not in quick))


@pytest.mark.parametrize(("call", "engine"), list(cases(TWO_MESHES)))
def test_every_engine_answers_every_call(call, engine):
    counted = {"stats": True} if shares_kernels(engine) and call != "touching_parts" else {}
    assert pairs_of(call, CALLS[call](**options_of(engine), **counted)) == expected_pairs(call)


@pytest.mark.parametrize("engine", ENGINES, ids=NAMES)
def test_self_collisions_are_answered_or_refused(engine):
    if SELF_TOUCHING in engine.questions:
        assert pairs_of("self_collide", CALLS["self_collide"](**options_of(engine))) == expected_pairs("self_collide")
        return
    with pytest.raises(tumble.OptionError, match=r"cannot be used (for self-collisions|with device=).* bulk"):
        CALLS["self_collide"](**options_of(engine))


def clearance_cases():
    """Every engine; those whose kernels nothing else has compiled are slow."""
    for engine, name in zip(ENGINES, NAMES, strict=True):
        slow = CLEARANCE in engine.questions and shares_kernels(engine)
        yield pytest.param(engine, id=name, marks=[pytest.mark.slow] * slow)


@pytest.mark.parametrize("engine", list(clearance_cases()))
def test_clearances_are_answered_or_refused(engine):
    def ask(**options):
        return tumble.collide_many(A, B, POSES, clearance=0.25, first=False, **options)

    if CLEARANCE in engine.questions:
        found, expected = ask(**options_of(engine), stats=True), ask()
        assert found.triangles.tolist() == expected.triangles.tolist() != expected_pairs("collide_many")
        assert found.distances.distances.tolist() == expected.distances.distances.tolist()
        assert found.stats.hits == len(expected.triangles)
        parts = tumble.touching_parts(PARTS, clearance=0.25, **options_of(engine))
        assert parts == tumble.touching_parts(PARTS, clearance=0.25)
        assert parts[0].triangle_pairs == expected.counts[0]
        return
    for call in (ask, lambda **options: tumble.touching_parts(PARTS, clearance=0.25, **options)):
        with pytest.raises(tumble.OptionError, match=r"cannot be used (for clearances|with device=|with method=).*"):
            call(**options_of(engine))


@pytest.mark.parametrize(("call", "engine"), list(cases([*TWO_MESHES, "self_collide"])))
def test_columns(call, engine):
    """First, contacts and stats of every call by every engine: right, or refused with what can."""
    if call == "self_collide" and SELF_TOUCHING not in engine.questions:
        pytest.skip("refused, see above")
    options = options_of(engine)
    counted = {"stats": True} if shares_kernels(engine) and call != "touching_parts" else {}
    contacts = CALLS[call](**options, contacts=True, **counted)
    if call == "touching_parts":
        assert all(len(each.contacts) == each.triangle_pairs for each in contacts)
        with pytest.raises(tumble.OptionError, match="collide_all has them"):
            CALLS[call](**options, stats=True)
        assert [each.triangle_pairs for each in CALLS[call](**options, first=True)] == [1]
        return
    assert len(contacts.contacts) == len(pairs_of(call, contacts)) == len(expected_pairs(call))
    assert np.isfinite(contacts.contacts.depths).all()
    first = pairs_of(call, CALLS[call](**options, first=True, **counted))
    assert 0 < len(first) < len(expected_pairs(call))
    assert set(map(tuple, first)) <= set(map(tuple, expected_pairs(call)))
    asked = SELF_TOUCHING if call == "self_collide" else TOUCHING
    if asked in engine.counts:
        stats = CALLS[call](**options, stats=True).stats
        assert stats.hits == len(expected_pairs(call))
    else:
        with pytest.raises(tumble.OptionError, match=r"stats=True can be used with methods: bulk"):
            CALLS[call](**options, stats=True)


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("threads", [1, 2])
def test_threads_change_nothing(call, threads):
    assert pairs_of(call, CALLS[call](threads=threads)) == expected_pairs(call)


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize(
    ("option", "words"),
    [
        ({"method": "quick"}, "unknown method 'quick'; choose one of: auto, packed"),
        ({"tree": "cone"}, "unknown tree 'cone'; choose one of: auto, packed"),
        ({"settings": 3}, r"settings=3 cannot be used .*; settings= can be: None"),
        ({"threads": 0}, "threads must be"),
        ({"device": np.eye(4)}, "device= must be one word"),
    ],
)
def test_nonsense_is_refused_alike(call, option, words):
    with pytest.raises(tumble.OptionError, match=words):
        CALLS[call](**option)


def test_candidates_have_no_contacts_and_no_first():
    for name in ("first", "contacts", "stats"):
        with pytest.raises(tumble.OptionError, match=f"{name}=True can"):
            tumble.candidates(A, **{name: True})


def test_contacts_agree_between_calls():
    """Where and how deep pairs meet does not depend on the call."""
    one = tumble.collide(A, B, None, POSES[0], contacts=True).contacts
    for call in TWO_MESHES[1:]:
        answer = CALLS[call](contacts=True)
        found = answer[0].contacts if call in ("touching_parts", "Scene.collisions") else answer.contacts
        if call != "touching_parts":  # posed before, so rounded otherwise
            for column in ("segments", "points", "normals", "depths"):
                np.testing.assert_array_equal(getattr(found, column)[: len(one)], getattr(one, column), err_msg=call)


def test_the_manager_for_trimesh_has_contacts():
    manager = CollisionManager()
    manager.add_object("a", A)
    manager.add_object("b", B, POSES[0])
    hit, names, contacts = manager.in_collision_internal(return_names=True, return_data=True)
    expected = tumble.collide(A, B, None, POSES[0], contacts=True)
    assert hit
    assert names == {("a", "b")}
    assert [(each.index("a"), each.index("b")) for each in contacts] == list(map(tuple, expected.pairs.tolist()))
    np.testing.assert_array_equal([each.depth for each in contacts], expected.contacts.depths)
    np.testing.assert_array_equal([each.normal for each in contacts], 0.0 - expected.contacts.normals)
