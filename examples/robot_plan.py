"""An arm reaches into a bookshelf: RRT-Connect with proved edges, and the motion as a page (or an animated glTF).

Run: python examples/robot_plan.py [reach.html] [robot.urdf robot.srdf]
"""

import os
import sys
from itertools import pairwise
from time import perf_counter

import numpy as np

import tumble
from tumble.playback import recording_of_poses, save
from tumble.robot import FIXED, TURNS, Kinematics, Robot
from tumble.scenario.shelves import bookshelf

SMALL = os.environ.get("TUMBLE_EXAMPLE_SIZE") == "small"
STEP, MOST_ROUNDS, SEED = 0.5, 5_000, 1


def arm():
    """Six rods of 0.25 m, one on the other, which turn about z and x by turns; a rod may touch the next one."""
    rod = tumble.shapes.box((0.06, 0.06, 0.22))
    mesh = tumble.transformed(rod, tumble.translation(0, 0, 0.125))
    up, axes = tumble.translation(0, 0, 0.25), [(1, 0, 0) if k % 2 else (0, 0, 1) for k in range(6)]
    kinematics = Kinematics.of(
        parents=[-1, *range(6)], kinds=[FIXED] + 6 * [TURNS], columns=range(-1, 6), factors=7 * [1], offsets=7 * [0],
        origins=[np.eye(4)] + 6 * [up], axes=[(0, 0, 1), *axes],
    )  # fmt: skip
    names = [f"rod{k}" for k in range(7)]
    limits = np.array(6 * [[-2.6, 2.6]])
    robot = Robot(names, 7 * [mesh], kinematics, [f"joint{k}" for k in range(6)], limits)
    return robot.with_allowed(list(pairwise(names)))


def grow(robot, scene, tree, target, steps):
    """Grow a tree from its nearest node towards a configuration, by edges that are proved free: was it reached?"""
    nodes, before = tree
    node = int(np.argmin(np.linalg.norm(np.array(nodes) - target, axis=1)))
    for _ in range(steps):
        way = target - nodes[node]
        size = np.linalg.norm(way)
        new = target if size <= STEP else nodes[node] + way * (STEP / size)
        if not robot.check_motion(nodes[node], new, scene).free:
            break
        nodes.append(new)
        before.append(node)
        node = len(nodes) - 1
        if size <= STEP:
            return True, node
    return False, node


def plan(robot, scene, start, goal, rng):
    """RRT-Connect: one tree grows a step towards a random configuration, the other as far as it can."""
    trees = [([start], [-1]), ([goal], [-1])]
    for _ in range(MOST_ROUNDS):
        _, node = grow(robot, scene, trees[0], robot.random(1, rng)[0], 1)
        met, other = grow(robot, scene, trees[1], trees[0][0][node], MOST_ROUNDS)
        if met:
            sides = [path_to(*trees[0], node), path_to(*trees[1], other)]
            forward = sides if np.array_equal(sides[0][0], start) else sides[::-1]
            return np.array(forward[0] + forward[1][-2::-1])
        trees.reverse()
    raise SystemExit("no path was found")


def path_to(nodes, before, node):
    """The way from the root of a tree to one of its nodes."""
    path = []
    while node >= 0:
        path.append(nodes[node])
        node = before[node]
    return path[::-1]


def shortened(robot, scene, path, rng, tries):
    """Leave out what lies between two nodes where the straight line is free."""
    for _ in range(tries if len(path) > 2 else 0):
        i, j = sorted(rng.choice(len(path), 2, replace=False))
        if j > i + 1 and robot.check_motion(path[i], path[j], scene).free:
            path = np.concatenate([path[: i + 1], path[j:]])
    return path


urdf = [each for each in sys.argv[1:] if each.endswith((".urdf", ".srdf"))]
target = next((each for each in sys.argv[1:] if each not in urdf), "reach.glb")
robot, rng, scene = Robot.load(*urdf) if urdf else arm(), np.random.default_rng(SEED), tumble.Scene()
for each in bookshelf():
    scene.add(each.name, each.mesh, each.pose)

free = robot.random(20_000, SEED)
free = free[~robot.collides(free, scene).hit]
# from far away to a place between two boards, where of the nearest samples the one with the most room is
away = np.linalg.norm(robot.poses(free)[:, -1, :3, 3] - scene.pose("board1")[:3, 3] + [0, 0, 0.17], axis=1)
inside = free[np.argsort(away)[:100]]
start, goal = free[np.argmax(away)], inside[np.argmax(robot.distance(inside, scene).distance)]

began = perf_counter()
found = plan(robot, scene, start, goal, rng)
path = shortened(robot, scene, found, rng, 20 if SMALL else 200)
print(f"planned in {perf_counter() - began:.2f} s: {len(found)} nodes, {len(path)} of them after shortening")

frames = 20 if SMALL else 200
times = np.linspace(0.0, 1.0, frames)[:, None]
Q = np.concatenate([a + times * (b - a) for a, b in pairwise(path)])
print(f"{robot.collides(Q, scene).hit.sum()} of {len(Q)} configurations along the path collide")
print(f"the arm keeps {robot.distance(Q, scene, self_collision=False).distance.min():.4f} m from the shelf")
assert not robot.collides(Q, scene).hit.any()

Q = Q[:: max(1, len(Q) // 300)]
links = [k for k, mesh in enumerate(robot.meshes) if mesh is not None]
still = np.array([scene.pose(name) for name in scene.names])
poses = np.concatenate([robot.poses(Q)[:, links], np.broadcast_to(still, (len(Q), *still.shape))], axis=1)
names = [*(robot.links[k] for k in links), *scene.names]
meshes = [*(robot.meshes[k] for k in links), *(scene.mesh(name) for name in scene.names)]
written = save(recording_of_poses("An arm reaches into a shelf", names, meshes, poses, np.arange(len(Q)) / 30), target)
print(f"{target}: {written} bytes")
