"""Oriented boxes of sharp triangles: their directions stay perpendicular, so no touching pair is lost."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest
from exact_containment import exact_skew, turned_box_holds
from posed_contacts import sheared, single_precision, stretched, turned
from volume_calls import fitted

import tumble
from covering import crossed, sized
from matrix import QUICK_VOLUMES, method_cases
from needles import needles_from, needles_with_common_tips
from tumble.mesh import apply_pose
from tumble.volume.obb.axes import SKEW

TREES = ("obb", "obb-covariance")
SHARPNESSES = (1e-3, 1e-4, 1e-5, 2e-6, 3e-7, 1e-8, 1e-9, 1e-10, 1e-12)
MESHES = Path(os.environ.get("TUMBLE_MESHES", Path(__file__).resolve().parents[3] / "shared" / "meshes"))


def expected_pairs(a: tumble.Mesh, b: tumble.Mesh, pose_a=None, pose_b=None) -> np.ndarray:
    """The pairs by the packed walk, after a look at those that share their tips by construction."""
    pairs = tumble.collide(a, b, pose_a, pose_b).pairs
    met = pairs[pairs[:, 0] == pairs[:, 1], 0]
    np.testing.assert_array_equal(met, np.arange(len(a)))
    return pairs


@sized(200, 2000)
@pytest.mark.parametrize(("method", "tree"), method_cases(TREES))
def test_needles_that_share_a_tip_touch_by_every_method(tree: str, method: str, count: int) -> None:
    for sharpness in SHARPNESSES:
        a, b = needles_with_common_tips(count, sharpness)
        found = tumble.collide(a, b, method=method, tree=tree, stats=True).pairs
        np.testing.assert_array_equal(found, expected_pairs(a, b), err_msg=f"{sharpness}")


@sized(500, 2000)
@pytest.mark.parametrize("sharpness", [1e-3, 1e-5, 2e-6, 1e-9])
def test_needles_that_share_a_tip_touch_in_every_other_volume(sharpness: float, count: int) -> None:
    a, b = needles_with_common_tips(count, sharpness, seed=1)
    expected = expected_pairs(a, b)
    for tree in QUICK_VOLUMES:
        found = tumble.collide(a, b, method="stack", tree=tree, stats=True).pairs
        np.testing.assert_array_equal(found, expected, err_msg=tree)
    np.testing.assert_array_equal(tumble.collide(a, b, tree="boxtree").pairs, expected)
    np.testing.assert_array_equal(tumble.collide(a, b).pairs, expected)


@pytest.mark.skipif(not tumble.devices(), reason="no OpenCL device")
@sized(500, 2000)
@pytest.mark.parametrize("sharpness", [1e-3, 1e-5, 2e-6, 1e-9])
def test_needles_that_share_a_tip_touch_on_a_device(sharpness: float, count: int) -> None:
    a, b = needles_with_common_tips(count, sharpness, seed=2)
    expected = expected_pairs(a, b)
    for tree in TREES:
        np.testing.assert_array_equal(tumble.collide(a, b, tree=tree, device="opencl").pairs, expected, err_msg=tree)


@sized(500, 2000)
@crossed(1, turn=[turned, single_precision, stretched, sheared], sharpness=[1e-4, 1e-5, 2e-6, 1e-9])
def test_needles_that_share_a_tip_once_posed(turn, sharpness: float, count: int) -> None:
    """With rotations that are exact but for rounding, and with such that deviate by all that is accepted."""
    rng = np.random.default_rng(7)
    pose = np.eye(4)
    pose[:3, :3], pose[:3, 3] = turn(rng), rng.uniform(-5, 5, 3)
    tips = rng.uniform(-10, 10, (count, 3))
    a, b = needles_from(rng, tips, sharpness), needles_from(rng, apply_pose(pose[:3], tips), sharpness)
    for sides in ((a, b, pose, None), (b, a, None, pose)):
        expected = expected_pairs(*sides)
        for tree in TREES:
            found = tumble.collide(*sides, method="stack", tree=tree, stats=True).pairs
            np.testing.assert_array_equal(found, expected, err_msg=tree)


def sharp_triangles(seed: int) -> np.ndarray:
    """Needles of all sharpnesses down to segments and points, of all sizes, near the origin and far from it."""
    rng = np.random.default_rng(seed)
    parts = []
    for sharpness in (*10.0 ** np.arange(-15.0, 0.0), 2e-6, 5e-7, 0.0):
        for length in (1.0, 1e-3, 1e-160, 1e-290, 1e-308, 1e92):
            for offset in (0.0, 1.0, 1e6):
                tips = rng.normal(size=(1, 3)) * offset * length
                parts.append(needles_from(rng, tips, sharpness, length).triangles)
    tips = rng.normal(size=(9, 3))
    parts.append(np.repeat(tips[:, None], 3, axis=1))
    parts.append(rng.integers(-9, 10, (30, 3, 3)) * 5e-324)
    return np.concatenate(parts)


@pytest.mark.parametrize("every", [3, pytest.param(1, marks=pytest.mark.slow)])
@pytest.mark.parametrize("tree", TREES)
def test_directions_are_perpendicular_units_and_boxes_hold_their_triangles(tree: str, every: int) -> None:
    """In rational arithmetic: within the bound on which the overlap test relies, whatever the triangle."""
    triangles = sharp_triangles(3)[::every]
    for row, corners in zip(fitted(tree, triangles)[0], triangles, strict=True):
        assert exact_skew(row) <= SKEW, corners
        assert turned_box_holds(row, corners), corners


@crossed(1, sharpness=[1e-1, 1e-3, 1e-5, 2e-6, 1e-9, 1e-15], tree=TREES)
def test_trees_of_needles_are_valid_and_load_what_they_saved(tree: str, sharpness: float, tmp_path: Path) -> None:
    for length in (1.0, 1e-200, 1e90):
        rng = np.random.default_rng(5)
        mesh = needles_from(rng, rng.uniform(-1, 1, (300, 3)) * length, sharpness, length)
        built = tumble.build(mesh, tree)
        built.validate()
        built.save(tmp_path / "tree.npz")
        np.testing.assert_array_equal(tumble.load_tree(tmp_path / "tree.npz").rows, built.rows)


REAL = {
    "bolt": "isaacgym-factory/factory/mesh/factory_nut_bolt/factory_bolt_m16_tight.obj",
    "offset": "manifold/test/models/Offset1.obj",
}


@pytest.mark.slow
@pytest.mark.skipif(not MESHES.exists(), reason="the folder of real meshes is not here; set TUMBLE_MESHES")
@pytest.mark.parametrize("tree", TREES)
@pytest.mark.parametrize("name", REAL)
def test_real_meshes_against_themselves(name: str, tree: str) -> None:
    mesh = tumble.load(MESHES / REAL[name])
    expected = tumble.collide(mesh, mesh).pairs
    for method in ("stack", "stackless-post"):
        np.testing.assert_array_equal(tumble.collide(mesh, mesh, method=method, tree=tree).pairs, expected)


@pytest.mark.slow
@pytest.mark.skipif(not MESHES.exists(), reason="the folder of real meshes is not here; set TUMBLE_MESHES")
def test_trees_of_real_meshes_are_valid() -> None:
    names = sorted(path for pattern in ("*.obj", "*.off", "*.stl", "*.ply") for path in MESHES.rglob(pattern))
    checked = 0
    for name in names:
        try:
            mesh = tumble.load(name)
        except tumble.TumbleError:
            continue  # what cannot be read is the concern of other tests
        if 0 < len(mesh) <= 50_000:
            tumble.build(mesh, "obb").validate()
            checked += 1
    assert checked > 100
