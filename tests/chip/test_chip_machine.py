"""The machine as a whole: its numbers, its order of units, its trace."""

import itertools
from fractions import Fraction

import numpy as np
import pytest
from chip_cases import POSE, setup_of, started
from hypothesis import given, settings
from hypothesis import strategies as st

import forest
import tumble
from covering import crossed, sized
from tumble import chip, scenario
from tumble.chip.comparators import ListEntry, overlap, unpacked
from tumble.chip.dotadd import dotadd, single
from tumble.volume.kdop.directions import DIRECTIONS

FLOATS = st.floats(width=32, allow_nan=False, allow_infinity=False)


@given(FLOATS, FLOATS)
@settings(max_examples=3 * settings().max_examples)
def test_operations_are_those_of_float32(x, y):
    with np.errstate(over="ignore", under="ignore"):
        assert single(x * y) == np.float32(x) * np.float32(y)
        assert single(x + y) == np.float32(x) + np.float32(y)


@given(st.tuples(*[st.floats(-(2**40), 2**40, width=32)] * 4), st.tuples(*[st.floats(-(2**40), 2**40, width=32)] * 3))
def test_dotadd_rounds_every_operation(line, point):
    a, b, c, d = map(np.float32, line)
    x, y, z = map(np.float32, point)
    with np.errstate(over="ignore", under="ignore"):
        assert dotadd(line, *point) == ((a * x + b * y) + c * z) + d


def test_dops_that_share_a_side_overlap():
    assert overlap([0, 0, 0, 1, 1, 1], [1, 1, 1, 2, 2, 2], 3)
    assert overlap([1, 1, 1, 2, 2, 2], [0, 0, 0, 1, 1, 1], 3)
    for low, high in itertools.product(range(3), (False, True)):
        other = [0.5] * 3 + [0.6] * 3
        other[low] = other[3 + low] = 1.5 if high else -0.5
        assert not overlap([0, 0, 0, 1, 1, 1], other, 3)
    assert overlap([float("nan")] * 6, [1, 1, 1, 2, 2, 2], 3)


