"""Floating-point operations of an overlap test, counted by doing them: Table 1 of paper `boxtree`.

The Python source of a kernel, and of every kernel that it calls, is run with numbers that count what is done to them.
Nothing is known here about what a kernel computes; addresses are real ones, read and written through `ctypes`. Only
vector instructions have no source: what they do to all lanes is written down below (`LANES`).
Additions and subtractions, multiplications and comparisons count, as in the paper; divisions count too, signs and
absolute values are free. An operation counts in the tally of its left operand.
"""

from __future__ import annotations

import ctypes
import inspect
import operator
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from types import CellType, FunctionType, SimpleNamespace
from typing import Any, NamedTuple

import numpy as np
from numba import types

from tumble.core.simd import memory


@dataclass
class Tally:
    """What was done so far."""

    additions: int = 0
    multiplications: int = 0
    comparisons: int = 0
    divisions: int = 0

    @property
    def total(self) -> int:
        """All operations."""
        return sum(vars(self).values())

    def __add__(self, other: Tally) -> Tally:
        return Tally(*map(sum, zip(vars(self).values(), vars(other).values(), strict=True)))

    def taken(self) -> Tally:
        """Return a copy and begin anew."""
        copy = replace(self)
        vars(self).update(vars(Tally()))
        return copy


class PairCount(NamedTuple):
    """What was done for one pair, or for several that share it."""

    done: Tally
    pairs: int = 1
    moving: Tally = Tally()
    """what brought vertices to one frame"""
    decided: bool = True


@dataclass(frozen=True)
class Operations:
    """Operations per pair, as means over pairs."""

    name: str
    moving: float
    """additions and multiplications that bring vertices to one frame; the next four do not contain them"""
    additions: float
    multiplications: float
    comparisons: float
    divisions: float
    worst: float
    """the largest sum of all"""
    undecided: float
    """the share of pairs that go on to exact arithmetic; what was done until then is counted"""
    pairs: int
    """how many pairs were counted"""

    @property
    def mean(self) -> float:
        """The sum of all."""
        return self.moving + self.additions + self.multiplications + self.comparisons + self.divisions

    @classmethod
    def over(cls, counts: Sequence[PairCount], name: str = "") -> Operations:
        """Sum up; zeros of no pairs."""
        pairs = sum(one.pairs for one in counts)

        def mean(values: Iterable[float]) -> float:
            return float(sum(values)) / max(pairs, 1)

        return cls(
            name=name,
            moving=mean(one.moving.total for one in counts),
            **{kind: mean(getattr(one.done, kind) for one in counts) for kind in vars(Tally())},
            worst=max(((one.moving.total + one.done.total) / one.pairs for one in counts), default=0.0),
            undecided=mean(not one.decided for one in counts),
            pairs=pairs,
        )


class NotCounted(Exception):
    """A kernel called code that has no Python source here: an `external` one."""


def _counting(kind: str, operation: Callable[[float, float], Any]) -> Any:
    """A method of `Counting`: a number that it computes counts on, a truth value does not."""

    def method(self: Counting, other: Any) -> Any:
        setattr(self.tally, kind, getattr(self.tally, kind) + 1)
        result = operation(self.value, float(other))
        return result if isinstance(result, bool) else Counting(result, self.tally)

    return method


class Counting:
    """A number that counts in a tally what is done to it."""

    __slots__ = ("tally", "value")
    __array_ufunc__ = None  # NumPy's numbers leave arithmetic to this class

    def __init__(self, value: float, tally: Tally) -> None:
        self.value = float(value)
        self.tally = tally

    __add__ = __radd__ = _counting("additions", operator.add)
    __sub__ = _counting("additions", operator.sub)
    __rsub__ = _counting("additions", lambda value, other: other - value)
    __mul__ = __rmul__ = _counting("multiplications", operator.mul)
    __truediv__ = _counting("divisions", operator.truediv)
    __rtruediv__ = _counting("divisions", lambda value, other: other / value)
    __gt__ = _counting("comparisons", operator.gt)
    __lt__ = _counting("comparisons", operator.lt)
    __ge__ = _counting("comparisons", operator.ge)
    __le__ = _counting("comparisons", operator.le)
    __eq__ = _counting("comparisons", operator.eq)
    __hash__ = None  # type: ignore[assignment]

    def __neg__(self) -> Counting:
        return Counting(-self.value, self.tally)

    def __abs__(self) -> Counting:
        return Counting(abs(self.value), self.tally)

    def __float__(self) -> float:
        return self.value

    def __int__(self) -> int:
        return int(self.value)


