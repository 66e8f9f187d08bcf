"""How near, inside or not: microseconds per point, beside fcpw and libigl. Run: python examples/points.py

Points are random in the box of a mesh, and near its surface. Everybody is asked for the nearest points on one core, in
turns; processor time counts, the least of some rounds. fcpw (float32) and libigl are asked where they are installed:
pip install fcpw libigl.
"""

import os
from time import process_time

import numpy as np

import tumble
from tumble import shapes

SMALL = os.environ.get("TUMBLE_EXAMPLE_SIZE") == "small"
POINTS, ROUNDS = (300, 1) if SMALL else (20_000, 5)


def some_points(mesh, rng):
    """Return, by name, points in the box of a mesh and points near its surface."""
    low, high = mesh.bounds
    middles = mesh.triangles[rng.integers(0, len(mesh), POINTS)].mean(axis=1)
    near = middles + 0.002 * np.linalg.norm(high - low) * rng.normal(size=(POINTS, 3))
    return {"in the box": rng.uniform(low, high, (POINTS, 3)), "near": near}


def fcpw_call(mesh, points):
    """Return a call that asks fcpw."""
    import fcpw

    scene = fcpw.scene_3D()
    scene.set_object_count(1)
    scene.set_object_vertices(np.asfortranarray(mesh.vertices, np.float32), 0)
    scene.set_object_triangles(np.asfortranarray(mesh.faces, np.int32), 0)
    scene.build(fcpw.aggregate_type.bvh_surface_area, True)
    singles, radii = np.asfortranarray(points, np.float32), np.full(len(points), np.inf, np.float32)
    return lambda: scene.find_closest_points(singles, radii, fcpw.interaction_3D_list())


def libigl_call(mesh, points):
    """Return a call that asks libigl, which builds its tree anew each time."""
    import igl

    faces = mesh.faces.astype(np.int64)
    return lambda: igl.point_mesh_squared_distance(points, mesh.vertices, faces)


def entrants(mesh, points):
    """Return, by name, what is asked."""
    found = {
        "closest_points": lambda: tumble.closest_points(mesh, points, threads=1),
        "contains": lambda: tumble.contains(mesh, points, threads=1),
        "signed_distance": lambda: tumble.signed_distance(mesh, points, threads=1),
    }
    for name, make in (("fcpw", fcpw_call), ("libigl", libigl_call)):
        try:
            found[name] = make(mesh, points)
        except ImportError:
            continue
    return found


sizes = {"segments": 20, "sides": 10} if SMALL else {"segments": 320, "sides": 160}
print(f"{'mesh':22} {'points':12} {'call':16} {'µs per point':>12}")
for shape, mesh in {"torus": shapes.torus(**sizes), "animal": shapes.blob(faces=2_000 if SMALL else 100_000)}.items():
    for kind, points in some_points(mesh, np.random.default_rng(1)).items():
        calls = entrants(mesh, points)
        seconds = dict.fromkeys(calls, np.inf)
        for _ in range(ROUNDS):
            for name, call in calls.items():
                start = process_time()
                call()
                seconds[name] = min(seconds[name], process_time() - start)
        for name, least in seconds.items():
            print(f"{f'{shape}, {len(mesh)} faces':22} {kind:12} {name:16} {1e6 * least / len(points):12.2f}")

ring = shapes.torus(radius=1.0, tube=0.4)
places = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, 0.0], [1.4, 0.0, 0.0]])  # in the tube, in the hole, at the rim
print(tumble.contains(ring, places))
print("distances:", tumble.signed_distance(ring, places).distances)
