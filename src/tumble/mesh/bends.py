"""How a closed surface is bent at its edges, and whether it turns round once: what `solid.convex` decides by."""

from math import sqrt

import numpy as np

from tumble.core.jit import inlined_kernel, kernel
from tumble.core.linear import cross, dot, minus, row, set_row

HIGHEST, LOWEST, VOLUME = range(3)
"""places in what is found: how far a third corner beyond an edge is above the plane of a face, at most and at least;
and a sum that is negative where faces are turned inward"""
FOUND = 3
LARGEST_FACES = 8


@kernel
def measure_bends(points, faces, twins, normals, lengths, found):
    """Write the normals of all faces, as long as twice their areas, these lengths, and how edges are bent.

    Faces without area have no plane. `found` is (FOUND,).
    """
    found[HIGHEST], found[LOWEST], found[VOLUME] = -np.inf, np.inf, 0.0
    for face in range(len(faces)):
        a = row(points, faces[face, 0])
        normal = cross(minus(row(points, faces[face, 1]), a), minus(row(points, faces[face, 2]), a))
        length = sqrt(dot(normal, normal))
        set_row(normals, face, normal)
        lengths[face] = length
        if not length > 0.0:
            continue
        found[VOLUME] += dot(normal, minus(a, row(points, faces[0, 0])))
        for k in range(3):
            u, v = faces[face, k], faces[face, (k + 1) % 3]
            if u == v:
                continue
            twin = twins[face, k]
            across = np.int64(faces[twin, 0]) + faces[twin, 1] + faces[twin, 2] - u - v
            height = dot(normal, minus(row(points, across), a)) / length
            found[HIGHEST], found[LOWEST] = max(found[HIGHEST], height), min(found[LOWEST], height)


@inlined_kernel
def all_on_one_side(points, faces, face, normal, length, tolerance):
    """Tell whether no vertex is above the plane of a face, or none below, by more than a tolerance."""
    a, highest, lowest = row(points, faces[face, 0]), 0.0, 0.0
    for other in range(len(faces)):
        for k in range(3):
            height = dot(minus(row(points, faces[other, k]), a), normal) / length
            highest, lowest = max(highest, height), min(lowest, height)
    return min(highest, -lowest) <= tolerance


@kernel
def turns_once(points, faces, normals, lengths, tolerance):
    """Tell whether all vertices are on one side of some of the largest faces; `lengths` are used up."""
    for _ in range(LARGEST_FACES):
        largest = 0
        for face in range(len(faces)):
            if lengths[face] > lengths[largest]:
                largest = face
        if not lengths[largest] > 0.0:
            break
        if not all_on_one_side(points, faces, largest, row(normals, largest), lengths[largest], tolerance):
            return False
        lengths[largest] = 0.0
    return True
