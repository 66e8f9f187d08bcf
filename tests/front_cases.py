"""What tests of fronts share: settings of all kinds, meshes in motion, and what every front must satisfy."""

import os
from pathlib import Path

import numpy as np
import pytest

import tumble
from tumble.query.settings import FrontSettings

SETTINGS = {
    "default": FrontSettings(),
    "stacks, queues, segments and room of one": FrontSettings(
        stack=1, steps=1, group=1, segments=1, queue=1, first_capacity=1
    ),
    "small stacks and segments": FrontSettings(stack=3, steps=5, group=7, segments=5, queue=3, first_capacity=50),
    "no limit": FrontSettings(stack=64, steps=0, group=33, segments=3, padded=False),
}


def motion(seed, meshes, frames):
    """Yield poses of meshes that come together from a line, turning; in the midst of it one is far away for a frame."""
    rng = np.random.default_rng(seed)
    turned = [tumble.rotation(rng.normal(size=3), 0.5) for _ in range(meshes)]
    for frame in range(frames):
        turned = [pose @ tumble.rotation(rng.normal(size=3), 0.1) for pose in turned]
        apart = 1.6 * 0.7**frame
        jump = 30.0 if frame == frames // 2 else 0.0
        yield [tumble.translation(apart * k, jump * (k == 0), 0.0) @ pose for k, pose in enumerate(turned)]


def below(layout, pair):
    """Return the leaf pairs below a pair of nodes: all leaves of both, each pair once."""

    def leaves(node):
        row = int(np.flatnonzero((layout.starts <= node) & (layout.active > 0))[-1])
        place, left = node - layout.starts[row], int(layout.left[row])
        last = row + left
        begin, end = place << left, min((place + 1) << left, int(layout.active[last]))
        return range(int(layout.starts[last] + begin), int(layout.starts[last] + end))

    a, b = leaves(pair >> 32), leaves(pair & 0xFFFFFFFF)
    return [(i, j) for i in a for j in b if a != b or i < j]


def assert_cut(layout, pairs, tree_pairs):
    """Every pair of leaves of all pairs of trees is below exactly one pair of the front."""
    expected = []
    for a, b in tree_pairs.tolist():
        if layout.triangles[a] and layout.triangles[b]:
            expected += below(layout, int(layout.offset[a]) << 32 | int(layout.offset[b]))
    found = [leaf_pair for pair in pairs.tolist() for leaf_pair in below(layout, pair)]
    assert len(found) == len(set(found))
    assert set(found) == set(expected)


def clusters(seed, triangles):
    """Return triangles in a few places, where float32 cannot tell their boxes apart, and float64 can."""
    rng = np.random.default_rng(seed)
    corners = rng.integers(0, 3, (triangles, 1, 3)) + rng.integers(0, 40, (triangles, 3, 3)) * 2.0**-40
    return tumble.Mesh(corners.reshape(-1, 3), np.arange(3 * triangles).reshape(-1, 3))


MESHES = Path(os.environ.get("TUMBLE_MESHES", Path(__file__).resolve().parents[2] / "shared" / "meshes"))
# the frames before and after, and the leaf pairs of the latter, those of neighbours included
STEPS = {
    "cloth-ball": (("cloth_ball92", "cloth_ball93"), 1543976),
    "cloth-funnel": (("227", "228"), 135685),
    "n-body-simulation": (("balls16_18", "balls16_19"), 1061233),
}
real_steps = pytest.mark.skipif(
    not (MESHES / "scalable-ccd-data").exists(), reason="the folder of real meshes is not here"
)


def real_step(scene):
    """Return two frames of a scene, as one mesh each, and how many leaf pairs the second has with itself."""
    names, count = STEPS[scene]
    return *(tumble.load(MESHES / "scalable-ccd-data" / scene / "frames" / f"{name}.ply") for name in names), count
