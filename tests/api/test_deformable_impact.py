"""`Deformable.time_of_impact`: the first of all pairs by brute force, with itself and with another mesh."""

import math
import os
from itertools import product
from pathlib import Path

import numpy as np
import pytest

import tumble
from covering import crossed, sized
from element_pairs import brute
from tumble import shapes
from tumble.errors import MeshError, OptionError
from tumble.query.step_impact import KINDS

MESHES = Path(os.environ.get("TUMBLE_MESHES", Path(__file__).resolve().parents[3] / "shared" / "meshes"))
DATA = MESHES / "scalable-ccd-data"


def crumpled(rng, vertices, faces, size):
    return tumble.Mesh(rng.integers(0, size + 1, (vertices, 3)), rng.integers(0, vertices, (faces, 3)))


def edges_of(mesh):
    return brute(tumble.Mesh(np.zeros((len(mesh.vertices), 3)), mesh.faces))["edges"].tolist()


def pairs_of(mesh, other):
    """All pairs of elements: kind, elements, four vertices; of one mesh those that share none."""
    second = mesh if other is None else other
    points, faces = range(len(mesh.vertices)), mesh.faces.tolist()
    found = [(0, i, j, (v, *f)) for (i, v), (j, f) in product(enumerate(points), enumerate(second.faces.tolist()))]
    if other is not None:
        others = range(len(second.vertices))
        found += [(1, i, j, (*f, v)) for (i, f), (j, v) in product(enumerate(faces), enumerate(others))]
    for (i, e), (j, f) in product(enumerate(edges_of(mesh)), enumerate(edges_of(second))):
        if other is not None or i < j:
            found.append((2, i, j, (*e, *f)))
    if other is None:
        found = [each for each in found if not shares_a_vertex(each)]
    return found


def shares_a_vertex(pair):
    kind, _, _, four = pair
    split = 1 if kind == 0 else 2
    return bool({*four[:split]} & {*four[split:]})


def brute_contacts(mesh, end, other=None, other_end=None, **options):
    """(time, kind, elements, vertices, latest) of all pairs that meet, by the batch calls, sorted."""
    pairs = pairs_of(mesh, other)
    ends = end, other_end
    found = []
    for kind in range(3):
        some = [pair for pair in pairs if pair[0] == kind]
        if not some:
            continue
        places = [
            np.array([gathered(pair, first, second) for pair in some])
            for first, second in ((mesh.vertices, None if other is None else other.vertices), ends)
        ]
        ask = tumble.edge_edge_impacts if kind == 2 else tumble.vertex_face_impacts
        impacts = ask(*places, **options)
        rows = zip(some, impacts.hits, impacts.times, impacts.latest, strict=True)
        found += [(time, kind, pair[1:3], pair[3], latest) for pair, hit, time, latest in rows if hit]
    return sorted(found)


def gathered(pair, first, second):
    """The four points of a query, the vertex before its face."""
    kind, _, _, four = pair
    of_first = {0: 1, 1: 3, 2: 2}[kind]
    points = [(first if k < of_first or second is None else second)[v] for k, v in enumerate(four)]
    return [points[3], *points[:3]] if kind == 1 else points


def assert_right(mesh, end, other=None, other_end=None, **options):
    expected = brute_contacts(mesh, end, other, other.vertices if other and other_end is None else other_end, **options)
    deformable = tumble.Deformable(mesh)
    first = deformable.time_of_impact(end, other, other_end, **options)
    every = deformable.time_of_impact(end, other, other_end, every=True, **options)
    contacts = every.contacts
    listed = zip(
        contacts.times.tolist(), contacts.kinds.tolist(), map(tuple, contacts.elements.tolist()),
        map(tuple, contacts.vertices.tolist()), contacts.latest.tolist(), strict=True,
    )  # fmt: skip
    assert list(listed) == expected
    for found in (first, every):
        assert bool(found) == bool(expected)
        if expected:
            time, kind, elements, vertices, _ = expected[0]
            assert (found.time, found.kind, found.elements, found.vertices) == (time, KINDS[kind], elements, vertices)
            assert found.latest >= found.time
        else:
            assert (found.time, found.kind, found.elements) == (math.inf, None, None)
    assert first.contacts is None
    return expected


@crossed(1, size=[1, 3, 9], exact=[False, True], paired=[False, True])
@sized(2, 40)
def test_small_meshes_on_a_grid(size, exact, paired, count):
    """Many contacts at the same times, at the start, degenerate; ties go to the first kind and the lowest elements."""
    rng = np.random.default_rng([size, exact, paired, count])
    hits = 0
    for _ in range(count):
        mesh, other = crumpled(rng, 8, 4, size), crumpled(rng, 6, 3, size) if paired else None
        end = mesh.vertices + rng.integers(-2, 3, mesh.vertices.shape)
        moved = None if other is None or rng.random() < 0.3 else other.vertices + rng.integers(-2, 3, (6, 3))
        hits += bool(assert_right(mesh, end, other, moved, exact=exact))
    assert hits > 0


