"""`World`: bodies, planes and gravity; a step is a list of phases.

    broad phase → narrow phase → contacts → sleep → (solve → integrate) in substeps → check

A step works on copies and puts them in place at its end, so after an error the world is as it was before the step.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tumble.core.options import whole_number
from tumble.core.parallel import thread_count
from tumble.device.opencl import open_device
from tumble.device.protocol import CPU
from tumble.dynamics import measures
from tumble.dynamics.bodies import copied, no_bodies, with_body
from tumble.dynamics.body import BodyOptions, new_body
from tumble.dynamics.checks import number, vector
from tumble.dynamics.clock import Clock
from tumble.dynamics.contacts import Contacts, no_contacts
from tumble.dynamics.find import find_contacts
from tumble.dynamics.motion import move
from tumble.dynamics.planes import Planes, tangents_of
from tumble.dynamics.roster import Roster
from tumble.dynamics.rows import Limits, prepare, rows_of
from tumble.dynamics.settings import Settings
from tumble.dynamics.sleep import Quiet, calm, nobody_quiet, sleepers, still_quiet
from tumble.dynamics.solver import Means, solve
from tumble.dynamics.state import State, check_state
from tumble.errors import InputError
from tumble.mesh import MAX_COORDINATE, MeshLike
from tumble.scene import Scene

AWAKE, AT_REST = 1, 2


class World:
    """Rigid bodies under gravity.

    gravity    m/s², three numbers
    step       s, the time that one step takes
    settings   how finely it is computed, see `Settings`
    threads    how many look for touching triangles; None for all cores. The states are the same, bit for bit.
    device     where they look: cpu, or an OpenCL device (see `tumble.devices`). The states are the same again.
    """

    def __init__(
        self,
        gravity: ArrayLike = (0.0, 0.0, -9.81),
        step: float = 0.01,
        *,
        settings: Settings | None = None,
        threads: int | None = None,
        device: str = "cpu",
    ) -> None:
        self.gravity = vector(gravity, "gravity")
        self.gravity.flags.writeable = False
        self.time_step = number(step, "step", 0.0, above=True)
        self.settings = Settings() if settings is None else settings
        thread_count(threads)
        self.threads = threads
        if device != CPU:
            open_device(device)  # what is missing is said now, not in the first step
        self.device = device
        self.roster = Roster()
        self.planes = Planes(np.empty((0, 3)), np.empty(0), np.empty((0, 6)), np.empty(0), np.empty(0))
        self.bodies = no_bodies()
        self.contacts = no_contacts()
        self.time, self.steps = 0.0, 0
        self.timings: dict[str, float] = {}
        self.counts: dict[str, int] = {}
        self._scene = Scene()
        self._quiet = nobody_quiet(self.bodies)
        self._asleep = np.empty(0, bool)
        self._displaced = np.empty(0, bool)  # who is no longer where the scene has them
        self._seen_awake = np.empty(0, bool)  # what the scene's filters say

    # Bodies and planes

    def add_body(
        self,
        mesh: MeshLike,
        pose: ArrayLike | None = None,
        *,
        velocity: ArrayLike = (0.0, 0.0, 0.0),
        spin: ArrayLike = (0.0, 0.0, 0.0),
        density: float | None = None,
        mass: float | None = None,
        friction: float = 0.5,
        restitution: float = 0.0,
        name: str | None = None,
        static: bool = False,
        hull: bool = False,
        axle: ArrayLike | None = None,
    ) -> int:
        """Add a body and return its number, which counts from 0.

        velocity     m/s, of the centre of mass; `spin` in rad/s, both along the world's axes
        density      kg/m³, 1000 if nothing is said; or the `mass` in kg
        friction     Coulomb's coefficient, at least 0; restitution from 0 (stays) to 1 (bounces back)
        static       it never moves; then the mesh may be open
        hull         use the convex hull in place of the mesh, for open meshes say
        axle         a direction: the body turns about it, its centre of mass stays where it is
        """
        name = self._free_name() if name is None else name
        if not isinstance(name, str) or name in self.roster:
            raise InputError(f"the name of a body must be a string that no other body has; found {name!r}")
        options = BodyOptions(velocity, spin, density, mass, friction, restitution, static, hull, axle)
        entry, columns = new_body(name, mesh, pose, options)
        self._scene.add(name, entry.mesh, entry.pose, **_filter(entry.movable))
        self.bodies = with_body(self.bodies, **columns)
        joined = (
            np.append(old, new[-1:], axis=0) for old, new in zip(self._quiet, nobody_quiet(self.bodies), strict=True)
        )
        self._quiet = Quiet(*joined)
        self._asleep = np.append(self._asleep, False)
        self._displaced = np.append(self._displaced, False)
        self._seen_awake = np.append(self._seen_awake, entry.movable)
        if static:  # sleepers and static bodies do not look at each other
            self._wake_all()
        return self.roster.add(entry)

    def add_plane(
        self,
        normal: ArrayLike = (0.0, 0.0, 1.0),
        offset: float = 0.0,
        *,
        friction: float = 0.5,
        restitution: float = 0.0,
    ) -> int:
        """Add the solid half-space normal · x ≤ offset, for a normal of any length but zero, and return its number."""
        direction = vector(normal, "normal")
        length = float(np.linalg.norm(direction))
        if length == 0.0:
            raise InputError("the normal of a plane must not be the zero vector")
        direction = direction / length
        columns = (
            direction,
            number(offset, "offset", -MAX_COORDINATE, MAX_COORDINATE) / length,
            tangents_of(direction),
            number(friction, "friction", 0.0),
            number(restitution, "restitution", 0.0, 1.0),
        )
        joined = (np.append(old, [new], axis=0) for old, new in zip(self.planes, columns, strict=True))
        self.planes = Planes(*joined)
        self._wake_all()
        return len(self.planes.offsets) - 1

    def set_velocity(self, body: int | str, velocity: ArrayLike | None = None, spin: ArrayLike | None = None) -> None:
        """Give a body another velocity, another spin or both, and wake it."""
        which = self.roster.number(body)
        new = copied(self.bodies)
        if not self.movable[which]:
            raise InputError(f"body {body!r} is static: it has no velocity")
        if velocity is not None:
            new.velocity[which] = vector(velocity, "velocity") * (new.inverse_mass[which] > 0.0)
        if spin is not None:
            new.spin[which] = vector(spin, "spin")
        self.bodies = new
        self.wake(body)

    def wake(self, body: int | str) -> None:
        """Wake a body, and with it what it touches."""
        which = self.roster.number(body)
        self._quiet.time[which] = 0.0
        self._asleep[which] = False

    def _wake_all(self) -> None:
        self._quiet.time[:] = 0.0
        self._asleep[:] = False

    # What there is

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the bodies, in the order in which they were added."""
        return tuple(entry.name for entry in self.roster.entries)

    @property
    def movable(self) -> NDArray[np.bool_]:
        """(n,) all that is not static."""
        return self.roster.movable

    @property
    def moving(self) -> NDArray[np.bool_]:
        """(n,) neither static nor asleep."""
        return self.movable & ~self._asleep

    @property
    def asleep(self) -> NDArray[np.bool_]:
        """(n,) who sleeps."""
        return self._asleep.copy()

    def poses(self) -> NDArray[np.float64]:
        """Return the poses of the meshes, (n, 4, 4)."""
        return measures.poses_of(self.bodies, self.roster)

    def positions(self) -> NDArray[np.float64]:
        """Return the centres of mass, (n, 3)."""
        return self.bodies.position[:-1].copy()

    def velocities(self) -> NDArray[np.float64]:
        """Return the velocities of the centres of mass, (n, 3)."""
        return self.bodies.velocity[:-1].copy()

    def spins(self) -> NDArray[np.float64]:
        """Return the angular velocities along the world's axes, (n, 3)."""
        return self.bodies.spin[:-1].copy()

    def kinetic_energy(self) -> float:
        """Return the energy of motion, J."""
        return measures.kinetic_energy(self.bodies, self.roster)

    def potential_energy(self) -> float:
        """Return the energy of height, J; 0 for a centre of mass at the origin."""
        return measures.potential_energy(self.bodies, self.roster, self.gravity)

    def energy(self) -> float:
        """Return kinetic and potential energy together, J."""
        return self.kinetic_energy() + self.potential_energy()

    def momentum(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return the linear momentum, kg m/s, and the angular momentum about the origin, kg m²/s."""
        return measures.momentum(self.bodies, self.roster)

    def snapshot(self) -> State:
        """Return a copy of all that changes, for `restore`."""
        contacts = Contacts(*(column.copy() for column in self.contacts))
        return State(self.time, self.steps, copied(self.bodies), contacts, _copied(self._quiet), self._asleep.copy())

    def restore(self, state: State) -> None:
        """Go back to a snapshot of this world, or of one made in the same way."""
        check_state(state, self.bodies, self._quiet)
        self.time, self.steps = state.time, state.steps
        self.bodies = copied(state.bodies)
        self.contacts = Contacts(*(column.copy() for column in state.contacts))
        self._quiet, self._asleep = _copied(state.quiet), state.asleep.copy()
        self._displaced[:] = self.movable

    # A step

    def step(self, count: int = 1) -> None:
        """Let time pass, `count` steps of it; `timings` and `counts` then tell about the last."""
        steps = whole_number(count)
        if steps is None or steps < 0:
            raise InputError(f"the number of steps must be a whole number from 0, not {count!r}")
        for _ in range(steps):
            self._advance()

    def _advance(self) -> None:
        settings, clock = self.settings, Clock()
        self._follow()
        candidates = self._scene.count_candidates()
        clock.note("broad phase")

        touching = self._scene.collisions(threads=self.threads, device=self.device)
        clock.note("narrow phase")

        contacts = find_contacts(self, touching)
        clock.note("contacts")

        bodies = copied(self.bodies)
        asleep = sleepers(contacts, self.movable, self._quiet.time, settings.sleep_time)
        bodies.velocity[:-1][asleep] = bodies.spin[:-1][asleep] = 0.0
        moving = self.movable & ~asleep
        clock.note("sleep")

        rows = rows_of(bodies, contacts, settings.slop)
        means = Means(np.zeros_like(bodies.velocity), np.zeros_like(bodies.spin))
        limits = Limits(settings.push_rate, settings.push_speed, settings.bounce_speed)
        time = self.time_step / settings.substeps
        for _ in range(settings.substeps):
            prepare(bodies, contacts, moving, rows, self.gravity, limits, time)
            patience = settings.iterations, settings.push_iterations, settings.tolerance
            solve(bodies, contacts, moving, rows, means, self.gravity, *patience, time)
            clock.note("solve")
            move(bodies, means, moving, time)
            clock.note("integrate")

        measures.check(bodies, self.roster, settings.fastest, self.steps + 1)
        radii = self.roster.hulls.radii
        calm(bodies, contacts, radii, settings, self.time_step)
        quiet = still_quiet(bodies, contacts, radii, self._quiet, settings, self.time_step)
        clock.note("sleep")

        self.bodies, self.contacts, self._quiet, self._asleep = bodies, contacts, quiet, asleep
        self._displaced |= moving
        self.steps += 1
        self.time += self.time_step
        self.timings = clock.seconds
        self.counts = {
            "broad pairs": candidates,
            "touching pairs": len(touching),
            "triangle pairs": len(touching.triangles),
            "contact points": len(contacts.keys),
            "awake": int(moving.sum()),
        }

    def _follow(self) -> None:
        """Tell the scene where bodies are now, and who sleeps."""
        names, moving = self.names, self.moving
        gone = np.flatnonzero(self._displaced)
        self._scene.move_many([names[i] for i in gone.tolist()], self.poses()[gone])
        self._displaced[:] = False
        for i in np.flatnonzero(moving != self._seen_awake).tolist():
            self._scene.set_filter(names[i], **_filter(bool(moving[i])))
        self._seen_awake = moving

    def _free_name(self) -> str:
        count = len(self.roster)
        while f"body {count}" in self.roster:
            count += 1
        return f"body {count}"

    def __repr__(self) -> str:
        return f"<World of {len(self.roster)} bodies and {len(self.planes.offsets)} planes at {self.time:.4g} s>"


def _copied(quiet: Quiet) -> Quiet:
    return Quiet(*(column.copy() for column in quiet))


def _filter(awake: bool) -> dict[str, int]:
    """Return group and mask in the scene: who sleeps or cannot move is looked at by who moves, and by nobody else."""
    return {"group": AWAKE, "mask": AWAKE | AT_REST} if awake else {"group": AT_REST, "mask": AWAKE}
