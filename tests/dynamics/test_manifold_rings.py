"""Contact part of the way round: a disc in a hole, from a short arc to all round, is nowhere deep."""

import os
from pathlib import Path

import numpy as np
import pytest
from test_manifold import ask

import tumble
from covering import crossed

MESHES = Path(os.environ.get("TUMBLE_MESHES", Path(__file__).resolve().parents[3] / "shared" / "meshes"))
GEARBOX = MESHES / "trimesh-models" / "models" / "cycloidal.3DXML"


def ring(inner, outer, segments, turn=0.0, height=0.3):
    """A ring about the z axis: each circle has as many corners as segments."""
    angles = turn + 2 * np.pi * np.arange(segments) / segments
    circle = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    loops = [(outer, -height), (outer, height), (inner, height), (inner, -height)]
    vertices = np.concatenate([np.column_stack([radius * circle, np.full(segments, z)]) for radius, z in loops])
    here, there = np.arange(segments), np.roll(np.arange(segments), -1)
    faces = []
    for k in range(4):
        first, second = k * segments, (k + 1) % 4 * segments
        faces.append(np.stack([first + here, first + there, second + there], axis=1))
        faces.append(np.stack([first + here, second + there, second + here], axis=1))
    return tumble.Mesh(vertices, np.concatenate(faces))


def mirrored(mesh):
    return tumble.Mesh(mesh.vertices * [-1, 1, 1], mesh.faces[:, ::-1])


# how much smaller the disc is than the hole, and how far it is off the middle: less is all round, more a short arc
FITS = [(-0.004, 0.0), (-0.004, 0.003), (-0.002, 0.004), (-0.001, 0.006), (0.001, 0.006), (0.002, 0.01), (0.01, 0.02)]
HALF_ROUND = [(0.0, 0.01), (-0.0005, 0.01), (-0.002, 0.01)]
COARSE = [(24, 29), (40, 37), (64, 60)]
FINE = [(200, 211), (300, 290)]


@crossed(
    1,
    fit=[(*fit, segments) for fit in FITS for segments in COARSE]
    + [(*fit, segments) for fit in HALF_ROUND for segments in FINE],
    turn=[0.0, 0.7, 2.1],
)
def test_a_disc_in_a_hole_is_nowhere_deeper_than_it_is(fit, turn):
    """Nor in the mirror, nor the other way round: the depth is that of the arc, not the way across.

    The disc stands out on both sides, so the way out is not along the axis.
    """
    clearance, shift, segments = fit
    disc, plate = ring(0.5, 1.0 - clearance, segments[0], turn, 0.5), ring(1.0, 2.0, segments[1])
    pose, image = tumble.translation(shift, 0.0, 0.05), tumble.translation(-shift, 0.0, 0.05)
    flat = 1.0 - np.cos(np.pi / min(segments))  # how far the middle of an edge is inside of its circle
    overlap = shift - clearance + 2 * flat
    for found in (
        ask(disc, plate, pose),
        ask(mirrored(disc), mirrored(plate), image),
        ask(plate, disc, None, pose),
    ):
        assert len(found) > 0
        assert found.depths.max() <= 1.5 * overlap  # along a normal that stands for pushes within some 45°


@pytest.mark.slow
@pytest.mark.skipif(not GEARBOX.exists(), reason="the folder of real meshes is not here; set TUMBLE_MESHES")
def test_bearings_of_the_gearbox():
    """Two equal bearings, above and below, are a tenth of a millimetre deep in the housing.

    That is across the fit. A depth is the way along the normal of its patch, which stands for an arc: at the end of an
    arc, where the normal is 37° off the radius, the way out of 0.085 mm is 0.106 mm long.
    """
    parts = {part.name: part.mesh for part in tumble.load_parts(GEARBOX)}
    depths = []
    for bearing, housing in (("vxb-6812RS", "fixed_top"), ("vxb-6812RS#2", "fixed_lower")):
        found = ask(parts[bearing], parts[housing])
        pairs = tumble.collide(parts[bearing], parts[housing], contacts=True)
        assert len(pairs) > 700
        middle = 0.5 * (parts[bearing].vertices.min(axis=0) + parts[bearing].vertices.max(axis=0))
        radii = (found.points - middle)[:, :2]  # the axis of both bearings is z
        outward = radii / np.linalg.norm(radii, axis=1, keepdims=True)
        across = -found.depths * (found.normals[:, :2] * outward).sum(axis=1)
        assert np.all(across <= 1.01 * pairs.contacts.depths.max())
        depths.append(across.max())
    assert depths == pytest.approx([0.09, 0.09], abs=0.01)
