"""Contacts of candidates that are on the device, made there before the host has seen a single pair.

Paper `binary-stack`, Section 6, names them as the next step. The kernels repeat `tumble.narrow.contact`, and the curve
of `tumble.dynamics.manifold`, operation by operation in float64, one work-item for each candidate: the bits are the
host's. A few candidates turn out not to touch when the host tests what float32 has left open; their rows are dropped.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from tumble.device.host.kinds import defaults_for, fitting_group
from tumble.device.host.scratch import spare_buffers
from tumble.device.protocol import Buffer, OpenDevice, program
from tumble.query.answer import CURVE_NUMBERS, PairContacts, contacts_of_arrays
from tumble.query.engine import Request

CODE = program("contact_vectors", "contact_nearest", "contact_segment", "contact_push", "contact")
CONTACT_NUMBERS = 10  # the ends of the segment, the normal, the depth
KERNELS = {"contact": CONTACT_NUMBERS, "contact_curve": CURVE_NUMBERS}
AT_ONCE = 1 << 18  # rows of a launch, at most: a buffer of 20 to 27 MB

Rows = NDArray[np.float64]


def rows_wanted(device: OpenDevice, request: Request) -> list[str]:
    """Return the kernels that make what a request wants to know of its contacts, if the device has float64."""
    wanted = [("contact", request.contacts), ("contact_curve", request.curves)]
    return [kernel for kernel, asked in wanted if asked and device.info.fp64]


def row_maker(
    device: OpenDevice, request: Request, corners: Buffer, starts: NDArray[np.uint32], kernel: str
) -> Callable[[Buffer, int], Rows]:
    """Return a function of candidates on the device, and how many there are, that returns a row for each of them.

    corners   of all trees, in float64, in their orders of triangles
    starts    (n, 4) where the trees of each pair of bodies begin, as walks take them
    """

    def make(candidates: Buffer, count: int) -> Rows:
        width = KERNELS[kernel]
        rows = np.empty((count, width))
        if count == 0:
            return rows
        _, group = fitting_group(device, kernel, defaults_for(device).plain_group, lambda _: CODE, given=False)
        arrays = starts, request.pairs.astype(np.uint32), request.a.poses, request.b.poses
        given = corners, *(device.upload(array) for array in arrays), candidates
        at_once = min(count, AT_ONCE, device.limits.buffer_bytes // (8 * width))
        made = spare_buffers(device).take(8 * width * at_once)
        for begin in range(0, count, at_once):
            size = min(at_once, count - begin)
            device.wait(device.launch(CODE, kernel, size, group, *given, begin, size, made))
            device.read(made, rows[begin : begin + size])
        spare_buffers(device).give(made)
        return rows

    return make


def contacts_of_rows(rows: Rows) -> PairContacts:
    """Return the column of contacts."""
    return contacts_of_arrays(rows[:, :6].reshape(-1, 2, 3), rows[:, 6:9].copy(), rows[:, 9].copy())
