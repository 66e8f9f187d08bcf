"""How fast are two versions of Tumble beside each other? Processes take turns; only ratios within a round count.

    git worktree add ../before COMMIT
    python examples/compare_versions.py ../before/src src --rounds 7

Each round runs both versions, in alternating order. Printed are the median, least and largest ratio of their times (the
second to the first), and the best time of the second.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

SMALL = os.environ.get("TUMBLE_EXAMPLE_SIZE") == "small"
FEW, SOME, MANY = (1, 2, 8) if SMALL else (3, 200, 20_000)
"""calls per measurement"""


def measured() -> dict[str, float]:
    """Return the best of several times of each call, in seconds, for the version that is imported."""
    import numpy as np

    import tumble
    from tumble.mesh import random_pose

    torus, knot = tumble.shapes.torus(segments=80, sides=60), tumble.shapes.knot()
    near = tumble.translation(0.2, 0.1, 0.0) @ tumble.rotation("x", 1.2)
    far = tumble.translation(50, 0, 0)
    poses = np.stack([random_pose(k, 2.0) for k in range(SOME if SMALL else 2000)])
    scene = tumble.Scene()
    for k in range(SOME):
        scene.add(str(k), tumble.shapes.icosphere(2), random_pose(k, 4.0))
    large = tumble.shapes.icosphere(2 if SMALL else 6)
    calls: dict[str, tuple[Callable[[], Any], int]] = {
        "collides, far": (lambda: tumble.collides(torus, knot, None, far), MANY),
        "collides, near": (lambda: tumble.collides(torus, knot, None, near), MANY // 4),
        "collide, far": (lambda: tumble.collide(torus, knot, None, far), MANY),
        "collide, near": (lambda: tumble.collide(torus, knot, None, near), SOME),
        "collide_many, first": (lambda: tumble.collide_many(torus, knot, poses), 1),
        "collide_many, all": (lambda: tumble.collide_many(torus, knot, poses[:200], first=False), 1),
        "Scene.collisions": (lambda: scene.collisions(), FEW),
        f"build, {len(large)} triangles": (
            lambda: tumble.collides(tumble.Mesh(large.vertices, large.faces), knot, None, far), 1
        ),
        "collide, stackless": (lambda: tumble.collide(torus, knot, None, near, method="stackless"), SOME // 10 or 1),
        "collide, boxtree": (lambda: tumble.collide(torus, knot, None, near, tree="boxtree"), SOME // 4 or 1),
        "collide, bulk": (lambda: tumble.collide(torus, knot, None, near, method="bulk"), FEW),
        "self_collide": (lambda: tumble.self_collide(torus), FEW),
    }  # fmt: skip
    return {name: best(call, count) for name, (call, count) in calls.items()}


def best(call: Callable[[], Any], count: int, rounds: int = 5) -> float:
    """Return the shortest time of a call, in seconds."""
    call()
    times = []
    for _ in range(rounds):
        start = time.perf_counter()
        for _ in range(count):
            call()
        times.append((time.perf_counter() - start) / count)
    return min(times)


def measured_in(source: str) -> dict[str, float]:
    """Measure the version in a source folder, in a process of its own."""
    environment = {**os.environ, "PYTHONPATH": source, "TUMBLE_QUIET": "1"}
    output = subprocess.run(
        [sys.executable, __file__, "--one"], env=environment, capture_output=True, text=True, check=True
    )
    found: dict[str, float] = json.loads(output.stdout)
    return found


if __name__ == "__main__":
    if sys.argv[1:] == ["--one"]:
        print(json.dumps(measured()))
        sys.exit()
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    here = str(Path(__file__).resolve().parents[1] / "src")
    parser.add_argument("before", nargs="?", default=here)
    parser.add_argument("after", nargs="?", default=here)
    parser.add_argument("--rounds", type=int, default=1 if SMALL else 5)
    options = parser.parse_args()
    rows = []
    for number in range(options.rounds):
        sources = [options.before, options.after]
        found = [measured_in(source) for source in (sources if number % 2 == 0 else reversed(sources))]
        before, after = found if number % 2 == 0 else reversed(found)
        rows.append((before, after))
        print(f"round {number + 1} of {options.rounds}", file=sys.stderr)
    medians = []
    for name in rows[0][0]:
        ratios = [after[name] / before[name] for before, after in rows]
        medians.append(statistics.median(ratios))
        fastest = min(after[name] for _, after in rows)
        print(f"{name:26} {medians[-1]:6.3f} ({min(ratios):.2f} to {max(ratios):.2f}) {fastest * 1e6:12.2f} µs")
    print(f"{'geometric mean':26} {statistics.geometric_mean(medians):6.3f}")
