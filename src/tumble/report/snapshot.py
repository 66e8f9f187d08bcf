"""A small picture of a finding, as PNG: both parts in their colours, the first seen through the second."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from tumble.clash.bcf import ASPECT, FIELD_OF_VIEW, Snapshot, View
from tumble.clash.finding import Finding
from tumble.mesh import Part

Array = NDArray[np.float64]
HEIGHT = 240
FINER = 2
"""pixels that are averaged to one, along each side"""
COLOURS = np.array([[0.84, 0.29, 0.20], [0.30, 0.48, 0.70]])
PAPER = np.array([0.985, 0.988, 0.992])
SUN = np.array([-0.45, -0.55, 1.0]) / np.linalg.norm([-0.45, -0.55, 1.0])
AMBIENT = 0.45
THROUGH = 0.45
"""how much of a part is seen behind the other"""
NEAREST = 0.02
"""what is nearer to the camera than this part of its distance is left out"""


def snapshots_of(parts: Sequence[Part]) -> Snapshot:
    """Return what draws a finding about some parts."""

    def draw(finding: Finding, view: View) -> bytes:
        width = round(ASPECT * HEIGHT)
        layers = [_layer(parts[k].mesh.triangles, colour, view) for k, colour in _coloured(finding)]
        (near_a, image_a), (near_b, image_b) = layers
        front = near_a > near_b
        image = np.where(front[..., None], image_a, image_b)
        both = (near_a > 0.0) & (near_b > 0.0)
        behind = np.where(front[..., None], image_b, image_a)
        image = np.where(both[..., None], (1.0 - THROUGH) * image + THROUGH * behind, image)
        image[(near_a == 0.0) & (near_b == 0.0)] = PAPER
        return png(image.reshape(HEIGHT, FINER, width, FINER, 3).mean(axis=(1, 3)))

    return draw


def _coloured(finding: Finding) -> list[tuple[int, Array]]:
    return [(finding.a, COLOURS[0]), (finding.b, COLOURS[1])]


def _layer(corners: Array, colour: Array, view: View) -> tuple[Array, Array]:
    """Return how near a part is at each pixel, 0 where it is not seen, and its colour there."""
    from tumble.report.picture import rasterise

    height, width = FINER * HEIGHT, FINER * round(ASPECT * HEIGHT)
    away = view.eye - view.target
    distance = float(np.linalg.norm(away))
    back = away / distance
    right = np.cross(view.up, back)
    relative = corners - view.eye
    depth = -(relative @ back)
    seen = (depth > NEAREST * distance).all(axis=1)
    relative, corners, nearness = relative[seen], corners[seen], 1.0 / depth[seen]
    scale = height / (2.0 * np.tan(np.radians(FIELD_OF_VIEW) / 2.0))
    x, y = width / 2 + scale * (relative @ right) * nearness, height / 2 - scale * (relative @ view.up) * nearness
    buffer, which = np.zeros((height, width)), np.full((height, width), -1, np.int64)
    rasterise(x, y, nearness, buffer, which)
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    lengths = np.sqrt((normals * normals).sum(axis=1))
    light = np.abs(normals @ SUN) / np.where(lengths > 0.0, lengths, 1.0)
    shade = np.concatenate([AMBIENT + (1.0 - AMBIENT) * light, [1.0]])[which]
    return buffer, shade[..., None] * colour


def png(image: Array) -> bytes:
    """Return a picture of (height, width, 3) numbers from 0 to 1 as a PNG file."""
    pixels = np.round(255.0 * np.clip(image, 0.0, 1.0)).astype(np.uint8)
    height, width = pixels.shape[:2]
    rows = np.concatenate([np.zeros((height, 1), np.uint8), pixels.reshape(height, -1)], axis=1)
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    chunks = (b"IHDR", header), (b"IDAT", zlib.compress(rows.tobytes(), 9)), (b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(*chunk) for chunk in chunks)


def _chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
