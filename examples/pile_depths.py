"""How deep do bodies press into each other under load? Piles without friction, in a closed cube: the worst case.

    python examples/pile_depths.py --piles 40
    python examples/pile_depths.py --settings slop=0.002 push_rate=40 substeps=16 iterations=6 push_iterations=6
    git worktree add ../before COMMIT
    python examples/pile_depths.py --before ../before/src

Each pile has 27 boxes, balls and tori. Printed are the deepest contact of each pile in the last 100 of 800 steps, its
median and largest over the piles, and the processor time per step. With `--before` each pile is run by both versions,
one after the other in processes of their own, and the ratio of their times is printed, too.
"""

import argparse
import json
import math
import os
import statistics
import subprocess
import sys
import time
from typing import Any

SMALL = os.environ.get("TUMBLE_EXAMPLE_SIZE") == "small"
BODIES, STEPS, WINDOW = (6, 30, 10) if SMALL else (27, 800, 100)
SIDE = 2.0


def pile(seed: int, settings: dict[str, Any]) -> Any:
    """Return bodies of four kinds in a closed cube, in a grid so that they start apart, or nearly so."""
    import numpy as np

    import tumble
    from tumble import shapes
    from tumble.dynamics import Settings, World
    from tumble.mesh import random_pose

    meshes = shapes.box(0.4), shapes.icosphere(1, 0.25), shapes.torus(0.25, 0.09, 12, 8), shapes.box((0.2, 0.3, 0.6))
    world, rng = World(settings=Settings(sleep_time=math.inf, **settings)), np.random.default_rng(seed)
    for normal in np.concatenate([np.eye(3), -np.eye(3)]):
        world.add_plane(normal, normal @ (0, 0, SIDE / 2) - SIDE / 2, friction=0.0)
    for k in range(BODIES):
        place = (np.array([k % 3, k // 3 % 3, k // 9]) - [1, 1, 0]) * 0.65 + [0, 0, 0.35]
        pose = tumble.translation(*place) @ random_pose(rng, 0.0)
        velocity, spin = rng.uniform(-1, 1, 3), rng.uniform(-3, 3, 3)
        world.add_body(meshes[k % 4], pose, velocity=velocity, spin=spin, friction=0.0)
    return world


def measured(seed: int, settings: dict[str, Any]) -> tuple[float, float]:
    """Return the deepest contact of a pile, in mm, and the processor time per step, in ms."""
    world, deepest = pile(seed, settings), 0.0
    world.step()  # kernels are compiled or loaded
    start = time.process_time()
    world.step(STEPS - WINDOW - 1)
    for _ in range(WINDOW):
        world.step()
        deepest = max(deepest, world.contacts.depths.max(initial=0.0))
    return 1e3 * deepest, 1e3 * (time.process_time() - start) / (STEPS - 1)


def measured_by(source: str, seed: int, settings: dict[str, Any]) -> tuple[float, float]:
    """Measure with the version in a source folder, in a process of its own."""
    environment = {**os.environ, "PYTHONPATH": source, "TUMBLE_QUIET": "1"}
    command = [sys.executable, __file__, "--one", json.dumps([seed, settings])]
    output = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    depth, milliseconds = json.loads(output.stdout)
    return depth, milliseconds


def setting(text: str) -> tuple[str, Any]:
    """Read NAME=VALUE."""
    name, _, value = text.partition("=")
    return name, json.loads(value)


def summary(title: str, found: list[tuple[float, float]]) -> str:
    """Return what all piles of a version say."""
    depths, times = zip(*found, strict=True)
    deep = f"deepest contact {statistics.median(depths):.2f} mm in the median, {max(depths):.2f} mm at most"
    return f"{title}: {deep}; {statistics.median(times):.2f} ms of processor time per step"


if __name__ == "__main__":
    if sys.argv[1:2] == ["--one"]:
        print(json.dumps(measured(*json.loads(sys.argv[2]))))
        sys.exit()
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--piles", type=int, default=1 if SMALL else 5)
    parser.add_argument("--first-seed", type=int, default=0)
    parser.add_argument("--settings", nargs="*", type=setting, default=[], metavar="NAME=VALUE")
    parser.add_argument("--before", metavar="SOURCE", help="source folder of another version, to compare with")
    options = parser.parse_args()
    here, before = [], []
    for seed in range(options.first_seed, options.first_seed + options.piles):
        if options.before:
            before.append(measured_by(options.before, seed, {}))
        here.append(measured(seed, dict(options.settings)))
        print(f"seed {seed}: {here[-1][0]:.2f} mm, {here[-1][1]:.2f} ms per step")
    if before:
        ratios = [now[1] / then[1] for then, now in zip(before, here, strict=True)]
        print(summary("before", before))
        print(f"processor time, now / before: {statistics.median(ratios):.2f} ({min(ratios):.2f} to {max(ratios):.2f})")
    print(summary("now" if before else "all piles", here))
