"""Section 3.1: how much looser restricted boxes are than tight ones, and how many sides of a DOP are its parent's.

Restricted DOPs keep the sides that differ from their parent's alone (`restricted_dops`), in as many bytes as that
takes; `dop_walk` counts what comparing them costs.
"""

import numpy as np
from numpy.typing import NDArray

import tumble
from tumble.bench.framework.table import Study
from tumble.bench.papers.boxtree.contestants import CHAINED, FREE, PRINTED, build_boxtree
from tumble.bench.papers.boxtree.restricted_dops import LINK_BYTES, restricted
from tumble.errors import TreeError
from tumble.hierarchy import Tree
from tumble.hierarchy.boxtree import BoxTree
from tumble.hierarchy.boxtree.layout import COUNT_SHIFT, NODE
from tumble.hierarchy.layout import PARENT
from tumble.hierarchy.packed.boxes import enclose
from tumble.hierarchy.packed.build import localised
from tumble.mesh import Mesh

TIGHTNESS = "tightness"
LOOSE = (PRINTED, FREE, CHAINED)
DOPS = ("kdop14", "kdop18", "kdop24", "kdop26")
SPLIT = "sah"
# Table 1: a whole DOP has a float for each side, and a link.
SIDE_BYTES = 4

Numbers = NDArray[np.float64]


def add_tightness(name: str, mesh: Mesh, study: Study) -> None:
    """Write the looseness of boxtrees and the shared sides of DOP trees over one object."""
    study.add(name, "", "triangles", len(mesh))
    for build in LOOSE:
        tree = build_boxtree(mesh, build)
        study.add(name, build, "faults", faults(tree))
        found = looseness(tree)
        study.add_values(name, build, {"median": float(np.median(found)), "mean": float(found.mean())})
    for volume in DOPS:
        shared = shared_sides(mesh, volume)
        if not len(shared):
            continue
        sides = int(volume.removeprefix("kdop"))
        values = {"shared": float(np.median(shared) / sides), "half shared": float((2 * shared >= sides).mean())}
        small = restricted(_dop_tree(mesh, volume))
        values |= {"bytes": small.nbytes / len(small.parents), "whole bytes": SIDE_BYTES * sides + LINK_BYTES}
        study.add_values(name, volume, values)


def faults(tree: BoxTree) -> int:
    """1 where the validator finds that a box does not contain its triangles, or that a link is wrong; else 0."""
    try:
        tree.validate()
    except TreeError:
        return 1
    return 0


def looseness(tree: BoxTree) -> Numbers:
    """The surface of each node's box by that of the tight one; nodes whose tight box is flat to a line are left out."""
    nodes = tree.nodes.view(NODE)[:, 0]
    links, leaves = nodes["link"].astype(np.int64), (nodes["kind"] >> COUNT_SHIFT).astype(np.int64)
    triangles, tight = _triangle_boxes(tree.mesh)[tree.order], np.empty((len(tree), 6))
    for node in range(len(tree) - 1, -1, -1):
        link = links[node]
        if leaves[node]:
            rows = triangles[link : link + leaves[node]]
        else:
            rows = tight[link : link + 2] if link >= 0 else tight[~link : ~link + 1]
        tight[node] = np.concatenate([rows[:, :3].min(axis=0), rows[:, 3:].max(axis=0)])
    own, least = half_surface(tree.boxes()), half_surface(tight)
    finished = ((links >= 0) | (leaves > 0)) & (least > 0)
    found: Numbers = own[finished] / least[finished]
    return found


def half_surface(boxes: Numbers) -> Numbers:
    """Half the surface of boxes, rows of low and high."""
    x, y, z = (boxes[:, 3:] - boxes[:, :3]).T
    found: Numbers = x * y + y * z + z * x
    return found


def _triangle_boxes(mesh: Mesh) -> Numbers:
    """The boxes of triangles as the builder has them: local, float32, rounded outward."""
    _, local = localised(mesh.vertices, mesh.faces)
    rows, bounds = np.empty((len(mesh), 8), np.float32), np.empty((2, 8), np.float32)
    enclose(mesh.faces.ctypes.data, local.ctypes.data, rows.ctypes.data, 0, len(mesh), bounds.ctypes.data)
    return np.concatenate([rows[:, :3], -rows[:, 4:7]], axis=1).astype(np.float64)


def shared_sides(mesh: Mesh, volume: str) -> NDArray[np.int64]:
    """Of all nodes of a DOP tree but the root: how many sides are their parent's."""
    tree = _dop_tree(mesh, volume)
    children = np.arange(1, len(tree))
    found: NDArray[np.int64] = (tree.rows[children] == tree.rows[tree.nodes[children, PARENT]]).sum(axis=1)
    return found


def _dop_tree(mesh: Mesh, volume: str) -> Tree:
    return tumble.build(mesh, volume, split=SPLIT, leaf_size=1)
