"""What a scene answers is what asking about every two bodies answers, in the order of the bodies."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import scene_cases
import tumble
from covering import crossed, sized
from tumble.mesh import random_pose
from tumble.scene import Scene


@crossed(1, broad_phase=scene_cases.BROAD_PHASES, spread=[1.0, 4.0])
def test_collisions_are_those_of_all_pairs(broad_phase, spread):
    scene = scene_cases.random_scene(21, 30, spread, broad_phase)
    expected = scene_cases.touching_bodies(scene)
    assert len(expected) > 10
    assert scene.candidates() == scene_cases.boxes_that_meet(scene)
    assert scene.count_candidates() == len(scene.candidates())
    assert set(expected) <= set(scene.candidates())
    scene_cases.assert_same(scene.collisions(), expected)
    first = scene.collisions(first=True)
    assert first.names == list(expected)
    for collision in first:
        assert len(collision.pairs) == 1
        assert collision.pairs.tolist()[0] in expected[collision.a, collision.b].tolist()
    assert scene.collides()


@pytest.mark.parametrize("threads", [1, 2, 5, None])
def test_any_number_of_threads(threads):
    scene = scene_cases.random_scene(22, 40, 1.5)
    one = scene.collisions(threads=1)
    scene_cases.assert_same(scene.collisions(threads=threads), {(c.a, c.b): c.pairs for c in one})
    np.testing.assert_array_equal(
        scene.collisions(first=True, threads=threads).triangles, scene.collisions(first=True, threads=1).triangles
    )


def test_nothing_touches():
    scene = Scene()
    assert not scene.collides()
    assert len(scene.collisions()) == 0
    assert scene.candidates() == []
    for k in range(3):
        scene.add(str(k), tumble.shapes.box(), tumble.translation(5 * k, 0, 0))
    assert not scene.collides()
    assert not scene.collisions()
    assert scene.collisions().triangles.shape == (0, 2)


def test_collides_looks_at_all_candidates():
    """Rings around one another: all boxes meet, and only the last two bodies touch."""
    scene = Scene()
    ring = tumble.shapes.torus(1.0, 0.01, 12, 4)
    for k in range(25):
        scene.add(str(k), tumble.transformed(ring, np.diag([1 + k / 10] * 3 + [1])))
    assert len(scene.candidates()) == 300
    assert not scene.collides()
    scene.add("last", tumble.transformed(ring, np.diag([3.401] * 3 + [1])))
    assert scene.collisions().names == [("24", "last")]
    assert scene.collides()


OPERATIONS = st.lists(
    st.tuples(st.sampled_from(["add", "move", "remove", "ask"]), st.integers(0, 11), st.integers(0, 50)),
    min_size=1,
    max_size=40,
)


@pytest.mark.parametrize("broad_phase", scene_cases.BROAD_PHASES)
@given(operations=OPERATIONS)
def test_any_history_gives_the_answer_of_a_fresh_scene(broad_phase, operations):
    scene, bodies = Scene(broad_phase=broad_phase), {}
    for what, number, seed in operations:
        name, mesh, pose = f"n{number}", scene_cases.MESHES[number % 5], random_pose(seed, 2.0)
        if what == "add" and name not in bodies:
            scene.add(name, mesh, pose)
            bodies[name] = mesh, pose
        elif what == "move" and name in bodies:
            scene.move(name, pose)
            bodies[name] = mesh, pose
        elif what == "remove" and name in bodies:
            scene.remove(name)
            del bodies[name]
        elif what == "ask":
            scene.collides()
    fresh = Scene()
    for name, (mesh, pose) in bodies.items():
        fresh.add(name, mesh, pose)
    assert scene.names == fresh.names
    assert scene.candidates() == scene_cases.boxes_that_meet(fresh)
    scene_cases.assert_same(scene.collisions(), scene_cases.touching_bodies(fresh))


@sized(200, 400)
@pytest.mark.parametrize("broad_phase", scene_cases.BROAD_PHASES)
def test_slots_that_are_freed_and_filled_again(broad_phase, count):
    """Far more comings and goings than there are slots: names, order, poses and filters stay with their bodies."""
    rng = np.random.default_rng(23)
    scene, bodies = Scene(broad_phase=broad_phase), {}
    for turn in range(count):
        name = f"t{turn}"
        bodies[name] = random_pose(rng, 2.0), turn % 3 + 1
        scene.add(name, scene_cases.MESHES[turn % 4], bodies[name][0], group=bodies[name][1])
        if turn % 50 == 9:
            scene.allow(name)
        while len(bodies) > 12:
            gone = list(bodies)[rng.integers(len(bodies))]
            scene.remove(gone)
            del bodies[gone]
        if turn % 3 == 0:
            free = {name for name, _ in scene.allowed}
            meeting = [pair for pair in scene_cases.boxes_that_meet(scene) if not free & set(pair)]
            assert scene.candidates() == meeting
    assert scene.names == tuple(bodies)
    assert len(scene._table.names) < 64
    for name, (pose, group) in bodies.items():
        np.testing.assert_array_equal(scene.pose(name), pose)
        assert scene.filter(name)[0] == group


def test_order_is_that_of_adding_whatever_happened_since():
    box = tumble.shapes.box()
    scene = Scene()
    for name in ("c", "a", "b"):
        scene.add(name, box, tumble.translation(0, 0, 9))
    scene.move_many(["b", "a", "c"], [None, tumble.translation(0.5, 0, 0), tumble.translation(0.25, 0, 0)])
    assert scene.collisions().names == [("c", "a"), ("c", "b"), ("a", "b")]
    scene.remove("c")
    scene.add("c", box, None)
    assert scene.names == ("a", "b", "c")
    assert scene.collisions().names == [("a", "b"), ("a", "c"), ("b", "c")]


def test_one_mesh_against_all():
    scene = scene_cases.random_scene(24, 30, 2.0)
    probe, pose = tumble.shapes.torus(2.0, 0.5, 8, 6), random_pose(5, 1.0)
    expected = {}
    for name in scene:
        collision = tumble.collide(probe, scene.mesh(name), pose, scene.pose(name), method="stack")
        if collision:
            expected[None, name] = collision.pairs
    assert len(expected) > 3
    scene_cases.assert_same(scene.collisions_with(probe, pose), expected)
    assert scene.collisions_with(probe, pose, first=True).names == list(expected)
    vertices_and_faces = (probe.vertices, probe.faces)
    scene_cases.assert_same(scene.collisions_with(vertices_and_faces, pose), expected)


def test_one_body_against_the_others_here_or_elsewhere():
    scene = scene_cases.random_scene(25, 30, 2.0)
    every = scene_cases.touching_bodies(scene)
    for name in scene:
        expected = {}
        for other in scene:
            if (name, other) in every:
                expected[name, other] = every[name, other]
            elif (other, name) in every:
                pairs = every[other, name][:, ::-1]
                expected[name, other] = pairs[np.lexsort((pairs[:, 1], pairs[:, 0]))]
        scene_cases.assert_same(scene.collisions_with(name), expected)
    before = scene.pose("body 1")
    elsewhere = scene.collisions_with("body 1", tumble.translation(0.1, 0.2, 0.3))
    np.testing.assert_array_equal(scene.pose("body 1"), before)
    scene.move("body 1", tumble.translation(0.1, 0.2, 0.3))
    scene_cases.assert_same(scene.collisions_with("body 1"), {(c.a, c.b): c.pairs for c in elsewhere})


def test_one_scene_against_another():
    one, other = scene_cases.random_scene(26, 20, 2.0), scene_cases.random_scene(27, 25, 2.0)
    one.remove("body 3")
    other.remove("body 0")
    expected = {}
    for a in one:
        for b in other:
            collision = tumble.collide(one.mesh(a), other.mesh(b), one.pose(a), other.pose(b), method="stack")
            if collision:
                expected[a, b] = collision.pairs
    assert len(expected) > 10
    scene_cases.assert_same(one.collisions_between(other), expected)
    assert one.collisions_between(other, first=True).names == list(expected)
    assert not one.collisions_between(Scene())
    assert not Scene().collisions_between(one)
    lonely = Scene()
    lonely.add("only", other.mesh("body 1"), other.pose("body 1"))
    names = [(a, "only") for a, b in expected if b == "body 1"]
    assert one.collisions_between(lonely).names == names
    assert lonely.collisions_between(one).names == [(b, a) for a, b in names]


def test_results_do_not_change():
    scene = scene_cases.random_scene(28, 20, 1.0)
    found = scene.collisions()
    before = [(c.a, c.b, c.pairs.tolist()) for c in found]
    with pytest.raises(ValueError, match="read-only"):
        found.triangles[0] = 7
    with pytest.raises(ValueError, match="read-only"):
        found[0].pairs[0] = 7
    with pytest.raises(AttributeError):
        found[0].a = "other"
    scene.move_many({name: random_pose(1, 50.0) for name in scene})
    scene.remove("body 0")
    assert [(c.a, c.b, c.pairs.tolist()) for c in found] == before
    assert found[-1].b == before[-1][1]
    assert [c.a for c in found[1:3]] == [a for a, _, _ in before[1:3]]
    assert found.counts.tolist() == [len(pairs) for _, _, pairs in before]
    with pytest.raises(IndexError):
        found[len(found)]


def test_poses_are_copies():
    scene = Scene()
    pose = tumble.translation(1, 2, 3)
    scene.add("it", tumble.shapes.box(), pose)
    pose[0, 3] = scene.pose("it")[1, 3] = 9
    np.testing.assert_array_equal(scene.pose("it"), tumble.translation(1, 2, 3))


def test_only_bodies_with_near_neighbours_get_a_tree_and_share_it():
    far, near = tumble.shapes.icosphere(1), tumble.shapes.icosphere(1)
    scene = Scene()
    scene.add("far", far, tumble.translation(50, 0, 0))
    for k in range(4):
        scene.add(f"near {k}", near, tumble.translation(k, 0, 0))
    scene.collisions()
    assert far._packed is None
    assert near._packed is not None
    assert set(scene._table.moment().bodies.addresses["packed"].tolist()) == {0, near._packed.address}


@pytest.mark.slow
@pytest.mark.parametrize("broad_phase", scene_cases.BROAD_PHASES)
def test_ten_thousand_bodies(broad_phase):
    """Rows of boxes, each sharing a face with the next: 100 rows of 100, moved together twice."""
    box = tumble.shapes.box()
    scene = Scene(broad_phase=broad_phase)
    places = np.stack(np.meshgrid(np.arange(100.0), 2 * np.arange(100.0), indexing="ij"), axis=-1).reshape(-1, 2)
    poses = np.tile(np.eye(4), (10_000, 1, 1))
    poses[:, :2, 3] = places
    for k in range(10_000):
        scene.add(str(k), box, poses[k])
    for shift in (0.0, 1024.0, 1024.03125):
        poses[:, 2, 3] = shift
        scene.move_many(scene.names, poses)
        assert scene.collisions(first=True).names == [(str(k), str(k + 100)) for k in range(9_900)]
