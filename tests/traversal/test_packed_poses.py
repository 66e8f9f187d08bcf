"""What the kernels accept as a pose is what `as_pose` accepts, and poses may come in any form."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tumble
from tumble.mesh import as_pose, random_pose
from tumble.mesh.rigid_kernel import check_poses

BOX = tumble.shapes.box()
MIRROR = np.diag([1.0, 1.0, -1.0, 1.0])


def kernel_accepts(pose):
    return check_poses(np.array(pose, np.float64)[None], np.empty(1)) < 0


def python_accepts(pose):
    try:
        as_pose(pose)
    except tumble.PoseError:
        return False
    return True


@given(
    st.integers(0, 1000),
    st.integers(0, 15),
    st.sampled_from([0.0, 1e-13, 3e-12, 1e-6, 3e-5, 6e-5, 1e-4, 1e-3, 0.5, 1e101, np.nan, np.inf, -np.inf]),
    st.sampled_from([np.eye(4), MIRROR, 1.00004 * np.eye(4), 1.0001 * np.eye(4)]),
)
def test_kernel_and_python_agree_about_poses(seed, entry, change, factor):
    pose = random_pose(seed, 10.0) @ factor
    pose.flat[entry] += change
    assert kernel_accepts(pose) == python_accepts(pose), pose


def test_translation_beyond_the_range():
    for size, fine in ((1e100, True), (1.01e100, False)):
        pose = np.eye(4)
        pose[1, 3] = size
        assert kernel_accepts(pose) == python_accepts(pose) == fine


BAD = {
    "nan": np.full((4, 4), np.nan),
    "scale": np.diag([2.0, 2.0, 2.0, 1.0]),
    "mirror": MIRROR,
    "transposed": tumble.translation(1, 2, 3).T,
    "three rows": np.eye(4)[:3],
    "flat": np.eye(4).ravel(),
    "five": np.eye(5),
    "words": "here",
    "objects": np.eye(4).astype(object),
    "complex": np.eye(4) * 1j,
    "masked": np.ma.MaskedArray(np.eye(4), mask=np.eye(4) > 0),
    "squashed": np.diag([1.0, 1e-200, 1.0, 1.0]),
}


@pytest.mark.parametrize("bad", BAD.values(), ids=BAD)
def test_bad_poses_are_refused_by_every_door(bad):
    tumble.collides(BOX, BOX)
    for _ in range(2):
        with pytest.raises(tumble.PoseError):
            tumble.collides(BOX, BOX, bad)
        with pytest.raises(tumble.PoseError):
            tumble.collides(BOX, BOX, None, bad)
        with pytest.raises(tumble.PoseError):
            tumble.collide(BOX, BOX, bad)
        with pytest.raises(tumble.PoseError):
            tumble.collide(BOX, BOX, None, bad)
        with pytest.raises(tumble.PoseError):
            tumble.collide_many(BOX, BOX, bad[None] if isinstance(bad, np.ma.MaskedArray) else [bad])
        with pytest.raises(tumble.PoseError):
            tumble.collide_many(BOX, BOX, np.eye(4)[None], bad)


def forms_of(pose):
    frozen = pose.copy()
    frozen.flags.writeable = False
    subclass = pose.view(type("Tracked", (np.ndarray,), {}))
    whole = np.rint(pose).astype(np.int32)
    yield from (pose, frozen, pose.tolist(), np.asfortranarray(pose), subclass, whole, pose.astype(np.float32))
    yield np.repeat(np.repeat(pose, 2, axis=0), 2, axis=1)[::2, ::2]
    yield pose.astype(pose.dtype.newbyteorder())


@pytest.mark.parametrize("shift", [0.5, 5.0])
def test_poses_in_any_form(shift):
    pose = tumble.translation(round(shift), 0, 0) @ tumble.rotation("z", 0.0)
    expected = shift < 1
    assert tumble.collides(BOX, BOX, pose_b=pose) == expected
    for form in forms_of(pose):
        assert tumble.collides(BOX, BOX, pose_b=form) == tumble.collides(BOX, BOX, form) == expected
        assert bool(tumble.collide(BOX, BOX, pose_b=form)) == expected
        assert bool(tumble.collide_many(BOX, BOX, [form]).hit[0]) == expected


def test_a_float32_pose_is_taken_as_the_numbers_it_holds():
    pose = random_pose(3, 0.5).astype(np.float32)
    exact = pose.astype(np.float64)
    np.testing.assert_array_equal(
        tumble.collide(BOX, BOX, pose).pairs, tumble.collide(BOX, BOX, exact, method="brute").pairs
    )
