"""The methods that run on OpenCL devices, as engines; importing this opens no device and needs no PyOpenCL."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tumble.core.options import is_cpu
from tumble.core.parallel import thread_count
from tumble.device.host.walk_kinds import WALK_KINDS
from tumble.device.opencl import open_device
from tumble.device.timings import phase
from tumble.errors import DeviceError
from tumble.hierarchy import Tree, build
from tumble.mesh import Mesh, MeshLike
from tumble.query.answer import PairTable
from tumble.query.bodies import Bodies, mesh_of
from tumble.query.engine import SELF_TOUCHING, TOUCHING, Engine, Request, register
from tumble.query.settings import BULK_ON_DEVICES, DeviceSettings, FrontSettings
from tumble.traversal.bulk.engine import QUESTIONS, Found, ask_by

if TYPE_CHECKING:
    from tumble.device.host.implicit_trees import DeviceTrees

OPENCL = "opencl"
VOLUMES = ("obb", "obb-covariance")


def device_trees(
    meshes: Sequence[MeshLike],
    poses: Sequence[ArrayLike | None] | None = None,
    *,
    device: str = OPENCL,
    padded: bool = True,
    threads: int | None = None,
) -> DeviceTrees:
    """Build one implicit tree for each mesh on a device, as `tumble.hierarchy.implicit.implicit_trees` does here."""
    from tumble.device.host.implicit_trees import DeviceTrees
    from tumble.hierarchy.implicit.posed import posed_meshes

    if is_cpu(device):
        raise DeviceError("device='cpu' has trees of its own: tumble.hierarchy.implicit.implicit_trees(meshes, poses)")
    opened, workers = open_device(device), thread_count(threads)
    with phase("trees"):
        return DeviceTrees(opened, posed_meshes(meshes, poses, workers), padded, workers)


def ask_walk(method: str, request: Request) -> PairTable:
    """Answer by a walk of oriented boxes, all pairs of bodies at once."""
    from tumble.device.host.binary_stack import ask

    device = open_device(request.device)  # before anything is built
    with phase("trees"):
        a, b = (_with_trees(bodies, k, request) for k, bodies in enumerate((request.a, request.b)))
    return ask(device, request._replace(a=a, b=b), WALK_KINDS[method])


def _with_trees(bodies: Bodies, column: int, request: Request) -> Bodies:
    """Return bodies with the trees of the shapes that the request names."""
    used, numbers = np.unique(bodies.which[request.pairs[:, column]]), np.zeros(len(bodies.shapes), np.int64)
    numbers[used] = np.arange(len(used))
    trees = [_tree_of(bodies.shapes[shape], request) for shape in used.tolist()]
    return Bodies(trees, numbers[bodies.which], bodies.poses, bodies.called)


def _tree_of(shape: Any, request: Request) -> Tree:
    if isinstance(shape, Tree):
        return shape
    settings: DeviceSettings = request.settings
    volume = settings.volume if request.tree == "auto" else request.tree
    return build(mesh_of(shape), volume, leaf_size=settings.leaf_size)


def _bulk(meshes: list[Mesh], poses: list[Any], pairs: NDArray[np.int64], request: Request) -> Found:
    from tumble.device.host.bulk import device_leaf_pairs, device_touching

    settings, counting = request.settings, request.stats
    with _implicit_trees(meshes, poses, request) as trees:
        if request.question in (TOUCHING, SELF_TOUCHING):
            return Found.tested(trees.posed, *device_touching(trees, pairs, settings, counting=counting))
        adjacent = request.neighbours
        return Found(trees.posed, *device_leaf_pairs(trees, pairs, settings, adjacent=adjacent, counting=counting))


def _front(meshes: list[Mesh], poses: list[Any], pairs: NDArray[np.int64], request: Request) -> Found:
    from tumble.device.host.front import device_front_touching

    with _implicit_trees(meshes, poses, request) as trees:
        found, front, work = device_front_touching(
            trees, None, pairs, request.settings, counting=request.stats, exact_count=False
        )
        front.release()
        return Found.tested(trees.posed, found, work)


@contextmanager
def _implicit_trees(meshes: list[Mesh], poses: list[Any], request: Request) -> Iterator[DeviceTrees]:
    """Have the trees that the user keeps, or those that the device keeps, where no other call moves them."""
    from tumble.device.host.implicit_store import ImplicitTreeStore

    if request.a.trees is not None:
        yield request.a.trees
        return
    device = open_device(request.device)
    for bodies in (request.a, request.b):
        bodies.deviations  # noqa: B018  # refuses poses that are not rigid
    with device.working():
        with phase("trees"):
            store = device.keep(ImplicitTreeStore)
            trees = store.trees(meshes, poses, request.settings.padded, request.threads)
            if request.stats:
                trees.ready(as_built=True)  # so that counts do not depend on earlier calls
        yield trees


def _register_walk(method: str, rank: int) -> None:
    row = Engine(method, OPENCL, VOLUMES, (TOUCHING,), DeviceSettings(), partial(ask_walk, method), rank, prepared=True)
    register(row)


_register_walk("binary-stack", 0)
for each in ("leaf", "alternating", "stackless", "stackless-post"):
    _register_walk(each, 10)
register(
    Engine(
        "bulk", OPENCL, ("implicit",), QUESTIONS, BULK_ON_DEVICES, ask_by(_bulk), rank=5, counts=QUESTIONS, mixes=True
    )
)
register(Engine("front", OPENCL, ("implicit",), (TOUCHING,), FrontSettings(), ask_by(_front), rank=6))
