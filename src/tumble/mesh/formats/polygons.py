"""Rows of a text format as arrays: coordinates, and polygons and strips cut into triangles."""

import re
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

# Rows are converted in blocks: Python's numbers take ten times the memory of the array that they end up in.
BLOCK = 4096
_BLANK = re.compile(r"\s")


def coordinates(rows: Sequence[str]) -> NDArray[np.float64]:
    """Return the first three numbers of every row, (n, 3); a short or unreadable row is named."""
    points = np.empty((len(rows), 3))
    for start in range(0, len(rows), BLOCK):
        fields = [row.split(maxsplit=3) for row in rows[start : start + BLOCK]]
        for number, row in enumerate(fields, start + 1):
            if len(row) < 3:
                raise ValueError(f"vertex number {number} has {len(row)} coordinates: {rows[number - 1][:80]!r}")
        points[start : start + len(fields)] = [[float(value) for value in row[:3]] for row in fields]
    return points


def ragged_numbers(
    rows: Sequence[Any], fields: Callable[[Sequence[Any], int], list[list[str]]], kind: Callable[[str], float] = int
) -> tuple[NDArray[Any], NDArray[np.int64]]:
    """Return the numbers of all rows in one array, and how many each row has.

    `fields` gives the words to convert for each row of a block, of which it is told the first row's number.
    """
    dtype = np.int64 if kind is int else np.float64
    numbers, sizes = [np.empty(0, dtype)], [np.empty(0, np.int64)]
    for start in range(0, len(rows), BLOCK):
        block = fields(rows[start : start + BLOCK], start)
        numbers.append(np.array([kind(word) for words in block for word in words], dtype))
        sizes.append(np.array([len(words) for words in block], np.int64))
    return np.concatenate(numbers), np.concatenate(sizes)


def number_array(text: str, kind: Callable[[str], float], what: str) -> NDArray[Any]:
    """Return numbers that blanks or commas separate; `kind` is float, or int for indices."""
    text = text.replace(",", " ")
    found = [np.empty(0, np.int64 if kind is int else np.float64)]
    start = 0
    while start < len(text):
        blank = _BLANK.search(text, start + 16 * BLOCK)
        end = len(text) if blank is None else blank.end()
        try:
            numbers = [kind(word) for word in text[start:end].split()]
        except ValueError as error:
            raise ValueError(f"{what}: {error}") from error
        found.append(np.array(numbers, dtype=found[0].dtype))
        start = end
    return np.concatenate(found)


def rows_of_three(flat: NDArray[Any], what: str) -> NDArray[Any]:
    """Return numbers as (n, 3); a count that is not a multiple of three is refused."""
    if len(flat) % 3:
        raise ValueError(f"{what}: {len(flat)} numbers are not a multiple of three")
    return flat.reshape(-1, 3)


def fan(corners: NDArray[np.int64], sizes: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Cut polygons, given as one flat list of corners and their sizes, into fans of triangles.

    Returns the (m, 3) triangles and, for each of them, the polygon it comes from.
    """
    small = np.flatnonzero(sizes < 3)
    if len(small):
        raise ValueError(f"face number {small[0] + 1} has {sizes[small[0]]} corners; a face needs three")
    polygon = np.repeat(np.arange(len(sizes)), sizes - 2)
    first_corner = np.cumsum(sizes) - sizes
    first_triangle = np.cumsum(sizes - 2) - (sizes - 2)
    step = np.arange(len(polygon)) - first_triangle[polygon]
    start = first_corner[polygon]
    return np.stack([corners[start], corners[start + step + 1], corners[start + step + 2]], axis=1), polygon


def strip(corners: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the (m, 3) triangles of a strip, all wound like the first.

    Triangles that name a corner twice only join two strips; their edges are not on the surface, so they are left out.
    """
    triangles = np.stack([corners[:-2], corners[1:-1], corners[2:]], axis=1)
    triangles[1::2] = triangles[1::2, ::-1]
    a, b, c = triangles.T
    return triangles[(a != b) & (b != c) & (c != a)]


def compact(vertices: NDArray[np.float64], faces: NDArray[np.int64]) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Return only the vertices that faces use, in their old order, and the faces renumbered.

    It costs by the number of faces: many small parts may share one long list of vertices.
    """
    used, renumbered = np.unique(faces, return_inverse=True)
    return vertices[used], renumbered.reshape(faces.shape)
