"""A triangle mesh: validated once, immutable ever after, so that it can cache the trees built over it.

A Part is a mesh with a name: a piece of an assembly.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, NoReturn

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tumble.core.locks import new_lock
from tumble.mesh.arrays import check_faces, check_vertices

_adopting = new_lock()


class Mesh:
    """Triangles over shared vertices; equal and hashable by identity.

    Parameters
    ----------
    vertices : (n, 3) numbers, finite and within ±MAX_COORDINATE. They are copied to float64.
    faces : (m, 3) integers, indices into `vertices`. Both may be empty; degenerate faces are welcome.

    """

    __slots__ = ("__weakref__", "_bounds", "_packed", "_packed_header", "_trees", "faces", "vertices")

    vertices: NDArray[np.float64]
    faces: NDArray[np.int32]
    # Filled by tumble.hierarchy: one entry per set of build options. Never pickled.
    _trees: dict[Any, Any]
    _bounds: NDArray[np.float64] | None
    # The packed tree of the fast path and its header, None until there is one: a query reads the header and no more.
    _packed: Any
    _packed_header: NDArray[np.float64] | None

    def __init__(self, vertices: ArrayLike, faces: ArrayLike) -> None:
        checked = check_vertices(vertices)
        self._keep(checked, check_faces(faces, len(checked)))

    @classmethod
    def _of_checked(cls, vertices: NDArray[np.float64], faces: NDArray[np.int32]) -> Mesh:
        """Make a mesh of arrays that `check_vertices` and `check_faces` returned, without copying them again."""
        mesh = cls.__new__(cls)
        mesh._keep(vertices, faces)
        return mesh

    def _keep(self, vertices: NDArray[np.float64], faces: NDArray[np.int32]) -> None:
        object.__setattr__(self, "vertices", vertices)
        object.__setattr__(self, "faces", faces)
        object.__setattr__(self, "_bounds", None)
        object.__setattr__(self, "_trees", {})
        object.__setattr__(self, "_packed", None)
        object.__setattr__(self, "_packed_header", None)

    @property
    def triangles(self) -> NDArray[np.float64]:
        """The corners of every face, (m, 3, 3), gathered anew at each call."""
        return self.vertices[self.faces]

    @property
    def bounds(self) -> NDArray[np.float64] | None:
        """The smallest and largest corner, (2, 3), of the vertices that faces use; None without faces."""
        if self._bounds is None and len(self.faces):
            object.__setattr__(self, "_bounds", _bounds_of_used(self.vertices, self.faces))
        return self._bounds

    @property
    def extent(self) -> float:
        """The largest absolute coordinate of the vertices that faces use; 0.0 without faces."""
        bounds = self.bounds
        return 0.0 if bounds is None else float(np.abs(bounds).max())

    def _adopt(self, tree: Any) -> Any:
        """Keep a packed tree; of two threads that both built one, the first is kept and shared."""
        with _adopting:
            if self._packed is None:
                object.__setattr__(self, "_packed", tree)
                object.__setattr__(self, "_packed_header", tree.header)
        return self._packed

    def __len__(self) -> int:
        return len(self.faces)

    def __bool__(self) -> bool:
        # Without this, `if mesh` would be False for an empty mesh, which is a perfectly good one.
        return True

    def __repr__(self) -> str:
        return f"<Mesh of {len(self.faces)} triangles, {len(self.vertices)} vertices>"

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"a Mesh is immutable: cannot set {name!r}; make a new Mesh instead")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"a Mesh is immutable: cannot delete {name!r}")

    def __reduce__(self) -> tuple[Any, ...]:
        # a mesh with a packed tree takes it along; only the tree knows how
        parts = type(self), (self.vertices, self.faces)
        return parts if self._packed is None else self._packed.reduce_with(*parts)

    def __copy__(self) -> Mesh:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Mesh:
        return self


def _bounds_of_used(vertices: NDArray[np.float64], faces: NDArray[np.int32]) -> NDArray[np.float64]:
    used = np.zeros(len(vertices), dtype=bool)
    used[faces] = True
    points = vertices if used.all() else vertices[used]
    bounds = np.stack([points.min(axis=0), points.max(axis=0)])
    bounds.flags.writeable = False
    return bounds


class _NameAndMesh(NamedTuple):
    name: str
    mesh: Mesh


class Part(_NameAndMesh):
    """One named mesh of an assembly, already where the file's scene puts it: a pair of `name` and `mesh`.

    The rest is what the file says about it, None where it says nothing:

    units   the unit of length of the coordinates: "um", "mm", "cm", "m", "in" or "ft"
    kind    the type of an IFC element, e.g. "IfcWall"
    guid    the GlobalId of an IFC element
    group   what it belongs to, from the outside inwards: storey, sub-assembly; names joined by "/"
    shape   equal for parts that are copies of one another, moved by b.pose @ inverse(a.pose)
    pose    where the file puts the shape, a 4×4 array; None without a shape
    """

    units: str | None = None
    kind: str | None = None
    guid: str | None = None
    group: str | None = None
    shape: str | None = None
    pose: NDArray[np.float64] | None = None

    def __new__(
        cls,
        name: str,
        mesh: Mesh,
        units: str | None = None,
        *,
        kind: str | None = None,
        guid: str | None = None,
        group: str | None = None,
        shape: str | None = None,
        pose: NDArray[np.float64] | None = None,
    ) -> Part:
        """Make a part; only its name and mesh are elements of the pair."""
        part = super().__new__(cls, name, mesh)
        part.units, part.kind, part.guid, part.group, part.shape, part.pose = units, kind, guid, group, shape, pose
        return part

    def _replace(self, **changes: Any) -> Part:
        said = {field: getattr(self, field) for field in _SAID}
        return Part(**{"name": self.name, "mesh": self.mesh, **said, **changes})

    def __repr__(self) -> str:
        said = [(field, getattr(self, field)) for field in _SAID if field != "pose"]
        shown = "".join(f", {field}={value!r}" for field, value in said if value is not None)
        return f"Part(name={self.name!r}, mesh={self.mesh!r}{shown})"


_SAID = ("units", "kind", "guid", "group", "shape", "pose")


def concatenated(meshes: Sequence[Mesh]) -> Mesh:
    """Return one Mesh of all vertices and faces, in order; nothing is merged."""
    if len(meshes) == 1:
        return meshes[0]
    starts = np.cumsum([0, *(len(mesh.vertices) for mesh in meshes)])
    vertices = [np.empty((0, 3)), *(mesh.vertices for mesh in meshes)]
    shifted = [mesh.faces + start for mesh, start in zip(meshes, starts[:-1], strict=True)]
    return Mesh(np.concatenate(vertices), np.concatenate([np.empty((0, 3), np.int64), *shifted]))
