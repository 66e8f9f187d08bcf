"""Read-only arrays, and answers as records of them."""

from dataclasses import fields
from typing import Any

import numpy as np
from numpy.typing import NDArray


def frozen(array: NDArray[Any]) -> NDArray[Any]:
    """Return a view that cannot be written to.

    Kernels are compiled for arrays that can be written to and for others: what is always frozen needs one of them.
    """
    view = array.view()
    view.flags.writeable = False
    return view


class FrozenArrays:
    """A dataclass whose arrays are read-only, also when it comes out of a pickle: there arrays come writable."""

    def __reduce__(self) -> tuple[Any, ...]:
        return frozen_record, (type(self), *(getattr(self, column.name) for column in fields(self)))  # type: ignore[arg-type]


def frozen_record(kind: Any, *columns: Any) -> Any:
    """Return a record of some kind, its arrays read-only."""
    for column in columns:
        if isinstance(column, np.ndarray):
            column.flags.writeable = False
    return kind(*columns)
