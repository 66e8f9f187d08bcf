"""`vertex_face_impacts`, `edge_edge_impacts`: when moving elements meet, for codes with a broad phase of their own."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tumble.core.parallel import run_pieces, thread_count
from tumble.errors import OptionError, PointError
from tumble.mesh.arrays import MAX_COORDINATE, frozen, plain_copy, real_array

TOLERANCE = 1e-9
LEAST_TOLERANCE = 1e-13
"""what the kernel is told where integers decide the rest: smaller steps of time are mostly rounding"""
NARROW = 2.0**-31
"""proven contacts whose time is known less closely are decided by integers, too"""
PIECE = 1 << 12


@dataclass(frozen=True, eq=False)
class ElementImpacts:
    """What is known of many pairs of moving elements."""

    hits: NDArray[np.bool_]
    """(n,) whether they meet; without `exact`, whether they may meet: True for all that do, and for near misses"""
    times: NDArray[np.float64]
    """(n,) a time that is never later than the first contact; infinity where there is none"""
    latest: NDArray[np.float64]
    """(n,) a time until which a contact is proven to have come; infinity where none was proven"""

    def __len__(self) -> int:
        return len(self.hits)

    def __repr__(self) -> str:
        first = f", the first at {self.times.min():.6g}" if self.hits.any() else ""
        return f"<ElementImpacts: {int(self.hits.sum())} of {len(self)} meet{first}>"


def vertex_face_impacts(
    start: ArrayLike,
    end: ArrayLike,
    *,
    separation: float = 0.0,
    exact: bool = False,
    tolerance: float = TOLERANCE,
    threads: int | None = None,
) -> ElementImpacts:
    """Return when vertices meet faces, all of whose points move linearly from `start` at time 0 to `end` at time 1.

    start, end   (n, 4, 3): a vertex, then the three corners of a face
    separation   a distance at which they count as meeting
    exact        decide by exact arithmetic whether they meet where float64 cannot tell; not with a separation
    tolerance    without `exact`, pairs count as meeting that come as near as the tolerance times the longest way of a
                 corner relative to the vertex, and times are early by as much as it takes to close that gap
    threads      how many threads share the work, at most; None: all cores. The result does not depend on it.
    """
    return _impacts(start, end, False, checked_options(separation, exact, tolerance), thread_count(threads))


def edge_edge_impacts(
    start: ArrayLike,
    end: ArrayLike,
    *,
    separation: float = 0.0,
    exact: bool = False,
    tolerance: float = TOLERANCE,
    threads: int | None = None,
) -> ElementImpacts:
    """Return when edges meet edges: (n, 4, 3), two ends of one edge, then of another; else as `vertex_face_impacts`."""
    return _impacts(start, end, True, checked_options(separation, exact, tolerance), thread_count(threads))


@dataclass(frozen=True)
class ImpactOptions:
    """Options that were checked."""

    separation: float
    exact: bool
    tolerance: float

    @property
    def numbers(self) -> NDArray[np.float64]:
        """What kernels take."""
        return np.array([self.separation, LEAST_TOLERANCE if self.exact else self.tolerance])


def checked_options(separation: Any, exact: Any, tolerance: Any) -> ImpactOptions:
    """Return options, or name the one that makes no sense."""
    if not isinstance(exact, bool | np.bool_):
        raise OptionError(f"exact must be True or False, not {exact!r}")
    distance = _number("separation", separation, 0.0, MAX_COORDINATE)
    if exact and distance > 0.0:
        raise OptionError(
            f"exact=True decides about contact, not about a separation of {distance:g}; leave one of them out"
        )
    return ImpactOptions(distance, bool(exact), _number("tolerance", tolerance, LEAST_TOLERANCE, 1.0))


def _number(name: str, value: Any, least: float, most: float) -> float:
    try:
        number = math.nan if isinstance(value, bool | np.bool_ | str) else float(value)
    except (TypeError, ValueError, OverflowError):
        number = math.nan
    if not least <= number <= most:
        raise OptionError(f"{name} must be a number from {least:g} to {most:g}, not {value!r}")
    return number


def _impacts(start: ArrayLike, end: ArrayLike, edges: bool, options: ImpactOptions, workers: int) -> ElementImpacts:
    """Answer queries of one kind."""
    from tumble.narrow.ccd.batch import advance_rows

    starts, ends = _checked("start", start), _checked("end", end)
    if len(starts) != len(ends):
        raise PointError(f"end has {len(ends)} queries, start has {len(starts)}; give as many")
    count = len(starts)
    times, latest, states = np.empty(count), np.empty(count), np.empty(count, np.int64)
    rows = starts.reshape(-1, 3), ends.reshape(-1, 3)

    def piece(number: int) -> None:
        span = number * PIECE, min((number + 1) * PIECE, count)
        advance_rows(*rows, edges, options.numbers, times, latest, states, *span)

    run_pieces(piece, -(-count // PIECE), workers)
    if options.exact:
        decide(starts, ends, edges, times, latest, states)
    return ElementImpacts(frozen(states != 0), frozen(times), frozen(latest))


def decide(
    starts: NDArray[np.float64],
    ends: NDArray[np.float64],
    edges: bool,
    times: NDArray[np.float64],
    latest: NDArray[np.float64],
    states: NDArray[np.int64],
) -> None:
    """Decide what float64 could not, in place."""
    for k in np.flatnonzero(undecided(times, latest, states)).tolist():
        times[k], latest[k] = contact_times(starts[k], ends[k], edges)
        states[k] = times[k] <= 1.0


def undecided(times: Any, latest: Any, states: Any) -> Any:
    """Return which answers of the kernel, arrays or single ones, integers have to decide."""
    return (states != 0) & (latest > times + NARROW)


def contact_times(start: NDArray[np.float64], end: NDArray[np.float64], edges: bool) -> tuple[float, float]:
    """Return times about the first contact of one pair, exactly decided: infinity, twice, where there is none."""
    from tumble.narrow.ccd.exact import first_contact

    return first_contact(start.tolist(), end.tolist(), edges) or (math.inf, math.inf)


def _checked(name: str, values: ArrayLike) -> NDArray[np.float64]:
    """Return (n, 4, 3) points as a new array, or say which query cannot be used."""
    raw = real_array(values, name, PointError, "an (n, 4, 3) array")
    if raw.shape == (0,):
        raw = raw.reshape(0, 4, 3)
    if raw.ndim != 3 or raw.shape[1:] != (4, 3):
        hint = f"; for one query write {name}[None]" if raw.shape == (4, 3) else ""
        raise PointError(f"{name} must have shape (n, 4, 3), four points for each query; found shape {raw.shape}{hint}")
    points: NDArray[np.float64] = plain_copy(raw)
    if raw.dtype.kind in "iu" and raw.dtype.itemsize == 8 and (points.astype(object) != raw.astype(object)).any():
        raise PointError(f"{name} has integers that are not exact in float64; convert them if rounding is acceptable")
    wrong = ~(np.abs(points) <= MAX_COORDINATE).all(axis=(1, 2))
    if wrong.any():
        row = int(np.argmax(wrong))
        raise PointError(
            f"{name}[{row}] is {points[row].tolist()}; every number must be finite and within ±{MAX_COORDINATE:g}"
        )
    return points
