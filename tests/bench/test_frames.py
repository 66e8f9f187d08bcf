"""Figure 1's frames: what the table keeps of them is what is drawn."""

import numpy as np
import pytest

from tumble.bench.framework.table import Table
from tumble.bench.papers.binary_stack.fall import Moment, Recording
from tumble.bench.papers.binary_stack.frames import FRAMES, add_frames, body_of, merged, poses_of
from tumble.mesh import Mesh, random_pose, shapes


def recording(steps):
    rng = np.random.default_rng(3)
    poses = {step: np.array([random_pose(rng, 5.0) for _ in range(3)]) for step in steps}
    nobody = np.empty((0, 2), np.int64)
    return Recording(shapes.icosphere(2), {step: Moment(step, each, nobody) for step, each in poses.items()})


def test_frames_are_read_back_as_they_were_recorded(tmp_path):
    recorded, table = recording(range(0, 401, 25)), Table()
    add_frames(recorded, table.study(FRAMES))
    table.write(tmp_path / "results.csv")
    study = Table.read(tmp_path / "results.csv").study(FRAMES)
    frames = poses_of(study)
    assert list(frames) == ["step 100", "step 200", "step 300", "step 400"]
    for step in (100, 400):
        assert frames[f"step {step}"] == pytest.approx(recorded.moments[step].poses[:, :3], abs=5.1e-4)
    vertices, faces = body_of(study)
    coarse = merged(recorded.body)
    assert vertices == pytest.approx(coarse.vertices, abs=5.1e-4)
    np.testing.assert_array_equal(faces, coarse.faces)


def test_few_moments_give_few_frames():
    table = Table()
    add_frames(recording((0, 1, 2)), table.study(FRAMES))
    assert list(poses_of(table.study(FRAMES))) == ["step 0", "step 1", "step 2"]


def test_a_coarse_body_keeps_its_shape():
    fine = shapes.icosphere(5)
    coarse = merged(fine)
    assert isinstance(coarse, Mesh)
    assert 200 < len(coarse) < len(fine) / 4
    assert np.abs(coarse.bounds - fine.bounds).max() < 0.05
    assert (np.linalg.norm(coarse.vertices, axis=1) > 0.95).all()
