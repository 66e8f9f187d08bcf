"""The first contact of a step of a deforming mesh, by Tumble and by IPC Toolkit, in turns on the same frames.

    python examples/ccd_race.py                     # a sheet of its own
    TUMBLE_MESHES=folder python examples/ccd_race.py    # cloth-ball 92 to 93 and n-body 18 to 19 of Scalable CCD, too

Times are those of the whole step, broad phase included, the least of the rounds; both take all cores. IPC Toolkit stops
at a part of the way to a contact, 0.9 (additive CCD) or 0.8 (tight inclusion) by default; with 0.999 its answer shows
where the contact is.
"""

import os
from pathlib import Path
from time import perf_counter

import numpy as np

import tumble

SMALL = os.environ.get("TUMBLE_EXAMPLE_SIZE") == "small"
ROUNDS = 1 if SMALL else 3
FOLDER = Path(os.environ.get("TUMBLE_MESHES", "")) / "scalable-ccd-data"
FRAMES = {
    "cloth-funnel 227 to 228": ("cloth-funnel", "227", "228"),
    "cloth-ball 92 to 93": ("cloth-ball", "cloth_ball92", "cloth_ball93"),
    "n-body 18 to 19": ("n-body-simulation", "balls16_18", "balls16_19"),
}

try:
    import ipctk
except ImportError:
    raise SystemExit("ipctk is not installed: pip install ipctk") from None


def steps():
    """Yield a name, vertices at the start and at the end, and faces."""
    side = 8 if SMALL else 60
    sheet = tumble.shapes.cloth(side, side, wave=0.2, seed=1)
    moved = sheet.vertices + np.random.default_rng(1).normal(size=sheet.vertices.shape) * 0.5 / side
    yield f"a sheet of {len(sheet.faces)} triangles", sheet.vertices, moved, sheet.faces
    for name, (scene, *frames) in FRAMES.items():
        paths = [FOLDER / scene / "frames" / f"{frame}.ply" for frame in frames]
        if not SMALL and "TUMBLE_MESHES" in os.environ and paths[0].exists():
            import trimesh

            first, second = (trimesh.load(path, process=False) for path in paths)
            yield name, *(np.array(each.vertices, float) for each in (first, second)), np.array(first.faces, np.int32)


def rival(ccd, vertices, moved, faces):
    """Return a call that does the whole step by IPC Toolkit; the mesh is made once, as in a simulation."""
    mesh = ipctk.CollisionMesh(vertices, ipctk.edges(faces), faces)

    def ask():
        candidates = ipctk.Candidates()
        candidates.build(mesh, vertices, moved)
        return candidates.compute_collision_free_stepsize(mesh, vertices, moved, narrow_phase_ccd=ccd)

    return ask


def race(vertices, moved, faces):
    """Return the answers and the least times of all, which take turns."""
    vertices, moved = np.array(vertices), np.array(moved)
    cloth = tumble.Deformable((vertices, faces))
    entries = {
        "tumble": lambda: cloth.time_of_impact(moved).time,
        "tumble, exact": lambda: cloth.time_of_impact(moved, exact=True).time,
        "additive CCD": rival(ipctk.AdditiveCCD(), vertices, moved, faces),
        "additive, 0.999": rival(ipctk.AdditiveCCD(conservative_rescaling=0.999), vertices, moved, faces),
        "tight inclusion": rival(ipctk.TightInclusionCCD(), vertices, moved, faces),
    }
    cloth.time_of_impact(moved)  # so that no kernel is compiled or loaded while the clock runs
    answers, seconds = {}, dict.fromkeys(entries, np.inf)
    for _ in range(ROUNDS):
        for name, ask in entries.items():
            began = perf_counter()
            answers[name] = ask()
            seconds[name] = min(seconds[name], perf_counter() - began)
    return answers, seconds


ipctk.set_logger_level(ipctk.LoggerLevel.error)
for title, *step in steps():
    answers, seconds = race(*step)
    print(title)
    for name, time in answers.items():
        ratio = seconds[name] / seconds["tumble"]
        print(f"  {name:16} first contact at {time:.10f}, {1000 * seconds[name]:9.1f} ms, {ratio:6.2f} times tumble")
