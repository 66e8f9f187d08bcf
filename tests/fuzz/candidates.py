"""`candidates` against brute force over boxes in NumPy."""

from __future__ import annotations

import numpy as np

import tumble
from element_pairs import brute
from tumble.api.candidates import KINDS

from .itself import compare
from .meshes import awkward

Random = np.random.Generator


def case(rng: Random) -> None:
    """Compare all kinds, with and without a radius and motion."""
    mesh = awkward(rng, 60)
    size = mesh.extent
    radius = float(rng.choice([0.0, 1e-9, 0.1]) * size)
    end = mesh.vertices[rng.permutation(len(mesh.vertices))] if rng.random() < 0.4 else None
    expected = brute(mesh, radius, end)
    kinds = KINDS if rng.random() < 0.5 else str(rng.choice(KINDS))
    found = tumble.candidates(mesh, kinds, radius=radius, vertices_end=end)
    for kind in KINDS if kinds is KINDS else [kinds]:
        compare(
            getattr(found, kind.replace("-", "_")), expected[kind], f"{kind} radius={radius} moving={end is not None}"
        )
    if found.edges is not None:
        compare(found.edges, expected["edges"], "edges")
