from fractions import Fraction
from math import pi

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from mesh_topology import volume

from tumble.errors import MeshError, PoseError
from tumble.mesh import (
    MAX_COORDINATE,
    RIGIDITY_TOLERANCE,
    Mesh,
    apply_pose,
    as_pose,
    compose,
    random_pose,
    rotation,
    shapes,
    transformed,
    translation,
)


def test_none_and_the_identity_become_none():
    assert as_pose(None) is None
    assert as_pose(np.eye(4)) is None
    assert as_pose(np.eye(4, dtype=int).tolist()) is None
    assert as_pose(translation(0, 0, 1e-300)) is not None


def test_layout_and_independence_of_the_result():
    matrix = np.asfortranarray(random_pose(1))
    pose = as_pose(matrix)
    assert pose.shape == (3, 4)
    assert pose.dtype == np.float64
    assert pose.flags.c_contiguous
    assert np.array_equal(pose, matrix[:3])
    matrix[:] = 0
    assert not np.array_equal(pose, matrix[:3])


def test_float32_poses_pass():
    for seed in range(50):
        assert as_pose(random_pose(seed).astype(np.float32)).dtype == np.float64


def _with(row, column, value):
    matrix = random_pose(3)
    matrix[row, column] = value
    return matrix


@pytest.mark.parametrize(
    "pose, words",
    [
        (np.eye(3), ["(3, 3)", "4×4"]),
        (np.eye(4)[:3], ["(3, 4)", "last row"]),
        (np.zeros((5, 4, 4)), ["(5, 4, 4)"]),
        (7, ["()"]),
        ([[1, 0], [1]], ["4×4"]),
        ("pose", ["dtype"]),
        (np.eye(4).astype(complex), ["complex128"]),
        (np.eye(4).astype(bool), ["bool"]),
        (np.eye(4).astype(object), ["object"]),
        (_with(1, 2, np.nan), ["pose[1][2]", "nan"]),
        (_with(2, 3, np.inf), ["pose[2][3]", "inf"]),
        (np.eye(4, dtype=np.longdouble) * np.longdouble("1e400"), ["pose[0][0]", "inf"]),
        (translation(1, 2, 3).T, ["transposed", "pose.T"]),
        (_with(3, 3, 2.0), ["last row", "2.0"]),
        (np.diag([1, 1, -1, 1]), ["reflection", "tumble.transformed"]),
        (np.diag([2, 2, 2, 1]), ["scales by (2, 2, 2)", "tumble.transformed"]),
        (np.diag([1, 0.5, 3, 1]), ["scales by (1, 0.5, 3)"]),
        (np.diag([1e200, 1e200, 1e200, 1]), ["scales by (1e+200"]),
        (np.diag([0, 0, 0, 1]), ["all zeros"]),
        (_with(0, 1, 5.0), ["shears"]),
        (translation(0, 2e100, 0), ["pose[1][3]", "1e+100"]),
    ],
)
@pytest.mark.filterwarnings("error")
def test_what_is_no_rigid_motion_is_named(pose, words):
    with pytest.raises(PoseError) as caught:
        as_pose(pose)
    for word in words:
        assert word in str(caught.value)


def test_the_tolerance_is_where_it_is_said_to_be():
    inside, outside = np.eye(4), np.eye(4)
    inside[0, 0] = np.sqrt(1 + 0.99 * RIGIDITY_TOLERANCE)
    outside[0, 0] = np.sqrt(1 + 1.01 * RIGIDITY_TOLERANCE)
    assert as_pose(inside) is not None
    with pytest.raises(PoseError, match=f"allowed is {RIGIDITY_TOLERANCE:g}"):
        as_pose(outside)


def test_the_largest_translation_is_allowed():
    assert as_pose(translation(MAX_COORDINATE, 0, -MAX_COORDINATE)) is not None


def _rounded(x):
    return Fraction(float(x))


coordinate = st.floats(-1e6, 1e6)


@given(st.integers(0, 2**32), st.tuples(coordinate, coordinate, coordinate))
def test_apply_pose_rounds_after_every_operation_in_the_documented_order(seed, point):
    pose = as_pose(random_pose(seed, spread=10))
    moved = apply_pose(pose, np.array([point]))[0]
    x, y, z = map(Fraction, point)
    for i in range(3):
        r0, r1, r2, t = map(Fraction, pose[i])
        first = _rounded(_rounded(r0 * x) + _rounded(r1 * y))
        expected = _rounded(_rounded(first + _rounded(r2 * z)) + t)
        assert Fraction(float(moved[i])) == expected


def test_apply_pose_of_none_and_of_nothing():
    points = np.ones((4, 3))
    assert apply_pose(None, points) is points
    assert apply_pose(as_pose(translation(1, 0, 0)), np.empty((0, 3))).shape == (0, 3)


