"""Oriented boxes: each of the fifteen axes counts, and boxes are turned the right way."""

from __future__ import annotations

import numpy as np
import pytest
from posed_contacts import turned
from test_overlap_separates import say
from volume_calls import call_measure, empty, fit_one

import tumble
from covering import crossed, sized
from tumble.mesh.pose import random_pose

KINDS = ("obb", "obb-covariance")
GAP = 1e-9


def axes_of(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """The fifteen axes of two (3, 3) frames by rows, as unit vectors."""
    crossed = [np.cross(u, v) for u in first for v in second]
    return np.array([*first, *second, *(axis / np.linalg.norm(axis) for axis in crossed)])


def gaps(row: np.ndarray, other: np.ndarray, pose: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The axes, pointing from a box to another that is posed, and how far apart they are along each."""
    first, second = row[:9].reshape(3, 3), other[:9].reshape(3, 3) @ pose[:, :3].T
    axes = axes_of(first, second)
    between = pose[:, :3] @ other[9:12] + pose[:, 3] - row[9:12]
    axes *= np.where(axes @ between < 0, -1.0, 1.0)[:, None]
    reach = np.abs(axes @ first.T) @ row[12:] + np.abs(axes @ second.T) @ other[12:]
    return axes, axes @ between - reach


def random_box(rng: np.random.Generator) -> np.ndarray:
    return np.concatenate([turned(rng).ravel(), rng.normal(size=3), rng.uniform(0.2, 2, 3)])


def separated_by(axis: int, seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Two boxes and a pose such that just one axis parts them, by GAP; and the direction of that axis."""
    rng = np.random.default_rng([seed, axis])
    while True:
        row, other = random_box(rng), random_box(rng)
        pose = np.column_stack([turned(rng), 3 * rng.normal(size=3)])
        axes, apart = gaps(row, other, pose)
        pose[:, 3] += (GAP - apart[axis]) * axes[axis]
        _, apart = gaps(row, other, pose)
        if apart[axis] > 0 and np.delete(apart, axis).max() < -1e-3:
            return row, other, pose, axes[axis]


@sized(1, 5)
@crossed(1, swap=[False, True], axis=range(15))
def test_each_of_fifteen_axes_separates_alone(axis: int, swap: bool, count: int) -> None:
    for seed in range(count):
        row, other, pose, away = separated_by(axis, seed)
        assert not say("obb", row, other, pose, swap)
        pose[:, 3] -= 2 * GAP * away
        assert say("obb", row, other, pose, swap)


@sized(60, 200)
@pytest.mark.parametrize("swap", [False, True])
def test_parallel_edges_part_nothing_by_accident(swap: bool, count: int) -> None:
    """Cross products of parallel edges are no axes; what is left of them must not separate."""
    rng = np.random.default_rng(5)
    for _ in range(count):
        row = random_box(rng)
        other = row.copy()
        other[:9] = row[:9].reshape(3, 3)[rng.permutation(3)].ravel()
        touching = 0.999 * (row[12:] + other[12:]).min()
        pose = np.column_stack([np.eye(3), touching * row[:3]])
        with np.errstate(invalid="ignore"):
            _, apart = gaps(row, other, pose)
        assert say("obb", row, other, pose, swap) == bool((apart[:6] < 0).all())


def fitted_to(kind: str, mesh: tumble.Mesh) -> np.ndarray:
    record = empty(kind, 1)
    fit_one(record, 0, mesh.triangles, np.arange(len(mesh), dtype=np.int32), 0, len(mesh))
    return record[0][0]


def posed_box(seed: int) -> tumble.Mesh:
    mesh = tumble.shapes.box([3, 2, 1])
    return tumble.Mesh(mesh.vertices @ random_pose(seed)[:3, :3].T, mesh.faces)


@pytest.mark.parametrize("kind", KINDS)
def test_a_turned_brick_is_found(kind: str) -> None:
    for seed in range(20):
        mesh = posed_box(seed)
        row = fitted_to(kind, mesh)
        # covariance finds the axes to the last bits, the search to its last angle
        assert sorted(row[12:]) == pytest.approx([0.5, 1, 1.5], rel=1e-9)


def test_the_tight_box_is_never_larger_than_a_straight_one_or_covariance_s() -> None:
    """By surface, which is what it makes small."""

    def surface(row: np.ndarray) -> float:
        x, y, z = row[12:]
        return x * y + y * z + z * x

    for seed in range(10):
        rng = np.random.default_rng(seed)
        corners = rng.normal(size=(30, 3)) * rng.uniform(0.1, 2, 3) @ turned(rng)
        mesh = tumble.Mesh(corners, np.arange(30).reshape(-1, 3))
        straight = (corners.max(axis=0) - corners.min(axis=0)) / 2
        tight = surface(fitted_to("obb", mesh))
        assert tight <= surface(np.concatenate([np.zeros(12), straight])) * (1 + 1e-9)
        assert tight <= surface(fitted_to("obb-covariance", mesh)) * (1 + 1e-9)


@pytest.mark.parametrize("kind", KINDS)
def test_a_single_triangle_gets_a_flat_box(kind: str) -> None:
    corners = np.random.default_rng(3).normal(size=(3, 3))
    row = fitted_to(kind, tumble.Mesh(corners, [[0, 1, 2]]))
    longest = max(np.linalg.norm(corners[k] - corners[k - 1]) for k in range(3))
    assert row[12:].min() < 1e-12 * longest
    assert row[12:].max() < 0.6 * longest


@pytest.mark.parametrize("kind", KINDS)
def test_measure_is_the_volume_of_the_box(kind: str) -> None:
    record = empty(kind, 1)
    record[0][0] = [1, 0, 0, 0, 1, 0, 0, 0, 1, 7, 8, 9, 0.5, 2, 3]
    assert call_measure(record, 0) == 24.0
