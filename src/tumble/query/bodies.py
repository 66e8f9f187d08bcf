"""Bodies: meshes or trees, and where they are; poses are checked here, once.

`collide` is about one body and another, `collide_many` about one mesh in many places, `self_collide` about a body with
itself, `collide_all`, `touching_parts` and `Scene` about pairs of many bodies that a broad phase has found.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tumble.errors import InternalError, MeshError, PoseError, said_of
from tumble.hierarchy import BoxTree, Tree
from tumble.mesh import Mesh, MeshLike, as_mesh, as_pose
from tumble.mesh.arrays import check_vertices, is_masked_array, plain_copy, real_array
from tumble.mesh.rigid import as_matrix, as_rigid

Shape = Mesh | Tree | BoxTree

IDENTITY = np.eye(4)
IDENTITY.flags.writeable = False
NOT_BUILT = 0
"""no tree has this address"""


@dataclass(frozen=True, eq=False)
class Bodies:
    """Shapes, and for each body its shape and its pose. Do not modify `poses` while a question is answered."""

    shapes: Sequence[Shape | None]
    """meshes, or trees that the user built; None where no question names the body"""
    which: NDArray[np.int64]
    """(m,) the shape of each body"""
    poses: NDArray[np.float64]
    """(m, 4, 4), C-contiguous"""
    called: str = "poses"
    """what the user calls the poses, for errors"""
    addresses: dict[str, NDArray[np.int64]] = field(default_factory=dict)
    """for each kind of tree, the address of each body's tree, or NOT_BUILT: what one question builds, the next finds"""
    checked: bool = False
    """whether the poses are known to be rigid"""
    prepared: tuple[Tree | BoxTree, ...] = ()
    """the trees among the shapes, which decide about the engine"""
    trees: Any = None
    """implicit trees over all bodies, here or on a device, where the user keeps them from frame to frame"""

    def __len__(self) -> int:
        return len(self.which)

    def shape(self, body: int) -> Shape:
        """Return the shape of a body."""
        shape = self.shapes[int(self.which[body])]
        if shape is None:
            raise InternalError(f"body {body} has no shape; please report this")
        return shape

    def mesh(self, body: int) -> Mesh:
        """Return the mesh of a body."""
        return mesh_of(self.shape(body))

    def meshes(self, bodies: NDArray[np.int64]) -> list[Mesh]:
        """Return the meshes of some bodies, each once."""
        shapes = (self.shapes[which] for which in np.unique(self.which[bodies]).tolist())
        return [mesh_of(shape) for shape in shapes if shape is not None]

    def pose(self, body: int) -> NDArray[np.float64] | None:
        """Return the upper (3, 4) of a body's pose, or None for the exact identity, which costs no margin."""
        pose = self.poses[body]
        return None if (pose == IDENTITY).all() else pose[:3]

    def check_poses(self) -> None:
        """Raise PoseError for the first pose that is not a rigid motion, unless all were checked before."""
        if not self.checked:
            _ = self.deviations

    @cached_property
    def deviations(self) -> NDArray[np.float64]:
        """(m,) how far each pose is from a rotation; raises PoseError for the first that is not a rigid motion."""
        return checked_deviations(self.poses, lambda k: f"{self.called}[{k}]")

    def addresses_of(self, kind: str, bodies: NDArray[np.int64], build: Callable[[Mesh], Any]) -> NDArray[np.int64]:
        """Return the addresses of all trees of a kind, those of `bodies` built where they are missing.

        `build` returns a tree that its mesh keeps, so that addresses stay good as long as the meshes live.
        """
        known = self.addresses.get(kind)
        if known is None:
            known = self.addresses[kind] = np.full(len(self), NOT_BUILT)
        if len(self.shapes) == 1:
            if len(bodies) and known[bodies[0]] == NOT_BUILT:
                known[:] = build(self.mesh(0)).address
            return known
        for body in np.unique(bodies[known[bodies] == NOT_BUILT]).tolist():
            known[body] = build(self.mesh(body)).address
        return known


