"""What a device needs for a list of pairs of bodies, beside the CPU: phases in milliseconds, ways to traverse in turn.

    python examples/device_costs.py [MESH FILE] [DEVICE]

The bodies are copies of one mesh (a procedural animal, or the file's) that touch, as in a heap: random turns, distances
such that the middles of most pairs are between a half and one size apart. All contestants answer the same question in
turn, round after round; the median round counts.
"""

import statistics
import sys
import time

import numpy as np

import tumble
from tumble.device import measured
from tumble.device.opencl import open_device
from tumble.device.doors import collide_poses
from tumble.query.settings import DeviceSettings
from tumble.mesh import random_pose
from tumble.traversal import prepare

PAIRS, ROUNDS = 500, 7
WAYS = {
    "one work-item a pair": Settings(pool=False),
    "pool of whole walks": Settings(steps=0),
    "pool, split at 4096": Settings(),
    "pool, split at 512": Settings(steps=512),
    "leaves of two": Settings(leaf_size=2),
    "covariance boxes": Settings(volume="obb-covariance"),
}


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


def main(path: str | None = None, device: str = "opencl") -> None:
    """Race and print."""
    mesh = tumble.load(path) if path else tumble.shapes.blob(faces=5800)
    poses_a, poses_b = touching_poses(mesh, PAIRS)
    pairs = np.repeat(np.arange(PAIRS)[:, None], 2, axis=1)
    tree = tumble.build(mesh, "obb")
    queries = [prepare(tree, tree, a, b, method="stack") for a, b in zip(poses_a, poses_b, strict=True)]

    def on_device(settings: Settings):
        return lambda: collide_poses(device, (mesh, mesh), (poses_a, poses_b), pairs, settings=settings).counts

    contestants = {
        "CPU, fast path, all cores": lambda: tumble.collide_many(mesh, mesh, poses_b, poses_a, first=False).counts,
        "CPU, fast path, one core": lambda: (
            tumble.collide_many(mesh, mesh, poses_b, poses_a, first=False, threads=1).counts
        ),
        "CPU, stack over obb, one core": lambda: np.array([query.count() for query in queries]),
        **{f"{device}, {name}": on_device(settings) for name, settings in WAYS.items()},
    }
    expected = tumble.collide_many(mesh, mesh, poses_b, poses_a, first=False).counts
    seconds = {name: [] for name in contestants}
    phases = {}
    for name, ask in contestants.items():  # compile, build and upload
        assert np.array_equal(ask(), expected), name
    for _ in range(ROUNDS):
        for name, ask in contestants.items():
            with measured() as timings:
                start = time.perf_counter()
                ask()
                seconds[name].append(time.perf_counter() - start)
            if len(seconds[name]) == 1 or seconds[name][-1] < min(seconds[name][:-1]):
                phases[name] = timings
    print(f"{mesh}, {PAIRS} pairs of bodies, {(expected > 0).sum()} touch, with {expected.sum()} pairs of triangles")
    print(open_device(device).info)
    base = statistics.median(seconds["CPU, fast path, all cores"])
    for name, times in seconds.items():
        timings = phases[name]
        print(
            f"{name:40} median {1e3 * statistics.median(times):7.1f} ms, best {1e3 * min(times):7.1f}, "
            f"{statistics.median(times) / base:5.2f} of the fast path"
            + (
                f"; best: kernel {1e3 * timings.kernel:.1f} upload {1e3 * timings.upload:.1f} copy "
                f"{1e3 * timings.copy:.2f} confirm {1e3 * timings.confirm:.1f}, {timings.launches} launches, "
                f"{timings.candidates} candidates, {timings.unsure} not certain"
                if timings.launches
                else ""
            )
        )


if __name__ == "__main__":
    main(*sys.argv[1:])
