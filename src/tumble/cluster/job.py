"""A job: rows to work on, which are cut into chunks, and the items that all chunks need.

    work({number: item, …}, rows) → result       on a worker, for each chunk

Rows are anything that can be pickled, cut by `part`. Items are sent to each worker once: meshes with their trees, a
robot. `work` is a function of a module, or a `functools.partial` of one, so that workers can import it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

PAIRS = "pairs of bodies"
"""what the rows of most jobs are"""
Arrays = Mapping[str, NDArray[Any]]
Items = Mapping[int, Any]


class Stored(NamedTuple):
    """How a job's results are kept in a checkpoint."""

    to_arrays: Callable[[Any], Arrays]
    of_arrays: Callable[[Arrays], Any]
    digests: Callable[[], Mapping[str, str]]
    """what the question depends on, by the words of an error: {"poses": "5f3…"}"""


@dataclass(frozen=True)
class Job:
    """Rows, and what to do with them."""

    what: str
    """for reports and errors: "rows", "pairs of bodies" """
    work: Callable[[Items, Any], Any]
    count: int
    """of rows"""
    part: Callable[[int, int], Any]
    """returns the rows from a start to a stop, as `work` takes them"""
    items: Sequence[Any] = ()
    lasting: bool = False
    """whether items never change, as meshes: then they do not travel again with the next job"""
    needs: Callable[[int, int], NDArray[np.int64]] | None = None
    """returns the numbers of the items that rows need, in order; None: all rows need all items"""
    weights: NDArray[np.float64] | None = None
    """(count,) what each row takes, in any unit; None: all take the same"""
    step: int = 1
    """chunks begin at multiples of this, where one machine would cut the rows there, too"""
    first: int = 64
    """rows of the first chunks, before any was measured"""
    row_bytes: int = 0
    """of one row on its way to a worker, about"""
    result_bytes: Callable[[Any], int] | None = None
    """returns the size of a result, which then limits the rows of a chunk"""
    stored: Stored | None = None
    """None: there can be no checkpoint"""
    kind: str = ""
    """what a worker has to be warmed up for, besides `what`: the question and its options"""


class Part(NamedTuple):
    """The result of some rows."""

    start: int
    stop: int
    result: Any
