"""Connections to a scheduler that is there, and to processes that are started on this machine."""

from __future__ import annotations

import json
import logging
from copy import deepcopy
from pathlib import Path
from typing import Any

from tumble.cluster.dask_connection import DaskConnection
from tumble.core.options import whole_number
from tumble.core.parallel import usable_cores
from tumble.errors import ClusterError, MissingDependencyError, OptionError

CONNECT_SECONDS = 10
"""to wait for a scheduler"""
MOST_WORKERS = 1024
HOST = "127.0.0.1"
QUIET = {"TUMBLE_QUIET": "1", "OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
"""the environment of workers that are started here: whoever asks says what is being compiled"""
SETTINGS: dict[str, object] = {
    "distributed.scheduler.http.routes": [],
    "distributed.worker.http.routes": [],
    # what Dask does besides the work, as seldom as will do: by default processes wake up a hundred times a second
    "distributed.worker.profile.enabled": False,
    "distributed.admin.tick.interval": "1s",
    "distributed.admin.system-monitor.interval": "5s",
    "distributed.worker.memory.monitor-interval": "500ms",
}
"""of Dask, for processes that are started here: no pages, and quiet while nothing happens"""


def connected(address: str) -> DaskConnection:
    """Return a connection to a scheduler: its address, or the path of its file, which ends in .json."""
    _, distributed = require_dask()
    try:
        # read here, as Dask waits for a file that is not there, for ever
        place = json.loads(Path(address).read_text("utf-8"))["address"] if address.endswith(".json") else address
        client = distributed.Client(place, timeout=CONNECT_SECONDS, set_as_default=False)
    except (OSError, ValueError, TypeError, KeyError) as error:
        raise ClusterError(f"no scheduler answers at {address!r}: {error}; start one with `dask scheduler`") from error
    return DaskConnection(client)


def started(workers: int, threads: int | None) -> DaskConnection:
    """Start processes on this machine, which listen to it alone and serve no pages; by default they share its cores."""
    number = _counted("workers", workers)
    each = max(1, usable_cores() // number) if threads is None else _counted("threads", threads)
    dask, distributed = require_dask()
    with dask.config.set(SETTINGS):
        cluster = distributed.LocalCluster(
            n_workers=number,
            threads_per_worker=each,
            host=HOST,
            dashboard_address=f"{HOST}:0",
            scheduler_kwargs={"dashboard": False},
            silence_logs=logging.CRITICAL,
            env=QUIET,
            # a copy: whoever replaces a dead worker reads it then, when the settings here are those of before again
            config=deepcopy(dask.config.config),
        )
        # results come straight from workers, which are on this machine: half the messages
        client = distributed.Client(cluster, set_as_default=False, direct_to_workers=True)
    return DaskConnection(client, [cluster])


def _counted(name: str, given: int) -> int:
    number = whole_number(given)
    if number is None or not 1 <= number <= MOST_WORKERS:
        raise OptionError(f"{name} must be a whole number from 1 to {MOST_WORKERS}, not {given!r}")
    return number


def require_dask() -> tuple[Any, Any]:
    """Return the modules dask and distributed, or say what to install."""
    try:
        import dask
        import distributed
    except ImportError as error:
        raise MissingDependencyError(f'clusters need Dask: pip install "tumble[cluster]" ({error})') from error
    return dask, distributed
