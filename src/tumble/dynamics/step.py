"""A step of a world, as a list of phases.

    broad phase → narrow phase → contacts → sleep → (solve → integrate) in substeps → check → sleep

It works on copies and returns them, so after an error the world is as it was before the step.
"""

from time import perf_counter

import numpy as np

from tumble.dynamics import measures
from tumble.dynamics.bodies import copied
from tumble.dynamics.find import find_contacts
from tumble.dynamics.motion import move
from tumble.dynamics.rows import Thresholds, prepare, rows_of
from tumble.dynamics.sleep import calm, sleepers, still_quiet
from tumble.dynamics.solver import Means, solve
from tumble.dynamics.state import Conditions, State
from tumble.scene import Scene


class StopWatch:
    """Seconds by phase."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}
        self._last = perf_counter()

    def note(self, phase: str) -> None:
        """Count the time since the last note to a phase."""
        now = perf_counter()
        self.seconds[phase] = self.seconds.get(phase, 0.0) + now - self._last
        self._last = now


def advance(given: Conditions, before: State, scene: Scene, watch: StopWatch) -> tuple[State, dict[str, int]]:
    """Return the state after a step, and counts of what was found; `scene` has the bodies where they are now."""
    settings, movable = given.settings, given.roster.movable
    candidates = scene.count_candidates()
    watch.note("broad phase")

    touching = scene.collisions(threads=given.threads, device=given.device)
    watch.note("narrow phase")

    contacts = find_contacts(given, before, touching)
    watch.note("contacts")

    bodies = copied(before.bodies)
    asleep = sleepers(contacts, movable, before.quiet.time, settings.sleep_time)
    bodies.velocity[:-1][asleep] = bodies.spin[:-1][asleep] = 0.0
    moving = movable & ~asleep
    watch.note("sleep")

    rows = rows_of(bodies, contacts, settings.slop)
    means = Means(np.zeros_like(bodies.velocity), np.zeros_like(bodies.spin))
    thresholds = Thresholds(settings.push_rate, settings.push_speed, settings.bounce_speed)
    sweeps = settings.iterations, settings.push_iterations, settings.tolerance
    time = given.time_step / settings.substeps
    for _ in range(settings.substeps):
        prepare(bodies, contacts, moving, rows, given.gravity, thresholds, time)
        solve(bodies, contacts, moving, rows, means, given.gravity, *sweeps, time)
        watch.note("solve")
        move(bodies, means, moving, time)
        watch.note("integrate")

    measures.check(bodies, given.roster, settings.fastest, before.steps + 1)
    radii = given.roster.hulls.radii
    calm(bodies, contacts, radii, settings, given.time_step)
    quiet = still_quiet(bodies, contacts, radii, before.quiet, settings, given.time_step)
    watch.note("sleep")

    counts = {
        "broad pairs": candidates,
        "touching pairs": len(touching),
        "triangle pairs": len(touching.triangles),
        "contact points": len(contacts.keys),
        "awake": int(moving.sum()),
    }
    after = State(before.time + given.time_step, before.steps + 1, bodies, contacts, quiet, asleep)
    return after, counts
