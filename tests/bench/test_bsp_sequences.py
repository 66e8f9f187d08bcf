"""Trees of the paper `bsp` that follow a sequence of frames, rebuilt or refitted, on the CPU."""

import numpy as np
import pytest
from bsp_table import results

from tumble.bench.framework.table import Table
from tumble.bench.papers.bsp import scenes, sequences, ways
from tumble.bench.papers.bsp.sequences import SEQUENCES, race_sequence, scene_sequence, sheet_sequence
from tumble.bench.papers.bsp.sheet import CASE, QUERIES, UPDATE
from tumble.bench.papers.bsp.streams import called


def quiet(label, done=0.0):
    """Nothing is shown."""


@pytest.fixture(scope="module")
def crowd():
    return scenes.scenes(None, 400)[0][2]


def test_a_scene_moves_on_through_its_second_frame(crowd):
    assert all(np.array_equal(a, b.vertices) for a, b in zip(crowd.at(0), crowd.before, strict=True))
    assert all(np.allclose(a, b.vertices) for a, b in zip(crowd.at(1), crowd.now, strict=True))
    sequence = scene_sequence(crowd)
    assert len(sequence.frames) == 8
    steps = [
        np.concatenate(one) - np.concatenate(other)
        for one, other in zip(sequence.frames[1:], sequence.frames, strict=False)
    ]
    assert all(np.allclose(step, steps[0]) for step in steps)


def test_both_rules_begin_with_the_first_frame_and_find_the_same(crowd):
    table = Table()
    race_sequence(scene_sequence(crowd), [], 2, table, quiet)
    race_sequence(sheet_sequence(8, 100), [], 2, table, quiet)
    study, rules = table.study(SEQUENCES), [called(ways.CPU, rule) for rule in sequences.RULES]
    assert study.cases() == ["n-body", CASE]
    assert study.count(CASE, "", "frames") == 2
    for case in study.cases():
        assert study.count(case, rules[0], "rounds") == 2
        for rule in rules:
            parts = [study.value(case, rule, what) for what in ("time", UPDATE, QUERIES)]
            assert parts[0] == pytest.approx(parts[1] + parts[2])
    answers = table.study(ways.ANSWERS)
    assert answers.total("same") == 4
    assert {results(table)[name].verdict.word for name in ("rebuilt", "rebuilt-on-sheet")} == {"not decided"}


def test_refitted_trees_keep_the_order_of_the_first_frame():
    sequence = sheet_sequence(8, 100)
    orders = {}
    for rebuild in (False, True):
        follower = sequences.Follower(ways.trees_on(None, sequence.first, padded=False), rebuild)
        sequences._pass({"": follower}, sequence)
        orders[rebuild] = follower.trees.order.copy()
        follower.begin(sequence)
        first = follower.trees.order
    assert np.array_equal(orders[False], first)
    assert not np.array_equal(orders[True], first)


def test_a_pass_that_finds_other_pairs_is_seen(crowd):
    numbers = iter(range(1_000))
    table = Table()
    race_sequence(scene_sequence(crowd)._replace(count=lambda trees: next(numbers) // 30), [], 1, table, quiet)
    assert results(table)["same-answers"].broken
