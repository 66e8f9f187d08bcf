"""Copies of what users hand over, as the plain arrays that compiled code takes.

NumPy's float64 is one dtype object, and the entry points of compiled code know it by its address. A dtype out of a
pickle, or with metadata, equals it and is another object; `np.array(values, np.float64)` keeps that object, and so do
products and slices. Only an array that is made anew has NumPy's own.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tumble.errors import InputError

NATIVE_FLOAT_BYTES = 8


def plain_copy(raw: NDArray[Any], dtype: type[np.generic] = np.float64) -> NDArray[Any]:
    """Return the numbers of an array as a new C-ordered, writable array of NumPy's own class and dtype object."""
    copy = np.empty(raw.shape, dtype)
    if raw.dtype.itemsize > NATIVE_FLOAT_BYTES:
        with np.errstate(over="ignore"):  # a long double beyond float64 becomes inf, which the caller refuses
            copy[...] = raw
    else:
        copy[...] = raw
    return copy


def real_array(values: Any, what: str, error: type[InputError], shape: str = "an array") -> NDArray[Any]:
    """Return real numbers as an array, not copied if they are one; or raise the error: no text, no truth values."""
    if isinstance(values, np.ma.MaskedArray) and np.ma.is_masked(values):
        raise error(f"{what}: some entries are masked; drop them, or fill them with .filled(...)")
    try:
        raw = np.asarray(values)
    except (ValueError, TypeError, OverflowError) as reason:
        raise error(f"{what} cannot be read as {shape} of numbers: {reason}") from reason
    if raw.dtype.kind not in "iuf":
        hint = " (rows of different lengths? integers beyond 64 bits? or use .astype)" if raw.dtype.kind == "O" else ""
        raise error(f"{what} must be real numbers; found dtype {raw.dtype}{hint}")
    return raw


def three_numbers(values: Any, what: str, error: type[InputError]) -> NDArray[np.float64]:
    """Return three finite numbers as a new array, or raise the error."""
    try:
        raw = real_array(values, what, error)
    except error as reason:
        raise error(f"{what} must be three numbers, not {values!r}") from reason
    if raw.shape != (3,):
        raise error(f"{what} must be three numbers, not {values!r}")
    own: NDArray[np.float64] = plain_copy(raw)
    if not np.isfinite(own).all():
        raise error(f"{what} must be three finite numbers, not {values!r}")
    return own


def frozen(own: NDArray[Any]) -> NDArray[Any]:
    """Return a read-only view of an array that only the caller holds; the view of a frozen base cannot be thawed."""
    own.flags.writeable = False
    return own.view()
