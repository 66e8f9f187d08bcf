"""The paper `binary-stack`: goals put to a table made by hand, and the measuring functions."""

from types import SimpleNamespace

import numpy as np
import pytest
from binary_stack_table import QUICK_COLLISION, changed, good_table, with_phases

import tumble
from tumble.bench.framework.goals import MET, MISSED, check_goals
from tumble.bench.framework.goals import UNKNOWN as NOT_REACHED
from tumble.bench.framework.table import PUBLISHED, Table
from tumble.bench.papers.binary_stack import fall
from tumble.bench.papers.binary_stack.claims import GOALS
from tumble.bench.papers.binary_stack.fall import FALL, MADE, SIMULATOR
from tumble.bench.papers.binary_stack.figures import accumulated, published_series
from tumble.bench.papers.binary_stack.memory import (
    MEMORY,
    NODE_SIZES,
    add_node_sizes,
    bound_1,
    bound_2,
    measure_memory,
    numbered_nodes,
)
from tumble.bench.papers.binary_stack.obb_race import COAL, OBB, OBB_RACE
from tumble.bench.papers.binary_stack.published import (
    COUNTS,
    CPU,
    STEPS,
    add_published,
    at_step,
)
from tumble.bench.papers.binary_stack.published import (
    TIMES as PRINTED_TIMES,
)
from tumble.bench.papers.binary_stack.races import (
    BINARY,
    COLLISIONS,
    STACK,
    idle_part,
)
from tumble.dynamics import World
from tumble.hierarchy.layout import ESCAPE, PARENT, RIGHT, RIGHTS
from tumble.mesh import shapes, translation


def goals(table):
    return {goal.name: goal.verdict for goal in check_goals(GOALS, table)}


def with_fast_coal(query):
    return changed(OBB_RACE, f"knot at 0.8, {query}", COAL, f"time / {OBB}", 0.9)


def shorter(steps):
    return Table(row for row in changed(FALL, "cow", "", "steps", steps).rows() if (row.round or 0) < steps)


def without(*quantities):
    """The good table as older runs have it."""
    return Table(row for row in good_table().rows() if row.quantity not in quantities)


def test_nothing_measured_reaches_no_goal():
    assert set(goals(Table()).values()) == {NOT_REACHED}


def test_a_good_table_meets_the_goals():
    assert set(goals(with_phases(QUICK_COLLISION)).values()) == {MET}


@pytest.mark.parametrize(
    ("name", "table", "expected"),
    [
        ("512 cows, 400 steps", with_phases(QUICK_COLLISION, seconds=2.0), MISSED),
        ("512 cows, 400 steps", changed(FALL, "cow", "", "real", False), NOT_REACHED),
        ("512 cows, 400 steps", changed(FALL, "cow", "", "bodies", 511), NOT_REACHED),
        ("512 cows, 400 steps", shorter(STEPS), NOT_REACHED),
        ("collision detection", good_table(), MISSED),
        ("none tunnels", changed(FALL, "cow", SIMULATOR, "lowest", -0.11, 7), MISSED),
        ("none explodes", changed(FALL, "cow", SIMULATOR, "fastest", 13.0, 7), MISSED),
        ("none melts", changed(FALL, "cow", SIMULATOR, "deepest", 0.11, 7), MISSED),
        ("none melts", changed(FALL, "cow", "", "deepest at rest", 0.006), MISSED),
        ("none melts", without("deepest"), NOT_REACHED),
        ("no energy from nowhere", changed(FALL, "cow", SIMULATOR, MADE, 2e-7, 7), MISSED),
        ("no energy from nowhere", changed(FALL, "cow", SIMULATOR, MADE, 2e-7, 0), MISSED),
        ("no energy from nowhere", changed(FALL, "cow", SIMULATOR, MADE, 5e-8, 7), MET),
        ("no energy from nowhere", without(MADE), NOT_REACHED),
        ("all come to rest", changed(FALL, "cow", "", "asleep", 511), MISSED),
        ("all come to rest", changed(FALL, "cow", "", "lowest at rest", -0.003), MISSED),
        ("OBB tree beside Coal's, all pairs", with_fast_coal("all pairs"), MISSED),
        ("OBB tree beside Coal's, first hit", with_fast_coal("first hit"), MISSED),
        ("answers", changed(COLLISIONS, at_step(0), BINARY, "wrong answers", 1), MISSED),
    ],
)
def test_missed_goals(name, table, expected):
    assert goals(table)[name] == expected


