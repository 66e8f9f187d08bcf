"""What `collide`, `collide_many` and `Scene` call when they are given a device: options checked, trees found."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tumble.device.device import open_device
from tumble.device.query import DeviceBodies, Found, collide_on_device
from tumble.device.settings import DEFAULT, Settings
from tumble.device.timings import current_timings, phase
from tumble.errors import OptionError
from tumble.hierarchy import BoxTree, Tree, build
from tumble.mesh import Mesh, as_mesh
from tumble.mesh.rigid import as_rigid
from tumble.query.answer import Collision, Collisions, PairContacts, Stats
from tumble.traversal.rules import RULES

METHODS = ("auto", "binary-stack")
VOLUMES = ("obb", "obb-covariance")
ONE_PAIR = np.zeros((1, 2), np.int64)


def collide_two(
    device: str,
    sides: tuple[Any, Any],
    poses: tuple[Any, Any],
    *,
    method: str = "auto",
    tree: str = "auto",
    rule: str | None = None,
    first: bool = False,
    stats: bool = False,
    contacts: bool = False,
    settings: Settings = DEFAULT,
) -> Collision:
    """Return the touching triangles of two meshes or trees, found on a device."""
    _check_options(method, tree)
    if rule is not None:
        if rule not in RULES:
            raise OptionError(f"unknown descent rule {rule!r}; choose one of: {', '.join(RULES)}")
        settings = replace(settings, rule=rule)
    open_device(device)  # before anything is built
    bodies = [
        DeviceBodies([_tree_of(side, tree, settings)], np.zeros(1, np.int64), _checked_pose(pose))
        for side, pose in zip(sides, poses, strict=True)
    ]
    wanted: dict[str, Any] = {"first": first, "counting": bool(stats), "contacts": bool(contacts)}
    found = collide_on_device(device, bodies[0], bodies[1], ONE_PAIR, settings=settings, **wanted)
    return Collision(found.collisions.triangles, _stats_of(found) if stats else None, _contacts_of(found))


def collide_poses(
    device: str,
    meshes: tuple[Mesh, Mesh],
    poses: tuple[NDArray[np.float64], NDArray[np.float64]],
    pairs: NDArray[np.int64],
    *,
    tree: str = "auto",
    first: bool = False,
    threads: int | None = None,
    called: tuple[str, str] = ("poses", "poses"),
    settings: Settings = DEFAULT,
) -> Collisions:
    """Return which triangles of two meshes touch, for pairs of their poses."""
    _check_options("auto", tree)
    open_device(device)
    a, b = (
        DeviceBodies([_built(mesh, tree, settings)], np.zeros(len(its), np.int64), its)
        for mesh, its in zip(meshes, poses, strict=True)
    )
    return collide_on_device(
        device, a, b, pairs, first=first, threads=threads, settings=settings, called=called
    ).collisions


def collide_slots(
    device: str,
    meshes: tuple[Sequence[Mesh | None], Sequence[Mesh | None]],
    poses: tuple[NDArray[np.float64], NDArray[np.float64]],
    pairs: NDArray[np.int64],
    *,
    tree: str = "auto",
    first: bool = False,
    threads: int | None = None,
    settings: Settings = DEFAULT,
) -> Collisions:
    """Return which triangles touch, for pairs of bodies, each a mesh (None where nobody asks for it) and a pose."""
    _check_options("auto", tree)
    open_device(device)
    a, b = (_bodies_of(meshes[side], poses[side], pairs[:, side], tree, settings) for side in (0, 1))
    return collide_on_device(device, a, b, pairs, first=first, threads=threads, settings=settings).collisions


def _bodies_of(
    meshes: Sequence[Mesh | None],
    poses: NDArray[np.float64],
    slots: NDArray[np.int64],
    tree: str,
    settings: Settings,
) -> DeviceBodies:
    """Return bodies for a query about these slots; bodies of one mesh share one tree."""
    if len(slots) == 0:
        return DeviceBodies([], np.empty(0, np.int64), poses[:0])
    numbers: dict[Mesh, int] = {}
    which = np.zeros(len(meshes), np.int64)
    for slot in np.unique(slots).tolist():
        mesh = meshes[slot]
        assert mesh is not None
        which[slot] = numbers.setdefault(mesh, len(numbers))
    return DeviceBodies([_built(mesh, tree, settings) for mesh in numbers], which, poses)


def _check_options(method: str, tree: str) -> None:
    if method not in METHODS:
        raise OptionError(
            f"devices know the methods bulk, {', '.join(METHODS)}, not {method!r}; leave device='cpu' for it"
        )
    if tree not in ("auto", *VOLUMES):
        raise OptionError(f"devices walk trees auto, {', '.join(VOLUMES)}, not {tree!r}; leave device='cpu' for it")


def _tree_of(side: Any, tree: str, settings: Settings) -> Tree:
    if isinstance(side, BoxTree) or (isinstance(side, Tree) and side.volume not in VOLUMES):
        raise OptionError(f"devices walk trees of volume {', '.join(VOLUMES)}, not {side!r}; pass the mesh instead")
    if isinstance(side, Tree):
        if tree not in ("auto", side.volume):
            raise OptionError(f"tree={tree!r} does not fit the given {side!r}; leave tree='auto'")
        return side
    return _built(as_mesh(side), tree, settings)


def _built(mesh: Mesh, tree: str, settings: Settings) -> Tree:
    with phase(current_timings(), "trees"):
        return build(mesh, settings.volume if tree == "auto" else tree, leaf_size=settings.leaf_size)


def _checked_pose(pose: Any) -> NDArray[np.float64]:
    matrix = as_rigid(pose)
    return (np.eye(4) if matrix is None else matrix)[None]


def _contacts_of(found: Found) -> PairContacts | None:
    if found.contacts is None:
        return None
    segments, normals, depths = found.contacts
    points = 0.5 * segments[:, 0] + 0.5 * segments[:, 1]
    for array in (segments, points, normals, depths):
        array.flags.writeable = False
    return PairContacts(segments, points, normals, depths)


def _stats_of(found: Found) -> Stats:
    assert found.counts is not None
    turns, overlaps, leaf_overlaps, triangle_tests = found.counts.sum(axis=0, dtype=np.int64).tolist()
    hits = int(found.collisions.counts.sum())
    return Stats(turns, turns, overlaps, leaf_overlaps, hits, turns, triangle_tests)
