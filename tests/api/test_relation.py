"""`tumble.relation`: closed forms, judges of its own, and what does not change it."""

import os
from pathlib import Path

import numpy as np
import pytest

import solid_oracle
import tumble
from covering import sized
from tumble import Mesh, MeshError, Relation, shapes, translation
from tumble.mesh import random_pose
from tumble.solid import decide

MESHES = Path(os.environ.get("TUMBLE_MESHES", Path(__file__).resolve().parents[3] / "shared" / "meshes"))

BOX = shapes.box(2.0)
SMALL = shapes.box(1.0)
BALL = shapes.icosphere(2)
TORUS = shapes.torus()


def joined(*parts):
    """One mesh of several."""
    vertices, faces, start = [], [], 0
    for mesh in parts:
        vertices.append(mesh.vertices)
        faces.append(mesh.faces + start)
        start += len(mesh.vertices)
    return Mesh(np.concatenate(vertices), np.concatenate(faces))


def inverted(mesh):
    return Mesh(mesh.vertices, mesh.faces[:, ::-1])


def box(low, high):
    return Mesh(np.where(SMALL.vertices > 0, high, low), SMALL.faces)


def moved(mesh, x, y, z):
    return tumble.transformed(mesh, translation(x, y, z))


def soup(mesh):
    """The same triangles, each with vertices of its own, as STL files have them."""
    return Mesh(mesh.triangles.reshape(-1, 3), np.arange(3 * len(mesh)).reshape(-1, 3))


def tetrahedron(*corners):
    return Mesh(corners, [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])


def sheet(*corners):
    """A triangle and its back: closed, without volume."""
    return Mesh(corners, [[0, 1, 2], [0, 2, 1]])


def first_face(mesh, k):
    """The same mesh with another face as its first."""
    return Mesh(mesh.vertices, np.roll(mesh.faces, -k, axis=0))


LEFT_WALL = int(np.flatnonzero((SMALL.triangles[:, :, 0] < 0).all(axis=1))[0])
CROSSED_VOID = joined(
    shapes.box(10.0),
    first_face(box((-2, -2, -2), (0, 2, 2)), LEFT_WALL),
    first_face(inverted(box((-1, -1, -1), (2, 1, 1))), LEFT_WALL),
)
"""the third part winds the second back, and beyond it makes a void; the first faces of both do not bound that"""
HOLLOW = joined(shapes.box(4.0), inverted(BOX))
RING = shapes.torus(1.0, 0.2, 24, 12)
CROSS_RING = tumble.transformed(RING, translation(1, 0, 0) @ tumble.rotation("x", np.pi / 2))
THIN = shapes.box(0.5)
TWO_INSIDE = joined(moved(THIN, -0.5, 0, 0), moved(THIN, 0.5, 0, 0))
HALVES = joined(box((-1, -1, -1), (0, 1, 1)), box((0, -1, -1), (1, 1, 1)))
OVERLAPPING = joined(box((-1, -1, -1), (0.5, 1, 1)), box((-0.5, -1, -1), (1, 1, 1)))

