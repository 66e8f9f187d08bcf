"""The memory keeps its times: those of the paper, and others for other designs."""

import numpy as np
import pytest

from tumble.chip import Design, Memory
from tumble.chip.channel import Clock, Ports
from tumble.chip.comparators import BOTH, ListEntry
from tumble.chip.result import Journal
from tumble.chip.sdram import ALIGNED, Request, SdramInterface
from tumble.errors import TreeError


def first_words(pairs, design=None, takes=lambda cycle: True):
    """Read sibling pairs by their numbers; return the cycles of their first words, counted from the first command."""
    design = Design() if design is None else design
    clock, journal = Clock(), Journal(10**9)
    ports = Ports(clock)
    interface = SdramInterface(design, ports, journal)
    data = np.random.default_rng(1).bytes(256 * (max(pairs) + 1))
    memory = Memory(data, None, design.k, 0, np.zeros(design.k))
    waiting, received, now, begun = list(pairs), b"", 0, None
    while len(received) < 256 * len(pairs):
        if waiting and ports.requests.ready:
            address = 256 * waiting.pop(0)
            ports.requests.put(Request(ALIGNED, memory, 0, address, 2, ListEntry(address, BOTH, 1)))
        interface.tick(now)
        begun = now if begun is None and interface.command.startswith("act") else begun
        if ports.words.valid and takes(now):
            received += ports.words.take()[2]
        clock.tick()
        now += 1
        assert now < 100_000
    assert received == b"".join(data[256 * pair : 256 * pair + 256] for pair in pairs)
    assert interface.bytes_read == len(received)
    assert interface.room == interface.all_room
    return [start - begun for unit, start, _, _ in journal.intervals if unit == "memory bus"]


def test_a_random_access_to_a_pair_takes_16_cycles():
    (start,) = first_words([5])
    assert start + Design().pair_transfers == 16


def test_another_bank_follows_without_a_gap():
    assert first_words([0, 1, 2, 3, 4]) == [8, 16, 24, 32, 40]
    assert first_words([0, 1, 0, 1]) == [8, 16, 24, 32]


def test_the_same_bank_waits_until_its_row_is_closed_and_another_open():
    assert first_words([0, 4, 8]) == [8, 24, 40]


def test_ten_cycles_a_pair_on_average():
    pairs = np.random.default_rng(2).integers(0, 1000, 1000).tolist()
    starts = first_words(pairs)
    assert (starts[-1] - starts[0]) / (len(pairs) - 1) == pytest.approx(10, rel=0.02)


@pytest.mark.parametrize(("bits", "transfers"), [(1024, 2), (512, 4), (128, 16), (32, 64), (8, 256)])
def test_bus_width(bits, transfers):
    assert first_words([0, 1], Design(bus_bits=bits)) == [8, 8 + transfers]
    assert first_words([0, 4], Design(bus_bits=bits)) == [8, 8 + transfers + 8]


def test_timings():
    assert first_words([0, 4], Design(precharge=3, ras_cas=5, cas=7)) == [24, 24 + 8 + 6 + 10]


def test_no_word_is_lost_when_the_receiver_stalls():
    rng = np.random.default_rng(3)
    pairs = rng.integers(0, 50, 60).tolist()
    first_words(pairs, takes=lambda cycle: rng.random() < 0.2)
    first_words(pairs, takes=lambda cycle: cycle % 100 > 60)


@pytest.mark.parametrize("address", [128, 64, 256 * 3, 1 << 31])
def test_addresses_are_checked_on_the_way_to_the_memory(address):
    clock = Clock()
    ports = Ports(clock)
    interface = SdramInterface(Design(), ports, Journal())
    memory = Memory(bytes(256 * 3), None, 24, 0, np.zeros(24))
    ports.requests.put(Request(ALIGNED, memory, 0, address, 2, ListEntry(address, BOTH, 1)))
    clock.tick()
    with pytest.raises(TreeError, match=str(address)):
        interface.tick(0)