@given(st.integers(0, 2**32 - 1), st.sampled_from([6, 14, 18, 24, 26]), st.sampled_from([1e-3, 1.0, 1e6]))
@settings(max_examples=40)
def test_moved_dops_contain_the_posed_vertices(seed, k, scale):
    """Judged with rational numbers: whatever is rounded on the way, a posed vertex stays inside."""
    rng = np.random.default_rng(seed)
    mesh = tumble.Mesh(rng.normal(size=(6, 3)) * scale, [[0, 1, 2], [3, 4, 5]])
    pose = tumble.mesh.random_pose(rng, 10.0 * scale)
    image = chip.load(mesh, k)
    setup = setup_of([image, image], None, pose, chip.Design(k=k))
    dop = image.node(0).dop
    moved = [dotadd(setup.lines[i], *(dop[place] for place in setup.places[i])) for i in range(k)]
    posed = tumble.mesh.apply_pose(tumble.mesh.as_pose(pose), mesh.vertices)
    for i, direction in enumerate(DIRECTIONS[k].astype(int).tolist()):
        heights = [sum(n * Fraction(x) for n, x in zip(direction, point, strict=True)) for point in posed.tolist()]
        assert Fraction(moved[i]) <= min(heights)
        assert max(heights) <= Fraction(moved[k // 2 + i])
        assert moved[k // 2 + i] - moved[i] <= 20 * scale  # and is not thrown away either


@given(st.integers(0, 2**24 - 1), st.integers(1, 3), st.integers(0, 255))
def test_an_entry_is_a_word_of_36_bits(pair, aligned, tumbled):
    entry = ListEntry(256 * pair, aligned, tumbled)
    assert unpacked(entry.packed()) == entry
    assert 0 <= entry.packed() < 2**36


@sized(15, 40)
@pytest.mark.parametrize("tumbled", [1, 2, 4])
def test_the_order_of_units_makes_no_difference(tumbled, count):
    a, b, design = forest.soup(1, count), forest.soup(2, count), chip.Design(tumbled=tumbled)
    seen = set()
    for seed in range(3):
        machine = started(a, b, None, POSE, design)
        rng = np.random.default_rng(seed)
        while not machine.done:
            rng.shuffle(machine.units)
            machine.tick()
        seen.add((machine.now, tuple(machine.answers), machine.sdram.bytes_read))
    assert len(seen) == 1


@pytest.mark.parametrize("subdivisions", [1, pytest.param(2, marks=pytest.mark.slow)])
def test_what_is_done_leaves_the_sram(subdivisions):
    """The lists of a query are many times longer than what waits at once."""
    mesh = tumble.shapes.icosphere(subdivisions)
    machine = started(mesh, mesh, None, POSE)
    most = appended = 0
    while not machine.done:
        before = sum(machine.stack.tops)
        machine.tick()
        appended += max(0, sum(machine.stack.tops) - before)
        most = max(most, sum(machine.stack.tops))
    assert appended > 5 * most
    result = chip.run(mesh, mesh, None, POSE, design=chip.Design(sram_words=most))
    assert result.cycles == machine.now
    with pytest.raises(tumble.OptionError, match="sram_words"):
        chip.run(mesh, mesh, None, POSE, design=chip.Design(sram_words=most - 1))


@pytest.mark.parametrize(
    ("tumbled", "room", "count"),
    [
        (1, 2, 22),
        (8, 16, 22),
        *(pytest.param(*each, 40, marks=pytest.mark.slow) for each in ((1, 2), (8, 16), (2, 32), (2, 4), (4, 8))),
    ],
)
def test_leaf_pairs_never_outgrow_their_queue(tumbled, room, count):
    mesh = forest.soup(5, count, 0.3)
    machine = started(mesh, mesh, None, None, chip.Design(tumbled=tumbled, triangle_queue=room))
    most = 0
    while not machine.done:
        machine.tick()
        most = max(most, len(machine.stack.waiting_pairs) + len(machine.ports.leaf_pairs))
    assert room / 2 < most <= room
    assert machine.stack.leaf_pairs_found > 4 * room


DEEP_PIPELINE = {"buffer_pairs": 1024, "cas": 1000, "ras_cas": 1, "precharge": 1, "banks": 1024, "bus_bits": 1024}


SLOW_TWO = pytest.param(2, marks=pytest.mark.slow)
MEASURES = {"k = 6": {"k": 6}, "k = 24": {"k": 24}, "deep": {"k": 6, "triangle_queue": 1 << 16, **DEEP_PIPELINE}}


@pytest.mark.parametrize("subdivisions", [0, *(pytest.param(k, marks=pytest.mark.slow) for k in (1, 2, 3))])
@crossed(1, measures=["k = 6", "deep", pytest.param("k = 24", marks=pytest.mark.slow)], tumbled=[8, 1, SLOW_TWO])
def test_levels_that_suffice_for_the_trees_suffice_for_what_waits(tumbled, measures, subdivisions):
    """One leaf through the whole of a tree: however many reads are under way, the small stack does not overflow."""
    measures, a = MEASURES[measures], tumble.shapes.icosphere(subdivisions)
    b = tumble.Mesh([[-2.0, -2.0, -2.0], [2.0, -2.0, 2.0], [0.0, 3.0, 0.5]], [[0, 1, 2]])
    image = chip.load(a, measures["k"])
    design = chip.Design(levels=image.depth + 1, tumbled=tumbled, triangle_unit=False, **measures)
    machine, most = started(image, b, design=design), 0
    while not machine.done:
        machine.tick()
        most = max(most, len(machine.stack.again))
    assert image.depth / 2 < most <= 2 * design.levels
    assert len(machine.answers) > 6 * 4**subdivisions / 4
    np.testing.assert_array_equal(chip.run(image, b, design=design).pairs, tumble.collide(a, b).pairs)


def test_the_trace_has_a_line_for_every_cycle():
    lines = []
    mesh = forest.soup(3, 20)
    result = chip.run(mesh, mesh, None, POSE, trace=lines.append)
    header, *rest = lines
    assert len(rest) == result.cycles
    assert [int(line.split("|")[0]) for line in rest] == list(range(result.cycles))
    bars = [i for i, letter in enumerate(header) if letter == "|"]
    for line in rest:
        assert len(line) == len(header)
        assert [i for i, letter in enumerate(line) if letter == "|"] == bars
    assert chip.run(mesh, mesh, None, POSE).cycles == result.cycles


def test_what_a_run_says_about_itself():
    mesh = tumble.shapes.icosphere(1)
    seen = []
    result = chip.run(mesh, mesh, None, POSE, progress=lambda *state: seen.append(state))
    assert len(seen) > 1
    assert seen == sorted(seen)
    assert [cycles for cycles, _ in seen] == list(range(10_000, result.cycles + 1, 10_000))
    assert all(0 <= share <= 1 for share in result.utilisation.values())
    assert result.bottleneck == "triangle unit"
    assert result.busy["triangle unit"] == max(result.busy.values())
    assert result.bus_bytes == 256 * result.busy["memory bus"] // 8
    assert result.bus_bytes >= 128 * (result.aligned_nodes + result.tumbled_nodes)
    assert result.busy["comparators"] == result.aligned_nodes
    assert sum(result.waits.values()) <= result.cycles
    assert result.intervals
    for unit, start, stop, what in result.intervals:
        assert unit in result.busy
        assert 0 <= start < stop <= result.cycles
        assert what
    assert "cycles" in repr(result)
    assert len(result) == len(result.pairs)


def test_the_bottleneck_moves():
    busiest = {}
    for name in ("different-sizes", "small-proximity-3"):
        scene = scenario.pair_scene(name)
        busiest[name] = chip.run(scene.mesh_a, scene.mesh_b, scene.pose_a, scene.pose_b).bottleneck
    assert busiest == {"different-sizes": "SDRAM", "small-proximity-3": "DOP registers"}  # long lists, short lists


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("k", 10), ("k", 24.0), ("tumbled", 3), ("tumbled", 16), ("tumbled", 0), ("bus_bits", 100), ("bus_bits", 2048),
        ("banks", 3), ("banks", 0), ("cas", -1), ("triangle_unit", 1), ("clock_ns", 0), ("clock_ns", "fast"),
        ("buffer_pairs", 0), ("dotadd_stages", 1), ("triangle_queue", 3), ("levels", True), ("clock_ns", float("nan")),
    ],
)  # fmt: skip
def test_designs_that_cannot_be_built(name, value):
    with pytest.raises(tumble.OptionError, match=rf"Design\({name}="):
        chip.Design(**{name: value})


@pytest.mark.process
def test_import_tumble_does_not_load_the_chip():
    import subprocess
    import sys

    code = "import sys, tumble; sys.exit('tumble.chip' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
