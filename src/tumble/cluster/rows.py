"""Arrays of rows in, arrays of rows out, cut into chunks: the general form of a job."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tumble.cluster.checkpoint import digest_of
from tumble.cluster.cluster import cluster_of
from tumble.cluster.job import Arrays, Items, Job, Stored
from tumble.cluster.run import parts_of
from tumble.errors import InternalError
from tumble.mesh.arrays import plain_copy

Columns = tuple[NDArray[Any], ...]


def map_rows(
    work: Callable[..., Columns],
    rows: Sequence[NDArray[Any]],
    shared: Any,
    client: Any,
    *,
    what: str = "rows",
    digests: Mapping[str, str] | None = None,
) -> Columns:
    """Return the arrays that `work(shared, *rows)` returns, computed in chunks by the workers of a cluster.

    work     a function of a module (or a `functools.partial` of one): takes `shared` and some rows of each array, and
             returns arrays with a row for each of these rows, which must not depend on which others are among them
    rows     arrays of equal length
    shared   anything that can be pickled; it is sent to each worker once
    client   a `distributed.Client` or a `tumble.cluster.Cluster`
    what     what a row is, for reports and errors
    digests  what the answer depends on besides the rows, by the words of an error: allows a checkpoint
    """
    count = len(rows[0])
    stored = None
    if digests is not None:
        stored = Stored(_to_arrays, _of_arrays, lambda: {what: digest_of(rows), **digests})
    job = Job(
        what,
        partial(_apply, work),
        count,
        lambda start, stop: tuple(np.ascontiguousarray(array[start:stop]) for array in rows),
        [shared],
        row_bytes=sum(array.nbytes for array in rows) // max(count, 1),
        stored=stored,
    )
    if count == 0:
        return work(shared, *rows)
    parts = [part.result for part in parts_of(job, cluster_of(client))]
    return tuple(np.concatenate(columns) for columns in zip(*parts, strict=True))


def _apply(work: Callable[..., Columns], items: Items, rows: Columns) -> Columns:
    # arrays out of pickles have a type of their own, which kernels refuse
    found = tuple(work(items[0], *(plain_copy(column, column.dtype.type) for column in rows)))
    if any(len(column) != len(rows[0]) for column in found):
        lengths = [len(column) for column in found]
        raise InternalError(f"{work} returned {lengths} rows for {len(rows[0])}; please report this")
    return found


def _to_arrays(columns: Columns) -> Arrays:
    return {str(k): column for k, column in enumerate(columns)}


def _of_arrays(arrays: Arrays) -> Columns:
    return tuple(arrays[str(k)] for k in range(len(arrays)))
