"""How large a finding is, and what kind: what two parts have in common, how deep, how long, where."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from tumble.api.ask import with_contacts
from tumble.api.collide import collide
from tumble.api.distance import distance
from tumble.api.local_depth import local_depth_of
from tumble.api.relation import self_pairs
from tumble.api.separation import separation
from tumble.api.sheet_pairs import pairs_between_sheets, pose_of
from tumble.clash.assembly import Assembly
from tumble.clash.finding import Finding, Kind, Point
from tumble.clash.fit import Fit, fit_of
from tumble.clash.flat_contact import flat_contact
from tumble.clash.settings import CheckSettings
from tumble.core.products import cross_product
from tumble.query.answer import PairContacts, PairTable
from tumble.solid.body import Body
from tumble.solid.convex import is_convex_body
from tumble.solid.evidence import Relation
from tumble.solid.overlap.reach import Effort
from tumble.solid.overlap.records import Overlap

if TYPE_CHECKING:
    from tumble.solid.overlap.crossing import Crossing

Pairs = NDArray[np.int64]
Array = NDArray[np.float64]
SAME_VOLUME = 1e-9
MOST_PIECES = 4_000
"""of the boundary of what is common that are looked at for the local depth"""
MOST_PAIRS = 10_000
"""touching triangles up to which the common volume tells what looking at lines has not: where it is zero, fractions
have to show it"""


def overlapping(
    assembly: Assembly, pair: tuple[int, int], triangles: Pairs, relation: Relation | None, settings: CheckSettings
) -> Finding:
    """Return the finding about two parts whose interiors meet, or may meet where the relation is not known."""
    from tumble.solid.overlap.shared import Finders, crossing_of, overlap_in

    i, j = pair
    bodies = assembly.two(i, j)
    finders = Finders(self_pairs, _pairs_with_itself, pairs_between_sheets)
    crossing, fit = crossing_of(bodies, triangles, finders), None
    if settings.tolerance > 0.0 and relation in (None, Relation.CROSSING):
        fit = fit_of(crossing, settings.tolerance)
    fits = fit is not None and fit.within and not fit.flush
    if relation is None and (len(triangles) > MOST_PAIRS or fits):
        kind = Kind.CONTACT if fits else Kind.UNDECIDED
        return replace(_placed(assembly, kind, pair, triangles), local_depth=fit and fit.depth)
    proved = fit is not None and fit.within and relation is Relation.CROSSING
    found = overlap_in(crossing, triangles, finders, boundary=not proved, exact=not proved)
    relation = relation or _by_volume(bodies, found)
    if relation is Relation.TOUCHING:
        return touching(assembly, pair, triangles)
    kind, swapped = _kind(crossing, relation, found, fit)
    base = assembly.finding(kind, *((j, i) if swapped else (i, j)), len(triangles))
    sized = _sized(base, found, fit)
    if kind in (Kind.UNDECIDED, Kind.DUPLICATE):
        return sized
    local = None
    if not proved:  # else the fit has told the local depth
        local = local_depth_of(bodies, found.common.boundary, Effort(settings.tolerance, MOST_PIECES))
    if local is not None:
        way = _point(-local.direction if swapped else local.direction)
        sized = replace(sized, local_depth=local.depth, direction=way)
    shift = None
    # For solids that are not convex a shift takes seconds, and says little of a fit: the local depth has to do
    if all(map(is_convex_body, bodies)) or (local is None and kind is not Kind.CONTACT):
        shift = separation(crossing, (assembly.pose(i), assembly.pose(j)))
        way = _point(-shift.direction if swapped else shift.direction)
        sized = replace(sized, depth=shift.depth, least_depth=shift.least, direction=way)
    if kind in (Kind.CROSSING, Kind.PIERCING) and shift is not None and shift.depth <= settings.tolerance:
        return replace(sized, kind=Kind.CONTACT)  # no surface reaches deeper than a shift that parts the two
    return sized


def _kind(crossing: Crossing, relation: Relation | None, found: Overlap, fit: Fit | None) -> tuple[Kind, bool]:
    """Return the kind of what overlaps, and whether the second of two parts is the one inside, or going through."""
    from tumble.solid.overlap.piercing import pieces_outside

    if relation is not Relation.CROSSING:
        return KINDS.get(relation, Kind.UNDECIDED), relation is Relation.B_INSIDE_A
    if fit is not None and fit.within:
        return Kind.CONTACT, False
    # one curve leaves one piece on each of its sides
    through = [len(found.curves) > 1 and pieces_outside(crossing, side) > 1 for side in (0, 1)]
    return (Kind.PIERCING, not through[0]) if any(through) else (Kind.CROSSING, False)


KINDS: dict[Relation | None, Kind] = {
    Relation.A_INSIDE_B: Kind.INSIDE,
    Relation.B_INSIDE_A: Kind.INSIDE,
    Relation.EQUAL: Kind.DUPLICATE,
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


def _sized(base: Finding, found: Overlap, fit: Fit | None) -> Finding:
    curves = np.concatenate([np.empty((0, 3)), *(curve.points for curve in found.curves)])
    centre, box = found.common.centroid, found.common.box
    if not np.isfinite(box).all() and len(curves):
        box = np.stack([curves.min(axis=0), curves.max(axis=0)])
    if not np.isfinite(centre).all() and np.isfinite(box).all():
        centre = box.mean(axis=0)
    volume = found.common.volume
    return replace(
        base,
        volume=None if math.isnan(volume) else volume,
        curve_length=sum(curve.length for curve in found.curves),
        point=_point(centre),
        box=_box(box),
        local_depth=None if fit is None else fit.depth,
    )


def touching(assembly: Assembly, pair: tuple[int, int], triangles: Pairs) -> Finding:
    """Return the finding about two parts that only touch."""
    flat = flat_contact(assembly.two(*pair), triangles)
    placed = _placed(assembly, Kind.TOUCHING, pair, triangles)
    middle = placed.point if flat.middle is None else _point(flat.middle)
    return replace(placed, depth=0.0, least_depth=0.0, contact_area=flat.area, point=middle)


def _placed(assembly: Assembly, kind: Kind, pair: tuple[int, int], triangles: Pairs) -> Finding:
    """Return a finding that is where triangles touch."""
    contacts = _contacts(assembly, pair, triangles)
    ends = contacts.segments.reshape(-1, 3)
    box = _box(np.stack([ends.min(axis=0), ends.max(axis=0)]))
    return replace(assembly.finding(kind, *pair, len(triangles)), point=_point(contacts.points.mean(axis=0)), box=box)


def _contacts(assembly: Assembly, pair: tuple[int, int], triangles: Pairs) -> PairContacts:
    table = PairTable(np.array([len(triangles)]), triangles)
    found = with_contacts(table, assembly.bodies, assembly.bodies, np.array([pair])).contacts
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
    base = replace(assembly.finding(kind, i, j), clearance=clearance)
    if nearest.points is None:  # one of them is empty
        return base
    ends, base = np.asarray(nearest.points), replace(base, gap=nearest.distance)
    return replace(base, point=_point(ends.mean(axis=0)), box=_box(np.stack([ends.min(axis=0), ends.max(axis=0)])))


def volume_of(body: Body) -> float:
    """Return the volume of a closed body: the cones over its faces, as seen from its middle."""
    corners = body.corners - body.bounds.mean(axis=0)
    return abs(float((corners[:, 0] * cross_product(corners[:, 1], corners[:, 2])).sum())) / 6.0


def _pairs_with_itself(body: Body) -> Pairs:
    pose = pose_of(body)
    return collide(body.mesh, body.mesh, pose, pose, threads=body.threads).pairs


def _point(values: Array) -> Point | None:
    if not np.isfinite(values).all():
        return None
    x, y, z = values.tolist()
    return x, y, z


def _box(corners: Array) -> tuple[Point, Point] | None:
    low, high = _point(corners[0]), _point(corners[1])
    return None if low is None or high is None else (low, high)
