"""Items that travel to workers, once: in bundles of some megabytes, kept as long as the items live.

A chunk takes along handles of the bundles with the items that it needs, and Dask sees to it that its worker has them:
the items, or the name of a file in a shared folder (`shared_folder`), which the worker maps.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tumble.cluster.protocol import Connection
from tumble.cluster.shared_folder import SharedFolder, is_sound
from tumble.core.locks import new_lock

BYTES = 64_000_000
"""of a bundle, about"""
KEPT = 4
"""sets of items that a connection remembers"""


class Bundles:
    """A set of items, cut into bundles, on one cluster."""

    def __init__(self, items: Sequence[Any], folder: SharedFolder | None = None) -> None:
        self.items, self._folder = list(items), folder
        sizes = np.cumsum([bytes_of(item) for item in self.items] or [0])
        self._of = (sizes - sizes[0]) // BYTES if len(sizes) else sizes
        self._of = np.unique(self._of, return_inverse=True)[1]
        """which bundle each item is in"""
        self.count = int(self._of[-1]) + 1 if self.items else 0
        self._starts = np.searchsorted(self._of, np.arange(self.count))
        self._handles: list[Any] = [None] * self.count
        self._sent: list[Any] = [None] * self.count
        """what was sent: files stay as long as this does"""

    def share(self, connection: Connection) -> None:
        """Send all bundles that are not there yet."""
        for k, handle in enumerate(self._handles):
            if handle is None:
                items = self._bundle(k)
                self._sent[k] = items if self._folder is None else self._folder.keep(items)
                self._handles[k] = connection.share(self._sent[k])

    def share_again(self, connection: Connection, since: tuple[Any, ...]) -> None:
        """Send bundles again that have been lost; `since` are the handles of a task that has found that out."""
        if any(handle in self._handles for handle in since) or not since:
            self._handles = [None] * self.count
            self.share(connection)

    def are_gone(self, since: tuple[Any, ...]) -> bool:
        """Tell whether files are gone that a task needed with these handles, or were until they were written again."""
        return not all(handle in self._handles for handle in since) or not all(map(is_sound, self._sent))

    def needed(self, numbers: NDArray[np.int64]) -> tuple[tuple[Any, ...], list[tuple[int, int]]]:
        """Return handles of the bundles that have some items, and for each item which of these it is in, and where."""
        if len(numbers) == 0:
            return (), []
        which, within = np.unique(self._of[numbers], return_inverse=True)
        at = numbers - self._starts[which][within]
        return tuple(self._handles[k] for k in which.tolist()), list(zip(within.tolist(), at.tolist(), strict=True))

    def _bundle(self, k: int) -> list[Any]:
        return [item for item, bundle in zip(self.items, self._of.tolist(), strict=True) if bundle == k]


class KnownBundles:
    """The sets of items that were shared last on a connection: asked about again, they do not travel again."""

    def __init__(self) -> None:
        self._lock = new_lock()
        self._known: dict[tuple[int, ...], Bundles] = {}

    def of(self, items: Sequence[Any], folder: SharedFolder | None = None) -> Bundles:
        """Return the bundles of items that never change, the same bundles for the same items."""
        key = id(folder), *map(id, items)  # no other item has its number as long as the bundles keep it alive
        with self._lock:
            found = self._known.pop(key, None) or Bundles(items, folder)
            self._known[key] = found
            while len(self._known) > KEPT:
                del self._known[next(iter(self._known))]
            return found

    def forget(self) -> None:
        """Forget all sets: what was kept for them in a shared folder goes."""
        with self._lock:
            self._known.clear()


def bytes_of(item: Any) -> int:
    """Return about how many bytes an item has: its arrays."""
    mesh = getattr(item, "mesh", item)
    arrays = (getattr(mesh, "vertices", None), getattr(mesh, "faces", None), getattr(item, "nodes", None))
    tree = getattr(mesh, "_packed", None)
    return sum(int(array.nbytes) for array in (*arrays, tree) if array is not None)
