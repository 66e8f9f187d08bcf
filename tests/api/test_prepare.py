"""`prepare`, and hulls that are made when enough distances were asked for: the answers are the same."""

from threading import Thread

import numpy as np
import pytest

import tumble
from tumble import shapes
from tumble.hierarchy.packed import header, packed
from tumble.mesh import random_pose

POSES = np.stack([tumble.translation(3.0, 0.0, 0.0) @ random_pose(seed, 0.3) for seed in range(40)])


def has_hulls(*meshes):
    found = [packed(mesh).header.view(np.int64)[header.HULLS] != 0 for mesh in meshes]
    assert all(found) or not any(found)
    return all(found)


def pair():
    return shapes.icosphere(2), shapes.torus(segments=16, sides=10)


def answers(a, b):
    many = tumble.distance_many(a, b, POSES)
    return [*many.distances.tolist(), *many.points.ravel().tolist(), *many.pairs.ravel().tolist()]


def test_answers_are_the_same_with_hulls():
    plain, ready = pair(), [tumble.prepare(mesh, "distance") for mesh in pair()]
    assert has_hulls(*ready)
    assert answers(*plain) == answers(*ready)
    assert not has_hulls(*plain)
    for pose in POSES:
        one, other = (tumble.distance(*meshes, pose_b=pose) for meshes in (plain, ready))
        assert (one.distance, one.pair, one.points.tolist()) == (other.distance, other.pair, other.points.tolist())


@pytest.mark.parametrize("signed", [False, True])
def test_single_questions_are_counted(signed):
    """As many as there are triangles, one by one: each goes straight into the kernel."""
    a, b = tumble.shapes.box(), tumble.shapes.box()
    for _ in range(len(a)):
        tumble.distance(a, b, pose_b=POSES[0], signed=signed)
        assert not has_hulls(a, b)
    for _ in range(4):
        found = tumble.distance(a, b, pose_b=POSES[0], signed=signed)
    assert has_hulls(a, b)
    assert found.distance == tumble.distance(tumble.shapes.box(), b, pose_b=POSES[0], method="brute").distance


@pytest.mark.parametrize("count", range(1, 9))
def test_a_mesh_with_itself_counts_twice(count):
    mesh = tumble.Mesh(shapes.box().vertices, shapes.box().faces[:count])
    for _ in range(count + 2):
        assert tumble.distance(mesh, mesh, pose_b=tumble.translation(0.0, 0.0, 4.0)).distance > 2.0
    assert has_hulls(mesh)


def test_questions_of_many_threads():
    """None of them is refused while the others use up what is left."""
    a, b = shapes.icosphere(1), shapes.torus(segments=8, sides=6)
    due = tumble.distance(a, b, pose_b=POSES[0], method="brute").distance
    found: list[float] = []

    def ask():
        found.extend(tumble.distance(a, b, pose_b=POSES[0]).distance for _ in range(100))

    threads = [Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [due] * 400
    assert has_hulls(a, b)


def test_questions_of_one_call_are_counted():
    a, b = tumble.shapes.box(), tumble.shapes.box()
    tumble.distance_many(a, b, POSES[: len(a)])
    assert not has_hulls(a, b)
    tumble.distance_many(a, b, POSES[:1])
    assert has_hulls(a, b)


def test_clearances_are_not_counted():
    a, b = tumble.shapes.box(), tumble.shapes.box()
    for _ in range(2 * len(a)):
        tumble.clearance(a, b, 0.1, pose_b=POSES[0])
    assert not has_hulls(a, b)


def test_what_is_prepared():
    mesh = shapes.box()
    assert tumble.prepare(mesh) is mesh
    assert has_hulls(mesh)
    other = tumble.prepare((mesh.vertices, mesh.faces), "collide")
    assert isinstance(other, tumble.Mesh)
    assert other._packed is not None
    assert not has_hulls(other)
    tumble.prepare(tumble.Mesh(np.empty((0, 3)), np.empty((0, 3), int)))


@pytest.mark.parametrize("question", ["distances", "", 3, np.array(["distance"])])
def test_unknown_questions_are_refused(question):
    with pytest.raises(tumble.OptionError, match="choose one of: collide, distance"):
        tumble.prepare(shapes.box(), question)