class CountingRows:
    """An array whose numbers count, and whose rows do; for kernels that take arrays."""

    def __init__(self, array: np.ndarray, tally: Tally) -> None:
        self.array, self.tally = array, tally

    @property
    def strides(self) -> tuple[int, ...]:
        """Bytes between rows and between columns."""
        return self.array.strides

    def __getitem__(self, key: Any) -> Counting | CountingRows:
        found = self.array[key]
        return CountingRows(found, self.tally) if isinstance(found, np.ndarray) else Counting(found, self.tally)

    def __setitem__(self, key: Any, value: Any) -> None:
        self.array[key] = float(value)


def _numpy(tally: Tally) -> SimpleNamespace:
    """NumPy for kernels: its conversions must not lose the count."""

    def float64(value: Any) -> Counting:
        return value if isinstance(value, Counting) else Counting(value, tally)

    return SimpleNamespace(**{**vars(np), "float64": float64, "int64": int})


# Intrinsics of `tumble.core.simd.memory` that read and write numbers at addresses, and the numbers' types there.
READERS = {
    memory.float64_at: ctypes.c_double,
    memory.float32_at: ctypes.c_float,
    memory.unaligned_float32: ctypes.c_float,
    memory.int64_at: ctypes.c_int64,
    memory.int32_at: ctypes.c_int32,
    memory.unaligned_int32: ctypes.c_int32,
    memory.byte_at: ctypes.c_uint8,
}
WRITERS = {memory.set_float64: ctypes.c_double, memory.set_int64: ctypes.c_int64}


def _at(kind: Any, address: int, index: int) -> Any:
    return kind.from_address(int(address) + ctypes.sizeof(kind) * int(index))


def _address(rows: Any) -> int:
    return int((rows.array if isinstance(rows, CountingRows) else rows).ctypes.data)


def _reader(kind: Any, tally: Tally) -> Callable[..., Any]:
    def read(address: int, index: int = 0) -> Any:
        value = _at(kind, address, index).value
        return Counting(value, tally) if isinstance(value, float) else value

    return read


def _writer(kind: Any) -> Callable[..., None]:
    plain_type = type(kind().value)

    def write(address: int, index: int, value: Any) -> None:
        _at(kind, address, index).value = plain_type(value)

    return write


def _slabs_meet(tally: Tally, half: int) -> Callable[..., bool]:
    """All slabs of two aligned k-DOPs at once; `added` is what the second one is shifted by, or None."""
    numbers = _reader(ctypes.c_double, tally)

    def meet(first: int, second: int, added: int | None) -> bool:
        sides = [numbers(second, i) for i in range(2 * half)]
        if added is not None:
            sides = [side + numbers(added, i) for i, side in enumerate(sides)]
        gaps = [sides[i] > numbers(first, half + i) for i in range(half)]
        gaps += [numbers(first, i) > sides[half + i] for i in range(half)]
        return not any(gaps)

    return meet


# Intrinsics that are made for a number of lanes, by name: their stand-ins, and what of their closure these need.
LANES: dict[str, tuple[Callable[..., Any], str]] = {"slabs_meet": (_slabs_meet, "half")}


def _lanes(value: Any, tally: Tally) -> Any:
    """Return the stand-in of an intrinsic made for a number of lanes, or None."""
    made = getattr(value, "_defn", None)
    if made is None or made.__name__ not in LANES:
        return None
    stand_in, wanted = LANES[made.__name__]
    return stand_in(tally, inspect.getclosurevars(made).nonlocals[wanted])


def _not_counted(*arguments: Any) -> None:
    raise NotCounted


def counted(kernel: Any, tally: Tally) -> Callable[..., Any]:
    """Return a kernel as plain Python that counts in a tally, and with it all kernels that it calls.

    Where it comes to call an external one, it raises NotCounted.
    """
    intrinsics: dict[Any, Callable[..., Any]] = {memory.address_of: _address}
    intrinsics |= {one: _reader(kind, tally) for one, kind in READERS.items()}
    intrinsics |= {one: _writer(kind) for one, kind in WRITERS.items()}
    made: dict[int, Callable[..., Any]] = {}

    def plain(function: Any) -> Any:
        source = getattr(function, "py_func", function)
        if id(source) in made:
            return made[id(source)]
        names = dict(source.__globals__)
        cells = tuple(CellType() for _ in source.__closure__ or ())
        copy = FunctionType(source.__code__, names, source.__name__, source.__defaults__, cells or None)
        made[id(source)] = copy
        for name in source.__code__.co_names:
            if name in names:
                names[name] = counting(names[name])
        for cell, original in zip(cells, source.__closure__ or (), strict=True):
            cell.cell_contents = counting(original.cell_contents)
        return copy

    def counting(value: Any) -> Any:
        """What stands for a name that a kernel uses."""
        if value is np:
            return _numpy(tally)
        if hasattr(value, "py_func"):
            return plain(value)
        if isinstance(value, types.ExternalFunction):
            return _not_counted
        if getattr(value, "__hash__", None) is not None and value in intrinsics:
            return intrinsics[value]
        return _lanes(value, tally) or value

    result: Callable[..., Any] = plain(kernel)
    return result
