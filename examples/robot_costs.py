"""What questions about a robot cost, per configuration or edge, in processor time.

Run: python examples/robot_costs.py panda.urdf panda.srdf      (without files: an arm of six rods)
"""

import os
import sys
from functools import partial
from pathlib import Path
from time import process_time

import numpy as np

import tumble
from tumble.robot import Robot
from tumble.scenario.shelves import FURNITURE

SMALL = os.environ.get("TUMBLE_EXAMPLE_SIZE") == "small"
COUNT, EDGES = (300, 20) if SMALL else (20_000, 1_000)


def rods():
    """The arm of `robot_plan.py`."""
    plan = Path(__file__).with_name("robot_plan.py").read_text().split("urdf = [")[0]
    names = {"__name__": "robot_plan"}
    exec(compile(plan, "robot_plan.py", "exec"), names)
    return names["arm"]()


def best(ask, count):
    """Microseconds of processor time per item, the least of some rounds: other programs may run."""
    times = []
    for _ in range(1 if SMALL else 5):
        began = process_time()
        ask()
        times.append(process_time() - began)
    return 1e6 * min(times) / count


def ask_about(robot, scene, Q):
    """Print a row for each question."""
    hit, some = robot.collides(Q, scene).hit, Q[: max(1, COUNT // 10)]
    rows = {
        "collides": lambda: robot.collides(Q, scene, threads=1),
        "collides, the robot alone": lambda: robot.collides(Q, threads=1),
        "collides, links=True": lambda: robot.collides(Q, scene, links=True, threads=1),
        "collides, clearance=0.01": lambda: robot.collides(Q, scene, clearance=0.01, threads=1),
    }
    print(f"{hit.mean():.0%} of {COUNT} random configurations collide")
    for what, ask in rows.items():
        print(f"  {what:32} {best(ask, COUNT):8.2f} µs")
    print(f"  {'distance':32} {best(lambda: robot.distance(some, scene, threads=1), len(some)):8.2f} µs")
    for step in (0.1, 0.5):
        start = Q[~hit][:EDGES]
        end = np.clip(start + step * np.random.default_rng(3).normal(size=start.shape), *robot.limits.T)
        for times in (False, True):
            ask = partial(robot.check_motions, start, end, scene, times=times, threads=1)
            what = f"check_motions, {step} rad{', times' if times else ''}"
            print(f"  {what:32} {best(ask, len(start)):8.2f} µs   {ask().free.mean():.0%} free")


robot = Robot.load(*sys.argv[1:]) if sys.argv[1:] else rods()
robot.collides(robot.random(1_000 if SMALL else 100_000, seed=2))  # from then on, it has its tables of gaps
for name, furniture in FURNITURE.items():
    scene = tumble.Scene()
    for each in furniture():
        scene.add(each.name, each.mesh, each.pose)
    print(f"\n{robot.name or 'arm'}, {name}: ", end="")
    ask_about(robot, scene, robot.random(COUNT, seed=1))
