"""The methods that run on OpenCL devices, as engines; importing this opens no device and needs no PyOpenCL."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tumble.device.device import open_device
from tumble.device.timings import current_timings, phase
from tumble.hierarchy import Tree, build
from tumble.mesh import Mesh
from tumble.query.answer import PairTable, Stats
from tumble.query.bodies import Bodies, mesh_of
from tumble.query.contacts import contacts_of_arrays
from tumble.query.engine import SELF_TOUCHING, TOUCHING, Engine, Request, register
from tumble.query.settings import BULK_ON_DEVICES, DeviceSettings, FrontSettings
from tumble.traversal.bulk.engine import QUESTIONS, Found, ask_by

if TYPE_CHECKING:
    from tumble.device.query import DeviceBodies

OPENCL = "opencl"
VOLUMES = ("obb", "obb-covariance")


def ask_binary_stack(request: Request) -> PairTable:
    """Answer by the binary-stack traversal, all pairs of bodies at once."""
    from tumble.device.query import collide_on_device

    open_device(request.device)  # before anything is built
    a = _on_device(request.a, request.pairs[:, 0], request)
    b = _on_device(request.b, request.pairs[:, 1], request)
    found = collide_on_device(
        request.device, a, b, request.pairs, first=request.first, threads=request.threads, counting=request.stats,
        contacts=request.contacts, settings=request.settings, called=(request.a.called, request.b.called),
    )  # fmt: skip
    contacts = None if found.contacts is None else contacts_of_arrays(*found.contacts)
    stats = _stats_of(found) if request.stats else None
    return PairTable(found.collisions.counts, found.collisions.triangles, stats, contacts)


def _on_device(bodies: Bodies, named: NDArray[np.int64], request: Request) -> DeviceBodies:
    """Return bodies with the trees of the shapes that the request names."""
    from tumble.device.query import DeviceBodies

    numbers = np.zeros(len(bodies.shapes), np.int64)
    trees: list[Tree] = []
    with phase(current_timings(), "trees"):
        for shape in np.unique(bodies.which[named]).tolist():
            numbers[shape] = len(trees)
            trees.append(_tree_of(bodies.shapes[shape], request))
    return DeviceBodies(trees, numbers[bodies.which], bodies.poses)


def _tree_of(shape: Any, request: Request) -> Tree:
    if isinstance(shape, Tree):
        return shape
    settings: DeviceSettings = request.settings
    volume = settings.volume if request.tree == "auto" else request.tree
    return build(mesh_of(shape), volume, leaf_size=settings.leaf_size)


def _stats_of(found: Any) -> Stats:
    turns, overlaps, leaf_overlaps, triangle_tests = found.counts.sum(axis=0, dtype=np.int64).tolist()
    hits = int(found.collisions.counts.sum())
    return Stats(turns, turns, overlaps, leaf_overlaps, hits, turns, triangle_tests)


def _bulk(meshes: list[Mesh], poses: list[Any], pairs: NDArray[np.int64], request: Request) -> Found:
    from tumble.device.bulk import device_leaf_pairs

    trees = _trees(meshes, poses, request)
    adjacent = request.neighbours or request.question in (TOUCHING, SELF_TOUCHING)
    keys, work = device_leaf_pairs(trees, pairs, request.settings, adjacent=adjacent, counting=request.stats)
    return Found(trees.posed, keys, work)


def _front(meshes: list[Mesh], poses: list[Any], pairs: NDArray[np.int64], request: Request) -> Found:
    from tumble.device.front import device_front_pairs

    trees = _trees(meshes, poses, request)
    keys, _, work = device_front_pairs(trees, None, pairs, request.settings, adjacent=True, counting=request.stats)
    return Found(trees.posed, keys, work)


def _trees(meshes: list[Mesh], poses: list[Any], request: Request) -> Any:
    from tumble.device.bulk_doors import device_trees

    if request.a.trees is not None:
        return request.a.trees
    padded = request.settings.padded
    return device_trees(meshes, poses, device=request.device, padded=padded, threads=request.threads)


register(
    Engine("binary-stack", OPENCL, VOLUMES, (TOUCHING,), DeviceSettings(), ask_binary_stack, rank=0, prepared=True)
)
register(
    Engine(
        "bulk", OPENCL, ("implicit",), QUESTIONS, BULK_ON_DEVICES, ask_by(_bulk), rank=5, counts=QUESTIONS, mixes=True
    )
)
register(Engine("front", OPENCL, ("implicit",), (TOUCHING,), FrontSettings(), ask_by(_front), rank=6))
