"""Contact points on a device: segment, normal and depth of every touching pair of triangles, one work-item each.

Paper `binary-stack`, Section 6, names it as the next step. What is computed is what `tumble.narrow.contact` computes on
the host, to the last bit, so it takes float64.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tumble.device.device import OpenDevice, opencl, wait_for
from tumble.device.launch import copied
from tumble.device.program import CONTACT, kernel_of
from tumble.errors import DeviceError
from tumble.query.answer import PairTable

NUMBERS = 10


class DeviceContacts(NamedTuple):
    """A row for each touching pair, in the world frame."""

    segments: NDArray[np.float64]
    """(k, 2, 3) the ends of the segment in which the triangles meet"""
    normals: NDArray[np.float64]
    """(k, 3) the way in which a's triangle gets free of b's"""
    depths: NDArray[np.float64]
    """(k,) how far it has to go"""


def find_contacts(
    device: OpenDevice,
    forest: list[Any],
    starts: NDArray[np.uint32],
    pairs: NDArray[np.int64],
    poses: tuple[NDArray[np.float64], NDArray[np.float64]],
    collisions: PairTable,
) -> DeviceContacts:
    """Return the contacts of all touching triangles of pairs of bodies; use it with the device's lock held."""
    cl, count = opencl(), len(collisions.triangles)
    rows = np.empty((count, NUMBERS))
    if not device.info.fp64:
        raise DeviceError(
            f"{device.info.name} ({device.info.device}) has no float64, which contact points need; use device='cpu'"
        )
    if count:
        touching = np.empty((count, 3), np.uint32)
        touching[:, 0] = np.repeat(np.arange(len(pairs)), collisions.counts)
        touching[:, 1:] = collisions.triangles
        kernel = kernel_of(device, CONTACT, "contact")
        contacts = cl.Buffer(device.context, cl.mem_flags.WRITE_ONLY, rows.nbytes)
        arrays: list[Any] = [
            starts,
            pairs.astype(np.uint32),
            *(np.ascontiguousarray(its, np.float64) for its in poses),
            touching,
        ]
        buffers = [copied(device, array) for array in arrays]
        event = kernel(device.queue, (count,), None, forest[-1], *buffers, np.uint32(count), contacts)
        device.queue.flush()
        wait_for(event)
        cl.enqueue_copy(device.queue, rows, contacts)
    return DeviceContacts(rows[:, :6].reshape(-1, 2, 3), rows[:, 6:9], rows[:, 9])
