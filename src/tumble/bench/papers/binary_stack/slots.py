"""Section 5: results in areas of 4 095 slots per pair of bodies, all of which are copied back, whatever is in them.

The areas are filled on the device from the triangle pairs of an answer; a timed call copies them to the host. Beside
it stands the dense list of candidates that Tumble copies. A pair of bodies with more pairs of triangles than slots
loses the rest, as in the paper; its count says so.
"""

from time import perf_counter
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tumble.bench.framework.answers import Pairs
from tumble.bench.papers.binary_stack.published import SLOTS_PER_PAIR
from tumble.device import Device
from tumble.device.opencl import open_device
from tumble.device.protocol import OpenDevice, program
from tumble.query.answer import PairTable

CODE = program("slots")
AREA = SLOTS_PER_PAIR + 1  # the number of slots in use comes first
SLOT_BYTES = 8
REPETITIONS = 3


class SlotCopy(NamedTuple):
    """What copying took: seconds, bytes, and the pairs of triangles that came back for each pair of bodies."""

    seconds: float
    size: int
    found: list[Pairs]
    lost: int


def copy_slots(device: Device, answer: PairTable) -> SlotCopy | None:
    """Copy the areas of an answer back, several times, the quickest counts; None where the device has no room."""
    opened, pairs = open_device(device.name), len(answer)
    size = pairs * AREA * SLOT_BYTES
    if not len(answer.triangles) or size > opened.limits.buffer_bytes:
        return None
    with opened.working():
        areas, times = _filled(opened, answer, size), []
        slots = np.empty((pairs, AREA, 2), np.uint32)
        for _ in range(REPETITIONS):
            start = perf_counter()
            opened.read(areas, slots)
            times.append(perf_counter() - start)
    counts = slots[:, 0, 0].astype(np.int64)
    kept = np.minimum(counts, SLOTS_PER_PAIR)
    found = [area[1 : 1 + count].astype(np.int64) for area, count in zip(slots, kept.tolist(), strict=True)]
    return SlotCopy(min(times), size, found, int((counts - kept).sum()))


def _filled(device: OpenDevice, answer: PairTable, size: int) -> object:
    """The areas on the device."""
    rows = np.empty((len(answer.triangles), 3), np.uint32)
    rows[:, 0], rows[:, 1:] = _owners(answer), answer.triangles
    candidates, areas = device.upload(rows), device.empty(size)
    device.fill(areas, 0)
    width = device.preferred_width(CODE, "to_slots")
    device.wait(device.launch(CODE, "to_slots", len(rows), width, candidates, len(rows), areas, AREA))
    return areas


def _owners(answer: PairTable) -> NDArray[np.int64]:
    return np.repeat(np.arange(len(answer)), answer.counts)