def test_rotations_turn_by_the_right_hand():
    x, y, z = np.eye(3)
    assert np.allclose(rotation("z", pi / 2)[:3, :3] @ x, y)
    assert np.allclose(rotation("x", pi / 2)[:3, :3] @ y, z)
    assert np.allclose(rotation("y", pi / 2)[:3, :3] @ z, x)
    assert np.allclose(rotation([0, 0, 1e-200], pi / 3), rotation("z", pi / 3))
    assert np.allclose(rotation([1, 1, 1], 2 * pi / 3)[:3, :3] @ x, y)


def test_a_rotation_keeps_its_point():
    pose = rotation([1, 2, 3], 0.7, point=[4, 5, 6])
    assert np.allclose(apply_pose(as_pose(pose), np.array([[4.0, 5.0, 6.0]])), [[4, 5, 6]])


@pytest.mark.parametrize(
    "make",
    [
        lambda: rotation([0, 0, 0], 1.0),
        lambda: rotation("w", 1.0),
        lambda: rotation([1, 2], 1.0),
        lambda: rotation([np.nan, 0, 1], 1.0),
        lambda: rotation("x", np.inf),
        lambda: rotation("x", 1.0, point=[1, 2]),
        lambda: translation(np.nan, 0, 0),
        lambda: random_pose(0, spread=-1),
        lambda: compose(np.diag([2, 2, 2, 1])),
    ],
)
def test_builders_refuse_nonsense(make):
    with pytest.raises(PoseError):
        make()


def test_random_poses_are_rigid_seeded_and_spread():
    poses = [random_pose(seed, spread=3) for seed in range(300)]
    assert all(as_pose(pose) is not None for pose in poses)
    assert np.array_equal(random_pose(5), random_pose(5))
    assert np.array_equal(random_pose(np.random.default_rng(5)), random_pose(5))
    translations = np.array([pose[:3, 3] for pose in poses])
    assert np.abs(translations).max() <= 3
    assert np.abs(translations).max() > 2.5
    # A uniform rotation sends a fixed axis everywhere: its mean image is near zero.
    assert np.abs(np.mean([pose[:3, 0] for pose in poses], axis=0)).max() < 0.15


def test_compose_applies_the_last_first():
    moved_then_turned = compose(rotation("z", pi / 2), None, translation(1, 0, 0))
    assert np.allclose(moved_then_turned @ [0, 0, 0, 1], [0, 1, 0, 1])
    assert np.array_equal(compose(), np.eye(4))


def test_transformed_bakes_scale_and_shear():
    mesh = transformed(shapes.box(1.0), np.diag([2, 3, 4, 1]))
    assert mesh.bounds.tolist() == [[-1, -1.5, -2], [1, 1.5, 2]]
    shear = np.eye(4)
    shear[0, 1] = 0.5
    assert volume(transformed(mesh, shear)) == pytest.approx(24)


def test_a_mirrored_mesh_stays_outward():
    mesh = transformed(shapes.box(1.0), np.diag([1, 1, -2, 1]))
    assert volume(mesh) == pytest.approx(2)


@pytest.mark.filterwarnings("error")
def test_transformed_refuses_what_is_no_affine_map_or_leaves_the_range():
    with pytest.raises(PoseError, match="last row"):
        transformed(shapes.box(), np.ones((4, 4)))
    with pytest.raises(PoseError, match="finite"):
        transformed(shapes.box(), np.diag([np.nan, 1, 1, 1]))
    with pytest.raises(MeshError, match="vertex 0"):
        transformed(shapes.box(), np.diag([1e101, 1, 1, 1]))
    with pytest.raises(MeshError, match="vertex 0"):
        transformed(Mesh([[1e100, 0, 0]], []), np.diag([1e300, 1, 1, 1]))


@pytest.mark.parametrize("i, j", [(0, 1), (0, 2), (1, 2)])
def test_unit_columns_that_lean_on_each_other_shear(i, j):
    matrix = np.eye(4)
    matrix[i, j], matrix[j, j] = np.sin(1e-3), np.cos(1e-3)
    with pytest.raises(PoseError, match="shears"):
        as_pose(matrix)


@pytest.mark.parametrize("axis", [0, 1, 2])
def test_a_scale_along_any_axis_is_seen(axis):
    matrix = np.eye(4)
    matrix[axis, axis] = 1.0001
    with pytest.raises(PoseError, match="scales by"):
        as_pose(matrix)


@pytest.mark.parametrize(
    "wrong",
    [np.array([1j, 0, 1]), ["1", "2", "3"], [True, False, True], np.ma.array([1.0, 2.0, 3.0], mask=[0, 1, 0])],
    ids=["complex", "text", "truth values", "masked"],
)
def test_vectors_that_are_no_numbers(wrong):
    with pytest.raises(PoseError, match="three numbers"):
        rotation(wrong, 0.3)
    with pytest.raises(PoseError, match="three numbers"):
        rotation("x", 0.3, point=wrong)
