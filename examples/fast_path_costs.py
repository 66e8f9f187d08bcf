"""What the fast path spends its time on: nanoseconds for a block of eight boxes, a pair of leaves, a touching pair.

    python examples/fast_path_costs.py

Times all pairs of tumbling shapes inside the kernel, counts what it did, and fits one cost for each kind of step.
"""

import os
import time
import timeit

import numpy as np

import tumble
from tumble.hierarchy.packed import packed
from tumble.scenario.objects import shape_duo
from tumble.scenario.tumbling import tumbling_poses
from tumble.traversal.packed.query import all_pairs

SMALL = os.environ.get("TUMBLE_EXAMPLE_SIZE") == "small"
SHAPES = [(kind, faces) for faces in ((500, 1_000) if SMALL else (1_000, 10_000)) for kind in ("torus", "knot", "bowl")]
DISTANCES = (0.9, 0.6)
POSES, ROUNDS, CALLS = (2, 1, 20) if SMALL else (8, 25, 20_000)
IDENTITY = np.eye(4)


def print_calls() -> None:
    """Print what a call costs when the boxes around two meshes settle it."""
    mesh, far = tumble.shapes.torus(), tumble.translation(100, 0, 0)
    for name, ask in (("collides", tumble.collides), ("collide", tumble.collide)):
        ask(mesh, mesh, None, far)
        seconds = min(timeit.repeat(lambda ask=ask: ask(mesh, mesh, None, far), number=CALLS, repeat=5)) / CALLS
        print(f"{name}, far apart: {seconds * 1e6:.2f} µs")


def main() -> None:
    """Measure, fit and print."""
    print_calls()
    steps, nanoseconds = [], []
    buffer = np.empty(1 << 20, np.int64)
    for kind, faces in SHAPES:
        duo = shape_duo(kind, faces)
        header = packed(duo.a).header
        for distance in DISTANCES:
            poses = list(tumbling_poses(distance, POSES))
            done = [tumble.collide(duo.a, duo.b, None, pose, stats=True).stats for pose in poses]
            best = np.inf
            for _ in range(ROUNDS):
                start = time.perf_counter()
                for pose in poses:
                    all_pairs(header, header, None, pose, IDENTITY, None, buffer)
                best = min(best, time.perf_counter() - start)
            steps.append([sum(getattr(one, name) for one in done) for name in ("iterations", "leaf_overlaps", "hits")])
            nanoseconds.append(best * 1e9)
            blocks, leaves, hits = (count / POSES for count in steps[-1])
            print(
                f"{duo.name} at {distance}: {best / POSES * 1e6:.1f} µs, {blocks:.0f} blocks, {leaves:.0f} leaf pairs, "
                f"{hits:.0f} touching"
            )
    weights = 1 / np.array(nanoseconds)
    costs = np.linalg.lstsq(np.array(steps) * weights[:, None], np.ones(len(steps)), rcond=None)[0]
    error = np.abs(np.array(steps) @ costs * weights - 1).max()
    block, leaf, hit = costs
    print(f"a block {block:.0f} ns, a leaf pair {leaf:.0f} ns, a touching pair {hit:.0f} ns; off by up to {error:.0%}")


if __name__ == "__main__":
    main()
