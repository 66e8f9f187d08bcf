"""How many rays a second: Tumble beside trimesh's ray engines. Run: python examples/rays.py

Rays come from a ball around the mesh and end near it: three of four hit. Everybody is asked for the first triangle of
each ray, in turns, and the best of some rounds counts. trimesh's own engine needs `rtree`; with `embreex` installed,
trimesh uses Intel's Embree, in float32.
"""

import os
from time import perf_counter

import numpy as np
import trimesh

import tumble
from tumble import shapes

SMALL = os.environ.get("TUMBLE_EXAMPLE_SIZE") == "small"
RAYS, FEW, ROUNDS = (1000, 10, 1) if SMALL else (200_000, 500, 7)


def rays_around(mesh, count):
    """Return origins around a mesh and directions to points in its box."""
    rng = np.random.default_rng(1)
    low, high = mesh.bounds
    around = rng.normal(size=(count, 3))
    around /= np.linalg.norm(around, axis=1)[:, None]
    origins = (low + high) / 2 + 2 * np.linalg.norm(high - low) * around
    return origins, rng.uniform(low, high, (count, 3)) - origins


def entrants(mesh, origins, directions):
    """Return, by name, how many rays are cast and how."""
    few = origins[:FEW], directions[:FEW]
    found = {
        "tumble": (RAYS, lambda: tumble.cast_rays(mesh, origins, directions)),
        "tumble, 1 thread": (RAYS, lambda: tumble.cast_rays(mesh, origins, directions, threads=1)),
        "tumble, any hit": (RAYS, lambda: tumble.cast_rays(mesh, origins, directions, any_hit=True)),
        "tumble, boxtree": (RAYS, lambda: tumble.cast_rays(mesh, origins, directions, tree="boxtree")),
    }
    theirs = trimesh.Trimesh(mesh.vertices, mesh.faces, process=False)
    try:
        plain = trimesh.ray.ray_triangle.RayMeshIntersector(theirs)
        plain.intersects_first(*few)
        found["trimesh"] = FEW, lambda: plain.intersects_first(*few)
    except ImportError as error:
        print(f"without trimesh's own engine: {error}")
    if trimesh.ray.has_embree:
        embree = trimesh.ray.ray_pyembree.RayMeshIntersector(theirs)
        found["trimesh, embree"] = RAYS, lambda: embree.intersects_first(origins, directions)
    return found


print(f"{'mesh':24} {'engine':18} {'million rays/s':>14} {'tumble is faster by':>20}")
for name, mesh in {
    "sphere": shapes.icosphere(2 if SMALL else 5),
    "animal": shapes.blob(faces=2_000 if SMALL else 50_000),
    "torus": shapes.torus(segments=20, sides=10) if SMALL else shapes.torus(segments=320, sides=160),
}.items():
    engines = entrants(mesh, *rays_around(mesh, RAYS))
    seconds = dict.fromkeys(engines, np.inf)
    for _ in range(ROUNDS):
        for engine, (count, cast) in engines.items():
            start = perf_counter()
            cast()
            seconds[engine] = min(seconds[engine], (perf_counter() - start) / count)
    for engine in engines:
        ratio = seconds[engine] / seconds["tumble"]
        print(f"{f'{name}, {len(mesh)} faces':24} {engine:18} {1e-6 / seconds[engine]:14.3f} {ratio:20.1f}")