FORMS = {
    "concentric boxes": (SMALL, BOX, "a_inside_b"),
    "far away": (BOX, moved(BOX, 9, 0, 0), "apart"),
    "boxes overlap, bodies do not": (TORUS, moved(shapes.box(0.1), 1, 1, 0.3), "apart"),
    "face to face": (BOX, moved(BOX, 2, 0, 0), "touching"),
    "part of a face": (BOX, moved(SMALL, 1.5, 0.25, 0.25), "touching"),
    "edge along edge": (BOX, moved(BOX, 2, 2, 0), "touching"),
    "part of an edge": (BOX, moved(SMALL, 1.5, 1.5, 0.25), "touching"),
    "edge across edge": (BOX, tetrahedron((0, 2, 0), (2, 0, 0), (2, 2, 1), (2, 2, -1)), "touching"),
    "corner on corner": (BOX, moved(BOX, 2, 2, 2), "touching"),
    "corner on a face": (BOX, tetrahedron((1, 0, 0), (2, 1, 0), (2, -1, 0), (2, 0, 1)), "touching"),
    "edge on a face": (BOX, tetrahedron((1, -0.5, 0), (1, 0.5, 0), (2, 0, 0), (2, 0, 1)), "touching"),
    "overlap": (BOX, moved(BOX, 1, 0.5, 0.25), "crossing"),
    "overlap, planes shared": (BOX, moved(BOX, 1, 0, 0), "crossing"),
    "a cross of bars": (box((-3, -1, -1), (3, 1, 1)), box((-1, -3, -1), (1, 3, 1)), "crossing"),
    "duplicates": (BOX, Mesh(BOX.vertices.copy(), BOX.faces.copy()), "equal"),
    "one mesh": (BOX, BOX, "equal"),
    "subdivided": (BOX, tumble.subdivide(tumble.subdivide(BOX)), "equal"),
    "turned inside out": (BOX, inverted(BOX), "equal"),
    "in separate triangles": (BOX, soup(BOX), "equal"),
    "two halves": (HALVES, BOX, "equal"),
    "halves that overlap": (OVERLAPPING, BOX, "equal"),
    "flush from within": (box((-1, -0.5, -0.5), (0, 0.5, 0.5)), BOX, "a_inside_b"),
    "in the corner": (box((-1, -1, -1), (0, 0, 0)), BOX, "a_inside_b"),
    "corners on faces from within": (tetrahedron((1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, 0, 1)), BOX, "a_inside_b"),
    "ball in the tube of a torus": (moved(shapes.icosphere(1, 0.1), 1, 0, 0), TORUS, "a_inside_b"),
    "ball in the hole of a torus": (shapes.icosphere(1, 0.1), TORUS, "apart"),
    "interlocked rings": (RING, CROSS_RING, "apart"),
    "in the void": (SMALL, HOLLOW, "apart"),
    "fills the void": (BOX, HOLLOW, "touching"),
    "on the wall of the void": (moved(SMALL, 0.5, 0, 0), HOLLOW, "touching"),
    "across the wall": (box((0, 0, 0), (3, 0.5, 0.5)), HOLLOW, "crossing"),
    "in the wall": (box((1.25, 0, 0), (1.75, 0.5, 0.5)), HOLLOW, "a_inside_b"),
    "as thick as the wall": (box((1, 0, 0), (2, 0.5, 0.5)), HOLLOW, "a_inside_b"),
    "about the void, no surface touched": (shapes.box(3.0), HOLLOW, "crossing"),
    "hollow and solid": (HOLLOW, shapes.box(4.0), "a_inside_b"),
    "hollow in a larger solid": (HOLLOW, shapes.box(5.0), "a_inside_b"),
    "void larger than void": (joined(shapes.box(4.0), inverted(shapes.box(3.0))), HOLLOW, "a_inside_b"),
    "a wall inside is not a boundary": (joined(shapes.box(4.0), BOX), shapes.box(4.0), "equal"),
    "a wall inside, in a larger solid": (joined(shapes.box(4.0), BOX), shapes.box(5.0), "a_inside_b"),
    "walls that cross, in a larger solid": (OVERLAPPING, shapes.box(5.0), "a_inside_b"),
    "walls that cross, about a part": (OVERLAPPING, SMALL, "b_inside_a"),
    "walls that cross, about a part between": (OVERLAPPING, shapes.box((0.8, 1, 1)), "b_inside_a"),
    "a part in the void of its own": (joined(HOLLOW, SMALL), shapes.box(1.5), "crossing"),
    "a void between walls that cross": (CROSSED_VOID, shapes.box(6.0), "crossing"),
    "several components, one inside": (joined(SMALL, moved(SMALL, 9, 0, 0)), BOX, "crossing"),
    "several components, all inside": (TWO_INSIDE, BOX, "a_inside_b"),
    "several components, one touches": (joined(moved(SMALL, 1.5, 0, 0), moved(SMALL, 9, 0, 0)), BOX, "touching"),
    "a sheet in a box": (sheet((0, 0, 0), (0.5, 0, 0), (0, 0.5, 0)), BOX, "a_inside_b"),
    "a sheet through a box": (sheet((0, 0, 0), (5, 0, 0), (0, 5, 0)), BOX, "crossing"),
    "a sheet on a box": (sheet((0, 0, 1), (0.5, 0, 1), (0, 0.5, 1)), BOX, "touching"),
    "one sheet twice": (sheet((0, 0, 1), (1, 0, 1), (0, 1, 1)), sheet((1, 0, 1), (0, 1, 1), (0, 0, 1)), "equal"),
    "no triangles": (Mesh(np.empty((0, 3)), np.empty((0, 3), int)), BOX, "apart"),
}  # fmt: skip
ROBUST = [name for name, (_, _, expected) in FORMS.items() if expected in ("crossing", "apart")]
# those stay as they are when both are turned and every vertex is rounded; in the others surfaces may come to touch
ROBUST += ["concentric boxes", "ball in the tube of a torus", "in the wall", "hollow in a larger solid"]
EXACT_TURN = np.array([[0.0, 0, 1, 3], [1, 0, 0, -2], [0, 1, 0, 0.5], [0, 0, 0, 1]])


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


@pytest.mark.parametrize("name", FORMS)
def test_an_exact_motion_changes_nothing(name):
    a, b, expected = FORMS[name]
    check(a, b, expected, EXACT_TURN, EXACT_TURN)
    far = translation(2.0**20, -(2.0**21), 0)
    check(tumble.transformed(a, far), b, expected, None, far)


@pytest.mark.parametrize("name", ROBUST)
def test_a_motion_that_rounds_changes_nothing_robust(name):
    a, b, expected = FORMS[name]
    for seed in range(3):
        pose = random_pose(seed, 5.0)
        check(a, b, expected, pose, pose)


@pytest.mark.parametrize("name", FORMS)
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


