"""`tumble.relation`: closed forms, judges of its own, and what does not change it."""

import itertools
import os
from pathlib import Path

import numpy as np
import pytest

import solid_cases
import solid_oracle
import tumble
from covering import sized, thinned
from solid_forms import BOX, EXACT_TURN, FORMS, ROBUST, SMALL, box, inverted, joined, moved, soup
from tumble import Mesh, MeshError, Relation, shapes, translation
from tumble.mesh import random_pose
from tumble.solid import decide, facing

MESHES = Path(os.environ.get("TUMBLE_MESHES", Path(__file__).resolve().parents[3] / "shared" / "meshes"))


def check(a, b, expected, pose_a=None, pose_b=None):
    found = tumble.relation(a, b, pose_a, pose_b)
    assert found.relation == expected
    assert isinstance(found.relation, Relation)
    assert found.relation.mirrored == tumble.relation(b, a, pose_b, pose_a).relation
    pairs = {tuple(pair) for pair in tumble.collide(a, b, pose_a, pose_b).pairs.tolist()}
    assert found.triangles in pairs if pairs else found.triangles is None


@pytest.mark.parametrize("name", FORMS)
def test_closed_forms(name):
    check(*FORMS[name])


@pytest.mark.parametrize("name", thinned(FORMS, 6))
def test_an_exact_motion_changes_nothing(name):
    a, b, expected = FORMS[name]
    check(a, b, expected, EXACT_TURN, EXACT_TURN)
    far = translation(2.0**20, -(2.0**21), 0)
    check(tumble.transformed(a, far), b, expected, None, far)


@sized(1, 3)
@pytest.mark.parametrize("name", ROBUST)
def test_a_motion_that_rounds_changes_nothing_robust(name, count):
    a, b, expected = FORMS[name]
    for seed in range(count):
        pose = random_pose(seed, 5.0)
        check(a, b, expected, pose, pose)


@pytest.mark.parametrize("name", thinned(FORMS, 3))
def test_rounded_touching_is_the_same_from_both_sides(name):
    a, b, _ = FORMS[name]
    pose = random_pose(7, 3.0)
    found = tumble.relation(a, b, pose, pose)
    assert tumble.relation(b, a, pose, pose).relation == found.relation.mirrored
    assert (found.triangles is not None) == tumble.collides(a, b, pose, pose)
    assert found.triangles is None or found.relation != "apart"


@pytest.mark.parametrize("exponent", [-1060, -600, -300, 200, 320])
@pytest.mark.parametrize("name", ["face to face", "duplicates", "flush from within", "overlap", "in the void"])
def test_every_size_of_coordinates(name, exponent):
    a, b, expected = FORMS[name]
    scale = np.ldexp(1.0, exponent)
    check(Mesh(a.vertices * scale, a.faces), Mesh(b.vertices * scale, b.faces), expected)


@pytest.mark.parametrize("kind", solid_cases.KINDS)
@sized(4, 5000)
def test_against_the_judges(kind, count):
    for seed in range(count):
        a, b, expected = solid_cases.random_case(kind, np.random.default_rng([seed, len(kind)]))
        assert tumble.relation(a, b).relation == expected, seed
        assert tumble.relation(b, a).relation == solid_oracle.mirrored(expected), seed


@pytest.mark.parametrize("fewest", [0, 10**9], ids=["facing", "fans alone"])
@pytest.mark.parametrize("kind", solid_cases.KINDS)
@sized(3, 2000)
def test_without_short_cuts(kind, count, fewest, monkeypatch):
    """Fans and components alone: corners of touching triangles decide most cases before those are looked at."""
    monkeypatch.setattr(facing, "FEWEST_PAIRS", fewest)
    monkeypatch.setattr(decide, "_look_at_corners", lambda *arguments: None)
    monkeypatch.setattr(decide, "same_triangles", lambda *arguments: False)
    monkeypatch.setattr(decide, "boxes_meet_in_a_plane", lambda *arguments: False)
    for seed in range(count):
        a, b, expected = solid_cases.random_case(kind, np.random.default_rng([seed, len(kind), 1]))
        assert tumble.relation(a, b).relation == expected, seed
        assert tumble.relation(b, a).relation == solid_oracle.mirrored(expected), seed


def test_a_pose_of_one_mesh_alone():
    check(BOX, BOX, "touching", None, translation(2, 0, 0))
    check(BOX, BOX, "touching", tumble.rotation("z", 0.0), translation(-2, 0, 0))
    check(SMALL, BOX, "a_inside_b", translation(0.5, 0, 0), None)


