"""The relative pose is right to within its margin, in exact arithmetic, and the margin is small."""

from fractions import Fraction

import numpy as np
import pytest
from exact_containment import exact
from posed_contacts import ROTATIONS, SCALES, contacts, random_pose, turned
from volume_calls import relative

from covering import crossed
from tumble.mesh.rigid import RIGIDITY_TOLERANCE
from tumble.volume.relative import ALIGNED, MARGIN, SCALE, SIZE, TRANSLATION, relative_pose


def test_no_poses_means_no_margin() -> None:
    flat = relative_pose(None, None, 1e100, 1e100)
    assert flat[:SCALE].tolist() == [1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 1]
    assert 1.0 - 1e-12 < flat[SCALE] < 1.0  # bounds are rounded down
    assert flat.shape == (SIZE,)


@crossed(1, scale=SCALES, rotation=ROTATIONS)
def test_a_s_place_of_the_common_point_is_found_within_the_margin(rotation: str, scale: str) -> None:
    for pair in contacts(41, rotation, scale, 30):
        for one in (pair, pair.swapped()):
            flat = relative(*one)
            turn, shift = flat[:9].reshape(3, 3), flat[TRANSLATION : TRANSLATION + 3]
            seen = [
                sum((Fraction(r) * y for r, y in zip(row.tolist(), exact(one.b[0]), strict=True)), Fraction(float(t)))
                for row, t in zip(turn, shift, strict=True)
            ]
            margin = Fraction(float(flat[MARGIN]))
            assert all(abs(x - y) <= margin for x, y in zip(exact(one.a[0]), seen, strict=True))


def test_equal_poses_are_aligned_when_their_product_is_the_identity() -> None:
    pose = np.column_stack([np.array([[0.0, -1, 0], [1, 0, 0], [0, 0, 1]]), [1.0, 2, 3]])
    assert relative_pose(pose, pose, 1.0, 1.0)[ALIGNED] == 1.0
    moved = pose.copy()
    moved[:, 3] += [1, 0, 0]
    flat = relative_pose(pose, moved, 1.0, 1.0)
    assert flat[ALIGNED] == 1.0
    assert flat[TRANSLATION : TRANSLATION + 3].tolist() == [0, -1, 0]


def test_turned_frames_are_not_aligned() -> None:
    pose = np.column_stack([turned(np.random.default_rng(1)), np.zeros(3)])
    assert relative_pose(pose, None, 1.0, 1.0)[ALIGNED] == 0.0
    assert relative_pose(None, pose, 1.0, 1.0)[ALIGNED] == 0.0


@pytest.mark.parametrize("extent", [1e-100, 1.0, 1e100])
def test_the_margin_of_rotations_is_a_few_ulps(extent: float) -> None:
    rng = np.random.default_rng(42)
    for _ in range(50):
        pose = random_pose(rng, "turned", extent)
        margin = relative_pose(pose, None, extent, extent)[MARGIN]
        assert 0 < margin < 1e-12 * extent


def test_the_margin_of_accepted_poses_follows_the_tolerance() -> None:
    for pair in contacts(43, "stretched", "ordinary", 50):
        assert relative_pose(pair.pose_a, pair.pose_a, 1.0, 1.0)[MARGIN] < 200 * RIGIDITY_TOLERANCE


def test_the_margin_counts_both_meshes_and_both_poses() -> None:
    pose = random_pose(np.random.default_rng(44), "turned", 1.0)
    base = relative_pose(pose, pose, 1.0, 1.0)[MARGIN]
    far = pose.copy()
    far[:, 3] = 1e9
    for arguments in ((pose, pose, 1e9, 1.0), (pose, pose, 1.0, 1e9), (far, pose, 1.0, 1.0), (pose, far, 1.0, 1.0)):
        assert relative_pose(*arguments)[MARGIN] > 1e6 * base
