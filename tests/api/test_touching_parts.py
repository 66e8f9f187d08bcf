"""The engine of the clash check against plain loops and the oracle."""

import itertools
import os
import random
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import oracle
import tumble
from covering import sized
from tumble import InputError, Mesh, MeshError, Part, shapes, transformed, translation
from tumble.api.touching_parts import Contact, touching_parts
from tumble.broad.choice import overlapping_pairs

MODULE = sys.modules["tumble.api.touching_parts"]  # the name in the package is the function
ROOT = Path(__file__).resolve().parents[2]
MESHES = Path(os.environ.get("TUMBLE_MESHES", ROOT / ".." / "shared" / "meshes"))
EMPTY = Mesh(np.empty((0, 3)), np.empty((0, 3), int))

# touching pairs of parts, touching pairs of triangles
ASSEMBLIES = {
    "trimesh-models/models/cycloidal.3DXML": (121, 41_527),
    "gltf-decoded/CarConcept.glb": (175, 16_614),
    "nasa-3d/decoded/Ingenuity_Mars_Helicopter.glb": (46, 3_646),
    "nasa-3d/decoded/Rosetta.glb": (25, 4_265),
}

small = st.integers(-2, 2).map(float)
triangle_soups = st.lists(st.tuples(*[small] * 9), min_size=0, max_size=4).map(
    lambda rows: Mesh(np.reshape(rows, (-1, 3)), np.arange(3 * len(rows)).reshape(-1, 3))
)


def overlapping(meshes):
    return overlapping_pairs(meshes, np.tile(np.eye(4), (len(meshes), 1, 1)))


def box_at(x, y=0.0, z=0.0):
    return transformed(shapes.box(), translation(x, y, z))


def named(meshes):
    return [Part(f"part {k}", mesh) for k, mesh in enumerate(meshes)]


def oracle_count(a, b):
    return len(oracle.touching_pairs(a.vertices, a.faces, b.vertices, b.faces))


def boxes_by_loops(meshes):
    found = []
    for j, b in enumerate(meshes):
        for i, a in enumerate(meshes[:j]):
            if len(a) and len(b) and (a.bounds[0] <= b.bounds[1]).all() and (b.bounds[0] <= a.bounds[1]).all():
                found.append((i, j))
    return sorted(found)


