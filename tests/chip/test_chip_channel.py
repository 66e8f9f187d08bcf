"""Channels lose nothing and double nothing, whatever the two sides do and in whatever order they act."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tumble.chip.channel import Channel, Clock
from tumble.errors import ChipError

CYCLES = st.lists(st.tuples(st.booleans(), st.booleans(), st.booleans()), max_size=60)


@given(CYCLES, st.integers(1, 4))
def test_payloads_arrive_once_and_in_order(cycles, room):
    clock = Clock()
    channel = Channel(clock, "test", room)
    sent, taken = [], []
    for wants_to_put, wants_to_take, taker_first in cycles:
        before = (channel.valid, channel.payload, channel.ready)

        def put(wanted=wants_to_put):
            if wanted and channel.ready:
                channel.put(len(sent))
                sent.append(len(sent))

        def take(wanted=wants_to_take):
            if wanted and channel.valid:
                taken.append(channel.take())

        for act in (take, put) if taker_first else (put, take):
            act()
            assert (channel.valid, channel.payload, channel.ready) == before  # nothing shows within the cycle
        clock.tick()
        waiting = sent[len(taken) :]
        assert taken == sent[: len(taken)]
        assert len(channel) == len(waiting) <= room
        assert channel.valid == bool(waiting)
        assert channel.ready == (len(waiting) < room)
        assert not waiting or channel.payload == waiting[0]


def test_a_payload_is_there_in_the_next_cycle():
    clock = Clock()
    channel = Channel(clock, "test")
    channel.put("x")
    assert not channel.valid
    clock.tick()
    assert channel.valid
    assert channel.take() == "x"
    assert channel.valid
    clock.tick()
    assert not channel.valid


def test_two_places_are_enough_for_a_payload_in_every_cycle():
    clock = Clock()
    channel = Channel(clock, "test", 2)
    taken = []
    for cycle in range(20):
        assert channel.ready
        channel.put(cycle)
        if channel.valid:
            taken.append(channel.take())
        clock.tick()
    assert taken == list(range(19))


def test_misuse_is_an_error():
    clock = Clock()
    channel = Channel(clock, "test", 1)
    with pytest.raises(ChipError, match="take from nothing"):
        channel.take()
    channel.put(1)
    with pytest.raises(ChipError, match="twice"):
        channel.put(2)
    clock.tick()
    with pytest.raises(ChipError, match="without room"):
        channel.put(2)
    channel.take()
    with pytest.raises(ChipError, match="twice"):
        channel.take()
