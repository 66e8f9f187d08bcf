"""What is looked at for evidence: fans, components that no segment of the other surface reaches, voids."""

from collections.abc import Callable, Iterable, Sequence
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from tumble.mesh.components import connect
from tumble.solid.body import Body
from tumble.solid.evidence import Evidence
from tumble.solid.exact import Point, Vector, dot
from tumble.solid.fans import Fan, pass_through, sectors
from tumble.solid.self_strata import SelfContacts
from tumble.solid.strata import Contacts
from tumble.solid.winding import Question, answers

# Weights of the corners for a point inside a triangle; a few single points may be on the other surface.
WEIGHTS = tuple((1 + k * k % 7, 1 + (3 * k + 1) % 11, 1 + (5 * k + 2) % 13) for k in range(24))

MOST_FACES = 4
"""faces of a patch that are tried; where other faces of the mesh cover all, the lines around them tell"""

SelfPairs = Callable[[Body], NDArray[np.int64]]


def look_at_fans(contacts: Contacts, evidence: Evidence, fans: Sequence[Fan]) -> None:
    """See which sectors there are around pieces of lines, and where the surfaces between them lie."""
    if not fans:
        return
    bodies = contacts.bodies
    if not (bodies[0].solid or bodies[1].solid):
        evidence.pierced |= any(pass_through(fan.groups) for fan in fans)
    found = [_numbers(contacts, side, fans) for side in (0, 1)]
    oriented = [body.surface.oriented for body in bodies]
    for fan, *numbers in zip(fans, *found, strict=True):
        inside = [(bodies[0].inside(a), bodies[1].inside(b)) for a, b in sectors(fan, numbers, oriented)]
        evidence.sectors.update(inside)
        for group, (in_a, in_b) in zip(fan.groups, inside, strict=True):
            sides = {half.side for half in group}
            if len(sides) == 1:  # a piece of one surface alone: the other's membership is the same on both sides of it
                (side,) = sides
                evidence.surfaces[side].add(in_b if side == 0 else in_a)


def _numbers(contacts: Contacts, side: int, fans: Sequence[Fan]) -> list[tuple[int, Vector] | None]:
    """Return the winding number of a body in some direction from each line; None: it has no inside."""
    body = contacts.bodies[side]
    if not body.solid:
        return [None] * len(fans)
    asked = [Question(fan.point, fan.through[side], fan.normals) for fan in fans]
    # all triangles through the point are known, so it is on no other
    return [(winding, way) for winding, way in answers(body, contacts.scale, asked) if winding is not None]


def look_at_free_components(contacts: Contacts, side: int, evidence: Evidence, in_segments: set[int]) -> None:
    """See where components lie that meet the other surface in single points at most."""
    body, other = contacts.bodies[side], contacts.bodies[1 - side]
    for faces in _groups_without(_components(body), in_segments):
        for point in _points_of(contacts, side, faces):
            (answer,) = answers(other, contacts.scale, [Question(point)])
            if answer.winding is not None:
                evidence.surfaces[side].add(other.inside(answer.winding))
                break


def look_for_voids(
    contacts: Contacts, evidence: Evidence, in_segments: tuple[set[int], set[int]], self_pairs: SelfPairs
) -> None:
    """See whether surfaces inside the other solid have a side that is not of their own solid, where that matters."""
    for side in (0, 1):
        if True not in evidence.surfaces[side] or evidence.outside(1 - side):
            continue
        body = contacts.bodies[side]
        for faces in _groups_without(_patches(body), in_segments[side]):
            _look_at_sides(contacts, side, evidence, faces[:MOST_FACES].tolist())
            if evidence.outside(1 - side):
                break
        if evidence.outside(1 - side):
            continue
        pairs = self_pairs(body)
        if len(pairs):
            own = SelfContacts(contacts, side, pairs)
            for candidate in chain.from_iterable(own.candidates()):
                look_at_fans(own, evidence, own.fans(candidate))
                if evidence.outside(1 - side):
                    break