@given(st.lists(triangle_soups, min_size=2, max_size=8))
@settings(max_examples=settings().max_examples // 3)
def test_parts_touch_as_the_oracle_says(meshes):
    expected = [
        Contact(f"part {i}", f"part {j}", i, j, count)
        for i in range(len(meshes))
        for j in range(i + 1, len(meshes))
        if (count := oracle_count(meshes[i], meshes[j]))
    ]
    assert touching_parts(named(meshes)) == expected


@given(st.lists(triangle_soups, max_size=12))
@settings(max_examples=2 * settings().max_examples // 3)
def test_sweep_finds_the_boxes_that_loops_find(meshes):
    pairs = overlapping(meshes)
    assert pairs.shape == (len(pairs), 2)
    assert list(map(tuple, pairs.tolist())) == boxes_by_loops(meshes)


@pytest.mark.parametrize("axis", [0, 1, 2])
def test_sweep_along_every_axis(axis):
    random.seed(axis)
    places = [[random.uniform(0, 3) for _ in range(3)] for _ in range(150)]
    for place in places:
        place[axis] *= 30
    meshes = [box_at(*place) for place in places]
    expected = boxes_by_loops(meshes)
    assert len(expected) > 20
    assert list(map(tuple, overlapping(meshes).tolist())) == expected


@pytest.mark.parametrize("axis", [0, 1, 2])
def test_faces_that_just_touch_and_just_miss(axis):
    step = np.zeros(3)
    step[axis] = 1.0
    a, b = box_at(0), box_at(*step)
    (contact,) = touching_parts(named([a, b]))
    assert contact.triangle_pairs == oracle_count(a, b) > 0
    step[axis] = np.nextafter(1.0, 2.0)
    assert touching_parts(named([box_at(0), box_at(*step)])) == []


@sized(500, 10_000)
def test_thousands_of_parts(count):
    # A grid of cubes, each touching its neighbours along x only: a chain of 100 in each of 100 rows.
    cube = shapes.box()
    meshes = [Mesh(cube.vertices + np.array([k % 100, 3 * (k // 100), 0]), cube.faces) for k in range(count)]
    contacts = touching_parts(named(meshes))
    assert [(c.index_a, c.index_b) for c in contacts] == [(k, k + 1) for k in range(count - 1) if k % 100 != 99]


def test_order_of_parts_decides_only_the_order_of_contacts():
    parts = [Part(f"part {x}", box_at(float(x) * 0.75)) for x in range(20)]
    contacts = touching_parts(parts)
    shuffled = random.Random(7).sample(parts, len(parts))
    again = touching_parts(shuffled)
    assert [(c.index_a, c.index_b) for c in again] == sorted((c.index_a, c.index_b) for c in again)
    assert all(c.index_a < c.index_b for c in again)
    assert all(shuffled[c.index_a].name == c.part_a and shuffled[c.index_b].name == c.part_b for c in again)

    def as_set(found):
        return {(frozenset((c.part_a, c.part_b)), c.triangle_pairs) for c in found}

    assert as_set(contacts) == as_set(again)


def test_one_mesh_twice_shares_its_tree():
    ball = shapes.icosphere(2)
    (contact,) = touching_parts([Part("one", ball), Part("two", ball)])
    assert contact.triangle_pairs == len(tumble.collide(ball, ball)) >= len(ball)
    assert ball._packed is not None
    assert ball._trees == {}


def test_only_parts_with_near_neighbours_get_a_tree():
    far, near, nearer = box_at(100), box_at(0), box_at(0.5)
    assert len(touching_parts(named([far, near, nearer]))) == 1
    assert [mesh._packed is not None for mesh in (far, near, nearer)] == [False, True, True]


def test_empty_meshes_and_few_parts():
    assert touching_parts([]) == []
    assert touching_parts(named([box_at(0)])) == []
    assert touching_parts(named([EMPTY, EMPTY])) == []
    (contact,) = touching_parts(named([EMPTY, box_at(0), EMPTY, box_at(0.5), EMPTY]))
    assert (contact.index_a, contact.index_b) == (1, 3)


def test_unused_vertices_do_not_count():
    cube = shapes.box()
    with_stray = Mesh(np.vstack([cube.vertices, [[50.0, 0, 0]]]), cube.faces)
    assert len(overlapping([with_stray, box_at(50)])) == 0


def test_progress_counts_the_pairs_that_are_looked_at(monkeypatch):
    calls = []
    touching_parts(named([box_at(0), box_at(0.5), box_at(1.0), box_at(9.0)]), lambda *call: calls.append(call))
    assert calls == [(0, 3), (3, 3)]
    calls.clear()
    monkeypatch.setattr(MODULE, "AT_A_TIME", 1)
    touching_parts(named([box_at(0), box_at(0.5), box_at(1.0), box_at(9.0)]), lambda *call: calls.append(call))
    assert calls == [(0, 3), (1, 3), (2, 3), (3, 3)]
    calls.clear()
    touching_parts(named([box_at(0)]), lambda *call: calls.append(call))
    assert calls == [(0, 0)]


def test_progress_may_interrupt(monkeypatch):
    monkeypatch.setattr(MODULE, "AT_A_TIME", 1)

    def stop(done, total):
        if done == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        touching_parts(named([box_at(0), box_at(0.5), box_at(1.0)]), stop)


def test_any_mesh_will_do_and_nonsense_is_named():
    trimesh = pytest.importorskip("trimesh")
    cube = shapes.box()
    (contact,) = touching_parts([("a", trimesh.creation.box()), ("b", (cube.vertices, cube.faces))])
    assert (contact.part_a, contact.part_b) == ("a", "b")
    with pytest.raises(InputError, match="part 1 is 7"):
        touching_parts([Part("a", cube), 7])
    with pytest.raises(MeshError, match=r"part 1, 'b': .*path 'b\.stl'"):
        touching_parts([Part("a", cube), Part("b", "b.stl")])


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=[pytest.mark.slow] * (".glb" in name and "Rosetta" not in name)) for name in ASSEMBLIES],
)
def test_real_assemblies(name):
    path = MESHES / name
    if not path.exists():
        pytest.skip("the folder of real meshes is not here")
    contacts = touching_parts(tumble.load_parts(path))
    assert (len(contacts), sum(contact.triangle_pairs for contact in contacts)) == ASSEMBLIES[name]


def test_any_iterable_of_parts_will_do_and_nothing_else():
    box = shapes.box()
    assert len(touching_parts(Part(str(k), box) for k in range(3))) == 3
    for wrong in (None, 3, {"ab": box}):
        with pytest.raises(InputError, match=r"tumble\.Part"):
            touching_parts(wrong)


def test_solids_have_relations():
    parts = named([box_at(0), shapes.box(0.25), box_at(1), Mesh(box_at(0).vertices, box_at(0).faces[1:]), EMPTY])
    expected = {(0, 1): "b_inside_a", (0, 2): "touching", (0, 3): "touching", (2, 3): "touching"}
    progress = []
    for options in ({}, {"first": True}, {"threads": 1, "contacts": True}):
        found = touching_parts(parts, lambda *numbers: progress.append(numbers), solid=True, **options)
        assert {(each.index_a, each.index_b): each.relation for each in found} == expected
        assert [each.triangle_pairs == 0 for each in found] == [True, False, False, False]
        surfaces = [(each.index_a, each.index_b, each.triangle_pairs) for each in touching_parts(parts, **options)]
        assert surfaces == [(each.index_a, each.index_b, each.triangle_pairs) for each in found if each.triangle_pairs]
    assert progress[-1] == (5, 5)
    assert all(each.relation is None for each in touching_parts(parts))
    with pytest.raises(tumble.OptionError, match="solid="):
        touching_parts(parts, solid=np.zeros(2))


def test_a_clearance():
    parts = [Part(name, box_at(x)) for name, x in (("a", 0), ("b", 1.25), ("c", 4), ("d", 5))]
    parts.insert(3, Part("empty", EMPTY))
    assert [(each.part_a, each.part_b) for each in touching_parts(parts)] == [("c", "d")]
    for d in (0.0, 0.25, 0.5, 1.75, 2.0, 1e300):
        found = touching_parts(parts, clearance=d)
        due = {}
        for (i, one), (j, other) in itertools.combinations(enumerate(parts), 2):
            near = tumble.clearance(one.mesh, other.mesh, d)
            if near:
                due[i, j] = len(near), near.distances.min()
        assert {(each.index_a, each.index_b): (each.triangle_pairs, each.distance) for each in found} == due
        first = touching_parts(parts, clearance=d, first=True)
        assert [(each.index_a, each.index_b, each.triangle_pairs, each.distance) for each in first] == [
            (i, j, 1, None) for i, j in due
        ]
    inner = Part("inner", transformed(shapes.box(0.5), translation(4, 0, 0)))
    found = touching_parts([*parts, inner], clearance=0.3, solid=True)
    assert [(each.part_a, each.part_b, str(each.relation), each.distance) for each in found] == [
        ("a", "b", "apart", 0.25),
        ("c", "d", "touching", 0.0),
        ("c", "inner", "b_inside_a", 0.25),
        ("d", "inner", "apart", 0.25),
    ]
    for wrong in (-1.0, np.nan, "1", {"a": 1.0}):
        with pytest.raises(tumble.OptionError, match="clearance"):
            touching_parts(parts, clearance=wrong)
    with pytest.raises(tumble.OptionError, match="contacts"):
        touching_parts(parts, clearance=1.0, contacts=True)
    with pytest.raises(tumble.OptionError, match="method"):
        touching_parts(parts, clearance=1.0, method="bulk")
