"""Fast bodies and thin walls: what `continuous` stops, and what it costs where nothing is fast.

python examples/fast_bodies.py            # bodies thrown at walls, with and without it
python examples/fast_bodies.py --cost     # the processor time of scenes in turn with and without it
"""

import argparse
import os
import statistics
import time

import numpy as np

import tumble
from tumble import shapes
from tumble.dynamics import Settings, World
from tumble.scenario.worlds import build

SMALL = os.environ.get("TUMBLE_EXAMPLE_SIZE") == "small"
SPEED = 100.0
BODIES = {"ball": shapes.icosphere(2, 0.1), "box": shapes.box(0.2), "animal": shapes.blob(faces=2000)}
SCENES = {"stack": (10, 100), "dominoes": (20, 100), "bowl": (3, 150)}  # bodies, steps


def thrown(name: str, thickness: float, step: float, continuous: bool) -> World:
    """Return a body that is on its way to a wall, so that a step would take it from before the wall to behind it."""
    world = World(step=step, settings=Settings(continuous=continuous))
    world.add_body(shapes.box((thickness, 3.0, 3.0)), static=True, name="wall")
    pose = tumble.translation(-1.5 * step * SPEED, 0.0, 0.0)
    world.add_body(BODIES[name], pose, velocity=(SPEED, 0.0, 0.0), spin=(0, 9, 30), mass=1.0, restitution=0.3)
    return world


def throw_all() -> None:
    """Print where thrown bodies are after three steps."""
    print(f"thrown at {SPEED:g} m/s at a wall in the plane x = 0; after three steps the centre is at x =")
    for name in list(BODIES)[: 1 if SMALL else None]:
        for thickness, step in ((0.001, 1 / 60), (0.0001, 1 / 240)):
            places = []
            for continuous in (False, True):
                world = thrown(name, thickness, step, continuous)
                world.step(3)
                places.append(world.positions()[1, 0])
            about = f"{name}, wall of {1000 * thickness:g} mm, step of 1/{1 / step:.0f} s"
            print(f"{about:42} {places[0]:6.2f} m without, {places[1]:6.2f} m with `continuous`")


def seconds_per_step(world: World, steps: int) -> float:
    """Return the processor time of a step."""
    start = time.process_time()
    world.step(steps)
    return (time.process_time() - start) / steps


def compare(name: str, count: int, steps: int, rounds: int) -> None:
    """Print what a step of a scene takes with the option, as a share of what it takes without, in turn."""
    ratios, without, same, fast = [], [], True, 0
    for _ in range(rounds):
        worlds = [build(name, count=count, continuous=continuous) for continuous in (False, True)]
        times = np.array([seconds_per_step(world, 1) for world in worlds])  # kernels and trees are made
        times[:] = 0.0
        for _ in range(steps):  # step by step in turn: what disturbs the machine disturbs both
            times += [seconds_per_step(world, 1) for world in worlds]
            fast += "impacts" in worlds[1].counts
        ratios.append(times[1] / times[0])
        without.append(1e3 * times[0] / steps)
        same = same and np.array_equal(worlds[0].poses(), worlds[1].poses())
    states = "the same bits" if same else "other states"
    times_text = (
        f"{statistics.median(without):.2f} ms per step, with `continuous` {statistics.median(ratios):.3f} of it"
    )
    spread = f"({min(ratios):.3f} to {max(ratios):.3f})"
    print(f"{name}: {times_text} {spread}, {fast // rounds} of {steps} steps with fast bodies, {states}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cost", action="store_true", help="measure scenes with and without `continuous`")
    parser.add_argument("--rounds", type=int, default=1 if SMALL else 7)
    options = parser.parse_args()
    if options.cost or SMALL:
        for scene, (bodies, count) in list(SCENES.items())[: 1 if SMALL else None]:
            compare(scene, bodies, 3 if SMALL else count, options.rounds)
    if not options.cost:
        throw_all()
