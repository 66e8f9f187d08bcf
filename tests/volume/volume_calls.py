"""The generic volume functions, callable from Python, one volume for each triangle."""

from __future__ import annotations

from typing import Any

import numpy as np

from tumble.core.jit import kernel
from tumble.volume import KINDS
from tumble.volume.protocol import fit, measure, merge, overlap
from tumble.volume.relative import relative_pose

VOLUMES = ("aabb", "sphere", "obb", "obb-covariance")


@kernel
def call_fit(volumes, node, vertices, faces, order, start, stop):
    fit(volumes, node, vertices, faces, order, start, stop)


@kernel
def call_merge(volumes, node, first, second):
    merge(volumes, node, first, second)


@kernel
def call_measure(volumes, i):
    return measure(volumes, i)


@kernel
def call_overlaps(volumes, others, relatives, answers):
    for i in range(answers.size):
        answers[i] = overlap(volumes, i, others, i, relatives[i])


def empty(volume: str, count: int) -> Any:
    """A record of `count` volumes, filled with NaN so that what is not written shows."""
    kind = KINDS[volume]
    return kind.record(np.full((count, kind.width), np.nan))


def fitted(volume: str, triangles: np.ndarray) -> Any:
    """A record with a volume over each of the (n, 3, 3) triangles."""
    count = len(triangles)
    record = empty(volume, count)
    vertices = np.array(triangles, np.float64).reshape(-1, 3)
    faces = np.arange(3 * count, dtype=np.int32).reshape(-1, 3)
    order = np.arange(count, dtype=np.int32)
    for i in range(count):
        call_fit(record, i, vertices, faces, order, i, i + 1)
    return record


def overlaps(volume: str, a: np.ndarray, b: np.ndarray, relatives: np.ndarray) -> np.ndarray:
    """Whether the volumes over a[i] and b[i] overlap, seen through relatives[i]."""
    answers = np.zeros(len(a), np.bool_)
    call_overlaps(fitted(volume, a), fitted(volume, b), relatives, answers)
    return answers


def relative(a: np.ndarray, b: np.ndarray, pose_a: Any = None, pose_b: Any = None) -> np.ndarray:
    """The relative pose of two triangles with checked (3, 4) poses, as a query of two one-triangle meshes has it."""
    return relative_pose(pose_a, pose_b, float(np.abs(a).max()), float(np.abs(b).max()))
