"""Where to stand to see a recording: one camera for all formats."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tumble.mesh.pose import rows_of_quaternion
from tumble.playback.recording import Recording

FIELD_OF_VIEW = np.radians(36.0)
"""from top to bottom"""
ASPECT = 1.5
"""of the picture that all fits in, width by height"""
DIRECTION = np.array([0.5, -0.9, 0.5])
"""from what is looked at to the camera: from the front, a little from the right and from above"""
FILLED = 0.82
"""share of the picture that is used"""
FALL = 1.75
"""what starts higher than this, in heights of what is there at the end, falls into the picture from above"""


@dataclass(frozen=True)
class View:
    """A camera and the size of what it sees."""

    eye: NDArray[np.float64]
    target: NDArray[np.float64]
    size: float
    """m, radius of a ball about what happens"""
    depth: float
    """m, from the eye to the farthest body"""
    ground: float | None
    """height of the highest horizontal plane that carries the bodies; None if there is none"""


def view_of(recording: Recording) -> View:
    """Return a camera that sees bodies at the start and at the end, without stragglers and what falls from high."""
    low, high = _boxes(recording)
    corners = np.stack([np.where(pick, high, low) for pick in np.ndindex(2, 2, 2)]).reshape(-1, 3)
    away = DIRECTION / np.linalg.norm(DIRECTION)
    right = np.cross((0.0, 0.0, 1.0), away)
    right /= np.linalg.norm(right)
    across = np.stack([right, np.cross(away, right)])
    half = FILLED * np.tan(FIELD_OF_VIEW / 2) * np.array([ASPECT, 1.0])
    # Along each direction of the picture, the eye is where the two planes that bound the picture hold all corners.
    sideways, towards = corners @ across.T, corners @ away
    highest = (sideways / half + towards[:, None]).max(axis=0)
    lowest = (sideways / half - towards[:, None]).min(axis=0)
    middle, distances = half * (highest + lowest) / 2, (highest - lowest) / 2
    distance = float(distances.max())
    centre = float(towards.min() + towards.max()) / 2
    axis = middle @ across
    size = float(np.linalg.norm(corners.max(axis=0) - corners.min(axis=0))) / 2 or 1.0
    level = recording.planes[recording.planes[:, 2] > 0.999]
    ground = float(level[:, 3].max()) if len(level) else None
    return View(axis + distance * away, axis + centre * away, size, distance - float(towards.min()), ground)


def _boxes(recording: Recording) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the corners of boxes about the bodies at the start and at the end, stragglers moved in."""
    (first_low, first_high), (last_low, last_high) = (_boxes_at(recording, frame) for frame in (0, -1))
    low, high = np.concatenate([first_low, last_low]), np.concatenate([first_high, last_high])
    least, most = np.percentile(low, 1, axis=0), np.percentile(high, 99, axis=0)
    bottom, top = last_low[:, 2].min(), last_high[:, 2].max()
    most[2] = min(most[2], bottom + FALL * (top - bottom))
    return np.clip(low, least, most), np.clip(high, least, most)


def _boxes_at(recording: Recording, frame: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    boxes = []
    for which, mesh in enumerate(recording.meshes):
        bodies = np.flatnonzero(recording.mesh_of == which)
        boxes.append(_box_of(mesh.vertices, recording.positions[frame, bodies], recording.turns[frame, bodies]))
    lows, highs = zip(*boxes, strict=True)
    return np.concatenate(lows), np.concatenate(highs)


def _box_of(
    vertices: NDArray[np.float64], positions: NDArray[np.float32], turns: NDArray[np.float32]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the corners of boxes about the turned boxes of a mesh."""
    corners = vertices if len(vertices) else np.zeros((1, 3))
    least, most = corners.min(axis=0), corners.max(axis=0)
    matrices = matrices_of(turns.astype(np.float64))
    centres = positions + matrices @ ((least + most) / 2)
    reach = np.abs(matrices) @ ((most - least) / 2)
    return centres - reach, centres + reach


def matrices_of(turns: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the rotations of unit quaternions w, x, y, z."""
    return np.moveaxis(np.array(rows_of_quaternion(*turns.T)), 2, 0)
