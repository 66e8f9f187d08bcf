"""Pairs of vertices, edges and faces whose boxes meet, in the plainest way."""

import numpy as np

from tumble.api.candidates import KINDS


def brute_boxes(boxes_a, boxes_b):
    """Whether closed boxes (n, 2, 3) share a point, all against all."""
    low, high = (boxes_a[:, None, k] for k in (0, 1))
    return ((low <= boxes_b[None, :, 1]) & (boxes_b[None, :, 0] <= high)).all(axis=2)


def boxes_about(points, corners):
    return np.stack([points[corners, 0].min(axis=1), points[corners, 1].max(axis=1)], axis=1)


def brute(mesh, radius=0.0, end=None):
    """The three kinds of candidates, and the edges, in the plainest way."""
    places = np.stack([mesh.vertices, mesh.vertices if end is None else end])
    low, high = places.min(axis=0) - radius, places.max(axis=0) + radius
    points = np.stack([np.nextafter(low, -np.inf), np.nextafter(high, np.inf)], axis=1)
    ends = {tuple(sorted((f[k], f[k - 1]))) for f in mesh.faces.tolist() for k in range(3) if f[k] != f[k - 1]}
    edges = np.array(sorted(ends, key=lambda e: e[::-1]), int).reshape(-1, 2)
    elements = {"face": mesh.faces, "edge": edges, "vertex": np.arange(len(points))[:, None]}
    found = {"edges": edges}
    for kind in KINDS:
        a, b = (elements[name] for name in kind.split("-"))
        meet = brute_boxes(boxes_about(points, a), boxes_about(points, b))
        meet &= ~(a[:, None, :, None] == b[None, :, None, :]).any(axis=(2, 3))
        found[kind] = np.argwhere(np.triu(meet) if a is b else meet)
    return found
