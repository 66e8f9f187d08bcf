"""How large a finding is, and what kind: what two parts have in common, how deep, how long, where."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from tumble.api.collide import collide
from tumble.api.distance import distance
from tumble.api.relation import self_pairs
from tumble.api.separation import Separation, separation
from tumble.clash.assembly import Assembly
from tumble.clash.finding import Finding, Kind, Point
from tumble.clash.fit import Fit, fit_of
from tumble.clash.settings import CheckSettings
from tumble.query.answer import PairContacts
from tumble.solid.body import Body
from tumble.solid.convex import is_convex_body
from tumble.solid.evidence import Relation
from tumble.solid.overlap.records import Overlap

Pairs = NDArray[np.int64]
Array = NDArray[np.float64]
SAME_VOLUME = 1e-9


def overlapping(
    assembly: Assembly, pair: tuple[int, int], triangles: Pairs, relation: Relation | None, settings: CheckSettings
) -> Finding:
    """Return the finding about two parts whose interiors meet, or may meet where the relation is not known."""
    from tumble.solid.overlap.piercing import pieces_outside
    from tumble.solid.overlap.shared import Finders, crossing_of, overlap_in

    bodies, finders = assembly.two(*pair), Finders(self_pairs, _pairs_with_itself)
    crossing = crossing_of(bodies, triangles, finders)
    found = overlap_in(crossing, triangles, finders)
    if relation is None:
        relation = _by_volume(bodies, found)
    i, j = pair
    swapped, kind = relation == Relation.B_INSIDE_A, KINDS.get(relation, Kind.UNDECIDED)
    if kind is Kind.TOUCHING:
        return touching(assembly, pair, triangles)
    fit = None
    if kind is Kind.CROSSING:
        if settings.tolerance > 0.0:
            fit = fit_of(crossing, (assembly.pose(i), assembly.pose(j)), settings.tolerance)
        if fit is not None and fit.within:
            kind = Kind.CONTACT
        elif len(found.curves) > 1:
            through = [pieces_outside(crossing, side) > 1 for side in (0, 1)]
            kind, swapped = (Kind.PIERCING, not through[0]) if any(through) else (kind, False)
    base = assembly.finding(kind, *((j, i) if swapped else (i, j)), len(triangles))
    shift = None
    if kind not in (Kind.UNDECIDED, Kind.DUPLICATE) and (kind is not Kind.CONTACT or all(map(is_convex_body, bodies))):
        shift = separation(bodies, (assembly.pose(i), assembly.pose(j)), found.corners, found.ways)
    sized = _sized(base, found, fit, shift, swapped)
    if sized.kind is Kind.CROSSING and sized.depth is not None and sized.depth <= settings.tolerance:
        return replace(sized, kind=Kind.CONTACT)
    return sized


KINDS: dict[Relation | None, Kind] = {
    Relation.CROSSING: Kind.CROSSING,
    Relation.A_INSIDE_B: Kind.INSIDE,
    Relation.B_INSIDE_A: Kind.INSIDE,
    Relation.EQUAL: Kind.DUPLICATE,
    Relation.TOUCHING: Kind.TOUCHING,
}


def _by_volume(bodies: tuple[Body, Body], found: Overlap) -> Relation | None:
    """Return the relation as far as the common volume shows it: it is zero, exactly, where interiors do not meet."""
    if not (bodies[0].solid and bodies[1].solid) or any(found.crosses_itself) or math.isnan(found.common.volume):
        return None
    if found.common.volume == 0.0:
        return Relation.TOUCHING
    within = [found.common.volume >= (1.0 - SAME_VOLUME) * volume_of(body) for body in bodies]
    if all(within):
        return Relation.EQUAL
    if any(within):
        return Relation.A_INSIDE_B if within[0] else Relation.B_INSIDE_A
    return Relation.CROSSING


def _sized(base: Finding, found: Overlap, fit: Fit | None, shift: Separation | None, swapped: bool) -> Finding:
    curves = np.concatenate([np.empty((0, 3)), *(curve.points for curve in found.curves)])
    centre, box = found.common.centroid, found.common.box
    if not np.isfinite(box).all() and len(curves):
        box = np.stack([curves.min(axis=0), curves.max(axis=0)])
    if not np.isfinite(centre).all() and np.isfinite(box).all():
        centre = box.mean(axis=0)
    volume = found.common.volume
    sized = replace(
        base,
        volume=None if math.isnan(volume) else volume,
        curve_length=sum(curve.length for curve in found.curves),
        point=_point(centre),
        box=_box(box),
        local_depth=None if fit is None else fit.depth,
    )
    if shift is None:
        return sized
    way = _point(-shift.direction if swapped else shift.direction)
    return replace(sized, depth=shift.depth, least_depth=shift.least, direction=way)


def touching(assembly: Assembly, pair: tuple[int, int], triangles: Pairs) -> Finding:
    """Return the finding about two parts that only touch."""
    from tumble.clash.flat_contact import flat_contact

    i, j = pair
    flat = flat_contact(assembly.two(i, j), triangles)
    contacts = _contacts(assembly, pair)
    points = contacts.segments.reshape(-1, 3)
    middle = flat.middle if flat.middle is not None else contacts.points.mean(axis=0)
    return replace(
        assembly.finding(Kind.TOUCHING, i, j, len(triangles)),
        depth=0.0,
        least_depth=0.0,
        contact_area=flat.area,
        point=_point(middle),
        box=_box(np.stack([points.min(axis=0), points.max(axis=0)])),
    )


def _contacts(assembly: Assembly, pair: tuple[int, int]) -> PairContacts:
    i, j = pair
    meshes, poses = (assembly.meshes[i], assembly.meshes[j]), (assembly.pose(i), assembly.pose(j))
    found = collide(*meshes, *poses, contacts=True, threads=1).contacts
    assert found is not None
    return found


def duplicate(assembly: Assembly, pair: tuple[int, int]) -> Finding:
    """Return the finding about two copies in one place."""
    body = assembly.body(pair[0])
    return replace(
        assembly.finding(Kind.DUPLICATE, *pair),
        volume=volume_of(body) if body.solid else None,
        point=_point(body.bounds.mean(axis=0)),
        box=_box(body.bounds),
    )


def separate(assembly: Assembly, pair: tuple[int, int], kind: Kind, clearance: float | None) -> Finding:
    """Return the finding about two parts that do not touch: how far they are apart, and where."""
    i, j = pair
    nearest = distance(assembly.meshes[i], assembly.meshes[j], assembly.pose(i), assembly.pose(j))
    base = replace(assembly.finding(kind, i, j), gap=nearest.distance, clearance=clearance)
    if nearest.points is None:
        return base
    ends = np.asarray(nearest.points)
    return replace(base, point=_point(ends.mean(axis=0)), box=_box(np.stack([ends.min(axis=0), ends.max(axis=0)])))


def volume_of(body: Body) -> float:
    """Return the volume of a closed body: the cones over its faces, as seen from its middle."""
    corners = body.corners - body.bounds.mean(axis=0)
    return abs(float((corners[:, 0] * np.cross(corners[:, 1], corners[:, 2])).sum())) / 6.0


def _pairs_with_itself(body: Body) -> Pairs:
    pose = None if body.rows is None else np.concatenate([body.rows, [[0.0, 0.0, 0.0, 1.0]]])
    return collide(body.mesh, body.mesh, pose, pose, threads=body.threads).pairs


def _point(values: Array) -> Point | None:
    if not np.isfinite(values).all():
        return None
    x, y, z = values.tolist()
    return x, y, z


def _box(corners: Array) -> tuple[Point, Point] | None:
    low, high = _point(corners[0]), _point(corners[1])
    return None if low is None or high is None else (low, high)
