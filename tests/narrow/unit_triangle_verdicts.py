"""The verdicts of the unit-triangle filter on many pairs, each pair as two meshes of one triangle with their poses."""

from collections.abc import Sequence

import numpy as np

import oracle
from tumble.core.jit import kernel
from tumble.mesh import Mesh
from tumble.narrow.triangles.unit_frames import FLOAT64, UnitFrames, unit_frames
from tumble.narrow.triangles.unit_matrix import single_matrices, unit_matrices
from tumble.narrow.triangles.unit_triangle import HIT, MISS, UNSURE, against, joined, transformed, verdict_of
from volume.posed_contacts import Posed

FACE = [[0, 1, 2]]


@kernel
def point(vertices, k):
    return vertices[k, 0], vertices[k, 1], vertices[k, 2]


@kernel
def row(m):
    return m[0, 0], m[0, 1], m[0, 2], m[0, 3], m[0, 4], m[0, 5], m[0, 6], m[0, 7], m[0, 8], m[0, 9], m[0, 10], m[0, 11]


@kernel
def judge_pair(a, matrix_a, b, matrix_b, frames):
    return verdict_of(
        point(a, 0), point(a, 1), point(a, 2), row(matrix_a),
        point(b, 0), point(b, 1), point(b, 2), row(matrix_b), frames,
    )  # fmt: skip


@kernel
def judge_by_halves(a, matrix_a, b, matrix_b, frames):
    """In the paper's order."""
    way = frames.a_in_b
    first = against(
        transformed(way, point(a, 0)),
        transformed(way, point(a, 1)),
        transformed(way, point(a, 2)),
        row(matrix_b),
        frames.bounds_b,
    )
    way = frames.b_in_a
    second = against(
        transformed(way, point(b, 0)),
        transformed(way, point(b, 1)),
        transformed(way, point(b, 2)),
        row(matrix_a),
        frames.bounds_a,
    )
    return joined(first, second)


def unposed(a: np.ndarray, b: np.ndarray) -> list[Posed]:
    return [Posed(p, q, None, None) for p, q in zip(a, b, strict=True)]


def arguments(
    pair: Posed, roundoff: float = FLOAT64
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, UnitFrames]:
    """What `judge_pair` takes, in numbers of a roundoff."""
    meshes = Mesh(pair.a, FACE), Mesh(pair.b, FACE)
    frames = unit_frames(pair.pose_a, pair.pose_b, meshes[0].extent, meshes[1].extent, roundoff)
    if roundoff == FLOAT64:
        (a, b), matrices = (mesh.vertices for mesh in meshes), [unit_matrices(mesh) for mesh in meshes]
    else:
        with np.errstate(over="ignore"):
            a, b = (mesh.vertices.astype(np.float32) for mesh in meshes)
        matrices = [single_matrices(mesh) for mesh in meshes]
    return a, matrices[0], b, matrices[1], frames


def verdicts(pairs: Sequence[Posed], roundoff: float = FLOAT64, verdict_of=judge_pair) -> np.ndarray:
    return np.array([verdict_of(*arguments(pair, roundoff)) for pair in pairs], dtype=np.int64)


def assert_never_wrong(pairs: Sequence[Posed], roundoff: float = FLOAT64, touch=None) -> tuple[float, float]:
    """Compare certain verdicts with the oracle, or with given answers; return the shares of HIT and of MISS."""
    found = verdicts(pairs, roundoff)
    assert set(np.unique(found)) <= {MISS, HIT, UNSURE}
    for k in np.flatnonzero(found != UNSURE):
        due = oracle.triangles_touch(*pairs[k].in_the_world()) if touch is None else touch[k]
        assert (found[k] == HIT) == due, (k, found[k], pairs[k])
    return float((found == HIT).mean()), float((found == MISS).mean())
