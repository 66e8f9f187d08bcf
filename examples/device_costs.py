"""What a device needs for a list of pairs of bodies, beside the CPU: phases in milliseconds, ways to traverse in turn.

    python examples/device_costs.py [MESH FILE] [DEVICE]

The bodies are copies of one mesh (a procedural animal, or the file's) that touch, as in a heap: random turns, distances
such that the middles of most pairs are between a half and one size apart. All contestants answer the same question in
turn, round after round; the median round counts.

A second table is about one pair of meshes again and again, by the methods whose trees are in the world's frame: with
trees that stay on the device, and with trees that are built for each call.
"""

import os
import statistics
import sys
import time
from collections.abc import Callable

import numpy as np

import tumble
from tumble.device import DeviceTimings, measured
from tumble.device.opencl import open_device
from tumble.mesh import random_pose
from tumble.query.settings import DeviceSettings
from tumble.traversal.every import prepare

SMALL = os.environ.get("TUMBLE_EXAMPLE_SIZE") == "small"
FACES, PAIRS, ROUNDS = (2000, 10, 1) if SMALL else (5800, 500, 7)
WAYS = {
    "one work-item per pair": DeviceSettings(pool=False),
    "pool of whole walks": DeviceSettings(steps=0),
    "pool, split at 4096": DeviceSettings(),
    "pool, split at 512": DeviceSettings(steps=512),
    "leaves of two": DeviceSettings(leaf_size=2),
    "covariance boxes": DeviceSettings(volume="obb-covariance"),
}
FAST_PATH = "CPU, fast path, all cores"

Ask = Callable[[], object]


def touching_poses(mesh: tumble.Mesh, count: int) -> tuple[np.ndarray, np.ndarray]:
    """Return poses of two bodies for each pair."""
    rng = np.random.default_rng(1)
    size = float(np.linalg.norm(mesh.bounds[1] - mesh.bounds[0]))
    poses = np.array([[random_pose(rng, 0.0) for _ in range(2)] for _ in range(count)])
    middle = mesh.bounds.mean(axis=0)
    directions = rng.normal(size=(count, 3))
    directions *= rng.uniform(0.2, 0.6, (count, 1)) * size / np.linalg.norm(directions, axis=1, keepdims=True)
    poses[:, :, :3, 3] = -np.einsum("nkij,j->nki", poses[:, :, :3, :3], middle)
    poses[:, 1, :3, 3] += directions
    return np.ascontiguousarray(poses[:, 0]), np.ascontiguousarray(poses[:, 1])


def race(contestants: dict[str, Ask]) -> tuple[dict[str, list[float]], dict[str, DeviceTimings]]:
    """Return the seconds of all rounds, and the phases of the best one."""
    seconds: dict[str, list[float]] = {name: [] for name in contestants}
    phases = {}
    for _ in range(ROUNDS):
        for name, ask in contestants.items():
            with measured() as timings:
                start = time.perf_counter()
                ask()
                seconds[name].append(time.perf_counter() - start)
            if seconds[name][-1] == min(seconds[name]):
                phases[name] = timings
    return seconds, phases


def list_of_pairs(mesh: tumble.Mesh, device: str) -> None:
    """Race the ways to answer for many pairs of bodies."""
    poses_a, poses_b = touching_poses(mesh, PAIRS)
    tree = tumble.build(mesh, "obb")
    queries = [prepare(tree, tree, a, b, method="stack") for a, b in zip(poses_a, poses_b, strict=True)]

    def many(**options: object) -> Callable[[], np.ndarray]:
        return lambda: tumble.collide_many(mesh, mesh, poses_b, poses_a, first=False, **options).counts

    contestants = {
        FAST_PATH: many(),
        "CPU, fast path, one core": many(threads=1),
        "CPU, stack over obb, one core": lambda: np.array([query.count() for query in queries]),
        **{f"{device}, {name}": many(device=device, settings=settings) for name, settings in WAYS.items()},
    }
    expected = contestants[FAST_PATH]()
    for name, ask in contestants.items():  # compile, build and upload
        assert np.array_equal(ask(), expected), name
    seconds, phases = race(contestants)
    print(f"{mesh}, {PAIRS} pairs of bodies, {(expected > 0).sum()} touch, with {expected.sum()} pairs of triangles")
    base = statistics.median(seconds[FAST_PATH])
    for name, times in seconds.items():
        ratio = statistics.median(times) / base
        print(f"{name:40} {shown(times)}, {ratio:5.2f} of the fast path{phases_text(phases[name])}")


def one_pair_again(mesh: tumble.Mesh, device: str) -> None:
    """Ask about two meshes pose after pose: with trees built for the call, with trees that are moved, and once more."""
    _, poses = touching_poses(mesh, 3 * ROUNDS + 1)
    other = tumble.shapes.torus(segments=96, sides=len(mesh) // 192)
    print(f"\n{mesh} and {other}, pose after pose")
    for method in ("bulk", "front"):
        seconds: dict[str, list[float]] = {"trees built": [], "trees moved": [], "the same pose again": []}
        for number, pose in enumerate(poses):
            new = tumble.Mesh(mesh.vertices, mesh.faces)  # with no tree on the device
            for name, moving in zip(seconds, (new, mesh, mesh), strict=True):
                start = time.perf_counter()
                tumble.collide(moving, other, pose, method=method, device=device)
                if number:
                    seconds[name].append(time.perf_counter() - start)
        for name, times in seconds.items():
            print(f"{f'{device}, {method}, {name}':40} {shown(times)}")


def shown(times: list[float]) -> str:
    """Return the median and the best round."""
    return f"median {1e3 * statistics.median(times):7.1f} ms, best {1e3 * min(times):7.1f}"


def phases_text(timings: DeviceTimings) -> str:
    """Return the phases on a device; nothing for the CPU."""
    if not timings.launches:
        return ""
    return (
        f"; best: kernel {1e3 * timings.kernel:.1f} upload {1e3 * timings.upload:.1f} copy {1e3 * timings.copy:.2f} "
        f"confirm {1e3 * timings.confirm:.1f}, {timings.launches} launches, {timings.candidates} candidates, "
        f"{timings.unsure} not certain"
    )


def main(path: str | None = None, device: str = "opencl") -> None:
    """Race and print."""
    mesh = tumble.load(path) if path else tumble.shapes.blob(faces=FACES)
    try:
        print(open_device(device).info)
    except tumble.DeviceError as error:
        sys.exit(str(error))
    list_of_pairs(mesh, device)
    one_pair_again(mesh, device)


if __name__ == "__main__":
    main(*sys.argv[1:])
