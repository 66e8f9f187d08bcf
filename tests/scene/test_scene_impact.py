"""`Scene.time_of_impact`: the first contact by the names of bodies, as every two bodies alone give it."""

import math
from itertools import combinations

import numpy as np
import pytest

import tumble
from tumble import Motion, shapes
from tumble.errors import InputError, PoseError
from tumble.mesh import apply_pose, random_pose
from tumble.scene.impacts import swept_box

BOX, RING = shapes.box(), shapes.torus(segments=12, sides=8)


def row_of_boxes(count=5):
    scene = tumble.Scene()
    for k in range(count):
        scene.add(f"box {k}", BOX, tumble.translation(3 * k, 0, 0))
    return scene


def test_the_first_of_several_contacts():
    scene = row_of_boxes()
    fast = Motion.screw(tumble.translation(12, 0, 0), (-8, 0, 0))
    found = scene.time_of_impact({"box 0": Motion.screw(translation=(4, 0, 0)), "box 4": fast}, tolerance=1e-9)
    assert (found.a, found.b) == ("box 3", "box 4")
    assert found.time == pytest.approx(0.25, abs=1e-9)
    assert found.normal[0] == pytest.approx(1.0)
    scene.allow("box 3", "box 4")
    found = scene.time_of_impact({"box 0": Motion.screw(translation=(4, 0, 0)), "box 4": fast}, tolerance=1e-9)
    assert (found.a, found.b) == ("box 0", "box 1")
    np.testing.assert_array_equal(scene.pose("box 0"), np.eye(4))


def test_bodies_at_rest_do_not_count():
    scene = row_of_boxes(2)
    scene.add("inside", BOX, tumble.translation(3.2, 0, 0))
    assert not scene.time_of_impact({"box 0": Motion.screw(translation=(0, 4, 0))})
    nothing = scene.time_of_impact({})
    assert (nothing.time, nothing.a, nothing.b) == (math.inf, None, None)


@pytest.mark.parametrize("seed", range(3))
def test_as_every_two_bodies_alone(seed):
    rng = np.random.default_rng(seed)
    scene, motions = tumble.Scene(), {}
    for k in range(8):
        pose = random_pose(rng, 6.0)
        scene.add(str(k), RING if k % 2 else BOX, pose)
        if k % 3:
            motions[str(k)] = Motion.screw(pose, 6.0 * rng.normal(size=3), rng.normal(size=3), rng.uniform(0, 7))
    for threads in (1, 2):
        found = scene.time_of_impact(motions, threads=threads)
        assert (found.time, found.a, found.b) == first_of_all(scene, motions)


def first_of_all(scene, motions):
    """The first contact by asking about every two bodies alone: of equal times, that of the bodies added first."""
    best = math.inf, None, None
    for a, b in combinations(scene.names, 2):
        if a in motions or b in motions:
            sides = [motions.get(name, scene.pose(name)) for name in (a, b)]
            time = tumble.time_of_impact(scene.mesh(a), scene.mesh(b), *sides).time
            best = (time, a, b) if time < best[0] else best
    return best


def test_of_equal_times_the_bodies_added_first_count():
    scene = tumble.Scene()
    for k, y in enumerate((0.75, -0.75, 8.0, 0.75, -0.75)):
        scene.add(f"target {k}", BOX, tumble.translation(3.0 if k < 3 else -3.0, y, 0))
    scene.add("mover", BOX)
    for way in (4.0, -4.0):
        found = scene.time_of_impact({"mover": Motion.screw(translation=(way, 0, 0))})
        assert (found.time, found.a, found.b) == first_of_all(scene, {"mover": Motion.screw(translation=(way, 0, 0))})
        assert found.a == ("target 0" if way > 0.0 else "target 3")
    # those that touch at the start are found whatever the order in which pairs are looked at
    scene.add("late", BOX, tumble.translation(0.5, 0.0, 0.0))
    scene.add("later", BOX, tumble.translation(0.25, 0.0, 0.0))
    found = scene.time_of_impact({"mover": Motion.screw(translation=(4, 0, 0))}, stats=True)
    assert (found.time, found.a, found.b) == (0.0, "mover", "late")
    assert found.stats.iterations > 0


def test_later_contacts_are_not_searched_for():
    """What a scene looks at is not the sum of what every two bodies need."""
    scene, motion = tumble.Scene(), Motion.screw(translation=(60, 0, 0), axis="x", angle=3.0)
    scene.add("mover", RING)
    for k in range(20):
        scene.add(str(k), RING, tumble.translation(3.0 + 2.5 * k, 0.3, 0.2))
    found = scene.time_of_impact({"mover": motion}, stats=True)
    assert (found.a, found.b) == ("mover", "0")
    alone = [tumble.time_of_impact(RING, RING, motion, scene.pose(str(k)), stats=True) for k in range(20)]
    assert found.time == min(each.time for each in alone)
    assert found.stats.iterations < sum(each.stats.iterations for each in alone) / 4


def test_swept_boxes_contain_the_motion():
    rng = np.random.default_rng(1)
    for _ in range(40):
        turn, centre = rng.uniform(-7, 7), rng.normal(size=3) * rng.integers(0, 4)
        motion = Motion.screw(random_pose(rng, 3.0), rng.normal(size=3), rng.normal(size=3), turn, centre)
        box = swept_box(RING, motion)
        places = np.concatenate([apply_pose(motion.at(t)[:3], RING.vertices) for t in np.linspace(0, 1, 40)])
        assert (places >= box[:3]).all()
        assert (places <= box[3:]).all()


def test_refusals():
    scene = row_of_boxes(2)
    with pytest.raises(InputError, match="no body 'bax'"):
        scene.time_of_impact({"bax": None})
    with pytest.raises(InputError, match="mapping"):
        scene.time_of_impact([Motion.screw()])
    with pytest.raises(PoseError, match="motion of 'box 0'"):
        scene.time_of_impact({"box 0": np.zeros((4, 4))})
