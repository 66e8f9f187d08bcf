"""What trees over one mesh share: parts that never change, read, pickled and saved by their names."""

from __future__ import annotations

import contextlib
import os
import uuid
from typing import Any, ClassVar, TypeVar

import numpy as np
from numpy.typing import NDArray

from tumble.errors import FileError, TreeError
from tumble.mesh import Mesh
from tumble.mesh.files import AnyPath, as_path

FORMAT = "tumble-tree"
VERSION = 1
"""of the files that `tumble.hierarchy.files` reads"""

Kind = TypeVar("Kind", bound="MeshTree")


class MeshTree:
    """A tree over a mesh; immutable. A subclass names its parts, and keeps them by `_keep`."""

    PARTS: ClassVar[dict[str, type[np.generic]]]
    """what a tree consists of, beside the mesh and the volume, and of which type it is in a file"""

    mesh: Mesh
    volume: str
    """the name of the bounding volume"""
    nodes: NDArray[Any]
    order: NDArray[np.int32]

    @classmethod
    def _of_sound(cls: type[Kind], *parts: Any) -> Kind:
        """Make a tree of arrays that were made for it, without a look and without a copy."""
        tree = cls.__new__(cls)
        tree._keep(*parts)
        return tree

    def _keep(self, *parts: Any, **named: Any) -> None:
        raise NotImplementedError

    def __setattr__(self, name: str, value: object) -> None:
        if name in self.__dict__:
            kind = type(self).__name__
            raise AttributeError(f"a {kind} is immutable: cannot set {name!r}; build another one instead")
        super().__setattr__(name, value)

    def __len__(self) -> int:
        return len(self.nodes)

    def __getstate__(self) -> dict[str, Any]:
        return {name: self.__dict__[name] for name in ("mesh", "volume", *self.PARTS) if name in self.__dict__}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self._keep(**state)

    def save(self, path: AnyPath) -> None:
        """Write the tree and its mesh to one file, all or nothing, to be read by `tumble.load_tree`."""
        path = as_path(path)
        try:
            # written beside the target and moved there when complete, so that no reader sees half a file
            temporary = path.with_name(f".{path.name}.{uuid.uuid4().hex}")
        except ValueError as error:  # no name, as that of a folder
            raise FileError(f"cannot write a tree to {str(path)!r}: {error}") from error
        content: dict[str, Any] = {"format": FORMAT, "version": VERSION, "volume": self.volume}
        content |= {name: getattr(self, name) for name in self.PARTS}
        content |= {"vertices": self.mesh.vertices, "faces": self.mesh.faces}
        try:
            with temporary.open("xb") as file:
                np.savez(file, **content)
            os.replace(temporary, path)
        except (OSError, ValueError) as error:  # ValueError: a null byte in the name
            raise FileError(f"cannot write the tree to {path}: {error}") from error
        finally:
            with contextlib.suppress(OSError, ValueError):
                temporary.unlink()

    def _check_triangles(self) -> None:
        """Refuse nodes without triangles, and an order that is not one of the triangles."""
        if (len(self) == 0) != (len(self.mesh) == 0):
            raise TreeError(f"there are {len(self)} nodes over {len(self.mesh)} triangles")
        if not np.array_equal(np.sort(self.order), np.arange(len(self.mesh))):
            raise TreeError("the triangle order does not name every triangle of the mesh once")


def read_array(name: str, given: Any) -> NDArray[Any]:
    """Return one of a tree's parts as an array, not copied."""
    try:
        return np.asarray(given)
    except (ValueError, TypeError, OverflowError) as error:
        raise TreeError(f"{name} cannot be read as an array of numbers: {error}") from error


def locked(array: NDArray[Any], dtype: Any) -> NDArray[Any]:
    """Return a C-ordered read-only array, so that all trees have the same type for the compiler."""
    result = np.ascontiguousarray(array, dtype)
    if result is array and array.flags.writeable:
        result = array.view()
    result.flags.writeable = False
    return result
