"""Where the links of a robot are in many configurations, beside pinocchio and yourdfpy where they are installed.

Those two are asked from Python, one configuration per call: what calls cost is in their times.

python examples/robot_poses.py [robot.urdf [folder of its package]]      without a file: an arm of seven joints
"""

import os
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from tumble.robot import Robot

SMALL = os.environ.get("TUMBLE_EXAMPLE_SIZE") == "small"
CONFIGURATIONS, ROUNDS, SLOWER = (200, 2, 4) if SMALL else (20_000, 7, 100)
JOINTS = 7


def arm():
    """Return the text of an arm of cylinders, each turning about another axis."""
    links = [f'<link name="link{k}">{_cylinder()}</link>' for k in range(JOINTS + 1)]
    joints = [
        f'<joint name="joint{k}" type="revolute"><origin xyz="0 0 0.3" rpy="{k % 2} 0 0"/><axis xyz="0 {k % 2} 1"/>'
        f'<limit lower="-2" upper="2" effort="1" velocity="1"/>'
        f'<parent link="link{k}"/><child link="link{k + 1}"/></joint>'
        for k in range(JOINTS)
    ]
    return f'<robot name="arm">{"".join([*links, *joints])}</robot>'


def _cylinder():
    shape = '<geometry><cylinder radius="0.05" length="0.2"/></geometry>'
    return f'<collision><origin xyz="0 0 0.15"/>{shape}</collision>'


def by_pinocchio(path, robot):
    """Return a function that makes the poses of all links in one configuration."""
    import pinocchio

    model = pinocchio.buildModelFromUrdf(str(path), mimic=True)
    data, frames = model.createData(), [model.getFrameId(link, pinocchio.BODY) for link in robot.links]
    places = [model.joints[model.getJointId(name)].idx_q for name in robot.joints]

    def ask(q):
        own = pinocchio.neutral(model)
        own[places] = q
        pinocchio.framesForwardKinematics(model, data, own)
        return [data.oMf[frame].homogeneous for frame in frames]

    return ask


def by_yourdfpy(path, robot):
    """Return a function that makes the poses of all links in one configuration."""
    import yourdfpy

    judge = yourdfpy.URDF.load(str(path), load_meshes=False, build_scene_graph=True)

    def ask(q):
        judge.update_cfg(q)
        return [judge.get_transform(link) for link in robot.links]

    return ask


def main():
    """Print the time of one configuration, and how far the others are from ours."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(folder) / "arm.urdf"
        if len(sys.argv) == 1:
            path.write_text(arm())
        robot = Robot.load(path, package_dirs=sys.argv[2:])
        Q = robot.random(CONFIGURATIONS)
        expected = robot.poses(Q)
        print(f"{robot}, {len(Q):,} configurations; µs each, best of {ROUNDS} rounds:")
        ways = {
            "Tumble, one core": lambda: robot.poses(Q, threads=1),
            "Tumble, all cores": lambda: robot.poses(Q),
        }
        times = dict.fromkeys(ways, np.inf)
        others = dict(_others(path, robot))
        for _ in range(ROUNDS):
            for name, ask in ways.items():
                times[name] = min(times[name], _seconds(ask) / len(Q))
            for name, ask in others.items():
                rows = Q[: len(Q) // SLOWER]
                times[name] = min(times.get(name, np.inf), _seconds(lambda: list(map(ask, rows))) / len(rows))  # noqa: B023
        for name, seconds in times.items():
            far = np.abs(np.array(others[name](Q[0])) - expected[0]).max() if name in others else 0.0
            print(f"{name:18} {1e6 * seconds:9.2f}" + (f"   within {far:.0e} of ours" if name in others else ""))


def _others(path, robot):
    for name, make in (("pinocchio", by_pinocchio), ("yourdfpy", by_yourdfpy)):
        try:
            yield name, make(path, robot)
        except ImportError:
            print(f"{name} is not installed")


def _seconds(ask):
    start = time.perf_counter()
    ask()
    return time.perf_counter() - start


if __name__ == "__main__":
    main()
