"""A recording has each mesh once, the poses of every n-th step, and colours that differ."""

import numpy as np
import pytest
from recordings import recorded, small_world

import tumble
from tumble import shapes
from tumble.dynamics import World
from tumble.errors import InputError, OptionError
from tumble.playback import Recorder
from tumble.playback.creases import split_creases
from tumble.playback.recording import as_rgb, body_colours, without_jumps
from tumble.playback.view import ASPECT, FIELD_OF_VIEW, matrices_of, view_of


def test_frames_are_the_poses_of_the_world():
    recording, poses = recorded(steps=12, every=2)
    np.testing.assert_allclose(recording.times, 0.02 * np.arange(7), atol=1e-12)
    np.testing.assert_allclose(recording.positions, poses[:, :, :3, 3], atol=1e-6)
    turns = recording.turns.astype(float)
    for frame in range(7):
        np.testing.assert_allclose(matrices_of(turns[frame]), poses[frame, :, :3, :3], atol=1e-6)
    assert recording.duration == pytest.approx(0.12)


def test_the_last_step_is_there_even_between_two_frames():
    recording, poses = recorded(steps=7, every=5)
    np.testing.assert_allclose(recording.times, [0.0, 0.05, 0.07], atol=1e-12)
    np.testing.assert_allclose(recording.positions[-1], poses[-1, :, :3, 3], atol=1e-6)


def test_a_mesh_is_kept_once():
    recording, _ = recorded()
    assert len(recording.meshes) == 3
    assert recording.mesh_of.tolist() == [0, 0, 0, 1, 2]
    assert recording.movable.tolist() == [True] * 4 + [False]
    np.testing.assert_array_equal(recording.planes, [[0.0, 0.0, 1.0, 0.0]])


def test_turns_never_jump_to_the_opposite_sign():
    world = World(gravity=(0, 0, 0))
    world.add_body(shapes.box(), spin=(0.0, 0.0, 20.0))
    recorder = Recorder(world, 2)
    for _ in range(100):  # three turns: the quaternion changes its sign on the way
        world.step()
        recorder.note()
    turns = recorder.recording("top").turns
    assert ((turns[1:] * turns[:-1]).sum(axis=2) > 0.9).all()
    assert turns[:, 0, 0].min() < -0.9


def test_opposite_signs_are_put_right():
    angles = np.linspace(0.0, 3.0, 8)
    smooth = np.stack([np.cos(angles), np.sin(angles), 0 * angles, 0 * angles], axis=1).astype(np.float32)[:, None, :]
    flipped = smooth * np.float32([1, -1, -1, 1, -1, 1, 1, -1])[:, None, None]
    np.testing.assert_array_equal(without_jumps(flipped), smooth)


def test_bodies_that_come_late_are_refused_as_is_an_empty_world():
    world = small_world()
    recorder = Recorder(world)
    world.add_body(shapes.box(), tumble.translation(0, 0, 20), name="late")
    world.step(2)
    with pytest.raises(InputError, match="'late' was added during the recording"):
        recorder.note()
    with pytest.raises(InputError, match="no bodies"):
        Recorder(World())
    with pytest.raises(OptionError, match="every must be a whole number of steps from 1, not 0"):
        Recorder(world, 0)


def test_colours_tell_bodies_apart_and_static_ones_are_grey():
    colours = body_colours(np.array([True] * 40 + [False])).astype(int)
    assert len(np.unique(colours, axis=0)) == 41
    assert np.abs(np.diff(colours[:40], axis=0)).sum(axis=1).min() > 15
    assert np.ptp(colours[40]) < 30
    assert body_colours(np.array([True])).shape == (1, 3)


def test_known_colours():
    white_black_red = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, 0.0], [0.62796, 0.25768, 29.234]])
    np.testing.assert_allclose(as_rgb(white_black_red), [[255] * 3, [0] * 3, [255, 0, 0]], atol=1)


def test_creases_split_boxes_and_not_balls():
    vertices, faces = split_creases(shapes.box())
    assert (len(vertices), len(faces)) == (24, 12)
    np.testing.assert_allclose(vertices[faces], shapes.box().vertices[shapes.box().faces])
    assert len(split_creases(shapes.icosphere(3))[0]) == len(shapes.icosphere(3).vertices)


def test_the_camera_sees_all_from_above_the_ground():
    recording, poses = recorded()
    view = view_of(recording)
    assert view.ground == 0.0
    assert view.eye[2] > view.target[2]
    ahead = (view.target - view.eye) / np.linalg.norm(view.target - view.eye)
    right = np.cross(ahead, (0.0, 0.0, 1.0))
    right /= np.linalg.norm(right)
    heights, widths = [], []
    for pose, which in zip(poses[-1], recording.mesh_of, strict=True):
        seen = recording.meshes[which].vertices @ pose[:3, :3].T + pose[:3, 3] - view.eye
        depth = seen @ ahead
        assert (depth > 0).all()
        assert depth.max() <= view.depth * 1.001
        widths.append(np.abs(seen @ right / depth).max())
        heights.append(np.abs(seen @ np.cross(right, ahead) / depth).max())
    fills = max(max(widths) / ASPECT, max(heights)) / np.tan(FIELD_OF_VIEW / 2)
    assert 0.5 < fills < 1.0
