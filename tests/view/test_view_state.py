"""What is where, what touches, what can be undone: the state of a view, without a browser."""

import threading

import numpy as np
import pytest

import tumble
from tumble import Part, shapes
from tumble.view.newest import Newest
from tumble.view.state import ViewState

BOX = shapes.box()


def three_boxes():
    """Boxes of side 1 in a row, 3 apart; the last one twisted."""
    turn = tumble.rotation("z", 0.3)
    places = [tumble.translation(0.0, 0.0, 0.0), tumble.translation(3.0, 0.0, 0.0), tumble.translation(6.0, 0.0, 0.0)]
    meshes = [BOX, BOX, tumble.transformed(BOX, turn)]
    return ViewState(
        [
            Part(f"box {k}", tumble.transformed(mesh, at))
            for k, (mesh, at) in enumerate(zip(meshes, places, strict=True))
        ]
    )


def test_touching_triangles_are_those_of_collide():
    far = tumble.transformed(BOX, tumble.translation(9.0, 0.0, 0.0))
    parts = [Part("knot", shapes.knot()), Part("ring", shapes.torus()), Part("far", far)]
    state = ViewState(parts)
    pose = tumble.translation(0.2, 0.1, 0.3) @ tumble.rotation((1.0, 2.0, 3.0), 0.7)
    state.drag(1, pose)
    found = state.touching(1)
    pairs = tumble.collide(parts[1].mesh, parts[0].mesh, pose, None).pairs
    assert len(pairs) > 10
    assert found
    assert found.others.keys() == {0}
    np.testing.assert_array_equal(found.triangles, np.unique(pairs[:, 0]))
    np.testing.assert_array_equal(found.others[0], np.unique(pairs[:, 1]))
    assert (found.pairs, found.distance, found.points) == (len(pairs), 0.0, None)
    own, others = state.lit(found)
    moved = tumble.transformed(parts[1].mesh, pose)
    np.testing.assert_allclose(own, moved.vertices[moved.faces[found.triangles]], atol=1e-12)
    np.testing.assert_array_equal(others, parts[0].mesh.vertices[parts[0].mesh.faces[found.others[0]]])


def test_all_touching_parts_count_and_those_that_were_moved_are_where_they_are():
    state = three_boxes()
    state.drag(0, tumble.translation(2.5, 0.0, 0.0))
    state.drag(2, tumble.translation(-2.5, 0.0, 0.0))
    found = state.touching(1)
    assert found.others.keys() == {0, 2}
    corners = state.corners(0, found.others[0])
    assert corners[..., 0].min() >= 2.0


def test_the_distance_to_the_nearest_part_where_nothing_touches():
    state = three_boxes()
    found = state.touching(0)
    assert not found
    assert found.nearest == 1
    assert found.distance == pytest.approx(2.0)
    np.testing.assert_allclose(found.points[:, 0], [0.5, 2.5])
    state.drag(0, tumble.translation(4.5, 3.0, 0.0))
    found = state.touching(0)
    expected = tumble.distance(state.parts[0].mesh, state.parts[found.nearest].mesh, state.pose(0), None)
    assert found.distance == expected.distance


def test_hidden_parts_neither_touch_nor_are_near():
    state = three_boxes()
    state.show(1, False)
    assert not state.is_shown(1)
    assert state.touching(0).nearest == 2
    state.drag(0, tumble.translation(3.0, 0.0, 0.2))
    assert not state.touching(0)
    state.show(1, True)
    assert state.touching(0).others.keys() == {1}


def test_one_part_alone_is_near_nothing():
    found = ViewState([Part("box", BOX)]).touching(0)
    assert not found
    assert (found.distance, found.nearest, found.points) == (np.inf, None, None)


