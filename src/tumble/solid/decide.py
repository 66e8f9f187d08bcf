"""The relation of two bodies: the cheapest evidence first, no more than needed; `evidence` says why it is enough."""

from collections.abc import Callable, Iterable, Sequence
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from tumble.errors import InternalError
from tumble.solid.body import Body
from tumble.solid.evidence import Effort, Evidence, Relation, Undecided
from tumble.solid.exact import Point, Scale
from tumble.solid.facing import outward_faces
from tumble.solid.looks import look_at_fans, look_at_free_components, look_for_voids
from tumble.solid.strata import Candidate, Contacts
from tumble.solid.winding import Question, answers

Bodies = tuple[Body, Body]
FIRST_CHUNK = 1
LARGEST_CHUNK = 512
MOST_CORNERS = 96
"""corners of touching triangles that are looked at before anything else"""


def relation_without_contact(bodies: Bodies, self_pairs: Callable[[Body], NDArray[np.int64]]) -> Relation:
    """Return the relation of bodies whose surfaces share no point: each component is inside or not."""
    evidence = _nothing_known(bodies)
    for side in (0, 1):
        evidence.surfaces[side].update(components_inside(bodies[side], bodies[1 - side]))
    if evidence.meet and not evidence.crossing:
        look_for_voids(Contacts(bodies, np.empty((0, 2), np.int64)), evidence, (set(), set()), self_pairs)
    return evidence.relation(touching=False)


def _nothing_known(bodies: Bodies) -> Evidence:
    return Evidence(solid=(bodies[0].solid, bodies[1].solid))


def one_is_buried(a: Body, b: Body) -> bool:
    """Tell whether part of one body is inside the other, where their surfaces share no point."""
    if len(a.mesh) == 0 or len(b.mesh) == 0:
        return False
    return any(components_inside(a, b)) or any(components_inside(b, a))


def components_inside(body: Body, other: Body) -> list[bool]:
    """Return whether each component of one body is inside the other, whose surface it does not touch."""
    if not other.solid:
        return [False] * len(body.surface.samples)
    found = []
    corners = body.surface.faces[body.surface.samples, 0]
    for number, winding in zip(corners.tolist(), other.around(body, corners), strict=True):
        if winding is None:
            (corner,) = body.posed(np.array([number])).tolist()
            scale = Scale(other.points, np.array(corner))
            (answer,) = answers(other, scale, [Question(Point(*scale.vector(corner), 1))])
            winding = answer.winding
        if winding is None:
            raise InternalError(f"vertex {number} is on a surface that it does not touch; please report this")
        found.append(other.inside(winding))
    return found


def boxes_meet_in_a_plane(a: Body, b: Body) -> bool:
    """Tell whether the boxes around two bodies share no volume, and not both are flat there: at most they touch."""
    (low_a, high_a), (low_b, high_b) = a.bounds.tolist(), b.bounds.tolist()
    for k in range(3):
        if (high_a[k] <= low_b[k] or high_b[k] <= low_a[k]) and (low_a[k] < high_a[k] or low_b[k] < high_b[k]):
            return True
    return False


def quick_crossing(bodies: Bodies, pair: Sequence[int]) -> bool:
    """Tell whether the corners of two touching triangles show that bodies cross; False: not known."""
    evidence = _nothing_known(bodies)
    for side in (0, 1):
        _look_at_corners(bodies, side, evidence, np.array([pair[side]]))
    return evidence.crossing


def relation_in_contact(
    bodies: Bodies,
    pairs: NDArray[np.int64],
    self_pairs: Callable[[Body], NDArray[np.int64]],
    effort: Effort | None = None,
) -> Relation:
    """Return the relation of bodies whose surfaces touch, from all pairs of triangles that do; or raise Undecided."""
    if effort is not None and effort.left <= 0:
        raise Undecided
    evidence = _nothing_known(bodies)
    step = max(1, len(pairs) // (MOST_CORNERS // 3))
    for side in (0, 1):
        _look_at_corners(bodies, side, evidence, np.unique(pairs[::step, side]))
    if evidence.crossing:
        return Relation.CROSSING
    contacts = Contacts(bodies, pairs)
    contacts.outward = outward_faces(bodies, contacts.pairs, self_pairs)
    in_segments: tuple[set[int], set[int]] = (set(), set())
    looked_at = 0
    for candidates in contacts.candidates():
        for chunk in _chunks(candidates):
            looked_at += len(chunk)
            if effort is not None:
                effort.left -= len(chunk)
                if looked_at > effort.each or effort.left < 0:
                    raise Undecided
            fans = []
            for candidate in chunk:
                found = contacts.fans(candidate)
                fans += found
                for fan in found:
                    for side in (0, 1):
                        in_segments[side].update(fan.through[side])
            look_at_fans(contacts, evidence, fans)
            if evidence.crossing:
                return Relation.CROSSING
        if contacts.faced[0]:
            evidence.sectors.update(((True, False), (False, True)))
    for side in (0, 1):
        in_segments[side].update(contacts.faced[side])
        look_at_free_components(contacts, side, evidence, in_segments[side])
    look_for_voids(contacts, evidence, in_segments, self_pairs)
    return evidence.relation(touching=True)


def same_triangles(a: Body, b: Body) -> bool:
    """Tell whether two bodies have the same triangles, all turned the same way or all the other: a common case."""
    if len(a.mesh) != len(b.mesh) or a.surface.oriented != b.surface.oriented:
        return False
    if (a.corners.min(axis=(0, 1)) != b.corners.min(axis=(0, 1))).any():
        return False
    own = _in_one_order(a.corners)
    return any(np.array_equal(own, _in_one_order(corners)) for corners in (b.corners, b.corners[:, ::-1]))


def _in_one_order(corners: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return triangles, the lowest corner of each first, in an order that depends on their coordinates alone."""
    order = np.lexsort(np.moveaxis(corners, 2, 0), axis=1)
    turned = np.take_along_axis(corners, ((order[:, :1] + np.arange(3)) % 3)[:, :, None], axis=1).reshape(-1, 9)
    return turned[np.lexsort(turned.T)]


def _chunks(candidates: Iterable[Candidate]) -> Iterable[list[Candidate]]:
    size, iterator = FIRST_CHUNK, iter(candidates)
    while chunk := list(islice(iterator, size)):
        yield chunk
        size = min(2 * size, LARGEST_CHUNK)


def _look_at_corners(bodies: Bodies, side: int, evidence: Evidence, faces: NDArray[np.int64]) -> None:
    """See whether corners of some triangles of one body are inside the other."""
    body, other = bodies[side], bodies[1 - side]
    if not other.solid:  # whether a corner is on that surface is not known
        return
    for winding in other.around(body, body.surface.faces[faces].ravel()):
        if winding is not None:
            evidence.surfaces[side].add(other.inside(winding))
