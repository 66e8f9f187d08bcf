"""What does not change about the bodies of a world, and a new body: its options checked, its mass computed."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tumble.core.options import whole_number
from tumble.core.products import applied, dot_product, inverse_of_positive, length, product
from tumble.dynamics.hull import convex_hull, hull_vertices
from tumble.dynamics.manifold import Surfaces, gather
from tumble.dynamics.mass import mass_properties
from tumble.dynamics.motion import quaternion_of
from tumble.dynamics.planes import HullCorners
from tumble.dynamics.settings import number, vector
from tumble.dynamics.sizes import Sizes, core_of, sizes_of
from tumble.errors import InputError
from tumble.mesh import Mesh, MeshLike, as_mesh, as_pose

DENSITY = 1000.0  # kg/m³, of water, and nearly of a cow


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
    continuous: bool  # see `World.add_body`


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
    continuous: bool = False


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
    if not isinstance(options.continuous, bool | np.bool_):
        raise InputError(f"continuous must be True or False, not {options.continuous!r}")
    mass, centre, inertia, inverse_inertia = _mass_and_inertia(source, placed[:3, :3], options)
    rotation = placed[:3, :3]
    columns = {
        "position": applied(rotation, centre) + placed[:3, 3],
        "orientation": quaternion_of(rotation),
        "velocity": velocity * (mass > 0.0),
        "spin": spin * (not options.static),
        "inverse_mass": 1.0 / mass if mass > 0.0 else 0.0,
        "inertia": inertia,
        "inverse_inertia": inverse_inertia,
        "rotation": rotation,
        "world_inverse": product(product(rotation, inverse_inertia), rotation.T),
    }
    constant = mass, centre, friction, restitution, not options.static, placed, bool(options.continuous)
    return BodyRecord(name, source, *constant), columns


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
        axis = applied(rotation.T, vector(options.axle, "axle"))
        size = length(axis)
        if size == 0.0:
            raise InputError("the axle of a body must not be the zero vector")
        axis = axis / size
        about = dot_product(axis, applied(solid.inertia, axis))
        return 0.0, solid.centre, solid.inertia, np.multiply.outer(axis, axis) / about
    return solid.mass, solid.centre, solid.inertia, inverse_of_positive(solid.inertia)


class Roster:
    """The bodies in the order in which they were added, and their columns as arrays."""

    def __init__(self) -> None:
        self.entries: list[BodyRecord] = []
        self._numbers: dict[str, int] = {}
        self._columns: dict[str, NDArray] = {}
        self._cores: dict[tuple[Mesh, float], Mesh] = {}

    def add(self, entry: BodyRecord) -> int:
        """Add a body and return its number."""
        self._numbers[entry.name] = number = len(self.entries)
        self.entries.append(entry)
        self._columns.clear()
        for name in ("surfaces", "hulls", "sizes"):
            self.__dict__.pop(name, None)
        return number

    def number(self, body: int | str) -> int:
        """Return the number of a body that is named, or numbered."""
        if isinstance(body, str) and body in self._numbers:
            return self._numbers[body]
        number = whole_number(body)
        if number is not None and 0 <= number < len(self.entries):
            return number
        raise InputError(f"there is no body {body!r} among the {len(self.entries)} of this world; add it first")

    def numbers_of(self, names: list[tuple[str | None, str]]) -> NDArray[np.int64]:
        """Return (k, 2) numbers of pairs of bodies by name."""
        known = self._numbers
        return np.array([(known[a], known[b]) for a, b in names if a is not None], np.int64).reshape(-1, 2)

    def __contains__(self, name: str) -> bool:
        return name in self._numbers

    def __len__(self) -> int:
        return len(self.entries)

    def column(self, name: str) -> NDArray:
        """Return one attribute of all bodies as an array."""
        if name not in self._columns:
            self._columns[name] = np.array([getattr(entry, name) for entry in self.entries])
        return self._columns[name]

    @property
    def movable(self) -> NDArray[np.bool_]:
        """(n,) all that is not static."""
        return self.column("movable").astype(bool)

    @cached_property
    def surfaces(self) -> tuple[NDArray[np.int64], Surfaces]:
        """The place of each body's mesh among the different meshes, and the surfaces of these."""
        places: dict[Mesh, int] = {}
        mesh_of = [places.setdefault(entry.mesh, len(places)) for entry in self.entries]
        return np.array(mesh_of, np.int64), gather(list(places))

    @cached_property
    def sizes(self) -> Sizes:
        """How large bodies are, and the boxes of those that cannot move."""
        return sizes_of([entry.mesh for entry in self.entries], self.column("pose").reshape(-1, 4, 4))

    def core(self, body: int, margin: float) -> Mesh:
        """Return the mesh of a body with its faces a margin further in; bodies of one mesh share theirs."""
        key = self.entries[body].mesh, margin
        if key not in self._cores:
            self._cores[key] = core_of(*key)
        return self._cores[key]

    @cached_property
    def hulls(self) -> HullCorners:
        """The corners of the hulls of all bodies; bodies of one mesh share theirs."""
        places: dict[Mesh, tuple[int, int, float]] = {}
        corners, numbers, used = [np.empty((0, 3))], [np.empty(0, np.int64)], 0
        for entry in self.entries:
            if entry.mesh not in places:
                mine = hull_vertices(entry.mesh)
                offsets = entry.mesh.vertices[mine] - entry.centre
                radius = float(np.sqrt((offsets**2).sum(axis=1).max())) if len(mine) else 0.0
                places[entry.mesh] = used, used + len(mine), radius
                corners.append(offsets)
                numbers.append(mine)
                used += len(mine)
        starts, stops, radii = np.array([places[entry.mesh] for entry in self.entries]).reshape(-1, 3).T
        bounds = starts.astype(np.int64), stops.astype(np.int64)
        return HullCorners(np.concatenate(corners), np.concatenate(numbers), *bounds, radii.copy())
