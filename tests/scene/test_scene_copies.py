"""Scenes that are copied, pickled, sent to other processes and used by many threads."""

import copy
import multiprocessing
import pickle
import sys
import threading

import numpy as np
import pytest

import scene_cases
import tumble
from tumble.scene import Scene


def filtered_scene(broad_phase="tree"):
    scene = scene_cases.random_scene(31, 30, 1.5, broad_phase)
    scene.remove("body 4")
    scene.allow("body 7")
    scene.allow("body 1", "body 2")
    scene.disallow("body 7", "body 0")
    scene.set_filter("body 5", group=2, mask=1)
    return scene


def answers(scene):
    return [(c.a, c.b, c.pairs.tolist()) for c in scene.collisions()]


@pytest.mark.parametrize("twin_of", [copy.copy, copy.deepcopy, Scene.copy, lambda s: pickle.loads(pickle.dumps(s))])
@pytest.mark.parametrize("asked_before", [False, True])
def test_a_twin_answers_alike_and_goes_its_own_way(twin_of, asked_before):
    scene = filtered_scene()
    if asked_before:
        scene.collisions()
    twin = twin_of(scene)
    assert answers(twin) == answers(scene)
    assert twin.names == scene.names
    assert (twin.allowed, twin.disallowed) == (scene.allowed, scene.disallowed)
    assert twin.filter("body 5") == (2, 1)
    assert twin.broad_phase == "tree"
    twin.disallow("body 7")
    twin.move("body 0", tumble.translation(50, 0, 0))
    twin.remove("body 1")
    twin.set_filter("body 5", group=1)
    assert answers(scene) == answers(filtered_scene())
    assert answers(twin) != answers(scene)


def test_copies_share_meshes_and_pickles_hold_each_mesh_once():
    ball = tumble.shapes.icosphere(3)
    scene = Scene()
    for k in range(50):
        scene.add(str(k), ball, tumble.translation(k, 0, 0))
    assert scene.copy().mesh("7") is ball
    data = pickle.dumps(scene)
    assert len(data) < 2 * len(pickle.dumps(ball)) + 50 * 600
    again = pickle.loads(data)
    assert again.mesh("7") is again.mesh("8")
    assert pickle.loads(pickle.dumps(Scene())).names == ()


def test_a_result_pickles():
    found = filtered_scene().collisions()
    again = pickle.loads(pickle.dumps(found))
    scene_cases.assert_same(again, {(c.a, c.b): c.pairs for c in found})
    with pytest.raises(ValueError, match="read-only"):
        again.triangles[0] = 7


@pytest.mark.process
def test_another_process_answers_alike():
    scene = filtered_scene()
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        assert pool.map(answers, [scene, scene.copy()]) == [answers(scene)] * 2


def run_together(*jobs):
    """Run all jobs at once; raise what any of them raised."""
    errors = []

    def guarded(job):
        try:
            job()
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=guarded, args=[job]) for job in jobs]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if errors:
        raise errors[0]


@pytest.mark.parametrize("broad_phase", scene_cases.BROAD_PHASES)
def test_threads_that_ask_at_once(broad_phase):
    scene = scene_cases.random_scene(32, 40, 1.5, broad_phase)
    expected = answers(scene.copy())

    def ask():
        for _ in range(2):
            assert answers(scene) == expected
            assert scene.collides()

    run_together(*[ask] * 4)


def test_a_query_sees_the_scene_at_one_moment():
    """Two bodies that always move together: whoever asks meanwhile sees them together, in one of the two places."""
    box = tumble.shapes.box()
    scene = Scene()
    for name in ("a", "b"):
        scene.add(name, box)
    places = [np.stack([tumble.translation(x, 0, 0), tumble.translation(x + 0.5, 0, 0)]) for x in (0.0, 100.0)]
    scene.move_many(["a", "b"], places[0])
    done = threading.Event()

    def move():
        for turn in range(100):
            scene.move_many(["a", "b"], places[turn % 2])
            scene.add(f"guest {turn}", box, tumble.translation(0, 50, 0))
            if turn % 3:
                scene.remove(f"guest {turn}")
        done.set()

    def ask():
        while not done.is_set():
            assert ("a", "b") in scene.collisions().names
            assert scene.collisions_with("a").names == [("a", "b")]
            assert len(scene) >= 2

    run_together(move, ask, ask)


def test_changes_while_a_query_runs_do_not_reach_it(monkeypatch):
    """The scene changes after the candidate pairs were found and before a triangle is looked at."""
    module = sys.modules["tumble.scene.touching"]
    scene = filtered_scene()
    other = scene_cases.random_scene(36, 9, 1.5)
    queries = (
        lambda: scene.collisions(),
        lambda: scene.collisions_with("body 3"),
        lambda: scene.collisions_with(tumble.shapes.box()),
        lambda: scene.collisions_between(other),
    )
    ask = module.ask
    expected = [query().names for query in queries]

    def disturbed(*arguments, **options):
        poses = [scene.pose(name) for name in scene]
        scene.move_many(scene.names, [tumble.translation(9 * k, 0, 0) for k in range(len(scene))])
        scene.add("guest", tumble.shapes.box())
        scene.allow("body 3")
        answer = ask(*arguments, **options)
        scene.remove("guest")
        scene.disallow("body 3")
        scene.move_many(scene.names, poses)
        return answer

    monkeypatch.setattr(module, "ask", disturbed)
    assert [query().names for query in queries] == expected
    assert all(expected)


def test_scenes_that_ask_each_other_do_not_wait_for_ever():
    one, other = scene_cases.random_scene(33, 20, 1.5), scene_cases.random_scene(34, 20, 1.5)
    expected = {(a, b) for a, b in one.collisions_between(other).names}

    def ask(first, second, flip):
        for _ in range(20):
            assert {(b, a) if flip else (a, b) for a, b in first.collisions_between(second).names} == expected

    run_together(lambda: ask(one, other, False), lambda: ask(other, one, True))


def test_an_interrupted_query_leaves_the_scene_right(monkeypatch):
    from tumble.broad import body_tree

    scene = scene_cases.random_scene(35, 60, 2.0, "tree")
    scene.collisions()
    scene.move("body 3", tumble.translation(0.3, 0.2, 0.1))

    def interrupted(*_):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(body_tree.tree, "meeting_leaves", interrupted)
        with pytest.raises(KeyboardInterrupt):
            scene.collisions()
    assert scene.candidates() == scene_cases.boxes_that_meet(scene)
