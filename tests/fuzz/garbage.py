"""Every public call with one argument that makes no sense: an error of ours, or an answer; never anything else.

What a caller may get wrong is drawn from `GARBAGE`. Whether an answer is right is for the other targets to say: here it
only counts that nothing but a TumbleError is raised, and that nothing crashes.
"""

from __future__ import annotations

import contextlib
import datetime
import decimal
import fractions
import os
import tempfile
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

import tumble
from tumble.errors import TumbleError

from .calls import CALLS, CUBE
from .limits import memory_limit, streams_kept, time_limit

Random = np.random.Generator
MEMORY = 4 << 30
SECONDS = 60


class Strange:
    """Something like a list of three, and like a number."""

    def __index__(self) -> int:
        return -(1 << 70)

    def __len__(self) -> int:
        return 3

    def __getitem__(self, key: Any) -> Any:
        return [0.0, 1.0, 2.0][key]


GARBAGE: dict[str, Callable[[], Any]] = {
    "None": lambda: None,
    "True": lambda: True,
    "False": lambda: False,
    "zero": lambda: 0,
    "minus one": lambda: -1,
    "two": lambda: 2,
    "a huge integer": lambda: 1 << 70,
    "a very huge integer": lambda: 1 << 5000,
    "a fraction": lambda: fractions.Fraction(1, 3),
    "a decimal": lambda: decimal.Decimal("1.5"),
    "half": lambda: 0.5,
    "nan": lambda: float("nan"),
    "inf": lambda: float("inf"),
    "1e308": lambda: 1e308,
    "complex": lambda: 1 + 2j,
    "empty text": lambda: "",
    "text": lambda: "nonsense",
    "auto": lambda: "auto",
    "a null byte": lambda: "a\0b",
    "half a surrogate": lambda: "\ud800",
    "bytes": lambda: b"bytes",
    "an empty list": list,
    "an empty tuple": tuple,
    "a dict": dict,
    "a set": lambda: {1, 2},
    "an object": object,
    "a class": lambda: int,
    "a generator": lambda: (each for each in (1, 2)),
    "a ragged list": lambda: [[1, 2], [3]],
    "nested text": lambda: [["a", "b", "c"]] * 3,
    "a deep list": lambda: [[[[1.0]]]],
    "numbers as text": lambda: "1",
    "a list of one": lambda: [1],
    "three": lambda: [1.0, 2.0, 3.0],
    "a matrix of nan": lambda: np.full((4, 4), np.nan),
    "zeros": lambda: np.zeros((4, 4)),
    "huge pose": lambda: np.diag([1e200, 1e200, 1e200, 1.0]),
    "a translation of 1e308": lambda: np.where(np.arange(16).reshape(4, 4) == 3, 1e308, np.eye(4)),
    "three poses": lambda: np.tile(np.eye(4), (3, 1, 1)),
    "no poses": lambda: np.empty((0, 4, 4)),
    "complex pose": lambda: np.eye(4) * 1j,
    "bool pose": lambda: np.eye(4, dtype=bool),
    "dates": lambda: np.full((4, 4), np.datetime64("2020-01-01")),
    "text array": lambda: np.full((4, 4), "x"),
    "objects": lambda: np.full((4, 4), None),
    "records": lambda: np.zeros(4, [("x", float), ("y", int)]),
    "float16": lambda: np.eye(4, dtype=np.float16),
    "a scalar array": lambda: np.array(3.0),
    "seven dimensions": lambda: np.zeros((1,) * 7),
    "no columns": lambda: np.empty((3, 0)),
    "columns of two": lambda: np.zeros((3, 2)),
    "huge numbers": lambda: np.full((8, 3), 1e200),
    "uint64": lambda: np.full((3, 3), 2**64 - 1, np.uint64),
    "negative indices": lambda: np.full((3, 3), -1),
    "a masked array": lambda: np.ma.array(np.eye(4), mask=np.eye(4) > 0),
    "something strange": Strange,
    "a mesh": lambda: CUBE,
    "an empty mesh": lambda: tumble.Mesh([], []),
    "a pair of lists": lambda: ([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]]),
    "vertices and wrong faces": lambda: ([[0, 0, 0]], [[0, 1, 2]]),
    "a tree": lambda: tumble.build(CUBE),
    "a sphere tree": lambda: tumble.build(CUBE, "sphere"),
    "a boxtree": lambda: tumble.build(CUBE, "boxtree"),
    "a scene": tumble.Scene,
    "a part": lambda: tumble.Part("a", CUBE),
    "a date": lambda: datetime.date(2020, 1, 1),
    "a path": lambda: Path("no such file"),
    "a function": lambda: print,
    "settings": tumble.BulkSettings,
    "front settings": tumble.FrontSettings,
    "an exception": lambda: ValueError("x"),
    "dots": lambda: ...,
    "a slice": lambda: slice(None),
    "int64": lambda: np.int64(2),
    "float32": lambda: np.float32(0.5),
    "numpy bool": lambda: np.bool_(True),
    "NaT": lambda: np.datetime64("NaT"),
}


def case(rng: Random) -> None:
    """Make a call with one wrong argument, sometimes two."""
    name = list(CALLS)[rng.integers(len(CALLS))]
    call, given = CALLS[name]
    arguments, told = dict(given), []
    for _ in range(1 if rng.random() < 0.8 else 2):
        argument = list(given)[rng.integers(len(given))]
        what = list(GARBAGE)[rng.integers(len(GARBAGE))]
        value = GARBAGE[what]()
        if isinstance(given[argument], bool) and isinstance(value, np.ndarray):
            continue  # NumPy itself says that the truth of an array is ambiguous
        arguments[argument] = value
        told.append(f"{argument}={what}")
    with tempfile.TemporaryDirectory() as folder, inside(folder), warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            with memory_limit(MEMORY), time_limit(SECONDS), streams_kept(), contextlib.suppress(TumbleError):
                call(**arguments)
        except BaseException as error:
            raise type(error)(f"{name}({', '.join(told)}): {error}") from error


@contextlib.contextmanager
def inside(folder: str) -> Iterator[None]:
    """Make a folder the current one."""
    before = os.getcwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)
