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
    best = math.inf
    for a, b in combinations(scene.names, 2):
        if a in motions or b in motions:
            sides = [motions.get(name, scene.pose(name)) for name in (a, b)]
            best = min(best, tumble.time_of_impact(scene.mesh(a), scene.mesh(b), *sides).time)
    assert scene.time_of_impact(motions).time == best


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