@crossed(1, separation=[0.0, 0.05], exact=[False, True], paired=[False, True])
def test_sheets(separation, exact, paired):
    """General positions: the first contact is well before the end of the step, and others come after it."""
    if separation and exact:
        pytest.skip("refused")
    rng = np.random.default_rng(4)
    mesh = shapes.cloth(5, 5, wave=0.1, seed=4)
    other = tumble.transformed(mesh, tumble.translation(0.02, 0.01, 0.5)) if paired else None
    way = [0.0, 0.0, 0.9] if paired else [0.0, 0.0, 0.0]
    end = mesh.vertices + way + rng.normal(size=mesh.vertices.shape) * (0.05 if paired else 0.4)
    expected = assert_right(mesh, end, other, separation=separation, exact=exact)
    assert len(expected) > 10


def test_a_sheet_that_falls_on_a_box():
    """At speed, through all of it: at the start and at the end nothing touches."""
    sheet = shapes.cloth(6, 6, wave=0.0)
    top = float(sheet.vertices[:, 2].max())
    box = tumble.transformed(shapes.box(0.3), tumble.translation(0.0, 0.0, top - 1.15))
    cloth = tumble.Deformable(sheet)
    end = sheet.vertices - [0.0, 0.0, 2.0]
    assert not cloth.collide(box)
    found = cloth.time_of_impact(end, box)
    assert found.time == pytest.approx(0.5, abs=1e-8)
    assert found.time <= 0.5
    exact = cloth.time_of_impact(end, box, exact=True)
    assert exact.time <= exact.latest
    assert exact.latest - exact.time < 1e-9
    assert cloth.time_of_impact(end).kind is None
    assert cloth.time_of_impact(end, tumble.Deformable(box), box.vertices - [0.0, 0.0, 2.0]).kind is None
    cloth.update(end)
    assert not cloth.collide(box)


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_threads_change_nothing(threads, monkeypatch):
    monkeypatch.setattr("tumble.api.step_impact.PIECE", 64)
    monkeypatch.setattr("tumble.api.step_impact.PAIRS_PER_ELEMENT", 0)
    mesh = shapes.cloth(20, 20, wave=0.2, seed=2)
    end = mesh.vertices + np.random.default_rng(1).normal(size=mesh.vertices.shape) * 0.05
    found = [tumble.Deformable(mesh, threads=t).time_of_impact(end, exact=True) for t in (1, threads)]
    assert found[0] == found[1]
    assert found[0].time < 1.0


def test_meshes_without_faces_or_vertices():
    box = shapes.box()
    empty = tumble.Deformable(([], []))
    assert not empty.time_of_impact(np.empty((0, 3)))
    assert not empty.time_of_impact([], box)
    assert not tumble.Deformable(box).time_of_impact(box.vertices, ([], []))
    point = tumble.Deformable(([[0.0, 0.0, 2.0]], []))  # a vertex of no face is a point
    found = point.time_of_impact([[0.0, 0.0, -2.0]], box, exact=True)
    assert (found.time, found.kind, found.elements[0]) == (0.375, "vertex-face", 0)


def test_what_is_refused():
    box = tumble.Deformable(shapes.box())
    end = box.vertices + 1.0
    with pytest.raises(MeshError, match="new_vertices has 7 vertices for a mesh of 8"):
        box.time_of_impact(end[:7])
    with pytest.raises(MeshError, match="other_vertices has 7 vertices for a mesh of 8"):
        box.time_of_impact(end, shapes.box(), end[:7])
    with pytest.raises(OptionError, match="other_vertices are for a second mesh"):
        box.time_of_impact(end, other_vertices=end)
    with pytest.raises(OptionError, match="every must be True or False, not 'yes'"):
        box.time_of_impact(end, every="yes")
    with pytest.raises(OptionError, match="threads must be a whole number"):
        box.time_of_impact(end, threads=0)
    with pytest.raises(OptionError, match="leave one of them out"):
        box.time_of_impact(end, separation=0.1, exact=True)
    with pytest.raises(OptionError, match="tolerance must be a number from"):
        box.time_of_impact(end, tolerance=-1)


@pytest.mark.skipif(not DATA.exists(), reason="the folder of real meshes is not here")
@pytest.mark.parametrize(
    "scene, first, second, counts",
    [
        ("cloth-funnel", "227", "228", (27, 107)),
        pytest.param("cloth-ball", "cloth_ball92", "cloth_ball93", (19032, 94822), marks=pytest.mark.slow),
        pytest.param("n-body-simulation", "balls16_18", "balls16_19", (9459, 41031), marks=pytest.mark.slow),
    ],
)
def test_the_published_contacts_of_a_step_and_no_others(scene, first, second, counts):
    trimesh = pytest.importorskip("trimesh")
    start, end = (trimesh.load(DATA / scene / "frames" / f"{name}.ply", process=False) for name in (first, second))
    found = tumble.Deformable((start.vertices, start.faces)).time_of_impact(end.vertices, every=True, exact=True)
    kinds = found.contacts.kinds
    assert ((kinds == 0).sum(), (kinds == 2).sum()) == counts
