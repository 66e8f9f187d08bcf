"""Facts about a mesh that the tests of shapes and subdivision ask for, computed plainly."""

from collections import Counter

import numpy as np


def directed_edges(mesh):
    return [(int(f[k]), int(f[(k + 1) % 3])) for f in mesh.faces for k in range(3)]


def is_closed(mesh):
    """Every edge is in exactly two faces, which run along it in opposite directions."""
    counts = Counter(directed_edges(mesh))
    return all(n == 1 for n in counts.values()) and all((b, a) in counts for a, b in counts)


def euler_characteristic(mesh):
    edges = {tuple(sorted(edge)) for edge in directed_edges(mesh)}
    return len(np.unique(mesh.faces)) - len(edges) + len(mesh)


def component_count(mesh):
    parent = list(range(len(mesh.vertices)))

    def root(v):
        while parent[v] != v:
            parent[v] = parent[parent[v]]
            v = parent[v]
        return v

    for a, b in directed_edges(mesh):
        parent[root(a)] = root(b)
    return len({root(int(v)) for v in np.unique(mesh.faces)})


def volume(mesh):
    a, b, c = mesh.triangles.transpose(1, 0, 2)
    return float((a * np.cross(b, c)).sum() / 6)


def areas(mesh):
    a, b, c = mesh.triangles.transpose(1, 0, 2)
    return np.linalg.norm(np.cross(b - a, c - a), axis=1) / 2
