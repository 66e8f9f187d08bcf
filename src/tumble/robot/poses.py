"""The poses of all links in many configurations, on all cores."""

import math

import numpy as np
from numpy.typing import NDArray

from tumble.core.memory import check_memory
from tumble.core.parallel import run_pieces, thread_count
from tumble.robot.kinematics import Kinematics

PIECE = 1024
"""configurations that a thread takes at a time: about a millisecond"""


def poses(kinematics: Kinematics, Q: NDArray[np.float64], threads: int | None = None) -> NDArray[np.float64]:
    """Return (n, links, 4, 4) the poses of all links in each of some checked configurations."""
    from tumble.robot.kinematics_kernel import write_poses

    shape = len(Q), len(kinematics.parents), 4, 4
    check_memory(8 * math.prod(shape), f"{len(Q):,} × {shape[1]:,} poses")
    found = np.empty(shape)

    def run(piece: int) -> None:
        write_poses(kinematics, Q, found, piece * PIECE, min((piece + 1) * PIECE, len(Q)))

    run_pieces(run, -(-len(Q) // PIECE), thread_count(threads))
    return found
