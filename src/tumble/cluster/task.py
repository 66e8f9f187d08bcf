"""What runs on a worker: one chunk of a job."""

from __future__ import annotations

import platform
import time
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from tumble.cluster.greeting import Facts, compare, own_facts
from tumble.cluster.job import Items
from tumble.core.limits import limits


class Packet(NamedTuple):
    """A chunk on its way to a worker; bundles of items travel apart from it, once."""

    work: Callable[[Items, Any], Any]
    rows: Any
    numbers: Sequence[int]
    """of the items that the rows need"""
    places: Sequence[tuple[int, int]]
    """for each of them, which of the bundles it is in, and where there"""
    facts: Facts
    """what a worker has to consist of, see `tumble.cluster.greeting`: one that came later was not asked before"""
    max_pairs: int


class Answer(NamedTuple):
    """What a worker returns."""

    seconds: float
    result: Any


def run_chunk(packet: Packet, *bundles: Sequence[Any]) -> Answer:
    """Do the work for some rows."""
    compare(f"on {platform.node()}", own_facts(), packet.facts)
    limits.max_pairs = max(limits.max_pairs, packet.max_pairs)  # whoever asks counts the pairs of all chunks
    items = {number: bundles[i][k] for number, (i, k) in zip(packet.numbers, packet.places, strict=True)}
    started = time.perf_counter()
    result = packet.work(items, packet.rows)
    return Answer(time.perf_counter() - started, result)


def warm_up(packet: Packet, *bundles: Sequence[Any]) -> bool:
    """Do the work for some rows and forget it: kernels are compiled or loaded, trees and imports are there."""
    run_chunk(packet, *bundles)
    return True