def test_vertices_that_no_face_uses_change_nothing():
    """A flat mesh stays flat, also where a pose has to be applied to find its box."""
    turn = np.array([[0.0, -1.0, 0.0, 3.0], [1.0, 0.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 1.0]])
    corners = np.array([[0.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [-1.0, 0.0, 0.0]])
    for faces in ([[0, 1, 2]], [[0, 1, 2], [0, 2, 1]]):
        tight, loose = tumble.Mesh(corners[:3], faces), tumble.Mesh(corners, faces)
        for a, b in itertools.product((tight, loose), repeat=2):
            assert tumble.relation(a, b, turn, turn).relation == "equal"


def test_bodies_that_meet_themselves_posed_beyond_the_largest_vertices():
    united = joined(BOX, moved(BOX, 1, 1, 1))
    a, b = (Mesh(mesh.vertices * 2e99, mesh.faces) for mesh in (BOX, united))
    place = translation(1e100, 0.0, 0.0)
    check(a, b, "a_inside_b", place, place)


def test_subdivision_changes_nothing():
    for name in ("overlap, planes shared", "part of a face", "flush from within", "fills the void", "edge on a face"):
        a, b, expected = FORMS[name]
        check(tumble.subdivide(a), tumble.subdivide(tumble.subdivide(b)), expected)


def test_faces_that_are_not_consistently_oriented_count_by_parity():
    faces = BOX.faces.copy()
    faces[::2] = faces[::2, ::-1]
    mixed = Mesh(BOX.vertices, faces)
    check(mixed, BOX, "equal")
    check(mixed, SMALL, "b_inside_a")
    check(mixed, moved(BOX, 2, 0, 0), "touching")
    check(joined(mixed, inverted(shapes.box(1.0))), shapes.box(0.5), "apart")  # two shells: odd, even


def test_a_spike_is_part_of_the_surface():
    """Degenerate triangles: a segment that reaches from a box to another."""
    vertices = np.concatenate([BOX.vertices, [[1, 0, 0], [3, 0, 0]]])
    spiked = Mesh(vertices, [*BOX.faces.tolist(), [8, 9, 9]])
    check(spiked, moved(BOX, 4, 0, 0), "touching")
    check(spiked, moved(BOX, 9, 0, 0), "apart")


def test_open_meshes_are_refused_as_solids():
    open_box = Mesh(BOX.vertices, BOX.faces[1:])
    with pytest.raises(MeshError, match=r"mesh a has 3 open edges .* between vertex \d at \(.*\) and vertex \d at"):
        tumble.relation(open_box, BOX, solid=True)
    with pytest.raises(MeshError, match="mesh b has 3 open edges"):
        tumble.relation(BOX, open_box, solid=True)
    with pytest.raises(MeshError, match="solid=True needs closed"):
        tumble.relation(shapes.cloth(), shapes.cloth(), solid=True)


def test_equal_vertices_are_one():
    flipped = BOX.vertices * np.where(BOX.vertices == 0.0, -0.0, 1.0)
    check(soup(Mesh(flipped, BOX.faces)), BOX, "equal")


def test_trees_and_pairs_in_place_of_meshes():
    for a in (tumble.build(BOX, "aabb"), tumble.build(BOX, "boxtree"), (BOX.vertices, BOX.faces)):
        assert tumble.relation(a, SMALL).relation == "b_inside_a"


def test_threads_do_not_matter():
    a, b = shapes.icosphere(3), moved(tumble.subdivide(shapes.icosphere(3)), 0, 0, 0)
    results = {tumble.relation(a, b, threads=threads) for threads in (1, 2, None)}
    assert len(results) == 1


def test_many_poses():
    poses = [translation(x, 0, 0) for x in (0, 0.25, 0.5, 1, 1.5, 2)]
    expected = ["b_inside_a", "b_inside_a", "b_inside_a", "crossing", "touching", "apart"]
    found = tumble.relation_many(BOX, SMALL, poses)
    assert [each.relation for each in found] == expected
    back = tumble.relation_many(BOX, SMALL, np.tile(np.eye(4), (6, 1, 1)), [np.linalg.inv(pose) for pose in poses])
    assert [each.relation for each in back] == expected
    assert [tumble.relation(BOX, SMALL, None, pose).relation for pose in poses] == expected
    assert tumble.relation_many(BOX, SMALL, np.empty((0, 4, 4))) == []
    with pytest.raises(tumble.PoseError, match="poses_a holds 2 poses and poses_b 6"):
        tumble.relation_many(BOX, SMALL, poses, poses[:2])


@pytest.mark.skipif(not MESHES.exists(), reason="the folder of real meshes is not here")
@pytest.mark.parametrize(
    "name",
    [
        pytest.param("ipc-toolkit-tests-data/bunny.ply", marks=pytest.mark.slow),
        "cgal-data/Data/data/meshes/bones.off",
        pytest.param("cgal-data/Data/data/meshes/turbine.off", marks=pytest.mark.slow),
        "example-robot-data/ur_description/meshes/ur5/collision/forearm.stl",
    ],
)
def test_real_meshes(name):
    part = tumble.load(MESHES / name)
    low, high = part.bounds
    size = (high - low).max()
    middle = (low + high) / 2
    check(part, Mesh(part.vertices, part.faces[::-1]), "equal")
    check(part, part, "apart", None, translation(*(2 * (high - low))))
    check(part, box(low - size, high + size), "a_inside_b")
    check(part, box(low, high), "a_inside_b")  # whose sides the part touches from within
    check(part, box((*middle[:2], low[2] - size), high + size), "crossing")
    check(part, box((low[0] - size, *low[1:]), (low[0], *high[1:])), "touching")
    ball = Mesh(shapes.icosphere(1).vertices * size * 9 + middle, shapes.icosphere(1).faces)
    check(joined(ball, inverted(box(low - size, high + size))), part, "apart")
