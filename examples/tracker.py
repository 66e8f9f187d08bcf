"""Two tori turn past each other, asked frame by frame in three ways. Run: python examples/tracker.py"""

import os
from time import perf_counter

import numpy as np

import tumble

SMALL = os.environ.get("TUMBLE_EXAMPLE_SIZE") == "small"
sides, frames = (10, 5) if SMALL else (100, 100)
a, b = (tumble.shapes.torus(segments=2 * sides, sides=sides) for _ in range(2))
motion = [tumble.translation(0.9, 0.0, 0.0) @ tumble.rotation((1, 2, 3), 0.01 * k) for k in range(frames)]
tracker = tumble.Tracker(a, b)
ways = {
    "tumble.Tracker": lambda pose: tracker.collide(pose_b=pose),
    "tumble.collide": lambda pose: tumble.collide(a, b, pose_b=pose),
    'method="bulk"': lambda pose: tumble.collide(a, b, pose_b=pose, method="bulk"),
}
for ask in ways.values():
    ask(motion[0])  # the first call loads kernels

seconds = {name: [] for name in ways}
for pose in motion:
    answers = []
    for name, ask in ways.items():
        start = perf_counter()
        answers.append(ask(pose).pairs)
        seconds[name].append(perf_counter() - start)
    assert all(np.array_equal(pairs, answers[0]) for pairs in answers)

print(f"{len(a)} and {len(b)} triangles, {len(motion)} frames, {tracker}")
for name, taken in seconds.items():
    print(f"{name:15} {1000 * np.median(taken):6.2f} ms a frame")
