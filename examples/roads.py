"""How long is the road of a call? Python calls inside Tumble, and switches from file to file, for typical calls.

    python examples/roads.py

Each call is made once before, so that trees and kernels are there; then its second time is counted.
"""

import sys
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import tumble
from tumble.dynamics import World

HOME = str(Path(tumble.__file__).parent)


def road_of(call: Callable[[], Any]) -> tuple[int, int, int]:
    """Return the Python calls inside the package, the switches between its files, and the files, of one call."""
    visited: list[str] = []

    def note(frame: Any, event: str, argument: Any) -> None:
        if event == "call" and frame.f_code.co_filename.startswith(HOME):
            visited.append(frame.f_code.co_filename)

    call()
    sys.setprofile(note)
    try:
        call()
    finally:
        sys.setprofile(None)
    switches = sum(one != other for one, other in pairwise(visited))
    return len(visited), switches, len(set(visited))


def calls() -> dict[str, Callable[[], Any]]:
    """The calls by name."""
    knot, torus = tumble.shapes.knot(segments=60, sides=8), tumble.shapes.torus(segments=40, sides=20)
    pose = tumble.translation(0.5, 0.2, 0.1)
    scene = tumble.Scene()
    for k in range(20):
        scene.add(f"body {k}", torus, tumble.translation(1.5 * k, 0.0, 0.0))
    world = World()
    world.add_plane((0, 0, 1), 0.0)
    for k in range(5):
        world.add_body(tumble.shapes.box(), tumble.translation(0.0, 0.0, 0.5 + k), density=1.0)
    found = {
        "collides(a, b)": lambda: tumble.collides(knot, torus, None, pose),
        'collide(method="stackless", tree="kdop24")': lambda: tumble.collide(
            knot, torus, None, pose, method="stackless", tree="kdop24"
        ),
        "Scene.collisions()": lambda: scene.collisions(threads=1),
        "World.step()": lambda: world.step(1),
    }
    if tumble.devices():
        found['collide(method="bulk", device="opencl")'] = lambda: tumble.collide(
            knot, torus, None, pose, method="bulk", device="opencl"
        )
    return found


if __name__ == "__main__":
    print(f"{'':46} {'calls':>6} {'switches':>9} {'files':>6}")
    for name, call in calls().items():
        count, switches, files = road_of(call)
        print(f"{name:46} {count:6} {switches:9} {files:6}")
