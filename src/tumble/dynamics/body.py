"""A new body: its options checked, its mass computed, its row in `RigidBodies` made."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tumble.dynamics.checks import number, vector
from tumble.dynamics.hull import convex_hull
from tumble.dynamics.mass import mass_properties
from tumble.dynamics.quaternion import quaternion_of
from tumble.errors import InputError
from tumble.mesh import Mesh, MeshLike, as_mesh, as_pose

DENSITY = 1000.0
"""kg/m³, of water, and nearly of a cow"""


@dataclass(frozen=True, eq=False)
class BodyRecord:
    """What does not change about a body."""

    name: str
    mesh: Mesh
    mass: float  # 0 for a body that cannot be shifted
    centre: NDArray[np.float64]  # of mass, in the mesh's frame
    friction: float
    restitution: float
    movable: bool
    pose: NDArray[np.float64]  # where it was put; static bodies stay exactly there


@dataclass(frozen=True)
class BodyOptions:
    """The options of a body; see `World.add_body`."""

    velocity: ArrayLike = (0.0, 0.0, 0.0)
    spin: ArrayLike = (0.0, 0.0, 0.0)
    density: float | None = None
    mass: float | None = None
    friction: float = 0.5
    restitution: float = 0.0
    static: bool = False
    hull: bool = False
    axle: ArrayLike | None = None


def new_body(
    name: str, mesh: MeshLike, pose: ArrayLike | None, options: BodyOptions
) -> tuple[BodyRecord, dict[str, Any]]:
    """Return what stays and, by column, what `RigidBodies` holds about a body."""
    source = convex_hull(mesh) if options.hull else as_mesh(mesh)
    placed, upper = np.eye(4), as_pose(pose)
    if upper is not None:
        placed[:3] = upper
    velocity, spin = vector(options.velocity, "velocity"), vector(options.spin, "spin")
    friction = number(options.friction, "friction", 0.0)
    restitution = number(options.restitution, "restitution", 0.0, 1.0)
    mass, centre, inertia, inverse_inertia = _mass_and_inertia(source, placed[:3, :3], options)
    rotation = placed[:3, :3]
    columns = {
        "position": rotation @ centre + placed[:3, 3],
        "orientation": quaternion_of(rotation),
        "velocity": velocity * (mass > 0.0),
        "spin": spin * (not options.static),
        "inverse_mass": 1.0 / mass if mass > 0.0 else 0.0,
        "inertia": inertia,
        "inverse_inertia": inverse_inertia,
        "rotation": rotation,
        "world_inverse": rotation @ inverse_inertia @ rotation.T,
    }
    return BodyRecord(name, source, mass, centre, friction, restitution, not options.static, placed), columns


def _mass_and_inertia(mesh: Mesh, rotation: NDArray, options: BodyOptions) -> tuple[float, NDArray, NDArray, NDArray]:
    """Return mass, centre, inertia and inverse inertia; 0 where nothing moves the body."""
    if options.density is not None and options.mass is not None:
        raise InputError(f"give a body its density ({options.density!r}) or its mass ({options.mass!r}), not both")
    if options.static:
        return 0.0, np.zeros(3), np.zeros((3, 3)), np.zeros((3, 3))
    solid = mass_properties(mesh, DENSITY if options.density is None else options.density)
    if options.mass is not None:
        solid = solid.scaled_to(number(options.mass, "mass", 0.0, above=True))
    if options.axle is not None:
        return 0.0, solid.centre, solid.inertia, _about(rotation.T @ vector(options.axle, "axle"), solid.inertia)
    inverse = np.linalg.inv(solid.inertia)
    return solid.mass, solid.centre, solid.inertia, 0.5 * (inverse + inverse.T)


def _about(axis: NDArray[np.float64], inertia: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the inverse inertia of a body that turns about one axis only."""
    length = float(np.linalg.norm(axis))
    if length == 0.0:
        raise InputError("the axle of a body must not be the zero vector")
    axis = axis / length
    return np.outer(axis, axis) / float(axis @ inertia @ axis)
