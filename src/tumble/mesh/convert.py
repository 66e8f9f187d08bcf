"""Whatever the user has in hand, as a Mesh.

A trimesh.Trimesh is converted once and the Mesh remembered for as long as the Trimesh lives, so repeated
queries find the cached trees. Edits are noticed as trimesh notices them, through the hash of its tracked
arrays; writing behind its back (into `np.asarray(t.vertices)`) escapes both.
"""

import sys
import weakref
from os import PathLike
from typing import Any, TypeAlias

from tumble.core.locks import new_lock
from tumble.errors import MeshError
from tumble.mesh.mesh import Mesh

# A Mesh, a trimesh.Trimesh or a (vertices, faces) pair; trimesh is optional at run time, hence Any.
MeshLike: TypeAlias = Any

_ACCEPTED = "a tumble.Mesh, a trimesh.Trimesh or a (vertices, faces) pair"

# id of a Trimesh -> (weak reference to it, hash of its content, its Mesh). Trimesh hashes by content, so it
# cannot be a key itself. Entries leave with their Trimesh.
_Entry: TypeAlias = "tuple[weakref.ref[Any], int, Mesh]"
_remembered: dict[int, _Entry] = {}
_lock = new_lock()


def as_mesh(obj: MeshLike) -> Mesh:
    """Return `obj` as a Mesh; the same unmodified Trimesh gives the same Mesh every time."""
    if isinstance(obj, Mesh):
        return obj
    trimesh = sys.modules.get("trimesh")
    if trimesh is not None and isinstance(obj, getattr(trimesh, "Trimesh", ())):
        return _from_trimesh(obj)
    if isinstance(obj, tuple | list) and len(obj) == 2:
        return Mesh(obj[0], obj[1])
    raise MeshError(f"expected {_ACCEPTED}, not {_describe(obj)}")


def _from_trimesh(source: Any) -> Mesh:
    with _lock:
        content = hash(source)
        entry = _remembered.get(id(source))
        if entry is not None and entry[0]() is source and entry[1] == content:
            return entry[2]
        mesh = Mesh(source.vertices, source.faces)
        key = id(source)
        _remembered[key] = (weakref.ref(source, lambda gone: _forget(key, gone)), content, mesh)
        return mesh


def _forget(key: int, gone: "weakref.ref[Any]") -> None:
    with _lock:
        entry = _remembered.get(key)
        if entry is not None and entry[0] is gone:
            del _remembered[key]


def _describe(obj: object) -> str:
    kind = type(obj).__name__
    module = type(obj).__module__.partition(".")[0]
    if isinstance(obj, str | PathLike):
        return f"the path {str(obj)!r}; read it with tumble.load(path)"
    if module == "trimesh" and kind == "Scene":
        return "a trimesh.Scene; pass scene.to_mesh(), or one of its geometries"
    if module == "trimesh" and kind == "PointCloud":
        return "a trimesh.PointCloud, which has no triangles"
    if isinstance(getattr(obj, "mesh", None), Mesh):  # a Deformable, a Part
        return f"a {kind}; pass its .mesh"
    if isinstance(obj, tuple | list):
        return f"a {kind} of {len(obj)} items"
    return f"{module}.{kind}" if module != "builtins" else kind