def mesh_of(shape: Shape) -> Mesh:
    """Return a mesh as it is, and the mesh of a tree."""
    return shape if isinstance(shape, Mesh) else shape.mesh


def one_body(given: MeshLike | Tree | BoxTree, pose: ArrayLike | None = None) -> Bodies:
    """Return one shape in its place."""
    matrix = as_rigid(pose)
    return placed(given, IDENTITY[None].copy() if matrix is None else matrix[None], checked=True)


def placed(
    given: MeshLike | Tree | BoxTree, poses: NDArray[np.float64], called: str = "poses", checked: bool = False
) -> Bodies:
    """Return one shape in many places: a tree as it is, anything else as a mesh."""
    prepared = (given,) if isinstance(given, Tree | BoxTree) else ()
    shapes = prepared or [as_mesh(given)]
    return Bodies(shapes, np.zeros(len(poses), np.int64), poses, called, checked=checked, prepared=prepared)


def standing(meshes: Sequence[Mesh]) -> Bodies:
    """Return meshes that nothing moves."""
    return Bodies(meshes, np.arange(len(meshes)), np.tile(np.eye(4), (len(meshes), 1, 1)), checked=True)


def moved_vertices(name: str, given: ArrayLike, before: NDArray[np.float64], instead: str = "") -> NDArray[np.float64]:
    """Return checked vertices for a mesh whose faces stay; `instead` is what to do for another mesh."""
    with said_of(name):
        vertices = check_vertices(given)
    if len(vertices) != len(before):
        counts = f"{name} has {len(vertices)} vertices for a mesh of {len(before)}"
        raise MeshError(f"{counts}; the faces stay, so give as many{instead}")
    return vertices


def named_poses(poses: Any, names: Sequence[str]) -> NDArray[np.float64]:
    """Return new (m, 4, 4) rigid poses, one for each body by name; None stands for the identity.

    The argument is read once, and the copy is checked: what other threads write into the array comes too late.
    """
    if not isinstance(poses, np.ndarray | list | tuple) and hasattr(poses, "__array__"):
        poses = np.asarray(poses)
    countable = poses.ndim > 0 if isinstance(poses, np.ndarray) else hasattr(poses, "__len__")
    found = len(poses) if countable else repr(poses)
    if found != len(names):
        raise PoseError(f"expected one 4×4 pose for each of {len(names)} names; found {found}")
    matrices = _as_one_array(poses)
    if matrices is None or matrices.shape != (len(names), 4, 4):
        matrices = np.empty((len(names), 4, 4))
        for k, (name, pose) in enumerate(zip(names, poses, strict=True)):
            with said_of(f"body {name!r}"):
                matrices[k] = IDENTITY if pose is None else as_matrix(pose)
    checked_deviations(matrices, lambda k: f"body {names[k]!r}")
    return matrices


def _as_one_array(poses: Any) -> NDArray[np.float64] | None:
    """Return a copy of the poses as one array if NumPy takes them for plain numbers; None if each needs a look."""
    if not isinstance(poses, np.ndarray) and any(map(is_masked_array, poses)):
        return None  # NumPy would drop the masks in silence
    try:
        return plain_copy(real_array(poses, "poses", PoseError))
    except PoseError:
        return None


def checked_deviations(
    poses: NDArray[np.float64], called: Callable[[int], str] = "poses[{}]".format
) -> NDArray[np.float64]:
    """Return how far each of (m, 4, 4) poses is from a rotation, or name the first that is not a rigid motion."""
    from tumble.mesh.rigid_kernel import check_poses

    deviations = np.empty(len(poses))
    wrong = check_poses(poses, deviations)
    if wrong >= 0:
        with said_of(called(wrong)):
            as_pose(poses[wrong])
        raise InternalError(f"{called(wrong)} was refused by the kernel alone: {poses[wrong].tolist()}; report this")
    return deviations
