"""How near the links of a robot may come to what they must not touch: one number for all, or one for each by name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tumble.errors import InputError, OptionError
from tumble.query.clearance import checked_clearance

Clearances: TypeAlias = float | tuple[float, ...]
"""of all links, or of each"""
ByLink: TypeAlias = float | Mapping[str, float]
"""the same as users say it"""


def checked_clearances(given: Any, links: Sequence[str]) -> Clearances:
    """Return clearances as numbers, or refuse what is none, is negative, infinite or not a number, or names no link."""
    if not isinstance(given, Mapping):
        if isinstance(given, list | tuple | set | frozenset) or (isinstance(given, np.ndarray) and given.ndim):
            raise OptionError(
                f"clearance must be one number, or a mapping from names of links to numbers, not {given!r}"
            )
        return checked_clearance(given)
    found = dict.fromkeys(links, 0.0)
    for name, value in given.items():
        if name not in found:
            raise InputError(f"clearance: there is no link {name!r}; links are {', '.join(links)}")
        found[name] = checked_clearance(value, f"the clearance of link {name!r}")
    return tuple(found[name] for name in links)


def clearances_of_questions(
    clearance: Clearances, links: int, bodies: NDArray[np.int64], pairs: NDArray[np.int64]
) -> NDArray[np.float64]:
    """Return the clearance of each question: of each body and the obstacles; of each pair of bodies the larger one."""
    by_body = np.broadcast_to(np.array(clearance, np.float64), (links,))[bodies]
    return np.concatenate([by_body, by_body[pairs].max(axis=1, initial=0.0)])