@pytest.mark.parametrize("kind", solid_oracle.KINDS)
@sized(250, 5000)
def test_against_the_judges(kind, count):
    for seed in range(count):
        a, b, expected = solid_oracle.random_case(kind, np.random.default_rng([seed, len(kind)]))
        assert tumble.relation(a, b).relation == expected, seed
        assert tumble.relation(b, a).relation == solid_oracle.mirrored(expected), seed


@pytest.mark.parametrize("kind", solid_oracle.KINDS)
@sized(100, 2000)
def test_without_short_cuts(kind, count, monkeypatch):
    """Fans and components alone: corners of touching triangles decide most cases before those are looked at."""
    monkeypatch.setattr(decide, "_look_at_corners", lambda *arguments: None)
    monkeypatch.setattr(decide, "same_triangles", lambda *arguments: False)
    for seed in range(count):
        a, b, expected = solid_oracle.random_case(kind, np.random.default_rng([seed, len(kind), 1]))
        assert tumble.relation(a, b).relation == expected, seed
        assert tumble.relation(b, a).relation == solid_oracle.mirrored(expected), seed


def test_a_pose_of_one_mesh_alone():
    check(BOX, BOX, "touching", None, translation(2, 0, 0))
    check(BOX, BOX, "touching", tumble.rotation("z", 0.0), translation(-2, 0, 0))
    check(SMALL, BOX, "a_inside_b", translation(0.5, 0, 0), None)


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


def test_open_meshes_are_refused():
    open_box = Mesh(BOX.vertices, BOX.faces[1:])
    with pytest.raises(MeshError, match=r"mesh a has 3 open edges .* between vertex \d at \(.*\) and vertex \d at"):
        tumble.relation(open_box, BOX)
    with pytest.raises(MeshError, match="mesh b has 3 open edges"):
        tumble.relation(BOX, open_box)
    with pytest.raises(MeshError, match="relation needs closed"):
        tumble.relation(shapes.cloth(), shapes.cloth())


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
        "ipc-toolkit-tests-data/bunny.ply",
        "cgal-data/Data/data/meshes/bones.off",
        "cgal-data/Data/data/meshes/turbine.off",
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


def test_a_buried_solid_collides():
    assert not tumble.collides(SMALL, BOX)
    for a, b, expected in ((SMALL, BOX, True), (BOX, SMALL, True), (SMALL, HOLLOW, False), (BOX, HOLLOW, True)):
        assert tumble.collides(a, b, solid=True) is expected
        assert tumble.collides(b, a, None, np.eye(4), solid=True) is expected
        assert tumble.collides(tumble.build(a), (b.vertices, b.faces), solid=True) is expected
    assert not tumble.collides(SMALL, BOX, translation(9, 0, 0), solid=True)
    with pytest.raises(MeshError, match=r"mesh a has 3 open edges .*solid=True needs closed"):
        tumble.collides(Mesh(BOX.vertices, BOX.faces[1:]), BOX, solid=True)


@pytest.mark.parametrize("name", FORMS)
def test_solids_collide_unless_they_are_apart(name):
    a, b, expected = FORMS[name]
    assert tumble.collides(a, b, solid=True) == (expected != "apart")


def test_buried_solids_among_many_poses():
    poses = [translation(x, 0, 0) for x in (0, 0.25, 0.5, 1, 1.5, 2)]
    found = tumble.collide_many(BOX, SMALL, poses, solid=True)
    assert found.buried.tolist() == [True, True, False, False, False, False]
    assert found.hit.tolist() == [True, True, True, True, True, False]
    assert found.counts[:2].tolist() == [0, 0]
    assert tumble.collide_many(BOX, SMALL, poses[:1], solid=True)
    assert tumble.collide_many(BOX, SMALL, poses).buried is None
    assert not tumble.collide_many(BOX, SMALL, poses[:1])


def test_a_scene():
    scene = tumble.Scene()
    scene.add("block", BOX)
    scene.add("pin", SMALL)
    scene.add("beside", BOX, translation(2, 0, 0))
    scene.add("far", BOX, translation(20, 0, 0))
    found = {(each.a, each.b): each for each in scene.relations()}
    assert {names: each.relation for names, each in found.items()} == {
        ("block", "pin"): "b_inside_a",
        ("block", "beside"): "touching",
    }
    assert found["block", "pin"].triangles is None
    assert scene.collides()
    scene.move("beside", translation(3, 0, 0))
    assert not scene.collides()
    assert scene.collides(solid=True)
    scene.move("pin", translation(0, 9, 0))
    assert not scene.collides(solid=True)
    scene.move_many({"pin": None, "beside": translation(2, 0, 0)})
    assert found["block", "beside"].triangles is not None
    scene.allow("block", "pin")
    assert [(each.a, each.b) for each in scene.relations(threads=1)] == [("block", "beside")]
    scene.add("open", Mesh(BOX.vertices, BOX.faces[1:]), translation(40, 0, 0))
    assert len(scene.relations()) == 1  # no question is about it
    scene.move("open", translation(1, 0, 0))
    with pytest.raises(MeshError, match="body 'open' has 3 open edges"):
        scene.relations()
