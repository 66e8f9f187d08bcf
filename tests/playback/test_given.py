"""Recordings of poses that are known beforehand."""

import numpy as np
import pytest

import tumble
from tumble.errors import InputError
from tumble.playback import recording_of_poses, save


def moving(frames=12):
    turning = [tumble.rotation("z", 0.6 * k) @ tumble.translation(1, 0, 0.1 * k) for k in range(frames)]
    return np.stack([np.array(turning), np.broadcast_to(tumble.translation(0, 0, 5), (frames, 4, 4))], axis=1)


def test_poses_are_kept(tmp_path):
    box, poses = tumble.shapes.box(1.0), moving()
    found = recording_of_poses("turn", ["arm", "wall"], [box, box], poses, 2.0 + np.arange(12) / 4)
    assert found.movable.tolist() == [True, False]
    assert len(found.meshes) == 1
    assert found.duration == 2.75
    assert np.allclose(found.positions, poses[:, :, :3, 3])
    assert (np.abs((found.turns[1:] * found.turns[:-1]).sum(axis=2)) > 0.9).all()
    assert ((found.turns[1:] * found.turns[:-1]).sum(axis=2) > 0.0).all()
    w, x, y, z = found.turns[7, 0]
    assert np.allclose([w * w - z * z, 2 * w * z], poses[7, 0, :2, 0], atol=1e-6)
    assert (x, y) == (0.0, 0.0)
    assert save(found, tmp_path / "turn.glb") > 1000


def test_shapes_that_do_not_fit_are_refused():
    box = tumble.shapes.box(1.0)
    for names, meshes, poses, times in (
        (["a"], [box], moving(), np.arange(12)),
        (["a"], [box, box], moving(), np.arange(12)),
        (["a", "b"], [box, box], moving(), np.arange(11)),
        ([], [], np.empty((0, 0, 4, 4)), []),
    ):
        with pytest.raises(InputError, match="poses of shape"):
            recording_of_poses("wrong", names, meshes, poses, times)
