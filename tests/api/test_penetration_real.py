"""The common volume of real closed meshes, against Manifold's booleans: to 1e-9 of it.

Meshes that are inside out, or wind around something twice, are left out: Manifold counts that negatively, or twice.
"""

import os
from functools import cache
from pathlib import Path

import numpy as np
import pytest

import tumble
from tumble.mesh import random_pose
from tumble.mesh.edges import edges_of

MESHES = Path(os.environ.get("TUMBLE_MESHES", Path(__file__).resolve().parents[3] / "shared" / "meshes"))
LARGEST, MOST_BYTES = 40_000, 3_000_000


def manifold_of(vertices, faces):
    manifold3d = pytest.importorskip("manifold3d")
    mesh = manifold3d.Mesh64(vert_properties=np.array(vertices), tri_verts=faces.astype(np.uint64))
    solid = manifold3d.Manifold(mesh)
    return solid if solid.status() == manifold3d.Error.NoError and not solid.is_empty() else None


def closed_mesh(path):
    """A closed mesh that Manifold takes, with merged vertices; None if it is not one."""
    if path.stat().st_size > MOST_BYTES:
        return None
    try:
        mesh = tumble.load(path)
    except tumble.TumbleError:
        return None
    edges = edges_of(mesh)
    if not 4 <= len(mesh) <= LARGEST or not (edges.closed and edges.oriented):
        return None
    used, faces = np.unique(edges.faces, return_inverse=True)
    merged = tumble.Mesh(mesh.vertices[used], faces.reshape(-1, 3))
    solid = manifold_of(merged.vertices, merged.faces)
    if solid is None or not solid.volume() > 0.0:
        return None
    # the square of the winding number is the number itself where that is 0 or 1
    return merged if (solid ^ solid).volume() == pytest.approx(solid.volume(), rel=1e-9) else None


@cache
def real_meshes():
    if not MESHES.is_dir():
        pytest.skip("needs a folder of real meshes: set TUMBLE_MESHES")
    paths = sorted(path for kind in ("off", "obj", "stl", "STL", "ply") for path in MESHES.rglob(f"*.{kind}"))
    return [mesh for mesh in map(closed_mesh, paths) if mesh is not None]


def middle_and_size(mesh):
    low, high = mesh.vertices.min(axis=0), mesh.vertices.max(axis=0)
    return (low + high) / 2, float((high - low).max())


@pytest.mark.slow
def test_volumes_are_those_of_manifold():
    rng, meshes, count, compared = np.random.default_rng(5), real_meshes(), 200, 0
    while compared < count:
        a, b = (meshes[k] for k in rng.integers(len(meshes), size=2))
        (middle_a, size_a), (middle_b, size_b) = middle_and_size(a), middle_and_size(b)
        factor = 2.0 ** np.round(np.log2(size_a / size_b))
        b = tumble.Mesh(b.vertices * factor, b.faces)
        pose = np.array(random_pose(int(rng.integers(1 << 30)), 0.0))
        pose[:3, 3] = middle_a - pose[:3, :3] @ (middle_b * factor) + rng.uniform(-0.4, 0.4, 3) * size_a
        one, other = manifold_of(a.vertices, a.faces), manifold_of(tumble.transformed(b, pose).vertices, b.faces)
        if one is None or other is None:
            continue
        compared += 1
        found, expected = tumble.penetration(a, b, None, pose, depth=False), (one ^ other).volume()
        assert found.volume == pytest.approx(expected, rel=1e-9, abs=1e-14 * size_a**3)
        assert (found.volume > 0.0) == bool(found)
        assert all(curve.closed for curve in found.curves)
