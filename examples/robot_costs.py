"""What questions about a robot cost, per configuration or edge: on one thread, and on all cores.

Run: python examples/robot_costs.py panda.urdf panda.srdf      (without files: an arm of six rods)
"""

import os
import sys
from functools import partial
from pathlib import Path
from time import perf_counter, process_time

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


def best(ask, count, clock):
    """Microseconds per item, the least of some rounds: other programs may run."""
    times = []
    for _ in range(1 if SMALL else 5):
        began = clock()
        ask()
        times.append(clock() - began)
    return 1e6 * min(times) / count


def show(what, ask, count, remark=""):
    """Print a row: on one thread in processor time, on all cores by the clock."""
    one, all_cores = best(partial(ask, threads=1), count, process_time), best(ask, count, perf_counter)
    print(f"  {what:38} {one:9.2f} µs {all_cores:9.2f} µs {one / all_cores:6.1f}×   {remark}")


def ask_about(robot, scene, Q):
    """Print a row for each question."""
    hit, some = robot.collides(Q, scene).hit, Q[: max(1, COUNT // 10)]
    by_link = dict.fromkeys(robot.links[-3:], 0.05)
    print(f"{hit.mean():.0%} of {COUNT} random configurations collide; on one thread, on all cores")
    show("collides", partial(robot.collides, Q, scene), COUNT)
    show("collides, the robot alone", partial(robot.collides, Q), COUNT)
    show("collides, links=True", partial(robot.collides, Q, scene, links=True), COUNT)
    show("collides, clearance=0.01", partial(robot.collides, Q, scene, clearance=0.01), COUNT)
    show("collides, clearance by link", partial(robot.collides, Q, scene, clearance=by_link), COUNT)
    show("distance", partial(robot.distance, some, scene), len(some))
    show("distance, links=True", partial(robot.distance, some, scene, links=True), len(some))
    within = partial(robot.distance, some, scene, links=True, upper_bound=0.1)
    show("distance, links=True, upper_bound=0.1", within, len(some))
    show("find_allowed_pairs, per sample", partial(robot.find_allowed_pairs, COUNT), COUNT)
    for step in (0.1, 0.5):
        start = Q[~hit][:EDGES]
        end = np.clip(start + step * np.random.default_rng(3).normal(size=start.shape), *robot.limits.T)
        for times in (False, True):
            ask = partial(robot.check_motions, start, end, scene, times=times)
            what = f"check_motions, {step} rad{', times' if times else ''}"
            show(what, ask, len(start), f"{ask().free.mean():.0%} free")


robot = Robot.load(*sys.argv[1:]) if sys.argv[1:] else rods()
robot.collides(robot.random(1_000 if SMALL else 100_000, seed=2))  # from then on, it has its tables of gaps
for name, furniture in FURNITURE.items():
    scene = tumble.Scene()
    for each in furniture():
        scene.add(each.name, each.mesh, each.pose)
    print(f"\n{robot.name or 'arm'}, {name}: ", end="")
    ask_about(robot, scene, robot.random(COUNT, seed=1))
