"""What users hand over as the plain arrays that compiled code takes; vertices and faces checked once, then trusted.

NumPy's float64 is one dtype object, and the entry points of compiled code know it by its address. A dtype out of a
pickle, or with metadata, equals it and is another object; `np.array(values, np.float64)` keeps that object, and so do
products and slices. Only an array that is made anew has NumPy's own.

Integers are taken as vertices and points up to ±2**53, where float64 still holds each of them exactly. Face indices
must have an integer dtype: floats are refused even when they are whole, because a float index more often
comes from a mistake (swapped arguments, a lost cast) than from intent.
"""

import sys
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tumble.errors import InputError, MeshError

# Products of up to three coordinate differences and their error bounds stay far below float64's 1.8e308.
MAX_COORDINATE = 1e100
MAX_COUNT = 2**31 - 1
_MAX_EXACT_INTEGER = 2**53
_NATIVE_FLOAT_BYTES = 8
INEXACT, IF_FINE = "integers beyond 2**53 are not exact in float64", "if their rounding is acceptable"


def plain_copy(raw: NDArray[Any], dtype: type[np.generic] = np.float64) -> NDArray[Any]:
    """Return the numbers of an array as a new C-ordered, writable array of NumPy's own class and dtype object."""
    copy = np.empty(raw.shape, dtype)
    if raw.dtype.itemsize > _NATIVE_FLOAT_BYTES:
        with np.errstate(over="ignore"):  # a long double beyond float64 becomes inf, which the caller refuses
            copy[...] = raw
    else:
        copy[...] = raw
    return copy


def is_masked_array(values: Any) -> bool:
    """Tell whether a value is one of NumPy's masked arrays; these take time to load, and few programs have any."""
    return "numpy.ma" in sys.modules and isinstance(values, np.ma.MaskedArray)


def real_array(values: Any, what: str, error: type[InputError], shape: str = "an array") -> NDArray[Any]:
    """Return real numbers as an array, not copied if they are one; or raise the error: no text, no truth values."""
    if is_masked_array(values) and np.ma.is_masked(values):
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


def check_vertices(vertices: ArrayLike) -> NDArray[np.float64]:
    """Return vertices as a read-only (n, 3) float64 array, or say which one cannot be used."""
    raw = real_array(vertices, "vertices", MeshError)
    if raw.shape == (0,):
        raw = raw.reshape(0, 3)
    if raw.ndim != 2 or raw.shape[1] != 3:
        raise MeshError(f"vertices must have shape (n, 3), one x, y, z row each; found shape {raw.shape}")
    _check_count(len(raw), "vertices")
    if raw.dtype.kind in "iu" and raw.dtype.itemsize == 8:
        raw = raw.copy()  # checked before it is converted, so it must not change in between
        row = first_inexact_row(raw)
        if row is not None:
            raise MeshError(
                f"vertex {row} is {raw[row].tolist()}: {INEXACT}; convert the vertices to float64 {IF_FINE}"
            )
    own = plain_copy(raw)
    _check_coordinates(own)
    return frozen(own)


def check_faces(faces: ArrayLike, vertex_count: int) -> NDArray[np.int32]:
    """Return faces as a read-only (m, 3) int32 array, or say which index cannot be used."""
    raw = real_array(faces, "faces", MeshError)
    if raw.shape in ((0,), (0, 3)):
        return frozen(np.empty((0, 3), np.int32))
    if raw.ndim == 2 and raw.shape[1] == 4:
        raise MeshError(
            f"faces have shape {raw.shape}: these look like quads; triangulate them first, "
            "e.g. trimesh.geometry.triangulate_quads(faces)"
        )
    if raw.ndim != 2 or raw.shape[1] != 3:
        raise MeshError(f"faces must have shape (m, 3), three vertex indices each; found shape {raw.shape}")
    if raw.dtype.kind == "f":
        raise MeshError(f"faces must hold integers, not {raw.dtype}; if they are whole numbers, pass faces.astype(int)")
    _check_count(len(raw), "faces")
    own = plain_copy(raw, raw.dtype.type)  # as wide as it came: a cast would wrap what is out of range
    _check_indices(own, vertex_count)
    return frozen(own if own.dtype == np.int32 else plain_copy(own, np.int32))


def _check_count(count: int, what: str) -> None:
    if count > MAX_COUNT:
        raise MeshError(f"{count} {what} are more than the supported {MAX_COUNT}; split the mesh")


def first_inexact_row(raw: NDArray[Any]) -> int | None:
    """Return the first row with an integer that float64 cannot be relied on to hold, if there is one."""
    if raw.dtype.kind not in "iu" or raw.dtype.itemsize < 8:
        return None
    beyond = raw > _MAX_EXACT_INTEGER
    if raw.dtype.kind == "i":
        beyond |= raw < -_MAX_EXACT_INTEGER
    return int(np.argmax(beyond.any(axis=1))) if beyond.any() else None


def _check_coordinates(vertices: NDArray[np.float64]) -> None:
    finite = np.isfinite(vertices)
    if not finite.all():
        row = int(np.argmin(finite.all(axis=1)))
        kind = "a NaN" if np.isnan(vertices[row]).any() else "an infinity"
        raise MeshError(f"vertex {row} has {kind}: {vertices[row].tolist()}; remove or repair it")
    beyond = np.abs(vertices) > MAX_COORDINATE
    if beyond.any():
        row = int(np.argmax(beyond.any(axis=1)))
        raise MeshError(
            f"vertex {row} is {vertices[row].tolist()}: beyond the supported range of ±{MAX_COORDINATE:g}; "
            "use a larger unit of length"
        )


def _check_indices(faces: NDArray[Any], vertex_count: int) -> None:
    if faces.min() >= 0 and faces.max() < vertex_count:
        return
    wrong = (faces < 0) | (faces >= vertex_count)
    face = int(np.argmax(wrong.any(axis=1)))
    index = int(faces[face][wrong[face]][0])
    why = "negative" if index < 0 else f"out of range for {vertex_count} vertices"
    raise MeshError(f"face {face} is {faces[face].tolist()}: vertex index {index} is {why}")
