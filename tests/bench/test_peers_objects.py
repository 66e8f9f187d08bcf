"""What tumbles and how: shapes, real meshes, poses."""

import numpy as np
import pytest

from tumble.bench.peers.measure import FULL, QUERIES, QUICK, chosen_queries
from tumble.errors import FileError, OptionError
from tumble.mesh import as_pose, shapes, transformed
from tumble.scenario.objects import (
    REAL_PAIRS,
    SHAPES,
    RealPair,
    arrays,
    chosen_data_folder,
    in_unit_cube,
    real_duo,
    shape_duo,
)
from tumble.scenario.tumbling import aligned_poses, crowd_poses, motion_poses, scattered_poses, tumbling_poses


@pytest.mark.parametrize("kind", SHAPES)
@pytest.mark.parametrize("faces", [1_000, 10_000, 100_000])
def test_shapes_come_in_about_the_size_asked_for(kind, faces):
    duo = shape_duo(kind, faces)
    assert duo.a is duo.b
    assert 0.75 < duo.faces / faces < 1.35
    assert duo.name == f"{kind} {faces // 1000}k"


def test_objects_fill_the_unit_cube():
    stretched = np.diag([2.0, 4.0, 1.0, 1.0])
    stretched[:3, 3] = (100, -7, 3)
    mesh = in_unit_cube(transformed(shapes.box(), stretched))
    low, high = mesh.bounds
    assert low + high == pytest.approx(np.zeros(3), abs=1e-12)
    assert (high - low) == pytest.approx([0.5, 1.0, 0.25])


def test_arrays_are_what_libraries_take():
    vertices, faces = arrays(shapes.box())
    assert (vertices.dtype, faces.dtype) == (np.float64, np.int64)


def test_a_turn_is_full_and_keeps_its_distance():
    poses = tumbling_poses(0.8, 8)
    assert poses.shape == (8, 4, 4)
    assert np.array_equal(poses[:, :3, 3], np.tile([0.8, 0.0, 0.0], (8, 1)))
    assert all(as_pose(pose) is not None for pose in poses)
    # Half a turn apart both rotations are turned by 180°, and no two poses are alike.
    step = np.radians(22.5)
    first = np.array([[np.cos(step), -np.sin(step), 0], [np.sin(step), np.cos(step), 0], [0, 0, 1]])
    about_x = np.array([[1, 0, 0], [0, np.cos(step), -np.sin(step)], [0, np.sin(step), np.cos(step)]])
    assert poses[0, :3, :3] == pytest.approx(first @ about_x)
    assert len({tuple(np.round(pose.ravel(), 9)) for pose in poses}) == 8


def test_aligned_poses_are_not_turned():
    poses = aligned_poses([0.5, 0.9])
    assert np.array_equal(poses[:, :3, :3], np.stack([np.eye(3)] * 2))
    assert poses[:, 0, 3].tolist() == [0.5, 0.9]


def test_a_motion_goes_by_small_steps():
    poses = motion_poses(2000)
    assert len(poses) == 2000
    assert np.abs(np.diff(poses, axis=0)).max() < 0.05
    assert poses[0, 0, 3] > 1.29
    assert poses[-1, 0, 3] < 0.41


@pytest.mark.parametrize("sizes", [FULL, QUICK])
def test_no_pose_of_a_turn_is_aligned(sizes):
    for _, steps in sizes.steps:
        assert np.abs(tumbling_poses(0.5, steps)[:, :3, :3]).max() < 0.9999


def test_scattered_poses_are_the_same_every_time():
    poses = scattered_poses(50)
    assert np.array_equal(poses, scattered_poses(50))
    distances = np.linalg.norm(poses[:, :3, 3], axis=1)
    assert distances.min() >= 0.3 - 1e-12
    assert distances.max() <= 1.2 + 1e-12


@pytest.mark.parametrize("count", [1, 7, 27, 1000])
def test_a_crowd_has_as_many_places_as_bodies(count):
    poses = crowd_poses(count, 2.0, seed=0)
    assert poses.shape == (count, 4, 4)
    assert len({tuple(np.round(pose[:3, 3] / 2.0)) for pose in poses}) == count
    assert np.abs(poses[:, :3, 3]).max() <= 2.0 * (np.ceil(round(count ** (1 / 3), 9)) - 1 + 0.2)


def test_real_meshes_are_read_or_left_out_with_a_word(tmp_path):
    (tmp_path / "one.off").write_text("OFF\n3 1 0\n0 0 0\n2 0 0\n0 1 0\n3 0 1 2\n")
    duo = real_duo(RealPair("thing", "one.off", "one.off"), tmp_path)
    assert (duo.name, duo.faces, duo.a is duo.b) == ("thing", 1, True)
    assert (duo.a.bounds[1] - duo.a.bounds[0]).max() == 1.0
    missing = real_duo(RealPair("other", "one.off", "two.off"), tmp_path)
    assert missing.startswith("`other` was left out: ")
    assert "two.off" in missing


def test_the_environment_names_the_folder_of_real_meshes(tmp_path, monkeypatch):
    monkeypatch.delenv("TUMBLE_MESHES", raising=False)
    assert chosen_data_folder(None) is None
    monkeypatch.setenv("TUMBLE_MESHES", str(tmp_path))
    assert chosen_data_folder(None) == tmp_path
    monkeypatch.setenv("TUMBLE_MESHES", str(tmp_path / "nowhere"))
    with pytest.raises(FileError, match=r"TUMBLE_MESHES names .*nowhere, which is no folder"):
        chosen_data_folder(None)


def test_real_meshes_are_of_some_variety():
    assert len({pair.name for pair in REAL_PAIRS}) == len(REAL_PAIRS) >= 8


def test_quick_is_less_than_full():
    assert set(QUICK.real) < set(FULL.real)
    assert max(QUICK.sizes) < max(FULL.sizes) == 500_000
    assert FULL.batch_poses == QUICK.batch_poses == 10_000
    assert FULL.bodies == QUICK.bodies == 1_000
    assert [FULL.steps_for(faces) for faces in (100, 30_000, 30_001, 10**8)] == [24, 24, 8, 4]
    assert FULL.distances_for(30_000) == list(FULL.distances)
    assert FULL.distances_for(30_001) == [1.0, 0.8, 0.6]


def test_queries_by_name():
    assert chosen_queries(None) == list(QUERIES)
    assert chosen_queries(["start", "first-hit"]) == ["first-hit", "start"]
    with pytest.raises(OptionError, match="unknown query 'second-hit': choose from first-hit, "):
        chosen_queries(["first-hit", "second-hit"])
    with pytest.raises(OptionError, match="no query named"):
        chosen_queries([])
