"""Recordings of bodies whose poses are known beforehand: a robot that follows a path, and what stands around it."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from tumble.dynamics.motion import quaternion_of
from tumble.errors import InputError
from tumble.mesh import Mesh
from tumble.playback.recording import Recording, body_colours, without_jumps


def recording_of_poses(
    title: str, names: Sequence[str], meshes: Sequence[Mesh], poses: NDArray[np.float64], times: NDArray[np.float64]
) -> Recording:
    """Return bodies on their way: poses are (frames, bodies, 4, 4), times (frames,) seconds, which grow.

    A body whose pose is always the same is drawn as one that stands still.
    """
    poses, times = np.asarray(poses, np.float64), np.asarray(times, np.float64)
    if poses.shape != (len(times), len(meshes), 4, 4) or len(names) != len(meshes) or not len(times):
        raise InputError(
            f"{len(times)} times, {len(meshes)} meshes and {len(names)} names need poses of shape "
            f"({len(times)}, {len(meshes)}, 4, 4), and at least one time; found {poses.shape}"
        )
    turns = np.array([[quaternion_of(pose[:3, :3]) for pose in frame] for frame in poses], np.float32)
    movable = (poses != poses[0]).any(axis=(0, 2, 3))
    places: dict[Mesh, int] = {}
    mesh_of = np.array([places.setdefault(mesh, len(places)) for mesh in meshes], np.int64)
    return Recording(
        title, tuple(names), tuple(places), mesh_of, movable, body_colours(movable), np.empty((0, 4)),
        times - times[0], poses[:, :, :3, 3].astype(np.float32), without_jumps(turns),
    )  # fmt: skip
