"""Contact points on a device: segment, normal and depth of touching triangles, one work-item for each pair.

Paper `binary-stack`, Section 6, names them as the next step. The kernel repeats `tumble.narrow.contact` operation by
operation in float64. The host computes them for devices without float64, and for bulk and front, whose trees have no
exact corners; the bits are the same.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tumble.device.protocol import Buffer, OpenDevice, program
from tumble.query.answer import PairContacts, PairTable
from tumble.query.contacts import contacts_of_arrays

CONTACT = program("contact_vectors", "contact_nearest", "contact_segment", "contact_push", "contact")
NUMBERS = 10
"""of a contact: the ends of the segment, the normal, the depth"""


def find_contacts(
    device: OpenDevice,
    corners: Buffer,
    starts: NDArray[np.uint32],
    pairs: NDArray[np.int64],
    poses: tuple[NDArray[np.float64], NDArray[np.float64]],
    table: PairTable,
) -> PairContacts:
    """Return the contacts of all touching triangles of pairs of bodies, from exact corners on the device."""
    count = len(table.triangles)
    rows = np.empty((count, NUMBERS))
    if count:
        touching = np.empty((count, 3), np.uint32)
        touching[:, 0] = np.repeat(np.arange(len(pairs)), table.counts)
        touching[:, 1:] = table.triangles
        buffers = [device.upload(array) for array in (starts, pairs.astype(np.uint32), *poses, touching)]
        contacts = device.empty(rows.nbytes)
        device.wait(device.launch(CONTACT, "contact", count, None, corners, *buffers, count, contacts))
        device.read(contacts, rows)
    return contacts_of_arrays(rows[:, :6].reshape(-1, 2, 3), rows[:, 6:9], rows[:, 9])
