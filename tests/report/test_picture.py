"""Pictures of bodies on a plane: what is where, what lies in the shadow, and in which order."""

import numpy as np
import pytest

from tumble.mesh import shapes, translation
from tumble.report.picture import GROUND, SKY, Camera, camera_for, draw_bodies, rasterise

CAMERA = Camera(np.array([0.0, -12.0, 6.0]), np.array([0.0, 0.0, 0.5]), 0.6)


def drawn(*poses, size=(120, 80)):
    box = shapes.box()
    return draw_bodies(box.vertices, box.faces, np.array([pose[:3] for pose in poses]), CAMERA, size)


def test_a_body_stands_in_the_middle_on_the_ground_below_the_sky():
    image = drawn(translation(0.0, 0.0, 0.5))
    assert image.shape == (80, 120, 3)
    assert image.min() >= 0.0
    assert image.max() <= 1.0
    ground = drawn(translation(0.0, 0.0, 500.0))  # out of sight
    changed = np.abs(image - ground).max(axis=2) > 0.02
    assert changed[40, 60]
    rows, columns = np.nonzero(changed)
    assert 5 < np.ptp(rows) < 50
    assert 5 < np.ptp(columns) < 60
    assert image[0, 0] == pytest.approx(SKY, abs=0.1)
    assert image[-1, 60] == pytest.approx(GROUND, abs=0.15)


def test_a_shadow_lies_away_from_the_sun():
    image, empty = drawn(translation(0.0, 0.0, 2.0)), drawn(translation(0.0, 0.0, 500.0))
    darker = (empty - image).max(axis=2) > 0.1
    body = (image[..., 0] - image[..., 2]) > 0.04  # bodies are warm, the ground is grey
    columns = np.nonzero((darker & ~body).any(axis=0))[0]
    assert len(columns) > 3
    assert columns.mean() > np.nonzero(body.any(axis=0))[0].mean()  # the sun is on the left


def test_the_nearer_of_two_is_seen():
    x = np.array([[0.0, 10.0, 0.0], [0.0, 10.0, 0.0], [0.0, 0.0, 0.0]])
    y = np.array([[0.0, 0.0, 10.0], [0.0, 0.0, 10.0], [0.0, 1.0, 2.0]])
    depth = np.array([[1.0, 1.0, 1.0], [2.0, 2.0, 0.0], [9.0, 9.0, 9.0]])  # the last has no area
    buffer, which = np.zeros((10, 10)), np.full((10, 10), -1, np.int64)
    rasterise(x, y, depth, buffer, which)
    assert which[0, 0] == 1
    assert which[8, 0] == 0
    assert which[9, 9] == -1
    assert set(which.ravel()) == {-1, 0, 1}


def test_a_camera_sees_all_but_the_farthest():
    rng = np.random.default_rng(1)
    poses = np.tile(np.eye(4)[:3], (200, 1, 1))
    poses[:, :, 3] = rng.uniform([-3, -3, 0], [3, 3, 4], (200, 3))
    box = shapes.box(0.2)
    camera = camera_for([poses, poses[:50]], 0.2, (150, 100))
    image = draw_bodies(box.vertices, box.faces, poses, camera, (150, 100))
    warm = (image[..., 0] - image[..., 2]) > 0.04
    assert warm.sum() > 200
    edge = np.concatenate([warm[0], warm[-1], warm[:, 0], warm[:, -1]])
    assert not edge.any()
