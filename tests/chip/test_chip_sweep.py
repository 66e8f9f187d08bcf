"""The sweep over designs: every knob around the design that it starts from, and what the runs say."""

from dataclasses import replace

import pytest

from tumble.chip import Design
from tumble.chip.sweep import KNOBS, designs, sweep
from tumble.mesh import compose, rotation, shapes, translation

POSE = compose(translation(0.7, 0.2, 0.1), rotation("z", 0.4), rotation("x", 0.3))


def settings(base, name):
    return {label: design for knob, label, design in designs(base) if knob.name == name}


def test_every_knob_meets_the_base():
    base = Design()
    for knob in KNOBS:
        assert list(settings(base, knob.name).values()).count(base) == 1


def test_settings_that_cannot_be_built_are_left_out():
    assert [design.tumbled for design in settings(Design(triangle_queue=4), "tumbled").values()] == [1, 2]
    assert list(settings(Design(clock_ns=1e6), "clock")) == ["as given"]


def test_one_measure_changes_at_a_time():
    for _, design in settings(Design(), "bus").items():
        assert replace(design, bus_bits=256) == Design()
    for _, design in settings(Design(), "memory").items():
        assert replace(design, precharge=2, ras_cas=2, cas=2) == Design()
    assert [design.k for design in settings(Design(), "k").values()] == [6, 14, 18, 24, 26]
    assert [design.tumbled for design in settings(Design(), "tumbled").values()] == [1, 2, 4, 8]


def test_a_faster_clock_keeps_the_nanoseconds_of_the_memory():
    clocks = settings(Design(), "clock")
    assert {label: design.cas for label, design in clocks.items()} == {
        "133 MHz": 1, "266 MHz": 2, "400 MHz": 3, "533 MHz": 4, "800 MHz": 6,
    }  # fmt: skip
    for design in clocks.values():
        assert 2 * design.clock_ns * design.cas == pytest.approx(15.04, rel=0.01)


def test_a_base_that_is_no_usual_setting_is_shown_as_it_was_given():
    base = Design(bus_bits=1024)
    assert settings(base, "bus")["as given"] is base
    assert len(settings(base, "bus")) == 5
    assert all(design.bus_bits == 1024 for design in settings(base, "banks").values())


SMALL, LARGE = (3, 3, shapes.box(0.8), {"bus": 2, "k": 3}), (8, 6, None, {})
"""a torus and what it meets, or itself, and of which knobs only every second or third setting is taken"""


@pytest.fixture(scope="module", params=[SMALL, pytest.param(LARGE, marks=pytest.mark.slow)], ids=["small", "large"])
def swept(request):
    segments, sides, other, steps_of = request.param
    mesh, steps = shapes.torus(segments=segments, sides=sides), []
    chosen = [knob for knob in KNOBS if knob.name in ("bus", "k", "triangles", "tumbled", "leaves")]
    knobs = [replace(knob, settings=knob.settings[:: steps_of.get(knob.name, 1)]) for knob in chosen]
    return sweep(mesh, other or mesh, pose_b=POSE, knobs=knobs, progress=lambda *step: steps.append(step)), steps


def test_the_answer_depends_on_no_design(swept):
    points, _ = swept
    answers = {tuple(map(tuple, point.run.pairs.tolist())) for point in points}
    assert len(answers) == 1
    assert answers.pop()


def test_a_wider_bus_is_never_slower(swept):
    points, _ = swept
    cycles = [point.run.cycles for point in points if point.knob == "bus"]
    assert cycles == sorted(cycles, reverse=True)
    times = [point.equation_seconds for point in points if point.knob == "bus"]
    assert times == sorted(times, reverse=True)


def test_what_does_not_change_the_work_reads_the_same(swept):
    points, _ = swept
    read = {(point.run.aligned_nodes, point.run.lists) for point in points if point.knob in ("bus", "triangles")}
    assert len(read) == 1


def test_more_tumbled_nodes_at_once_share_their_lists(swept):
    points, _ = swept
    reads = [point.run.aligned_nodes for point in points if point.knob == "tumbled"]
    assert reads == sorted(reads, reverse=True)
    assert reads[0] > reads[-1]


def test_equal_designs_run_once_and_progress_is_told(swept):
    points, steps = swept
    bases = [point.run for point in points if point.is_base]
    assert len(bases) == 5
    assert all(run is bases[0] for run in bases)
    assert len(steps) == len(points)
    assert steps[0][:2] == (0, len(points))