def _look_at_sides(contacts: Contacts, side: int, evidence: Evidence, faces: Iterable[int]) -> None:
    """See what is on both sides of a point inside a triangle of some faces."""
    body, other = contacts.bodies[side], contacts.bodies[1 - side]
    for face in faces:
        triangle, normal, _ = contacts.facet(side, face)
        if not any(normal):
            continue
        for weights in WEIGHTS:
            point = _inside(triangle, weights)
            (own,) = answers(body, contacts.scale, [Question(point, [face], [normal])])
            (foreign,) = answers(other, contacts.scale, [Question(point)])
            if own.winding is None or foreign.winding is None:
                continue
            behind = own.winding if dot(normal, own.direction) < 0 else own.winding + 1
            within = other.inside(foreign.winding)
            for winding in (behind, behind - 1):
                evidence.sectors.add((body.inside(winding), within) if side == 0 else (within, body.inside(winding)))
            return


def _points_of(contacts: Contacts, side: int, faces: NDArray[np.int64]) -> Iterable[Point]:
    """Return points inside triangles, then corners, where all triangles are degenerate."""
    touching = np.isin(faces, contacts.pairs[:, side])
    ordered = [*faces[~touching].tolist(), *faces[touching].tolist()]
    for face in ordered:
        facet = contacts.facet(side, face)
        if any(facet.normal):
            for weights in WEIGHTS:
                yield _inside(facet.corners, weights)
    for face in ordered:
        for corner in contacts.facet(side, face).corners:
            yield Point(*corner, 1)


def _inside(triangle: Sequence[Sequence[int]], weights: Sequence[int]) -> Point:
    x, y, z = (sum(weight * corner[k] for weight, corner in zip(weights, triangle, strict=True)) for k in range(3))
    return Point(x, y, z, sum(weights))


def _components(body: Body) -> NDArray[np.int32]:
    """Return which component each face belongs to, with edges left out that posing has left without length."""
    faces, labels = body.surface.faces, body.surface.components
    corners = body.corners
    collapsed = (corners == corners[:, [1, 2, 0]]).all(axis=2) & (faces != faces[:, [1, 2, 0]])
    if not collapsed.any():
        return labels
    starts, ends = faces.ravel().astype(np.int64), faces[:, [1, 2, 0]].ravel().astype(np.int64)
    halves = np.flatnonzero((starts != ends) & ~collapsed.ravel())
    keys = (np.minimum(starts, ends) << 32 | np.maximum(starts, ends))[halves]
    order = np.argsort(keys, kind="stable")
    first = np.flatnonzero(np.diff(keys[order], prepend=-1))
    labels = np.empty(len(faces), np.int32)
    connect(halves[order] // 3, np.append(first, len(order)), labels)
    return labels


def _patches(body: Body) -> NDArray[np.int32]:
    """Return which patch each face belongs to: those that are connected by edges of two faces."""
    twins = body.surface.twins
    own = np.broadcast_to(np.arange(len(twins))[:, None], twins.shape)[twins >= 0]
    members = np.stack([own, twins[twins >= 0].astype(np.int64)], axis=1).ravel()
    labels = np.empty(len(twins), np.int32)
    connect(members, np.arange(0, len(members) + 1, 2), labels)
    return labels


def _groups_without(labels: NDArray[np.int32], left_out: set[int]) -> Iterable[NDArray[np.int64]]:
    """Return the faces of each group that has none of some faces."""
    excluded = np.unique(labels[np.fromiter(left_out, np.int64, len(left_out))])
    kept = np.flatnonzero(~np.isin(labels, excluded))
    order = kept[np.argsort(labels[kept], kind="stable")]
    cuts = np.flatnonzero(np.diff(labels[order])) + 1
    return np.split(order, cuts) if len(order) else []
