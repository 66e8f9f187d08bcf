"""Pictures of many equal bodies on a plane: triangles with a depth buffer, sun and shadow, no graphics hardware.

    image = draw_bodies(vertices, faces, poses, camera, size)      (height, width, 3), from 0 to 1

Two passes over the same triangles. The first looks from the sun and keeps the nearest of each texel; the second looks
from the camera, and what the sun does not see is in shadow. Twice the size, then means of 2 × 2: smooth edges.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tumble.core.jit import kernel

Array = NDArray[np.float64]

SUN = np.array([-0.45, -0.55, 1.0]) / np.linalg.norm([-0.45, -0.55, 1.0])
TONES = np.array([[0.93, 0.89, 0.82], [0.78, 0.58, 0.40], [0.46, 0.35, 0.29], [0.86, 0.73, 0.58]])
GROUND, SKY = np.array([0.905, 0.915, 0.90]), np.array([0.985, 0.988, 0.992])
AMBIENT, FINER, TEXELS = 0.48, 2, 2048
# Where the camera stands: a direction, in diagonals of what it sees; and how much space it leaves around that.
WAY = np.array([0.42, -1.0, 0.46]) / np.linalg.norm([0.42, -1.0, 0.46])
DISTANCE, SPACE = 1.6, 1.02
# Where the ground fades into the sky, in camera distances from the middle.
FADE = 2.2
# A surface does not shade itself: in sizes of a texel.
BIAS = 2.5


class Camera(NamedTuple):
    """Where from, where to, and the height of the picture at distance 1."""

    eye: Array
    target: Array
    opening: float


class _View(NamedTuple):
    """An orthonormal frame: right, up, and towards the viewer."""

    right: Array
    up: Array
    back: Array


def camera_for(frames: Sequence[Array], reach: float, size: tuple[int, int]) -> Camera:
    """A camera that sees bodies of this size in all frames, from the front and a little above.

    The farthest hundredth of a frame may be cut: one body that rolls away does not make all others small.
    """
    ends = np.array([np.percentile(poses[:, :, 3], [1, 99], axis=0) for poses in frames])
    low, high = ends[:, 0].min(axis=0) - reach, ends[:, 1].max(axis=0) + reach
    low[2] = min(low[2], 0.0)
    corners = np.array([[x, y, z] for x in (low[0], high[0]) for y in (low[1], high[1]) for z in (low[2], high[2])])
    target, away = (low + high) / 2, DISTANCE * float(np.linalg.norm(high - low)) * WAY
    view = _view(away)
    for _ in range(2):  # the middle of what is seen, then how large it is
        relative = corners - target - away
        x, y = (relative @ axis / -(relative @ view.back) for axis in (view.right, view.up))
        middle = (x.min() + x.max()) / 2 * view.right + (y.min() + y.max()) / 2 * view.up
        target = target + float(np.linalg.norm(away)) * middle
    opening = max(float(np.ptp(y)), float(np.ptp(x)) * size[1] / size[0])
    return Camera(target + away, target, SPACE * opening)


def draw_bodies(
    vertices: Array, faces: NDArray[np.int64], poses: Array, camera: Camera, size: tuple[int, int]
) -> Array:
    """Draw posed copies of a body on the plane z = 0."""
    corners = (vertices @ poses[:, :, :3].transpose(0, 2, 1) + poses[:, None, :, 3])[:, faces].reshape(-1, 3, 3)
    owners = np.repeat(np.arange(len(poses)), len(faces))
    shadow = _shadow_map(corners)
    width, height = FINER * size[0], FINER * size[1]
    view = _view(camera.eye - camera.target)
    seen = _seen(corners, camera, view, width, height)
    points, on_ground, in_sky = _points(seen, camera, view)
    normals, colours = _surfaces(corners, owners, seen)
    lit = _lit(points, shadow) * np.clip(normals @ SUN, 0.0, 1.0)
    image = colours * (AMBIENT + (1 - AMBIENT) * lit)[..., None]
    image[on_ground] = _faded(GROUND * (0.66 + 0.34 * _lit(points, shadow))[..., None], points, camera)[on_ground]
    image[in_sky] = SKY
    return image.reshape(size[1], FINER, size[0], FINER, 3).mean(axis=(1, 3))


def _view(back: Array) -> _View:
    back = back / np.linalg.norm(back)
    right = np.cross([0.0, 0.0, 1.0], back)
    right /= np.linalg.norm(right)
    return _View(right, np.cross(back, right), back)


class _Seen(NamedTuple):
    nearness: Array
    """1 / distance along the view, 0 where nothing is"""
    triangle: NDArray[np.int64]
    scale: float


def _seen(corners: Array, camera: Camera, view: _View, width: int, height: int) -> _Seen:
    """What each pixel sees; nearness is linear over a projected triangle."""
    relative = corners - camera.eye
    nearness = 1.0 / np.maximum(-(relative @ view.back), 1e-6)
    scale = height / camera.opening
    x, y = width / 2 + scale * (relative @ view.right) * nearness, height / 2 - scale * (relative @ view.up) * nearness
    buffer, which = np.zeros((height, width)), np.full((height, width), -1, np.int64)
    rasterise(x, y, nearness, buffer, which)
    return _Seen(buffer, which, scale)


def _points(seen: _Seen, camera: Camera, view: _View) -> tuple[Array, NDArray[np.bool_], NDArray[np.bool_]]:
    """The point behind each pixel, on a body or on the plane; whether it is on the plane, and whether there is none."""
    height, width = seen.triangle.shape
    columns, rows = np.meshgrid(np.arange(width) + 0.5 - width / 2, height / 2 - np.arange(height) - 0.5)
    rays = (columns[..., None] * view.right + rows[..., None] * view.up) / seen.scale - view.back
    free = seen.triangle < 0
    down = rays[..., 2] < -1e-6
    distance = np.where(free, -camera.eye[2] / np.where(down, rays[..., 2], -1.0), 1 / np.maximum(seen.nearness, 1e-12))
    return camera.eye + rays * distance[..., None], free & down, free & ~down


def _surfaces(corners: Array, owners: NDArray[np.int64], seen: _Seen) -> tuple[Array, Array]:
    """The normal and the colour of what each pixel sees."""
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    normals /= np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-12)
    which = np.maximum(seen.triangle, 0)
    return normals[which], TONES[(owners[which] * 7 + owners[which] // 5) % len(TONES)]


def _faded(ground: Array, points: Array, camera: Camera) -> Array:
    """The ground with the sky over its far end."""
    reach = FADE * float(np.linalg.norm(camera.eye - camera.target))
    far = np.clip(np.linalg.norm(points[..., :2] - camera.target[:2], axis=-1) / reach, 0.0, 1.0)
    part = (far**1.5)[..., None]
    return (1 - part) * ground + part * SKY


class _Shadow(NamedTuple):
    heights: Array
    """the nearest to the sun of each texel"""
    low: Array
    texel: float


def _shadow_map(corners: Array) -> _Shadow:
    view = _view(SUN)
    places = np.stack([corners @ view.right, corners @ view.up], axis=-1)
    low = places.min(axis=(0, 1))
    texel = float((places.max(axis=(0, 1)) - low).max()) / (TEXELS - 1)
    x, y = ((places[..., k] - low[k]) / texel for k in (0, 1))
    heights, which = np.full((TEXELS, TEXELS), -np.inf), np.full((TEXELS, TEXELS), -1, np.int64)
    rasterise(x, y, np.ascontiguousarray(corners @ view.back), heights, which)
    return _Shadow(heights, low, texel)


def _lit(points: Array, shadow: _Shadow) -> Array:
    """The part of the sun that points see: four texels around each, so that shadows have soft edges."""
    view = _view(SUN)
    x, y = ((points @ axis - low) / shadow.texel for axis, low in zip((view.right, view.up), shadow.low, strict=True))
    height = points @ view.back + BIAS * shadow.texel
    total = np.zeros(height.shape)
    for dx, dy in ((-0.9, -0.4), (0.4, -0.9), (0.9, 0.4), (-0.4, 0.9)):
        i, j = np.floor(y + dy).astype(np.int64), np.floor(x + dx).astype(np.int64)
        inside = (i >= 0) & (i < TEXELS) & (j >= 0) & (j < TEXELS)
        blocked = shadow.heights[np.where(inside, i, 0), np.where(inside, j, 0)] > height
        total += 1.0 - (inside & blocked)
    return total / 4


@kernel
def rasterise(x: Any, y: Any, depth: Any, buffer: Any, which: Any) -> None:
    """Write the triangles whose depth is larger than what is there, at the middles of pixels; depth is linear."""
    height, width = buffer.shape
    for t in range(x.shape[0]):
        x0, y0, x1, y1, x2, y2 = x[t, 0], y[t, 0], x[t, 1], y[t, 1], x[t, 2], y[t, 2]
        area = (x1 - x0) * (y2 - y0) - (x2 - x0) * (y1 - y0)
        if area == 0.0:
            continue
        first, last = max(0, int(np.floor(min(x0, x1, x2)))), min(width - 1, int(np.floor(max(x0, x1, x2))))
        top, bottom = max(0, int(np.floor(min(y0, y1, y2)))), min(height - 1, int(np.floor(max(y0, y1, y2))))
        for row in range(top, bottom + 1):
            for column in range(first, last + 1):
                px, py = column + 0.5, row + 0.5
                a = ((x1 - px) * (y2 - py) - (x2 - px) * (y1 - py)) / area
                b = ((x2 - px) * (y0 - py) - (x0 - px) * (y2 - py)) / area
                c = 1.0 - a - b
                if a < 0.0 or b < 0.0 or c < 0.0:
                    continue
                here = a * depth[t, 0] + b * depth[t, 1] + c * depth[t, 2]
                if here > buffer[row, column]:
                    buffer[row, column] = here
                    which[row, column] = t
