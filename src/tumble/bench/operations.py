"""Floating-point operations of an overlap test, counted by doing them: Table 1 of paper `boxtree`.

The Python source of a kernel, and of every kernel that it calls, is run with numbers that count what is done to them.
Nothing is known here about what a kernel computes; addresses are real ones, read and written through `ctypes`. Only
vector instructions have no source: what they do to all lanes is written down below (`LANES`).
Additions and subtractions, multiplications and comparisons count, as in the paper; divisions count too, signs and
absolute values are free. An operation counts in the tally of its left operand.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from dataclasses import dataclass
from types import CellType, FunctionType
from typing import Any

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
        return self.additions + self.multiplications + self.comparisons + self.divisions

    def taken(self) -> Tally:
        """Return a copy and begin anew."""
        copy = Tally(self.additions, self.multiplications, self.comparisons, self.divisions)
        self.additions = self.multiplications = self.comparisons = self.divisions = 0
        return copy


class NotCounted(Exception):
    """A kernel called code that has no Python source here: an `external` one."""


class Counting:
    """A number that counts in a tally what is done to it."""

    __slots__ = ("tally", "value")
    __array_ufunc__ = None  # NumPy's numbers leave arithmetic to this class

    def __init__(self, value: float, tally: Tally) -> None:
        self.value = float(value)
        self.tally = tally

    def __add__(self, other: Any) -> Counting:
        self.tally.additions += 1
        return Counting(self.value + float(other), self.tally)

    def __sub__(self, other: Any) -> Counting:
        self.tally.additions += 1
        return Counting(self.value - float(other), self.tally)

    def __rsub__(self, other: Any) -> Counting:
        self.tally.additions += 1
        return Counting(float(other) - self.value, self.tally)

    def __mul__(self, other: Any) -> Counting:
        self.tally.multiplications += 1
        return Counting(self.value * float(other), self.tally)

    def __truediv__(self, other: Any) -> Counting:
        self.tally.divisions += 1
        return Counting(self.value / float(other), self.tally)

    def __rtruediv__(self, other: Any) -> Counting:
        self.tally.divisions += 1
        return Counting(float(other) / self.value, self.tally)

    __radd__ = __add__
    __rmul__ = __mul__

    def __gt__(self, other: Any) -> bool:
        self.tally.comparisons += 1
        return self.value > float(other)

    def __lt__(self, other: Any) -> bool:
        self.tally.comparisons += 1
        return self.value < float(other)

    def __ge__(self, other: Any) -> bool:
        self.tally.comparisons += 1
        return self.value >= float(other)

    def __le__(self, other: Any) -> bool:
        self.tally.comparisons += 1
        return self.value <= float(other)

    def __eq__(self, other: object) -> bool:
        self.tally.comparisons += 1
        return self.value == float(other)  # type: ignore[arg-type]

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


class _NumPy:
    """What kernels use of NumPy: conversions, which here must not lose the count."""

    def __init__(self, tally: Tally) -> None:
        self.tally = tally

    def __getattr__(self, name: str) -> Any:
        return getattr(np, name)

    def float64(self, value: Any) -> Counting:
        return value if isinstance(value, Counting) else Counting(value, self.tally)

    def int64(self, value: Any) -> int:
        return int(value)


def _at(kind: Any, address: int, index: int = 0) -> Any:
    return kind.from_address(int(address) + ctypes.sizeof(kind) * int(index))


def _address(rows: Any) -> int:
    return int((rows.array if isinstance(rows, CountingRows) else rows).ctypes.data)


def _intrinsics(tally: Tally) -> dict[Any, Callable[..., Any]]:
    """What stands for the intrinsics of `tumble.core.simd.memory`."""

    def reader(kind: Any, counting: bool) -> Callable[..., Any]:
        def read(address: int, index: int = 0) -> Any:
            value = _at(kind, address, index).value
            return Counting(value, tally) if counting else value

        return read

    def writer(kind: Any, convert: Callable[[Any], Any]) -> Callable[..., None]:
        def write(address: int, index: int, value: Any) -> None:
            _at(kind, address, index).value = convert(value)

        return write

    return {
        memory.address_of: _address,
        memory.float64_at: reader(ctypes.c_double, True),
        memory.float32_at: reader(ctypes.c_float, True),
        memory.unaligned_float32: reader(ctypes.c_float, True),
        memory.int64_at: reader(ctypes.c_int64, False),
        memory.int32_at: reader(ctypes.c_int32, False),
        memory.unaligned_int32: reader(ctypes.c_int32, False),
        memory.byte_at: reader(ctypes.c_uint8, False),
        memory.set_float64: writer(ctypes.c_double, float),
        memory.set_int64: writer(ctypes.c_int64, int),
    }


def _slabs_meet(tally: Tally, half: int) -> Callable[..., bool]:
    """All slabs of two aligned k-DOPs at once; `added` is what the second one is shifted by, or None."""
    numbers = _intrinsics(tally)[memory.float64_at]

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
    return stand_in(tally, dict(zip(made.__code__.co_freevars, made.__closure__, strict=True))[wanted].cell_contents)


def _not_counted(*arguments: Any) -> None:
    raise NotCounted


def counted(kernel: Any, tally: Tally) -> Callable[..., Any]:
    """Return a kernel as plain Python that counts in a tally, and with it all kernels that it calls.

    Where it comes to call an external one, it raises NotCounted.
    """
    intrinsics = _intrinsics(tally)
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
            return _NumPy(tally)
        if hasattr(value, "py_func"):
            return plain(value)
        if isinstance(value, types.ExternalFunction):
            return _not_counted
        if getattr(value, "__hash__", None) is not None and value in intrinsics:
            return intrinsics[value]
        return _lanes(value, tally) or value

    result: Callable[..., Any] = plain(kernel)
    return result
