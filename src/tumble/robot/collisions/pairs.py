"""Which pairs of links touch, all of them, in many configurations."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tumble.core.limits import refuse
from tumble.core.records import frozen
from tumble.robot.collisions.asked import Check, on_threads
from tumble.robot.collisions.gap_tables import NOTHING
from tumble.robot.collisions.pairs_kernel import touching_pairs
from tumble.robot.collisions.prepared import Prepared


def pairs_touching(prepared: Prepared, Q: NDArray[np.float64], threads: int) -> NDArray[np.bool_]:
    """Return (n, k) whether the links of each pair that must not touch do so, in each configuration."""
    given = Check(prepared, NOTHING, Q, 0.0, True, threads).given
    questions = np.concatenate(prepared.questions(NOTHING, True))
    found = np.empty((len(Q), len(prepared.bodies.pairs)), np.bool_)

    def run(drawn: NDArray[np.int64]) -> None:
        code = touching_pairs(*given, frozen(Q), drawn, prepared.work(questions), found)
        if code < 0:
            refuse(code)

    on_threads(len(Q), threads, run)
    return found
