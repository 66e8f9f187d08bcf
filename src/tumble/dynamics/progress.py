"""A step while it is solved: bodies on their way, their contacts, and what the solver keeps about both."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tumble.dynamics.contacts import Contacts
from tumble.dynamics.energy import earlier_of
from tumble.dynamics.joint_solver import joint_system, settle_joints
from tumble.dynamics.joints import driven, links_of
from tumble.dynamics.motion import move
from tumble.dynamics.rows import Rows, Thresholds, prepare, rows_of
from tumble.dynamics.sleep import islands_of, sleepers
from tumble.dynamics.solver import solve
from tumble.dynamics.state import Conditions, Record, RigidBodies, State, copied
from tumble.dynamics.stopwatch import StopWatch


class Mark(NamedTuple):
    """What `Progress.go_back` returns to."""

    bodies: RigidBodies
    pressed: NDArray[np.float64]
    rubbed: NDArray[np.float64]
    lift: float


class Progress:
    """Bodies, contacts and rows within a step; they start as copies, so the world stays as it is."""

    def __init__(self, given: Conditions, before: State, contacts: Contacts, watch: StopWatch) -> None:
        self.given, self.watch = given, watch
        self.bodies, self.contacts = copied(before.bodies), contacts
        zeros = np.zeros_like(self.bodies.velocity), np.zeros_like(self.bodies.spin)
        self.means = self.bodies._replace(velocity=zeros[0], spin=zeros[1])
        self.lift = 0.0
        self._quiet = before.quiet.time
        self.connect()
        self.rows = rows_of(self.bodies, contacts, given.settings.slop)

    def connect(self) -> None:
        """Find from the contacts which bodies touch each other, and so which sleep."""
        given, movable = self.given, self.given.roster.movable
        self.islands = islands_of(self.contacts, links_of(given.joints), movable)
        self.asleep = sleepers(self.islands, movable, self._quiet, given.settings.sleep_time)
        self.bodies.velocity[:-1][self.asleep] = self.bodies.spin[:-1][self.asleep] = 0.0
        self.moving = movable & ~self.asleep
        self.motors = driven(given.joints, len(movable))
        self.joints = joint_system(self.bodies, self.moving, given.joints)
        self.earlier = earlier_of(self.bodies, self.contacts, len(given.joints.kind), self.islands, self.motors)

    def advance(self, time: float) -> None:
        """Solve the contacts and joints of a substep, and move the bodies."""
        given, settings = self.given, self.given.settings
        bodies, contacts, joints, moving, rows = self.bodies, self.contacts, self.joints, self.moving, self.rows
        thresholds = Thresholds(settings.push_rate, settings.push_speed, settings.bounce_speed)
        sweeps = settings.iterations, settings.push_iterations, settings.push_speed, settings.tolerance
        prepare(bodies, contacts, moving, rows, given.gravity, thresholds, time)
        memory = self.means, self.earlier, self.islands
        self.lift += solve(bodies, contacts, joints, moving, rows, *memory, given.gravity, *sweeps, time)
        self.watch.note("solve")
        move(bodies, self.means, moving, time)
        settle_joints(bodies, moving, joints, time)
        self.watch.note("integrate")

    def mark(self) -> Mark:
        """Return where bodies and impulses are now."""
        return Mark(copied(self.bodies), self.contacts.pressed.copy(), self.contacts.rubbed.copy(), self.lift)

    def go_back(self, mark: Mark) -> None:
        """Return to a mark; contacts that came later keep no impulses."""
        for column, old in zip(self.bodies, mark.bodies, strict=True):
            column[:] = old
        count = len(mark.pressed)
        self.contacts.pressed[:count], self.contacts.pressed[count:] = mark.pressed, 0.0
        self.contacts.rubbed[:count], self.contacts.rubbed[count:] = mark.rubbed, 0.0
        self.lift = mark.lift
        self.joints = joint_system(self.bodies, self.moving, self.given.joints)

    def add(self, contacts: Contacts, rows: Rows) -> None:
        """Add contacts, at the end of the others; what they touch wakes up."""
        self.contacts, self.rows = _appended(self.contacts, contacts), _appended(self.rows, rows)
        self.connect()

    def scale_impulses(self, share: float) -> None:
        """Make the impulses fit a substep of another length: what rests presses for a share of the time."""
        self.contacts.pressed[:] *= share
        self.contacts.rubbed[:] *= share


def _appended(record: Record, more: Record) -> Record:
    return record._make(np.concatenate(columns) for columns in zip(record, more, strict=True))
