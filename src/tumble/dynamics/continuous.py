"""A step with fast bodies: a substep ends at the next time of impact, if there is one, and goes on from there.

    try the rest of the substep → does a fast body meet something on its way?
        no                 that was it
        yes, later         go only until just before
        yes, now           add the contact, and try again from the same place

So a contact is solved where it is, and nothing of the step is lost: impulses act at the time of impact, and the rest of
the step goes on with the velocities that they leave. Contacts that come together are solved together. Fast bodies have
no contacts ahead (`prediction`), only those with bodies that they touch when the step begins.

A body that is squeezed between others can meet them again and again. When a substep has been tried as often as its fast
bodies allow for, or one impact has been met several times from the same place, so that another contact would change
nothing either, those that would still go through others stay where they are until it ends (`_hold`).
"""

from collections import Counter

import numpy as np
from numpy.typing import NDArray

from tumble.core.keys import keys_of_pairs
from tumble.dynamics.contacts import WORLD, Contacts, chosen, joined, no_contacts
from tumble.dynamics.fast import fast_pairs, pairs_that_meet, swept_boxes, ways_of
from tumble.dynamics.impacts import NEAR, Flights, Hits, contacts_of_hits, first_hits, flights_of, shares_of
from tumble.dynamics.plane_contacts import plane_contacts
from tumble.dynamics.progress import Mark, Progress
from tumble.dynamics.rows import rows_of
from tumble.dynamics.state import check_motion, twice_kinetic_energies

TOGETHER = 1 / 256
"""of a substep: impacts that are no farther apart are solved together, where bodies are before the first of them"""
SHORTER = 4
"""times that a try is made shorter; a body that then still meets another later has a contact with a gap"""
POINTS = 4
"""contacts of two bodies at times of impact in a step; after these, only what reaches their cores is an impact"""
TRIES, TRIES_PER_BODY = 96, 16
"""of a substep, at most"""
REPEATS = 4
"""contacts for one impact of two triangles from the same place"""


def fast_step(progress: Progress, fast: NDArray[np.bool_], number: int) -> dict[str, int]:
    """Go through all substeps of a step with fast bodies; return what was found."""
    step = _FastStep(progress, fast, number)
    time = progress.given.time_step / progress.given.settings.substeps
    for _ in range(progress.given.settings.substeps):
        step.substep(time)
    progress.contacts = joined(progress.contacts)
    return {"fast bodies": int(fast.sum()), "impacts": len(step.impacts), "held bodies": step.held}


