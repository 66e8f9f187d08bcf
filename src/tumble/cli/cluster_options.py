"""Where a command works: in this process, in processes that it starts, or on a cluster that is there."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Annotated, Any

import typer

from tumble.cli.progress import Bar
from tumble.errors import OptionError

CLUSTER_HELP = "Work on a Dask cluster: the address of its scheduler, tcp://host:8786, or its file, scheduler.json."
WORKERS_HELP = "Work in so many processes of this machine, by Dask."


@dataclass(frozen=True)
class ClusterOptions:
    """Options of commands that can work elsewhere."""

    cluster: Annotated[
        str | None, typer.Option("--cluster", metavar="ADDRESS", help=CLUSTER_HELP, show_default=False)
    ] = None
    workers: Annotated[
        int | None, typer.Option("--workers", min=1, metavar="N", help=WORKERS_HELP, show_default=False)
    ] = None


def check_cluster(options: ClusterOptions) -> None:
    """Refuse both options together."""
    if options.cluster is not None and options.workers is not None:
        raise OptionError("--cluster names a cluster that is there, and --workers starts one: give one of them")


@contextmanager
def client_of(options: ClusterOptions, bar: Bar) -> Iterator[Any]:
    """Yield the cluster to work on, or None; what was started ends with the block, whatever ends it."""
    if options.cluster is None and options.workers is None:
        yield None
        return
    bar.update(0, None, "starting workers" if options.cluster is None else f"connecting to {options.cluster}")
    with _opened(options) as cluster:
        yield cluster


def _opened(options: ClusterOptions) -> Any:
    from tumble.cluster.cluster import connect, local

    return local(options.workers or 1) if options.cluster is None else connect(options.cluster)
