"""The measures behind the rerun of paper `binary-stack`: the published table, sums, memory, waiting, recorded pairs."""

import numpy as np
import pytest

from tumble.bench.binary_stack import falling
from tumble.bench.binary_stack.accumulated import accumulated, published_series
from tumble.bench.binary_stack.contestants import as_keys, differing
from tumble.bench.binary_stack.memory import bound_1, bound_2, memory_of
from tumble.bench.binary_stack.published import CPU, GPU, published
from tumble.bench.binary_stack.racing import idle_part
from tumble.dynamics import World
from tumble.mesh import shapes, translation


def test_the_published_table():
    """Every 25 steps, as printed; spot checks of rows, and sums that a slip of the pen would change."""
    cpu, gpu = published(CPU), published(GPU)
    assert list(cpu) == list(gpu) == list(range(0, 401, 25))
    assert cpu[200][2:] == (4435, 715, 354258, 17.2423, 8.30944, 0.931657, None, None)
    assert gpu[400][2:] == (4299, 713, 269466, 16.7171, 6.41812, 0.334879, 0.125409, 0.193575)
    assert sum(row.faces for row in cpu.values()) == 4_255_139
    assert sum(row.collision for row in gpu.values()) == pytest.approx(4.981209, abs=1e-6)
    # nothing can take longer than what it is a part of
    for row in (*cpu.values(), *gpu.values()):
        assert row.broad > row.narrow
        assert row.simulation > row.contact + row.collision
        assert row.collision > (row.copy or 0.0) + (row.kernel or 0.0)
    # the paper's sentence: more than twice as fast from step 100 on
    assert all(cpu[step].collision > 2 * gpu[step].collision for step in cpu if step >= 100)


def test_times_are_added_up_step_by_step():
    steps, seconds = [0, 2, 4], [1.0, 3.0, 3.0]
    assert accumulated(steps, seconds).tolist() == [1.0, 6.0, 12.0]
    series = published_series()
    assert series["CPU"][1][-1] > 2 * series["GPU"][1][-1] > 2 * series["GPU, results left there"][1][-1]


def test_the_bounds():
    assert bound_1(2, 10, 12) == 8 * 12
    assert bound_1(4, 5, 5) == 8 * 3 * 5
    assert bound_2(10, 12) == 8 + 22 / 8


def test_memory_of_a_query():
    mesh = shapes.torus(segments=32, sides=16)
    two, eight = memory_of("torus", mesh), memory_of("torus", mesh, children=8)
    assert (two.depth, eight.depth) == (10, 4)
    assert (two.binary, eight.binary) == (16, 16)
    assert two.stack == 8 * (1 + 2 * 10)
    assert eight.stack == 8 * (1 + 7 * 8)
    for one in (two, eight):
        # bound (1) counts one tree's height, a walk goes down in both
        assert one.bound_1 < one.seen <= one.stack
        assert one.bound_2 < one.binary < one.bound_1


@pytest.mark.parametrize(
    ("turns", "expected"),
    [([5] * 8, 0.0), ([8, 0, 0, 0], 0.75), ([8, 8, 0, 0, 2], 1 - 18 / 40), ([], 0.0), ([0, 0], 0.0)],
)
def test_waiting_for_the_longest_of_a_group(turns, expected):
    assert idle_part(np.array(turns, np.int64), group=4) == pytest.approx(expected)


def test_other_triangles_are_noticed_in_any_order():
    pairs = [np.array([[3, 1], [0, 2]]), np.empty((0, 2), np.int64)]
    truth = as_keys([pairs[0][::-1], pairs[1]])
    assert differing(pairs, truth) == 0
    assert differing([pairs[0][:1], pairs[1]], truth) == 1
    assert differing([pairs[0] + 1, pairs[1]], truth) == 1
    assert differing([pairs[0], np.array([[0, 0]])], truth) == 1


def test_recorded_pairs_leave_sleepers_out():
    world = World()
    for number in range(3):
        world.add_body(shapes.box(), translation(0.9 * number, 0.0, 5.0))
    recorder = falling._Recorder(world)
    assert recorder.moment(0).pairs.tolist() == [[0, 1], [1, 2]]
    world._asleep[:2] = True
    moment = recorder.moment(1)
    assert moment.pairs.tolist() == [[1, 2]]
    assert np.array_equal(moment.poses, world.poses())


@pytest.mark.slow
def test_coal_is_raced_on_the_same_poses():
    pytest.importorskip("coal")
    from dataclasses import replace

    from tumble.bench.binary_stack import QUICK
    from tumble.bench.binary_stack.obb_race import BINARY_OBB, COAL, OBB, race_obb
    from tumble.bench.framework.timing import Effort
    from tumble.scenario.objects import shape_duo

    scope = replace(QUICK, obb_poses=3, obb_effort=Effort(0.0, least_rounds=1, most_rounds=1))
    every, first = race_obb(shape_duo("knot", 300), 0.6, scope)
    assert (every.case.query, first.case.query) == ("all pairs", "first all pairs")
    assert set(every.rounds) == set(first.rounds) == {OBB, BINARY_OBB, COAL}
    assert every.answer == first.answer
