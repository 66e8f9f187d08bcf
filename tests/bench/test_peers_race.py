"""The race itself and the comparison of answers; no assertion depends on a clock."""

import gc

import numpy as np
import pytest

from tumble.bench.framework import timing as racing
from tumble.bench.framework.timing import CONTEXT_ROUNDS, Effort, race
from tumble.bench.peers.agreement import compare_crowds, compare_hits, compare_pairs
from tumble.bench.peers.contract import Touching
from tumble.bench.peers.records import Case

CASE = Case("all-pairs", "a case", "thing", 12, 2)


@pytest.fixture
def costs(monkeypatch):
    """Fixed costs instead of measured ones."""
    table = {}
    monkeypatch.setattr(racing, "_cost", lambda run: table[run])
    return table


def test_everyone_runs_in_turn_and_context_drops_out(costs):
    calls = []
    contestants = {name: lambda name=name: calls.append((name, gc.isenabled())) for name in ("us", "them", "vtk")}
    costs.update(dict.fromkeys(contestants.values(), 1.0))
    rounds = race(contestants, Effort(seconds=12.0, least_rounds=2), context=["vtk"])
    together = [("us", False), ("them", False), ("vtk", False)]
    assert calls == together * CONTEXT_ROUNDS + together[:2] * 3
    assert {name: len(values) for name, values in rounds.items()} == {"us": 6, "them": 6, "vtk": CONTEXT_ROUNDS}
    assert gc.isenabled()


def test_rounds_stay_within_bounds_and_short_runs_are_repeated(costs):
    calls = []
    contestants = {"quick": lambda: calls.append("quick"), "slow": lambda: calls.append("slow")}
    costs.update({contestants["quick"]: 100e-6, contestants["slow"]: 1e9})
    rounds = race(contestants, Effort(seconds=1.0, least_rounds=4))
    assert len(rounds["slow"]) == 4
    assert (calls.count("quick"), calls.count("slow")) == (12, 4)
    costs[contestants["slow"]] = 1e-3
    assert len(race(contestants, Effort(seconds=1e9, most_rounds=7))["slow"]) == 7


def test_the_collector_is_back_after_an_error(costs):
    contestants = {"broken": lambda: 1 / 0}
    costs.update(dict.fromkeys(contestants.values(), 1.0))
    with pytest.raises(ZeroDivisionError):
        race(contestants, Effort(1.0))
    assert gc.isenabled()


def test_hits_that_differ():
    found = compare_hits(CASE, "fcl", [True, True, False, False, True], np.array([True, False, True, False, False]))
    assert (found.peer, found.case, found.asked, found.differ, found.missing, found.extra) == (
        "fcl", "a case", 5, 3, 2, 1,
    )  # fmt: skip


def test_pairs_that_differ_whatever_their_order():
    ours = [np.array([[0, 1], [2, 3]]), np.array([[5, 5]]), np.empty((0, 2), np.int64)]
    same = [np.array([[2, 3], [0, 1], [2, 3]]), np.array([[5, 5]]), np.empty((0, 2), np.int64)]
    other = [np.array([[3, 2], [0, 1]]), np.array([[5, 5]]), np.array([[7, 7]])]
    assert compare_pairs(CASE, "fcl", ours, same).differ == 0
    found = compare_pairs(CASE, "fcl", ours, other)
    assert (found.asked, found.differ, found.missing, found.extra) == (3, 2, 1, 2)


def test_crowds_that_differ():
    ours = [Touching({(0, 1)}, 5), Touching({(0, 1)}, 5), Touching({(0, 1)}, 5)]
    theirs = [Touching(None, 5), Touching({(0, 2)}, 5), Touching(None, 8)]
    found = compare_crowds(CASE, "fcl", ours, theirs)
    assert (found.asked, found.differ, found.missing, found.extra) == (3, 2, 0, 3)
