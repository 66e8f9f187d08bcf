"""Arrays of rows in, arrays of rows out, cut into chunks: the general form of a job."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tumble.cluster.checkpoint import digest_of
from tumble.cluster.cluster import cluster_of
from tumble.cluster.job import Arrays, Items, Job, Part, Stored
from tumble.cluster.run import parts_of
from tumble.errors import InternalError
from tumble.mesh.arrays import plain_copy

Columns = Sequence[NDArray[Any]]


def map_rows(
    work: Callable[..., Columns],
    rows: Columns,
    shared: Any,
    client: Any,
    *,
    what: str = "rows",
    digests: Mapping[str, str] | None = None,
) -> tuple[NDArray[Any], ...]:
    """Return the arrays that `work(shared, *rows)` returns, computed in chunks by the workers of a cluster.

    work     a function of a module (or a `functools.partial` of one): takes `shared` and some rows of each array, and
             returns arrays with a row for each of these rows, which must not depend on which others are among them
    rows     arrays of equal length
    shared   anything that can be pickled; it is sent to each worker once
    client   a `distributed.Client` or a `tumble.cluster.Cluster`
    what     what a row is, for reports and errors
    digests  what the answer depends on besides the rows, by the words of an error: allows a checkpoint
    """
    if len(rows[0]) == 0:
        return tuple(work(shared, *rows))
    known = None if digests is None else lambda: digests
    kind = getattr(work, "__qualname__", "")
    parts = ask_rows(partial(_numbered, work), rows, shared, client, what=what, kind=kind, digests=known)
    columns = [part.result for part in parts]
    return tuple(np.concatenate([part[name] for part in columns]) for name in columns[0])


def ask_rows(
    work: Callable[..., Arrays],
    rows: Columns,
    shared: Any,
    client: Any,
    *,
    what: str,
    kind: str = "",
    digests: Callable[[], Mapping[str, str]] | None = None,
    lasting: bool = False,
    step: int = 1,
) -> Iterator[Part]:
    """Yield the arrays that `work(shared, *rows)` returns, by name, for some rows after the others.

    kind     what a worker has to be warmed up for, besides `what`
    lasting  whether `shared` never changes: then it does not travel again with the next question
    step     chunks begin at multiples of this

    The other arguments are those of `map_rows`, but for arrays of any length.
    """
    count = len(rows[0])
    stored = None
    if digests is not None:
        stored = Stored(dict, dict, lambda: {what: digest_of(rows), **digests()})
    job = Job(
        what,
        partial(_apply, work),
        count,
        lambda start, stop: tuple(np.ascontiguousarray(array[start:stop]) for array in rows),
        [shared],
        lasting=lasting,
        row_bytes=sum(array.nbytes for array in rows) // max(count, 1),
        result_bytes=_bytes_of,
        stored=stored,
        step=step,
        kind=kind,
    )
    return parts_of(job, cluster_of(client))


def _apply(work: Callable[..., Arrays], items: Items, rows: Columns) -> Arrays:
    # arrays out of pickles have a type of their own, which kernels refuse
    return work(items[0], *(plain_copy(column, column.dtype.type) for column in rows))


def _numbered(work: Callable[..., Columns], shared: Any, *rows: NDArray[Any]) -> Arrays:
    found = tuple(work(shared, *rows))
    if any(len(column) != len(rows[0]) for column in found):
        lengths = [len(column) for column in found]
        raise InternalError(f"{work} returned {lengths} rows for {len(rows[0])}; please report this")
    return {str(k): np.asarray(column) for k, column in enumerate(found)}


def _bytes_of(arrays: Arrays) -> int:
    return sum(array.nbytes for array in arrays.values())