def test_the_published_table():
    """Every 25 steps, as printed; spot checks of rows, and sums that a slip of the pen would change."""
    paper = good_table().study(PUBLISHED)
    assert [paper.count(case, "", "step") for case in paper.cases(CPU, "GPU")] == list(range(0, 401, 25))

    def row(step, processor):
        names = [name for name in (*COUNTS, *PRINTED_TIMES) if paper.has(at_step(step), processor, name)]
        return [paper.value(at_step(step), processor, name) for name in names]

    assert row(200, CPU) == [4435, 715, 354258, 17.2423, 8.30944, 0.931657]
    assert row(400, "GPU") == [4299, 713, 269466, 16.7171, 6.41812, 0.334879, 0.125409, 0.193575]
    assert sum(paper.count(case, CPU, "faces") for case in paper.cases()) == 4_255_139
    assert sum(paper.value(case, "GPU", "collision") for case in paper.cases()) == pytest.approx(4.981209, abs=1e-6)
    # nothing can take longer than what it is a part of
    for step in range(0, 401, 25):
        for processor in (CPU, "GPU"):
            broad, narrow, _, simulation, contact, collision, *moved = row(step, processor)
            assert broad > narrow
            assert simulation > contact + collision
            assert collision > sum(moved)
        # the paper's sentence: more than twice as fast from step 100 on
        assert step < 100 or row(step, CPU)[5] > 2 * row(step, "GPU")[5]


def test_times_are_added_up_step_by_step():
    assert accumulated([0, 2, 4], [1.0, 3.0, 3.0]).tolist() == [1.0, 6.0, 12.0]
    table = Table()
    add_published(table)
    series = published_series(table)
    assert series["CPU"][1][-1] > 2 * series["GPU"][1][-1] > 2 * series["GPU, results left there"][1][-1]


def test_the_bounds():
    assert bound_1(2, 10, 12) == 8 * 12
    assert bound_1(4, 5, 5) == 8 * 3 * 5
    assert bound_2(10, 12) == 8 + 22 / 8


def test_memory_of_a_query():
    mesh, study = shapes.torus(segments=32, sides=16), Table().study(MEMORY)
    for children in (2, 8):
        measure_memory(study, "torus", lambda: mesh, children, "median", print)
    two, eight = study.cases()
    assert [study.value(case, "", "height") for case in (two, eight)] == [10, 4]
    assert [study.value(case, BINARY, "given") for case in (two, eight)] == [16, 16]
    assert [study.value(case, STACK, "given") for case in (two, eight)] == [8 * (1 + 2 * 10), 8 * (1 + 7 * 8)]
    for case in (two, eight):
        bound, in_use, given = (study.value(case, STACK, name) for name in ("bound", "in use", "given"))
        # bound (1) counts one tree's height, a walk goes down in both
        assert bound < in_use <= given
        assert study.value(case, BINARY, "bound") < study.value(case, BINARY, "given") < bound
        height = study.value(case, "", "height")
        assert height < study.value(case, BINARY, "bits in use") <= 2 * height
        assert study.value(case, "", "numbered") == study.value(case, "", "nodes")


def test_a_tree_that_is_numbered_otherwise_is_found():
    tree = tumble.build(shapes.icosphere(1), "aabb", leaf_size=1)
    assert numbered_nodes(tree) == len(tree)
    nodes = tree.postorder.layout.nodes
    for column in (ESCAPE, PARENT, RIGHTS):
        spoilt = nodes.copy()
        spoilt[np.flatnonzero(nodes[:, RIGHT])[-1], column] += 1
        other = SimpleNamespace(postorder=SimpleNamespace(layout=SimpleNamespace(nodes=spoilt)))
        assert numbered_nodes(other) < len(tree)


def test_sizes_of_nodes():
    study = Table().study(NODE_SIZES)
    add_node_sizes(study, shapes.box(), "crate", print)
    names = study.contestants("crate")
    assert [study.count("crate", name, "link bytes") for name in names] == [8, 12, 16, 32]
    assert study.count("crate", "", "walks") == study.count("crate", "", "walks alike") == 2
    assert study.count("crate", "", "visited") > 1000
    assert [study.count("crate", name, "box bytes") for name in names] == [60, 60, 64, 120]
    assert study.count("crate", "", "nodes") == 23


@pytest.mark.parametrize(
    ("turns", "expected"),
    [([5] * 8, 0.0), ([8, 0, 0, 0], 0.75), ([8, 8, 0, 0, 2], 1 - 18 / 40), ([], 0.0), ([0, 0], 0.0)],
)
def test_waiting_for_the_longest_of_a_group(turns, expected):
    assert idle_part(np.array(turns, np.int64), group=4) == pytest.approx(expected)


def test_recorded_pairs_leave_sleepers_out():
    world = World()
    for number in range(3):
        world.add_body(shapes.box(), translation(0.9 * number, 0.0, 5.0))
    recorder = fall._Recorder(world)
    assert recorder.moment(0).pairs.tolist() == [[0, 1], [1, 2]]
    world.state.asleep[:2] = True
    moment = recorder.moment(1)
    assert moment.pairs.tolist() == [[1, 2]]
    assert np.array_equal(moment.poses, world.poses_ahead())