class _FastStep:
    def __init__(self, progress: Progress, fast: NDArray[np.bool_], number: int) -> None:
        self.progress, self.given, self.fast, self._number = progress, progress.given, fast, number
        self.impacts, self.held = np.empty(0, np.int64), 0
        own = np.append(fast, False)  # the last is the world
        of_fast = own[progress.contacts.body_a] | own[progress.contacts.body_b]
        progress.rows.shares[of_fast] = shares_of(self.given, progress.contacts)[of_fast]

    def substep(self, time: float) -> None:
        """Go on for a substep, from impact to impact."""
        progress, left, tried, last, shorter = self.progress, time, time, time, 0
        met: Counter[tuple[int, int]] = Counter()
        for _ in range(TRIES + TRIES_PER_BODY * int(self.fast.sum())):
            mark = progress.mark()
            flights, hits = self._try(mark, tried, tried / last)
            of_planes = self._new_plane_contacts(mark, tried)
            if len(hits.times) == 0 and len(of_planes.keys) == 0:
                left, last, shorter = left - tried, tried, 0
                met.clear()
                if left <= 0.0:
                    break
                tried = left
                continue
            progress.go_back(mark)
            # What was nearer than the tolerance when the try began is met now: every try would only halve its distance.
            near = hits.distances < 0.25 * NEAR * self.given.settings.slop
            moments = np.where(near, 0.0, tried * hits.times)
            first = moments.min(initial=time)
            if len(of_planes.keys):
                self._add_planes(of_planes)
            elif first > TOGETHER * time and shorter < SHORTER:
                tried, shorter = first - 0.5 * TOGETHER * time, shorter + 1
            else:
                now = moments <= max(first, TOGETHER * time)
                bodies, triangles = (keys_of_pairs(each[now]).tolist() for each in (hits.bodies, hits.triangles))
                met.update(zip(bodies, triangles, strict=True))
                if max(met.values()) > REPEATS:
                    break
                self._add_impacts(flights, hits.chosen(now), moments[now] <= TOGETHER * time)
                tried, shorter = left, 0
        if left > 0.0:
            self._hold(left, left / last)
            last = left
        progress.scale_impulses(time / last)

    def _try(self, mark: Mark, time: float, share: float) -> tuple[Flights, Hits]:
        """Go on for a time, a share of the last one; return how, and when fast bodies would meet others."""
        progress, given = self.progress, self.given
        progress.scale_impulses(share)
        progress.advance(time)
        check_motion(progress.bodies, given.roster, given.settings.fastest, self._number)
        flights = flights_of(given, mark.bodies, progress, time)
        boxes = swept_boxes(given, flights.centres, flights.ways, given.settings.slop)
        pairs = fast_pairs(given, pairs_that_meet(given, progress.moving, boxes), self._ways(), self.fast)
        hits = first_hits(given, flights, pairs, np.isin(keys_of_pairs(pairs), self._stopped()))
        progress.watch.note("time of impact")
        return flights, hits

    def _ways(self) -> NDArray[np.float64]:
        """Return how far bodies would get in a whole step as they move now."""
        progress = self.progress
        return ways_of(progress.means, progress.moving, self.given.roster.hulls.radii, self.given.time_step)

    def _stopped(self) -> NDArray[np.int64]:
        """Return the keys of the pairs of bodies that have several contacts at times of impact."""
        keys, counts = np.unique(self.impacts, return_counts=True)
        return keys[counts >= POINTS]

    def _add_impacts(self, flights: Flights, hits: Hits, soon: NDArray[np.bool_]) -> None:
        self.progress.add(*contacts_of_hits(self.given, flights, hits, self.progress.bodies, soon))
        self.impacts = np.append(self.impacts, keys_of_pairs(hits.bodies))

    def _new_plane_contacts(self, mark: Mark, time: float) -> Contacts:
        """Return the contacts with planes of bodies that go elsewhere than they did when the step began."""
        progress = self.progress
        if len(self.given.planes.offsets) == 0:
            return no_contacts()
        quick = progress.moving & (self.fast | (self._ways() > self.given.roster.sizes.reaches))
        bodies = mark.bodies._replace(velocity=progress.means.velocity, spin=progress.means.spin)
        found = plane_contacts(self.given, bodies, quick, time, 0.0)
        known = chosen(progress.contacts, progress.contacts.body_b == WORLD)
        names = set(zip(known.body_a.tolist(), known.keys.tolist(), strict=True))
        new = [each not in names for each in zip(found.body_a.tolist(), found.keys.tolist(), strict=True)]
        return chosen(found, np.array(new, bool))

    def _add_planes(self, contacts: Contacts) -> None:
        rows = rows_of(self.progress.bodies, contacts, self.given.settings.slop)
        rows.shares[:] = 0.0
        self.progress.add(contacts, rows)

    def _hold(self, time: float, share: float) -> None:
        """Go on for a time, but leave islands where they are whose bodies would meet others.

        Their velocities are the solver's, with no more energy than they had: gravity has done no work.
        """
        progress, roster = self.progress, self.given.roster
        mark = progress.mark()
        _, hits = self._try(mark, time, share)
        if len(hits.times) == 0:
            return
        islands, named = progress.islands, hits.bodies.ravel()
        stay = np.isin(islands, islands[named[progress.moving[named]]]) & progress.moving
        energies = np.zeros((2, len(islands)))
        for row, bodies in zip(energies, (mark.bodies, progress.bodies), strict=True):
            np.add.at(row, islands, twice_kinetic_energies(bodies, roster))
        share_kept = np.sqrt(np.minimum(energies[0] / np.maximum(energies[1], 1e-300), 1.0))[islands]
        for name in ("position", "orientation", "rotation", "world_inverse"):
            getattr(progress.bodies, name)[:-1][stay] = getattr(mark.bodies, name)[:-1][stay]
        for column in (progress.bodies.velocity, progress.bodies.spin):
            column[:-1][stay] *= share_kept[stay, None]
        progress.connect()
        self.held += int(stay.sum())
