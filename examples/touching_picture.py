"""Draw the triangles in which a torus knot and a ring touch. Run: python examples/touching_picture.py [picture.png]"""

import os
import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
from mpl_toolkits.mplot3d.art3d import Poly3DCollection

import tumble

SMALL = os.environ.get("TUMBLE_EXAMPLE_SIZE") == "small"
sides = 4 if SMALL else 16
knot = tumble.shapes.knot(p=2, q=3, segments=60 if SMALL else 220, sides=sides)
ring = tumble.shapes.torus(radius=1.1, tube=0.16, segments=10 * sides, sides=sides)
pose = tumble.translation(0.2, 0.1, 0.0) @ tumble.rotation("x", 1.2)

collision = tumble.collide(knot, ring, None, pose)
print(f"{len(knot)} against {len(ring)} triangles: {len(collision)} pairs touch")


def coloured(triangles, touching, colour):
    """Return a colour for each triangle: shaded by its normal, the touching ones red."""
    normals = np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0])
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    light = 0.6 + 0.4 * np.clip(normals @ np.array([0.3, -0.6, 0.74]), -0.6, 1.0)
    colours = np.outer(light, colour).clip(0, 1)
    colours[touching] = (0.86, 0.1, 0.08)
    return colours


figure = plt.figure(figsize=(8, 4.6))
axes = figure.add_axes((-0.12, -0.28, 1.24, 1.56), projection="3d", computed_zorder=True)
posed = tumble.transformed(ring, pose)
triangles = np.concatenate((knot.triangles, posed.triangles))
colours = np.concatenate(
    (
        coloured(knot.triangles, np.unique(collision.pairs[:, 0]), (0.45, 0.58, 0.78)),
        coloured(posed.triangles, np.unique(collision.pairs[:, 1]), (0.97, 0.84, 0.58)),
    )
)
# one collection, so that the triangles of both meshes are painted from back to front
axes.add_collection3d(Poly3DCollection(triangles, facecolors=colours, edgecolors=colours, linewidths=0.4))
points = np.concatenate((knot.vertices, posed.vertices))
for setter, low, high in zip((axes.set_xlim, axes.set_ylim, axes.set_zlim), points.min(0), points.max(0), strict=True):
    setter(low, high)
axes.set_box_aspect(np.ptp(points, axis=0))
axes.set_axis_off()
axes.view_init(38, 62)
figure.savefig(sys.argv[1] if len(sys.argv) > 1 else "touching.png", dpi=110, bbox_inches="tight")
