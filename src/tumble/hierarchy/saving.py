"""A tree and its mesh into one file, to be read by `tumble.hierarchy.files`."""

import contextlib
import os
import uuid
from typing import Any

import numpy as np

from tumble.errors import FileError
from tumble.mesh import Mesh
from tumble.mesh.paths import AnyPath, as_path

FORMAT = "tumble-tree"
VERSION = 1


def save_tree(volume: str, mesh: Mesh, parts: dict[str, Any], path: AnyPath) -> None:
    """Write the parts of a tree and its mesh to a file, all or nothing."""
    path = as_path(path)
    try:
        # written beside the target and moved there when complete, so that no reader sees half a file
        temporary = path.with_name(f".{path.name}.{uuid.uuid4().hex}")
    except ValueError as error:  # no name, as that of a folder
        raise FileError(f"cannot write a tree to {str(path)!r}: {error}") from error
    content: dict[str, Any] = {"format": FORMAT, "version": VERSION, "volume": volume} | parts
    content |= {"vertices": mesh.vertices, "faces": mesh.faces}
    try:
        with temporary.open("xb") as file:
            np.savez(file, **content)
        os.replace(temporary, path)
    except (OSError, ValueError) as error:  # ValueError: a null byte in the name
        raise FileError(f"cannot write the tree to {path}: {error}") from error
    finally:
        with contextlib.suppress(OSError, ValueError):
            temporary.unlink()
