"""Items in a file that workers map: read-only, so that the processes of a machine share its pages.

    tumble-items-1          magic
    body, count             uint64: bytes of the pickle, number of arrays
    offset, bytes           uint64, for each array
    pickle                  the items, without the arrays
    arrays                  each at a multiple of 64 bytes

All read-only arrays of the items lie in the file as kernels read them; meshes, packed trees and trees of other kinds
are made of them again without a copy. What kernels follow there is trusted: so before it is used a file is compared
with the digest that came from whoever asks, and one that other users could change meanwhile is refused. Files never
change: nobody has the permission to write to them.
"""

from __future__ import annotations

import hashlib
import io
import mmap
import os
import pickle
import platform
import stat
import struct
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

from tumble.core.locks import new_lock
from tumble.errors import ClusterError
from tumble.hierarchy.packed import PackedTree
from tumble.mesh import Mesh

MAGIC = b"tumble-items-1\n\0"
HEAD = struct.Struct("<QQ")
ALIGNMENT = 64
PATIENCE = 3.0
"""s to wait for a file: on a network, machines see new files a little later"""
PAUSE = 0.1


class ItemsGone(ClusterError):
    """A file of items is not there any more, or is damaged: whoever asks may write it again."""


class MappedItems(Sequence[Any]):
    """Items in a file, which is opened when they are first needed; they travel as its name and its digest."""

    def __init__(self, file: str, digest: str, owner: int) -> None:
        self.file, self.digest, self.owner = file, digest, owner
        self._lock = new_lock()
        self._items: list[Any] | None = None

    def __reduce__(self) -> tuple[Any, ...]:
        return MappedItems, (self.file, self.digest, self.owner)

    def __len__(self) -> int:
        return len(self._loaded())

    @overload
    def __getitem__(self, which: int) -> Any: ...
    @overload
    def __getitem__(self, which: slice) -> Sequence[Any]: ...
    def __getitem__(self, which: int | slice) -> Any:
        return self._loaded()[which]

    def _loaded(self) -> list[Any]:
        with self._lock:
            if self._items is None:
                self._items = items_of(mapped(self.file, self.digest, self.owner, PATIENCE))
            return self._items


def pieces_of(items: Sequence[Any]) -> list[Any]:
    """Return what a file of items consists of, one piece after the other; arrays are not copied."""
    arrays: list[memoryview] = []

    def takes(buffer: pickle.PickleBuffer) -> bool:
        """Take what is read-only, and tell whether something is to stay in the pickle."""
        content = buffer.raw()
        if content.readonly:
            arrays.append(content)
        return not content.readonly

    body = io.BytesIO()
    _Pickler(body, protocol=5, buffer_callback=takes).dump(list(items))
    pickled = body.getvalue()
    table, at = [], len(MAGIC) + HEAD.size * (1 + len(arrays)) + len(pickled)
    pieces: list[Any] = []
    for array in arrays:
        gap = -at % ALIGNMENT
        pieces += [bytes(gap), array]
        table.append(HEAD.pack(at + gap, array.nbytes))
        at += gap + array.nbytes
    return [MAGIC, HEAD.pack(len(pickled), len(arrays)), *table, pickled, *pieces]


def items_of(content: memoryview) -> list[Any]:
    """Return the items in a file whose digest was found to be right."""
    at = len(MAGIC)
    body, count = HEAD.unpack_from(content, at)
    places = [HEAD.unpack_from(content, at + HEAD.size * (1 + k)) for k in range(count)]
    at += HEAD.size * (1 + count)
    items: list[Any] = pickle.loads(content[at : at + body], buffers=[content[p : p + size] for p, size in places])
    return items


def own_number() -> int:
    """Return the number of the user, 0 where users have none."""
    return os.getuid() if hasattr(os, "getuid") else 0


def mapped(file: str, digest: str, owner: int, patience: float = 0.0) -> memoryview:
    """Return the content of a file, or say why it cannot be used: only one with this digest can.

    owner     the number of a user, besides one's own, to whom it may belong
    patience  seconds to wait for it
    """
    try:
        descriptor = _when_there(file, patience)
        try:
            _check_owner(file, os.fstat(descriptor), owner)
            content = memoryview(mmap.mmap(descriptor, 0, access=mmap.ACCESS_READ))
        finally:
            os.close(descriptor)
    except FileNotFoundError as error:
        folder = Path(file).parent
        if folder.is_dir():
            raise ItemsGone(f"{file} is not there on {platform.node()}; did somebody remove it?") from error
        raise ItemsGone(
            f"there is no folder {folder} on {platform.node()}; shared_folder= has to be one that all machines see "
            "under the same path"
        ) from error
    except (OSError, ValueError) as error:  # ValueError: an empty file cannot be mapped
        # as text: a frame that held the error would be held by it
        reason = str(getattr(error, "strerror", None) or error)
        raise ItemsGone(f"{platform.node()} cannot read {file}: {reason}") from error
    if digest_of_pieces([content]) != digest:
        raise ItemsGone(f"{file} is damaged as {platform.node()} reads it: its content does not fit to its digest")
    return content


def _when_there(file: str, patience: float) -> int:
    """Open a file, after a while if need be."""
    end = time.monotonic() + patience
    while True:
        try:
            return os.open(file, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0))
        except FileNotFoundError:
            if time.monotonic() > end:
                raise
            time.sleep(PAUSE)


def _check_owner(file: str, found: os.stat_result, owner: int) -> None:
    """Refuse a file that somebody else could change while kernels follow what is in it."""
    trusted = {owner, own_number(), 0}
    if not stat.S_ISREG(found.st_mode) or found.st_uid not in trusted or found.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        raise ClusterError(
            f"{file} can be changed by other users: it belongs to user {found.st_uid}, with the permissions "
            f"{stat.filemode(found.st_mode)}; name a shared_folder= of your own"
        )


def digest_of_pieces(pieces: Sequence[Any]) -> str:
    """Return the digest of what a file consists of."""
    digest = hashlib.sha256()
    for piece in pieces:
        digest.update(piece)
    return digest.hexdigest()


class _Pickler(pickle.Pickler):
    """Leaves read-only arrays out of the pickle, and says how meshes are made of theirs without a copy."""

    def reducer_override(self, given: Any) -> Any:
        if type(given) is np.ndarray and _is_plain(given):
            # of the array itself: Python's collector of garbage crashes on views of views that are part of a cycle
            buffer: Any = given
            return _array, (pickle.PickleBuffer(buffer), given.dtype.str, given.shape)
        if type(given) is Mesh:
            tree = given._packed
            return _mesh, (given.vertices, given.faces, None if tree is None else tree.parts())
        return NotImplemented


def _is_plain(array: NDArray[Any]) -> bool:
    flags = array.flags
    return not flags.writeable and flags.c_contiguous and array.dtype.isnative and array.dtype.kind in "biuf"


def _array(content: Any, dtype: str, shape: tuple[int, ...]) -> NDArray[Any]:
    return np.ndarray(shape, np.dtype(dtype), buffer=content)


def _mesh(vertices: NDArray[np.float64], faces: NDArray[np.int32], parts: tuple[Any, ...] | None) -> Mesh:
    """Return a mesh of arrays that were checked before they were written."""
    mesh = Mesh._of_checked(vertices, faces)
    if parts is not None:
        mesh._adopt(PackedTree.of_parts(mesh.vertices, mesh.faces, mesh.extent, parts))
    return mesh
