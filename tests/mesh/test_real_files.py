"""Real assemblies, when the folder of meshes is there: beside the checkout, or where TUMBLE_MESHES says."""

import os
from pathlib import Path

import numpy as np
import pytest

from tumble.mesh import load, load_parts

ROOT = Path(__file__).resolve().parents[2]
MESHES = Path(os.environ.get("TUMBLE_MESHES", ROOT / ".." / "shared" / "meshes"))

ASSEMBLIES = {
    "trimesh-models/models/cycloidal.3DXML": (72, 376_520),
    "gltf-decoded/CarConcept.glb": (109, 213_347),
    "nasa-3d/decoded/Ingenuity_Mars_Helicopter.glb": (35, 9_124),
    "nasa-3d/decoded/Rosetta.glb": (20, 17_432),
}


def _needs(name):
    path = MESHES / name
    if not path.exists():
        pytest.skip("the folder of real meshes is not here")
    return path


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=[pytest.mark.slow] * (triangles > 100_000))
        for name, (_, triangles) in ASSEMBLIES.items()
    ],
)
def test_assemblies_have_all_their_parts(name):
    path = _needs(name)
    parts = load_parts([path])
    assert (len(parts), sum(len(part.mesh) for part in parts)) == ASSEMBLIES[name]
    assert len({part.name for part in parts}) == len(parts)
    whole = load(path)
    assert len(whole) == ASSEMBLIES[name][1]
    assert np.array_equal(whole.triangles, np.concatenate([part.mesh.triangles for part in parts]))


@pytest.mark.parametrize("largest", [300_000, pytest.param(10**9, marks=pytest.mark.slow)])
def test_all_single_meshes_can_be_read(largest):
    folder = _needs("cgal-data/Data/data/meshes")
    files = sorted(path for path in folder.rglob("*") if path.suffix in {".off", ".obj", ".ply", ".stl"})
    files = [path for path in files if path.stat().st_size <= largest]
    assert len(files) > 20
    for path in files:
        assert len(load(path)) > 0
