"""Pairs of solids whose relation is plain to see."""

import numpy as np

import tumble
from tumble import Mesh, shapes, translation

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
    "every face twice": (joined(BOX, BOX), BOX, "equal"),
    "every face twice, about a part": (joined(BOX, BOX), SMALL, "b_inside_a"),
    "walls twice": (joined(shapes.box(4.0), BOX, BOX), shapes.box(3.0), "b_inside_a"),
    "a void wound twice": (joined(shapes.box(4.0), BOX, inverted(BOX), inverted(BOX)), shapes.box(3.0), "crossing"),
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