def test_a_drag_is_one_step_to_undo_and_to_redo():
    state = three_boxes()
    here, there = tumble.translation(1.0, 0.0, 0.0), tumble.translation(0.0, 2.0, 0.0)
    for x in (0.2, 0.6, 1.0):
        state.drag(0, tumble.translation(x, 0.0, 0.0))
    assert state.rest()
    assert not state.rest()  # nothing moved since
    state.drag(1, there)
    assert state.rest()
    assert state.undoable == (2, 0)
    assert state.undo() == [1]
    np.testing.assert_array_equal(state.pose(1), np.eye(4))
    np.testing.assert_array_equal(state.pose(0), here)
    assert state.undo() == [0]
    np.testing.assert_array_equal(state.pose(0), np.eye(4))
    assert state.undo() == []
    assert state.redo() == [0]
    assert state.redo() == [1]
    assert state.redo() == []
    np.testing.assert_array_equal(state.pose(0), here)
    np.testing.assert_array_equal(state.pose(1), there)


def test_a_new_step_forgets_what_was_undone():
    state = three_boxes()
    state.drag(0, tumble.translation(1.0, 0.0, 0.0))
    state.rest()
    state.undo()
    state.drag(2, tumble.translation(1.0, 0.0, 0.0))
    state.rest()
    assert state.undoable == (1, 0)
    assert state.undo() == [2]


def test_several_parts_that_move_together_are_one_step():
    state = three_boxes()
    state.drag_many({0: tumble.translation(0, 0, 1), 2: tumble.translation(0, 0, 2)})
    state.rest()
    assert state.undo() == [0, 2]
    np.testing.assert_array_equal(state.pose(2), np.eye(4))


def test_the_depth_is_that_of_penetration():
    state = three_boxes()
    state.drag(0, tumble.translation(2.25, 0.1, 0.1))
    found = state.depth(state.touching(0))
    assert (found.other, found.is_exact, found.inside) == (1, True, None)
    assert found.depth == pytest.approx(0.25)
    state.drag(0, tumble.translation(2.0, 0.0, 0.0))  # face on face
    found = state.depth(state.touching(0))
    assert found.other is None
    assert np.isnan(found.depth)


def test_a_part_inside_another_is_known_though_nothing_touches():
    small = tumble.transformed(BOX, np.diag([0.1, 0.1, 0.1, 1.0]))
    state = ViewState([Part("large", BOX), Part("small", small)])
    touching = state.touching(1)
    assert not touching
    assert state.depth(touching).inside == 0
    state.drag(1, tumble.translation(2.0, 0.0, 0.0))
    assert state.depth(state.touching(1)).inside is None


def test_triangles_between_two_parts_hidden_or_not():
    state = three_boxes()
    state.drag(0, tumble.translation(2.5, 0.0, 0.0))
    state.show(1, False)
    pairs = tumble.collide(state.parts[0].mesh, state.parts[1].mesh, state.pose(0), None).pairs
    own, others = state.between(0, 1)
    np.testing.assert_array_equal(own, np.unique(pairs[:, 0]))
    np.testing.assert_array_equal(others, np.unique(pairs[:, 1]))
    assert [len(each) for each in state.between(0, 2)] == [0, 0]


def test_lists_are_filtered_by_name_and_cut_short():
    state = ViewState([Part(f"{name} {k}", BOX) for k in range(3) for name in ("Bolt", "nut")])
    assert state.listed("bolt", 2) == ([0, 2], 3)
    assert state.listed(" ", 10) == ([0, 1, 2, 3, 4, 5], 6)


def test_the_newest_request_wins_and_none_queues_up():
    started, go_on, answered = threading.Event(), threading.Event(), []

    def work(request):
        started.set()
        assert go_on.wait(60)
        answered.append(request)

    newest = Newest(work)
    newest.put(0)
    assert started.wait(60)
    for request in range(1, 100):
        newest.put(request)
    assert newest.is_stale()
    go_on.set()
    assert newest.wait(60)
    assert answered == [0, 99]
    assert not newest.is_stale()
    newest.stop()


def test_a_request_that_is_forgotten_is_not_answered():
    answered = []
    newest = Newest(answered.append, rest=3600.0)
    newest.put(1)
    newest.forget()
    assert newest.wait(60)
    assert answered == []
    newest.stop()


def test_an_error_does_not_end_the_answers():
    errors, answered = [], []

    def work(request):
        answered.append(1 / request)

    newest = Newest(work, failed=errors.append)
    for request in (0, 1):
        newest.put(request)
        assert newest.wait(60)
    assert answered == [1.0]
    assert [type(error) for error in errors] == [ZeroDivisionError]
    newest.stop()
