"""The generic volume functions, callable from Python, one volume for each triangle."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from tumble.core.jit import kernel
from tumble.hierarchy.layout import COLUMNS, COUNT, START
from tumble.hierarchy.topdown import fit_volumes
from tumble.mesh import Mesh
from tumble.volume.kinds import KINDS
from tumble.volume.protocol import (
    bound,
    bound_in_frame_of_a,
    into_frame_of_a,
    measure,
    merge,
    overlap,
    overlap_in_frame_of_a,
)
from tumble.volume.relative import relative_pose

VOLUMES = tuple(KINDS)


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


@kernel
def call_tests(volumes, others, relatives, rows, answers):
    for i in range(answers.shape[0]):
        answers[i, 0] = overlap(volumes, i, others, i, relatives[i])
        answers[i, 1] = bound(volumes, i, others, i, relatives[i])
        into_frame_of_a(others, i, relatives[i], rows, i)
        answers[i, 2] = overlap_in_frame_of_a(volumes, i, rows, i, relatives[i])
        answers[i, 3] = bound_in_frame_of_a(volumes, i, rows, i, relatives[i])


class Compared(NamedTuple):
    """What the tests of two volumes say, row by row."""

    overlap: np.ndarray
    bound: np.ndarray
    overlap_in_frame_of_a: np.ndarray
    bound_in_frame_of_a: np.ndarray


def empty(volume: str, count: int) -> Any:
    """A record of `count` volumes, filled with NaN so that what is not written shows."""
    kind = KINDS[volume]
    return kind.record(np.full((count, kind.width), np.nan))


def fitted(volume: str, triangles: np.ndarray) -> Any:
    """A record with a volume over each of the (n, 3, 3) triangles."""
    record = empty(volume, len(triangles))
    order = np.arange(len(triangles), dtype=np.int32)
    _fit_leaves(record, triangles, order, order, 1)
    return record


def fit_one(volumes: Any, node: int, triangles: np.ndarray, order: np.ndarray, start: int, stop: int) -> None:
    """Fit one volume to a range of the order of (n, 3, 3) triangles."""
    _fit_leaves(type(volumes)(volumes[0][node : node + 1]), triangles, order, start, stop - start)


def _fit_leaves(volumes: Any, triangles: np.ndarray, order: np.ndarray, starts: Any, counts: Any) -> None:
    """As if they were leaves: by the kernel of all builders, as each kernel that fits takes seconds to compile."""
    nodes = np.full((len(volumes[0]), COLUMNS), -1, np.int32)
    nodes[:, START], nodes[:, COUNT] = starts, counts
    mesh = Mesh(np.reshape(triangles, (-1, 3)), np.arange(3 * len(triangles)).reshape(-1, 3))
    fit_volumes(volumes, nodes, order, mesh.vertices, mesh.faces, True)


def compared(volume: str, a: np.ndarray, b: np.ndarray, relatives: np.ndarray) -> Compared:
    """Compare the volumes over a[i] and b[i], seen through relatives[i]."""
    kind = KINDS[volume]
    if kind.prepare_pose is not None:
        relatives = np.array([kind.prepare_pose(each) for each in relatives])
    rows = np.full((len(a), kind.in_frame_of_a.width), np.nan)
    answers = np.zeros((len(a), 4))
    call_tests(fitted(volume, a), fitted(volume, b), relatives, rows, answers)
    return Compared(answers[:, 0] != 0, answers[:, 1], answers[:, 2] != 0, answers[:, 3])


def overlaps(volume: str, a: np.ndarray, b: np.ndarray, relatives: np.ndarray) -> np.ndarray:
    """Whether the volumes over a[i] and b[i] overlap, seen through relatives[i], in both forms of the test."""
    found = compared(volume, a, b, relatives)
    return found.overlap & found.overlap_in_frame_of_a


def relative(a: np.ndarray, b: np.ndarray, pose_a: Any = None, pose_b: Any = None) -> np.ndarray:
    """The relative pose of two triangles with checked (3, 4) poses, as a query of two one-triangle meshes has it."""
    return relative_pose(pose_a, pose_b, float(np.abs(a).max()), float(np.abs(b).max()))
