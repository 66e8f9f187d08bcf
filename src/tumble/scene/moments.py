"""Which bodies a question is about, as they are at one moment, and which pairs of them: boxes, filters, clearances.

What a query needs is copied under the scene's lock. Clearances are read in `tumble.scene.clearances`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tumble.mesh import MeshLike, as_mesh
from tumble.mesh.rigid import as_rigid
from tumble.query.bodies import named_poses
from tumble.query.clearance import checked_clearance
from tumble.scene.filters import ALL_GROUPS

if TYPE_CHECKING:
    from tumble.scene.bodies import Moment
    from tumble.scene.named_bodies import NamedBodies

SceneClearance = float | Mapping[str | tuple[str, str] | None, float]
"""a clearance for all bodies, or by names, pairs of names, and None for the others"""


class Compared(NamedTuple):
    """Two sets of bodies, which may be one, and which of them to compare."""

    a: Moment
    b: Moment
    pairs: NDArray[np.int64]
    """(k, 2): those that may collide, sorted"""
    clearances: NDArray[np.float64] | None = None
    """(k,): what each pair has to keep; None where only contact counts"""


def within(scene: NamedBodies, clearance: SceneClearance | None) -> Compared:
    """Return the bodies of a scene, to be compared with each other."""
    from tumble.scene.clearances import clearances_of, pairs_within

    if clearance is None:
        with scene._lock:
            pairs, moment = scene._pairs(), scene._table.moment()
        return Compared(moment, moment, pairs)
    with scene._lock:
        scene._follow_slots()
        moment, allowed, slots = scene._table.moment(), scene._allowed.copy(), dict(scene._table.slots)
    rules = clearances_of(clearance, slots, len(moment.names))
    pairs = pairs_within(moment, rules, allowed, slots)
    return Compared(moment, moment, pairs, rules.of_pairs(pairs))


def around(
    scene: NamedBodies, mesh_or_name: MeshLike | str, pose: ArrayLike | None, clearance: SceneClearance | None
) -> Compared:
    """Return one mesh, or one body, and the bodies of a scene that it is compared with."""
    from tumble.scene.clearances import clearances_of, pairs_between

    one, others = one_and_others(scene, mesh_or_name, pose)
    if clearance is None:
        return Compared(one, others, one.pairs_with(others))
    slots = others.slots()
    rules = clearances_of(clearance, slots, len(others.names))
    slot = slots[mesh_or_name] if isinstance(mesh_or_name, str) else None
    return Compared(one, others, *pairs_between(one, others, rules.with_all(slot)))


def between(scene: NamedBodies, other: NamedBodies, clearance: float | None) -> Compared:
    """Return the bodies of two scenes, to be compared across; they have to keep one clearance, if any."""
    from tumble.scene.clearances import pairs_between

    a, b = seen_by(scene, None), seen_by(other, None)
    if clearance is None:
        return Compared(a, b, a.pairs_with(b))
    return Compared(a, b, *pairs_between(a, b, np.full(len(b.names), checked_clearance(clearance))))


def one_and_others(scene: NamedBodies, mesh_or_name: MeshLike | str, pose: ArrayLike | None) -> tuple[Moment, Moment]:
    """Return one mesh, or one body with another pose if given, and the bodies as it sees them."""
    if isinstance(mesh_or_name, str):
        with scene._lock:
            name, mesh = mesh_or_name, scene.mesh(mesh_or_name)
            poses = named_poses([scene.pose(name) if pose is None else pose], [name])
            one = scene._table.moment_of_one(name, mesh, poses, scene.filter(name))
            return one, seen_by(scene, scene._table.slot(name))
    mesh, rigid = as_mesh(mesh_or_name), as_rigid(pose)
    poses = (np.eye(4) if rigid is None else rigid)[None]
    one = scene._table.moment_of_one(None, mesh, poses, (ALL_GROUPS, ALL_GROUPS))
    return one, seen_by(scene, None)


def seen_by(scene: NamedBodies, slot: int | None) -> Moment:
    """Return the bodies as one of them, or a foreign mesh, sees them; those that may touch it are in no group."""
    with scene._lock:
        scene._follow_slots()
        moment = scene._table.moment()
        size = len(moment.names)
        if slot is None:
            allowed = scene._allowed.anything(scene._table.slots, size)
        else:
            others = np.arange(size)
            keys = np.minimum(others, slot) << 32 | np.maximum(others, slot)
            allowed = scene._allowed.among(keys, scene._table.slots, size)
            allowed[slot] = True
    moment.filters[allowed] = 0
    return moment
