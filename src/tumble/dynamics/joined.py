"""The joints of a world: a new one checked, motors changed, positions and errors read."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from tumble.core.options import whole_number
from tumble.dynamics.body import Roster
from tumble.dynamics.contacts import WORLD
from tumble.dynamics.joint_rows import errors_of_joints, position_of_joints
from tumble.dynamics.joints import MOTOR, Ball, Fixed, Hinge, Joint, JointRows, Motor, Place, Slider, joined_rows
from tumble.dynamics.joints import rows_of_joint as _rows_of_joint
from tumble.dynamics.state import RigidBodies
from tumble.errors import InputError

__all__ = ["checked", "errors", "joined_rows", "positions", "with_motor"]

Joints = tuple[Joint, ...]


def checked(joint: Joint, bodies: RigidBodies, roster: Roster, number: int) -> JointRows:
    """Return the rows of a new joint, or say what is wrong with it."""
    if not isinstance(joint, Ball | Hinge | Slider | Fixed):
        raise InputError(f"a joint must be a Ball, Hinge, Slider or Fixed of tumble.dynamics, not {joint!r}")
    if joint.a is None:
        raise InputError("the body a of a joint must be a body; the world, None, can only be b")
    if not isinstance(joint.collide, bool | np.bool_):
        raise InputError(f"collide of a joint must be True or False, not {joint.collide!r}")
    a, b = roster.number(joint.a), WORLD if joint.b is None else roster.number(joint.b)
    if a == b:
        raise InputError(f"a joint connects two bodies, and both are {joint.a!r}")
    if not (roster.movable[a] or (b != WORLD and roster.movable[b])):
        raise InputError(f"a joint of {joint.a!r} and {joint.b!r} has nothing to do: neither of them can move")
    centres = bodies.position[a].copy(), bodies.position[b].copy()
    return _rows_of_joint(joint, number, Place((a, b), centres, (bodies.rotation[a], bodies.rotation[b])))


def with_motor(joints: Joints, rows: JointRows, joint: int, motor: Motor) -> tuple[Joints, JointRows]:
    """Return joints and rows with another motor in one of them."""
    which = whole_number(joint)
    if which is None or not 0 <= which < len(joints):
        raise InputError(f"there is no joint {joint!r} among the {len(joints)} of this world")
    old = joints[which]
    if not isinstance(old, Hinge | Slider) or old.motor is None:
        raise InputError(f"joint {which}, a {type(old).__name__}, was added without a motor; give it one then")
    if not isinstance(motor, Motor):
        raise InputError(f"the motor of a joint must be a tumble.dynamics.Motor, not {motor!r}")
    its = (rows.joint == which) & (rows.role == MOTOR)
    speed, high = np.where(its, motor.speed, rows.speed), np.where(its, motor.limit, rows.high)
    changed = rows._replace(speed=speed, high=high, low=np.where(its, -high, rows.low))
    return (*joints[:which], replace(old, motor=motor), *joints[which + 1 :]), changed


def positions(joints: Joints, rows: JointRows, bodies: RigidBodies) -> NDArray[np.float64]:
    """Return the angle of each hinge and the way of each slider, NaN for other joints."""
    found = np.full(len(joints), np.nan)
    position_of_joints(bodies, rows, found)
    return found


def errors(joints: Joints, rows: JointRows, bodies: RigidBodies) -> NDArray[np.float64]:
    """Return (j, 2) the distance, m, and the angle, rad, by which each joint misses what it asks for."""
    found = np.zeros((len(joints), 2))
    errors_of_joints(bodies, rows, found)
    return found
