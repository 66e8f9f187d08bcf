"""Figures 27 to 32: the scenes as they are measured, A in blue and B in red.

Each point of a picture gets the colour of the triangle that is nearest to the viewer there. Matplotlib has no such
picture: its three-dimensional plots paint whole triangles in order, which comes out wrong where objects intersect.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tumble.bench.framework.table import Study
from tumble.mesh import Mesh
from tumble.report import plots
from tumble.scenario import PairScene, pair_scene

Array = NDArray[np.float64]

BLUE, RED = np.array([0.0, 0.447, 0.698]), np.array([0.835, 0.369, 0.0])
# Where the light comes from, seen by the viewer: over the left shoulder.
LIGHT = np.array([-0.45, 0.6, 0.66])
# Pixels of a picture from left to right, how many points each is the mean of in both directions, pixels per inch.
WIDTH, FINENESS, SHARPNESS = 560, 2, 200
# What is left free around the largest scene of a figure, and how much wider than high a picture is at least.
BORDER, SHAPE = 0.03, 1.3


class View(NamedTuple):
    """From where a scene is seen, in degrees, and which part of B is cut away."""

    turn: float = -62.0
    height: float = 24.0
    cut: float | None = None  # triangles of B nearer to the viewer than this are left out


VIEWS = {
    "intersection-2": View(-62.0, 38.0),
    "separation-2": View(-62.0, 4.0),
    "separation-3": View(37.0, 10.0),
    "close-proximity-1": View(-62.0, 8.0),
    "close-proximity-2": View(-90.0, 8.0),
    "close-proximity-3": View(-90.0, 8.0),
    "small-proximity-3": View(-90.0, 8.0),
    "different-sizes": View(-90.0, 10.0, cut=0.0),
}
TITLES = {
    "scalability-0": "Figure 31: scalability, different counts",
    "different-sizes": "Figure 32: B cut open, A inside its wall",
}


def picture(study: Study, names: Sequence[str]) -> Any:
    """Those of the scenes that were measured, side by side at one scale; None without any."""
    chosen = [name for name in names if name in study.cases()]
    if not chosen:
        return None
    seen = [_seen_triangles(pair_scene(name), VIEWS.get(name, View())) for name in chosen]
    spans = np.array([np.ptp(corners[:, :, :2], axis=(0, 1)) for corners, _ in seen]).max(axis=0) + 2 * BORDER
    spans[0] = max(spans[0], SHAPE * spans[1])
    canvas, axes = plots.figure(columns=len(chosen), size=(3.4 * len(chosen), 3.4 * spans[1] / spans[0] + 0.35))
    canvas.set_dpi(SHARPNESS)  # of the pictures inside the vector graphics, too
    for panel, name, (corners, colours) in zip(axes, chosen, seen, strict=True):
        panel.imshow(_painted(corners, colours, spans), interpolation="none")
        panel.set_axis_off()
        panel.set_title(TITLES.get(name) or pair_scene(name).title, loc="left", fontsize=10, color=plots.INK)
    return canvas


def _seen_triangles(scene: PairScene, view: View) -> tuple[Array, Array]:
    """The corners of all triangles as the viewer sees them, and the colour of each."""
    corners_a, corners_b = (_seen(*side, view) for side in ((scene.mesh_a, scene.pose_a), (scene.mesh_b, scene.pose_b)))
    if view.cut is not None:
        corners_b = corners_b[corners_b[:, :, 2].mean(axis=1) < view.cut]
    return np.concatenate([corners_a, corners_b]), np.concatenate([_shaded(corners_a, BLUE), _shaded(corners_b, RED)])


def _seen(mesh: Mesh, pose: Array | None, view: View) -> Array:
    """The corners of a mesh: to the right, upwards, towards the viewer."""
    corners = mesh.vertices[mesh.faces]
    if pose is not None:
        corners = corners @ pose[:3, :3].T + pose[:3, 3]
    turn, height = np.radians(view.turn), np.radians(view.height)
    towards = np.array([np.cos(height) * np.cos(turn), np.cos(height) * np.sin(turn), np.sin(height)])
    right = np.array([-np.sin(turn), np.cos(turn), 0.0])
    return corners @ np.stack([right, np.cross(towards, right), towards]).T


def _shaded(corners: Array, colour: Array) -> Array:
    """The colour of each triangle by the light that falls on it; backs, which only a cut shows, are darker."""
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    normals /= np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-12)
    back = normals[:, 2] < 0
    normals[back] = -normals[back]
    light = np.clip(normals @ (LIGHT / np.linalg.norm(LIGHT)), 0.0, 1.0)[:, None]
    shaded = (0.58 + 0.42 * light) * colour + 0.35 * light**3 * (1.0 - colour)
    return np.where(back[:, None], 0.6 * shaded, shaded)


def _painted(corners: Array, colours: Array, spans: Array) -> Array:
    """The picture, (height, width, 4): each point has the colour of the nearest triangle; no triangle, transparent."""
    scale = FINENESS * WIDTH / spans[0]
    size = np.array([FINENESS * WIDTH, FINENESS * round(WIDTH * spans[1] / spans[0])])
    middle = 0.5 * (corners[:, :, :2].min(axis=(0, 1)) + corners[:, :, :2].max(axis=(0, 1)))
    places = corners.copy()
    places[:, :, :2] = (corners[:, :, :2] - middle) * scale * [1.0, -1.0] + 0.5 * size
    picture, nearest = np.zeros((size[1], size[0], 4)), np.full((size[1], size[0]), -np.inf)
    for triangle, colour in zip(places, colours, strict=True):
        _paint_triangle(picture, nearest, triangle, colour)
    # the mean of neighbours takes the steps out of edges
    return picture.reshape(size[1] // FINENESS, FINENESS, size[0] // FINENESS, FINENESS, 4).mean(axis=(1, 3))


def _paint_triangle(picture: Array, nearest: Array, triangle: Array, colour: Array) -> None:
    low, high = np.floor(triangle.min(axis=0)).astype(int), np.ceil(triangle.max(axis=0)).astype(int) + 1
    height, width = nearest.shape
    rows, columns = slice(max(low[1], 0), min(high[1], height)), slice(max(low[0], 0), min(high[0], width))
    y, x = np.mgrid[rows, columns] + 0.5
    (x0, y0, z0), (x1, y1, z1), (x2, y2, z2) = triangle
    area = (x1 - x0) * (y2 - y0) - (x2 - x0) * (y1 - y0)
    if abs(area) < 1e-9:  # seen from the side
        return
    u = ((x - x0) * (y2 - y0) - (x2 - x0) * (y - y0)) / area
    v = ((x1 - x0) * (y - y0) - (x - x0) * (y1 - y0)) / area
    depth = z0 + u * (z1 - z0) + v * (z2 - z0)
    shown = (u >= 0) & (v >= 0) & (u + v <= 1) & (depth > nearest[rows, columns])
    nearest[rows, columns][shown] = depth[shown]
    picture[rows, columns][shown] = [*colour, 1.0]
