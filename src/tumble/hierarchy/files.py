"""A tree and its mesh from one file: a zip archive of NumPy arrays (readable by `numpy.load`) with a format version.

Whatever comes back from a file is checked like input from a stranger: the archive's check sums, what it unpacks to, the
marks, the mesh, and the whole tree.
"""

import math
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tumble.errors import FileError, InputError
from tumble.hierarchy.boxtree import BoxTree
from tumble.hierarchy.mesh_tree import FORMAT, VERSION
from tumble.hierarchy.tree import Tree
from tumble.mesh import Mesh
from tumble.mesh.files import AnyPath, as_path
from tumble.mesh.formats.archive import Archive

MAX_HEADER = 10_000
"""bytes of the description of an array in a tree file; NumPy evaluates it as a Python literal"""
MESH_ARRAYS = {"vertices": np.float64, "faces": np.int32}


def load_tree(path: AnyPath) -> Tree | BoxTree:
    """Read a tree that `Tree.save` or `BoxTree.save` wrote; a damaged or foreign file raises FileError."""
    path = as_path(path)
    try:
        content = _arrays(path)
    except FileError:
        raise
    # What a damaged archive makes zipfile, its decompressors and NumPy raise is a long list, and not a documented one.
    except Exception as error:
        raise FileError(f"cannot read a tree from {path}: {error or type(error).__name__}") from error
    return _checked_tree(content, path)


def _arrays(path: Path) -> dict[str, NDArray[Any]]:
    """Return the arrays of an archive; members that are no arrays are left out."""
    try:
        archive = Archive(path)
    except ValueError as error:
        raise FileError(f"{path} is not a Tumble tree; make one with Tree.save ({error})") from error
    with archive:
        names = [name for name in archive.names if name.endswith(".npy")]
        return {name.removesuffix(".npy"): _array(archive, name) for name in names}


def _array(archive: Archive, name: str) -> NDArray[Any]:
    """Return a member; what its header announces is compared with its size before memory is taken for it."""
    with archive.open(name) as stream:
        major, _ = version = np.lib.format.read_magic(stream)
        if major > 2:
            raise ValueError(f"{name!r} has version {version} of NumPy's array format; expected 1 or 2")
        read_header = np.lib.format.read_array_header_1_0 if major == 1 else np.lib.format.read_array_header_2_0
        shape, fortran, dtype = read_header(stream, max_header_size=MAX_HEADER)
        if dtype.hasobject:
            raise ValueError(f"{name!r} holds Python objects")
        left = archive.size(name) - stream.tell()
        count = math.prod(shape)
        if count * dtype.itemsize != left:
            raise ValueError(f"{name!r} announces {count} values of {dtype.itemsize} bytes, and has {left} bytes")
        flat = np.frombuffer(stream.read(), dtype, count)
        return flat.reshape(shape, order="F" if fortran else "C")


def _checked_tree(content: dict[str, NDArray[Any]], path: Path) -> Tree | BoxTree:
    if str(content.get("format")) != FORMAT:
        raise FileError(f"{path} is not a Tumble tree; make one with Tree.save")
    version = content.get("version")
    if version is None or version.shape != () or version.dtype.kind not in "iu" or int(version) != VERSION:
        raise FileError(f"{path} has tree format version {version}, this Tumble reads version {VERSION}: save it anew")
    volume = str(content.get("volume"))
    kind = BoxTree if volume == BoxTree.volume else Tree
    for name, dtype in (kind.PARTS | MESH_ARRAYS).items():
        if name not in content or content[name].dtype != dtype:
            raise FileError(f"{path} is damaged: array {name!r} is missing or not of type {np.dtype(dtype)}")
    try:
        mesh = Mesh(content["vertices"], content["faces"])
        parts: dict[str, Any] = {name: content[name] for name in kind.PARTS}
        return BoxTree(mesh, **parts) if kind is BoxTree else Tree(mesh, volume, **parts)
    except (InputError, IndexError) as error:
        raise FileError(f"{path} is damaged: {error}") from error
