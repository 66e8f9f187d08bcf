"""Where `client=` leads to: a cluster, and how jobs run on it."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import TracebackType
from typing import Any

from tumble.cluster.bundles import KnownBundles
from tumble.cluster.chunks import SECONDS
from tumble.cluster.dask_connection import DaskConnection, is_dask_client
from tumble.cluster.dask_start import connected, started
from tumble.cluster.protocol import Connection
from tumble.cluster.shared_folder import SharedFolder
from tumble.core.locks import new_lock
from tumble.core.options import whole_number
from tumble.errors import OptionError
from tumble.mesh.reading import AnyPath, as_path

Report = Callable[[str, int, int | None], None]
"""called with what is going on, how much of it is done, and of how much, if that is known"""

KEPT_AS = "_tumble_connection"
"""the attribute of a client that keeps what one call has learnt, or sent to workers, for the next"""
_lock = new_lock()


@dataclass(frozen=True, eq=False)
class Cluster:
    """A cluster and how jobs run on it; takes a `distributed.Client`, or comes from `connect` or `local`.

    Calls take it as `client=`, and a plain `distributed.Client` as well. A `with` block closes what it has started.
    """

    client: Any
    """a `distributed.Client`, or another `Connection`"""
    report: Report | None = None
    """called with what is going on, how many rows are done, and of how many"""
    checkpoint: AnyPath | None = None
    """a folder that keeps the results of all chunks: asked the same again, only what is missing is computed"""
    shared_folder: AnyPath | None = None
    """a folder that all machines see under the same path: meshes and their trees are written there once, and mapped"""
    chunk_seconds: float = SECONDS
    """what a chunk takes, at least"""
    chunk_rows: int | None = None
    """rows of every chunk; None: by what the first ones took"""
    connection: Connection = field(init=False)
    known: Known = field(init=False)

    def __post_init__(self) -> None:
        if self.checkpoint is not None:
            object.__setattr__(self, "checkpoint", as_path(self.checkpoint))
        if self.shared_folder is not None:
            object.__setattr__(self, "shared_folder", Path(os.path.abspath(as_path(self.shared_folder))))
        if not isinstance(self.chunk_seconds, int | float) or not 0.0 < self.chunk_seconds <= 3600.0:
            raise OptionError(f"chunk_seconds must be a number of seconds up to 3600, not {self.chunk_seconds!r}")
        rows = self.chunk_rows if self.chunk_rows is None else whole_number(self.chunk_rows)
        if self.chunk_rows is not None and (rows is None or rows < 1):
            raise OptionError(f"chunk_rows must be a whole number from 1, or None, not {self.chunk_rows!r}")
        connection, known = _connection(self.client)
        object.__setattr__(self, "connection", connection)
        object.__setattr__(self, "known", known)

    @property
    def folder(self) -> Path | None:
        """The folder of the checkpoint."""
        return None if self.checkpoint is None else Path(self.checkpoint)

    @property
    def store(self) -> SharedFolder | None:
        """The folder that workers map files of."""
        return None if self.shared_folder is None else self.known.store(Path(self.shared_folder))

    def reporting(self, report: Report | None) -> Cluster:
        """Return the same cluster, with another function that is told what is going on."""
        return replace(self, report=report)

    def close(self) -> None:
        """Leave the cluster; processes that were started for it end, and files in its shared folder go."""
        self.known.bundles.forget()
        self.connection.close()

    def __enter__(self) -> Cluster:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<Cluster at {self.connection.address}>"


class Known:
    """What is known about a cluster from earlier jobs."""

    def __init__(self) -> None:
        self.bundles = KnownBundles()
        self.checked: set[str] = set()
        """workers that have the same Tumble"""
        self.warm: set[tuple[str, str]] = set()
        """workers, and kinds of jobs that they have done"""
        self._stores: dict[Path, SharedFolder] = {}

    def store(self, folder: Path) -> SharedFolder:
        """Return a shared folder, the same one for the same path."""
        return self._stores.setdefault(folder, SharedFolder(folder))


def _connection(given: Any) -> tuple[Connection, Known]:
    """Return the connection of a client, and what is known of it: kept by the client, so that it ends with it."""
    if not isinstance(given, Connection) and not is_dask_client(given):
        raise OptionError(f"client= takes a distributed.Client or a tumble.cluster.Cluster, not {given!r}")
    with _lock:
        found: tuple[Connection, Known] | None = getattr(given, KEPT_AS, None)
        if found is None:
            found = (given if isinstance(given, Connection) else DaskConnection(given)), Known()
            setattr(given, KEPT_AS, found)
        return found


def cluster_of(given: Any) -> Cluster:
    """Return what `client=` is given as a cluster."""
    return given if isinstance(given, Cluster) else Cluster(given)


def connect(address: str, **how: Any) -> Cluster:
    """Return the cluster of a scheduler: its address (tcp://host:8786), or its file (scheduler.json).

    The other arguments are those of `Cluster`: report, checkpoint, shared_folder, chunk_seconds, chunk_rows.
    """
    if not isinstance(address, str):
        raise OptionError(f"the address of a scheduler is text such as tcp://host:8786, not {address!r}")
    return Cluster(connected(address), **how)


def local(workers: int, threads: int | None = None, **how: Any) -> Cluster:
    """Start processes on this machine, which share its cores; close the cluster to end them, or use `with`.

    threads  how many chunks each process works on at a time; None: its share of the cores

    They listen on 127.0.0.1 alone and have no dashboard. A script that calls this needs `if __name__ == "__main__":`,
    as Python starts such processes by importing it.
    """
    return Cluster(started(workers, threads), **how)
