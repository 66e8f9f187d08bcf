"""The motion of paper `boxtree`: at each of some distances one object makes a full turn about the z and the x axis.

The distance runs between the middles of the two boxes, in lengths of the box: at 1 two cubes would just meet.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from tumble.mesh import compose, random_pose, rotation, translation

Poses = NDArray[np.float64]


def tumbling_poses(distance: float, steps: int) -> Poses:
    """Poses of the second object: a turn of so many steps about z and, by the same angle, about x.

    Poses stand in the middle of their steps: the aligned pose at the start is one of the paper's 5000, and must not
    be one of a dozen here, nor are quarter turns, if the number of steps is a multiple of four. Aligned poses have a
    query of their own.
    """
    turns = [2 * np.pi * (step + 0.5) / steps for step in range(steps)]
    place = translation(distance, 0.0, 0.0)
    return np.stack([compose(place, rotation("z", turn), rotation("x", turn)) for turn in turns])


def motion_poses(count: int, turns: int = 10) -> Poses:
    """A tumbling motion: so many full turns while the middles draw near, from 1.3 to 0.4 lengths of the box."""
    return np.stack(
        [
            compose(translation(1.3 - 0.9 * done, 0.0, 0.0), rotation("z", angle), rotation("x", angle))
            for done in (np.arange(count) + 0.5) / count
            for angle in [2 * np.pi * turns * done]
        ]
    )


def aligned_poses(distances: Sequence[float]) -> Poses:
    """Only moved, not turned: parallel faces lie in common planes, as parts do that were drawn in one frame."""
    return np.stack([translation(distance, 0.0, 0.0) for distance in distances])


def scattered_poses(count: int, seed: int = 1) -> Poses:
    """Any rotation, in any direction, the middles 0.3 to 1.2 apart: from deep inside each other to clear."""
    rng = np.random.default_rng(seed)
    poses = np.stack([random_pose(rng, 0.0) for _ in range(count)])
    directions = rng.normal(size=(count, 3))
    directions /= np.linalg.norm(directions, axis=1)[:, None]
    poses[:, :3, 3] = directions * rng.uniform(0.3, 1.2, size=(count, 1))
    return poses


def crowd_poses(count: int, spacing: float, seed: int) -> Poses:
    """A loose cubic heap of bodies, each turned anyhow and pushed up to a fifth of the spacing off its place."""
    rng = np.random.default_rng(seed)
    side = int(np.ceil(round(count ** (1 / 3), 9)))
    places = np.stack(np.meshgrid(*[np.arange(side)] * 3, indexing="ij"), axis=-1).reshape(-1, 3)[:count]
    poses = np.stack([random_pose(rng, 0.0) for _ in range(count)])
    poses[:, :3, 3] = spacing * (places + rng.uniform(-0.2, 0.2, size=(count, 3)))
    return poses
