"""`World`: bodies, planes and gravity, and the state they are in; `step` says how it changes."""

from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tumble.core.options import whole_number
from tumble.core.parallel import thread_count
from tumble.core.products import length
from tumble.device.opencl import open_device
from tumble.device.protocol import CPU
from tumble.dynamics import joined as joining
from tumble.dynamics import state as states
from tumble.dynamics.body import BodyOptions, Roster, new_body
from tumble.dynamics.contacts import Contacts
from tumble.dynamics.fast import fast_bodies
from tumble.dynamics.joints import Joint, Motor, held, no_joints
from tumble.dynamics.planes import no_planes, tangents_of
from tumble.dynamics.prediction import predicted
from tumble.dynamics.settings import Settings, number, vector
from tumble.dynamics.state import Conditions, RigidBodies, State
from tumble.dynamics.step import advance
from tumble.dynamics.stopwatch import StopWatch
from tumble.errors import InputError
from tumble.mesh import MAX_COORDINATE, MeshLike
from tumble.scene import Scene

AWAKE, AT_REST = 1, 2  # groups of the scene


class World:
    """Rigid bodies under gravity.

    gravity    m/s², three numbers
    step       s, the time that one step takes
    settings   how finely it is computed, see `Settings`
    threads    for finding touching triangles; None for all cores. The states are the same, bit for bit.
    device     where they are found, and where they meet: cpu, or an OpenCL device (see `tumble.devices`). The states
               are the same again.
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
        self.gravity = gravity
        self.time_step = number(step, "step", 0.0, above=True)
        self.settings = Settings() if settings is None else settings
        thread_count(threads)
        self.threads = threads
        if device != CPU:
            open_device(device)  # an error comes now, not in the first step
        self.device = device
        self.roster = Roster()
        self.planes = no_planes()
        self.joints: tuple[Joint, ...] = ()
        self.joint_rows = no_joints()
        self.state = states.empty_state()
        self.timings: dict[str, float] = {}
        self.counts: dict[str, int] = {}
        self.lift = 0.0
        self._scene = Scene()
        self._connected = np.empty((0, 2), np.int64)  # bodies that joints connect and that do not collide
        self._displaced = np.empty(0, bool)  # bodies that the scene has elsewhere than where they are
        self._seen_awake = np.empty(0, bool)  # bodies that the scene's filters take for awake

    @property
    def gravity(self) -> NDArray[np.float64]:
        """(3,) m/s²; another one may be set between two steps."""
        return self._gravity

    @gravity.setter
    def gravity(self, gravity: ArrayLike) -> None:
        self._gravity = vector(gravity, "gravity")
        self._gravity.flags.writeable = False

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
        continuous: bool = False,
    ) -> int:
        """Add a body and return its number, which counts from 0.

        velocity     m/s, of the centre of mass; `spin` in rad/s, both along the world's axes
        density      kg/m³, 1000 by default; or the `mass` in kg
        friction     Coulomb's coefficient, at least 0; restitution from 0 (stays) to 1 (bounces back)
        static       it never moves; then the mesh may be open
        hull         use the convex hull in place of the mesh, for example for open meshes
        axle         a direction: the body turns about it, its centre of mass stays where it is
        continuous   it passes through nothing, and nothing through it, however fast they are: a bullet, or a thin wall.
                     `Settings.continuous` asks for this of all bodies
        """
        name = self._free_name() if name is None else name
        if not isinstance(name, str) or name in self.roster:
            raise InputError(f"the name of a body must be a string that no other body has; found {name!r}")
        options = BodyOptions(velocity, spin, density, mass, friction, restitution, static, hull, axle, continuous)
        entry, columns = new_body(name, mesh, pose, options)
        self._scene.add(name, entry.mesh, entry.pose, **_filter(entry.movable))
        state = self.state
        self.state = replace(
            state,
            bodies=states.with_body(state.bodies, **columns),
            quiet=states.extended(state.quiet, 0.0, columns["position"], columns["rotation"]),
            asleep=np.append(state.asleep, False),
        )
        self._displaced = np.append(self._displaced, False)
        self._seen_awake = np.append(self._seen_awake, entry.movable)
        if static:  # sleeping and static bodies are not tested against each other
            self._wake(slice(None))
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
        size = length(direction)
        if size == 0.0:
            raise InputError("the normal of a plane must not be the zero vector")
        direction = direction / size
        self.planes = states.extended(
            self.planes,
            direction,
            number(offset, "offset", -MAX_COORDINATE, MAX_COORDINATE) / size,
            tangents_of(direction),
            number(friction, "friction", 0.0),
            number(restitution, "restitution", 0.0, 1.0),
        )
        self._wake(slice(None))
        return len(self.planes.offsets) - 1

    def add_joint(self, joint: Joint) -> int:
        """Connect two bodies, or a body and the world, by a `Ball`, `Hinge`, `Slider` or `Fixed`; return its number."""
        number, rows = len(self.joints), joining.checked(joint, self.bodies, self.roster, len(self.joints))
        if not joint.collide and joint.b is not None:
            names, pair = self.names, (self.roster.number(joint.a), self.roster.number(joint.b))
            self._scene.allow(names[pair[0]], names[pair[1]])
            self._connected = np.append(self._connected, [pair], axis=0)
        self.joints, self.joint_rows = (*self.joints, joint), joining.joined_rows(self.joint_rows, rows)
        self._wake(rows.body_a[rows.body_a >= 0])
        self._wake(rows.body_b[rows.body_b >= 0])
        return number

    def set_motor(self, joint: int, motor: Motor) -> None:
        """Give a hinge or a slider that has a motor another one, and wake its bodies."""
        self.joints, self.joint_rows = joining.with_motor(self.joints, self.joint_rows, joint, motor)
        self._wake(slice(None))

    def joint_positions(self) -> NDArray[np.float64]:
        """Return for each joint the angle of a hinge, rad from −π to π, or the way of a slider, m; NaN for others."""
        return joining.positions(self.joints, self.joint_rows, self.bodies)

    def joint_errors(self) -> NDArray[np.float64]:
        """Return (j, 2) how far apart the bodies of each joint are, m, and how far turned, rad, from what it allows."""
        return joining.errors(self.joints, self.joint_rows, self.bodies)

    def set_velocity(self, body: int | str, velocity: ArrayLike | None = None, spin: ArrayLike | None = None) -> None:
        """Give a body another velocity, another spin or both, and wake it."""
        which = self.roster.number(body)
        new = states.copied(self.bodies)
        if not self.movable[which]:
            raise InputError(f"body {body!r} is static: it has no velocity")
        if velocity is not None:
            new.velocity[which] = vector(velocity, "velocity") * (new.inverse_mass[which] > 0.0)
        if spin is not None:
            new.spin[which] = vector(spin, "spin")
        self.state = replace(self.state, bodies=new)
        self.wake(body)

    def wake(self, body: int | str) -> None:
        """Wake a body, and with it what it touches."""
        self._wake(self.roster.number(body))

    def _wake(self, which: int | slice | NDArray[np.int32]) -> None:
        self.state.quiet.time[which] = 0.0
        self.state.asleep[which] = False

    # What can be read

    @property
    def conditions(self) -> Conditions:
        """All that a step does not change."""
        own = self.gravity, self.time_step, self.settings, self.roster, self.planes, self.joint_rows
        return Conditions(*own, self._connected, self.threads, self.device)

    @property
    def time(self) -> float:
        """Simulated seconds."""
        return self.state.time

    @property
    def steps(self) -> int:
        """How many steps were done."""
        return self.state.steps

    @property
    def bodies(self) -> RigidBodies:
        """The bodies as arrays."""
        return self.state.bodies

    @property
    def contacts(self) -> Contacts:
        """The contacts of the last step."""
        return self.state.contacts

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the bodies, in the order in which they were added."""
        return tuple(entry.name for entry in self.roster.entries)

    @property
    def movable(self) -> NDArray[np.bool_]:
        """(n,) not static."""
        return self.roster.movable

    @property
    def moving(self) -> NDArray[np.bool_]:
        """(n,) neither static nor asleep."""
        return self.movable & ~self.state.asleep

    @property
    def asleep(self) -> NDArray[np.bool_]:
        """(n,) asleep."""
        return self.state.asleep.copy()

    def poses(self) -> NDArray[np.float64]:
        """Return the poses of the meshes, (n, 4, 4)."""
        return states.poses_of(self.bodies, self.roster)

    def poses_ahead(self) -> NDArray[np.float64]:
        """Return the poses at which the next step looks for touching triangles, (n, 4, 4).

        They are where free flight leads; those of fast bodies, if they are continuous, where these are now.
        """
        return states.poses_of(self._ahead(), self.roster)

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
        return states.kinetic_energy(self.bodies, self.roster)

    def potential_energy(self) -> float:
        """Return the energy of height, J; 0 for a centre of mass at the origin."""
        return states.potential_energy(self.bodies, self.roster, self.gravity)

    def energy(self) -> float:
        """Return kinetic and potential energy together, J."""
        return self.kinetic_energy() + self.potential_energy()

    def momentum(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return the linear momentum, kg m/s, and the angular momentum about the origin, kg m²/s."""
        return states.momentum(self.bodies, self.roster)

    def snapshot(self) -> State:
        """Return a copy of all that changes, for `restore`."""
        return self.state.copy()

    def restore(self, state: State) -> None:
        """Go back to a snapshot of this world, or of one made in the same way."""
        states.check_state(state, self.state)
        self.state = state.copy()
        self._displaced[:] = self.movable

    # A step

    def step(self, count: int = 1) -> None:
        """Simulate `count` steps; `timings`, `counts` and `lift` are those of the last.

        The lift, J, is the work of the push that takes bodies out of each other: the weight of each body that it raised
        times the way. The energy of a world grows by no more than this.
        """
        steps = whole_number(count)
        if steps is None or steps < 0:
            raise InputError(f"the number of steps must be a whole number from 0, not {count!r}")
        for _ in range(steps):
            self._advance()

    def _advance(self) -> None:
        watch = StopWatch()
        given = self.conditions
        fast = fast_bodies(given, self.state)
        ahead = self._ahead(fast)
        self._update_scene(ahead)
        after, counts, lift = advance(given, self.state, ahead, fast, self._scene, watch)
        self.state, self.counts, self.lift, self.timings = after, counts, lift, watch.seconds

    def _ahead(self, fast: NDArray[np.bool_] | None = None) -> RigidBodies:
        """Return the bodies where the next step looks for contacts; `fast` are its fast bodies, if they are known."""
        fast = fast_bodies(self.conditions, self.state) if fast is None else fast
        with_joints = held(self.joint_rows, len(self.moving))
        return predicted(self.bodies, self.moving & ~fast, with_joints, self.gravity, self.time_step)

    def _update_scene(self, ahead: RigidBodies) -> None:
        """Give the scene the poses to which bodies are on their way, and the filters that have changed."""
        names, moving = self.names, self.moving
        displaced = np.flatnonzero(self._displaced | moving)
        self._scene.move_many([names[i] for i in displaced.tolist()], states.poses_of(ahead, self.roster)[displaced])
        self._displaced = moving.copy()
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


def _filter(awake: bool) -> dict[str, int]:
    """Return group and mask in the scene: sleeping and static bodies are tested only against awake ones."""
    return {"group": AWAKE, "mask": AWAKE | AT_REST} if awake else {"group": AT_REST, "mask": AWAKE}
