"""`tumble bench growth`: fits on made-up curves, questions at small sizes, processes that fail, and the page."""

import json
import math
import subprocess

import numpy as np
import pytest
from fake_peers import FakePeer

from tumble.bench.framework.goals import check_goals
from tumble.bench.framework.machine import describe_machine
from tumble.bench.framework.page import Page
from tumble.bench.framework.run import render, run_benchmark
from tumble.bench.framework.table import Table
from tumble.bench.growth import BENCHMARK, measure, questions
from tumble.bench.growth.fit import LARGER, bytes_each, curve, exponent
from tumble.bench.growth.goals import GOALS, MOST_MEMORY, duration
from tumble.bench.growth.measure import FULL, QUICK, Sizes, ask_elsewhere, sizes_of, write
from tumble.bench.growth.once import LEAST, Once
from tumble.bench.growth.once import measure as measure_once
from tumble.bench.growth.page import exponents, exponents_of_large_scenes, exponents_of_scenes, measured_values, short
from tumble.bench.growth.questions import BODIES, IN_ALL, QUESTIONS, TRIANGLES
from tumble.bench.peers.ours import OURS
from tumble.errors import TumbleError
from tumble.report import Document

NAMES = [question.name for question in QUESTIONS]
QUICKLY_COMPILED = ("build", "first hit", "all pairs")
WITH_ANSWERS = ("all pairs", "clearance", "scene, all move", "scene, one in 100 moves", "scene of 100 large meshes")
"""what holds more the larger it is; a torus does not cross itself"""


def question(name):
    (found,) = (each for each in QUESTIONS if each.name == name)
    return found


def table_of(powers=None, largest=20_000_000, crowd=100_000, peak=lambda size: 1e8 + 100.0 * size):
    """A table in which the time of a question grows like a power of the size."""
    table, sizes = Table(), Sizes(largest=largest, crowd=crowd)
    table.study("run").add_values("machine", "", describe_machine())
    for each in QUESTIONS:
        power = (powers or {}).get(each.name, 0.2 if each.size == TRIANGLES else 1.0)
        for contestant in (OURS, *each.peers):
            for size in sizes_of(sizes, each, contestant):
                seconds = 1e-6 * size**power
                found = Once([0.9 * seconds, seconds, 1.2 * seconds], int(size**0.5), peak(size))
                write(table.study(each.name), each, contestant, size, found)
    return table


def verdicts(table):
    return {goal.name: goal.verdict for goal in check_goals(GOALS, table)}


@pytest.mark.parametrize("power", [0.0, 0.5, 1.0, 2.0])
def test_the_exponent_of_a_power_law_is_found(power):
    sizes = [1e3, 4e3, 16e3, 64e3, 256e3]
    assert exponent(sizes, [3.0 * size**power for size in sizes]) == pytest.approx(power, abs=1e-12)


def test_small_sizes_do_not_count_and_two_are_too_few():
    sizes = [1e3, 1e5, 4e5, 1e6]
    assert sizes[0] * LARGER < sizes[-1]
    assert exponent(sizes, [1e9, *(2.0 * size for size in sizes[1:])]) == pytest.approx(1.0)
    assert math.isnan(exponent([1e5, 1e6], [1.0, 2.0]))
    assert math.isnan(exponent(sizes, [0.0, 0.0, 1.0, 2.0]))


def test_bytes_are_the_growth_between_the_two_largest():
    study = table_of().study("build")
    assert bytes_each(study, OURS) == pytest.approx(100.0)
    assert curve(study, OURS)[0] == sorted([*FULL.triangles, FULL.largest])


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.slow] * (name not in QUICKLY_COMPILED)) for name in NAMES]
)
def test_every_question_is_answered(name):
    size = {TRIANGLES: 400, BODIES: 27, IN_ALL: 40_000}[question(name).size]
    found = measure_once(OURS, name, size, 0.001)
    assert len(found.seconds) >= LEAST
    assert min(found.seconds) > 0.0
    assert found.peak is None or 1e7 < found.peak < 1e10
    assert (found.answer > 0) is (name in WITH_ANSWERS)


@pytest.mark.parametrize("name", ["build", "first hit", "all pairs", "distance"])
def test_other_libraries_are_asked_the_same(monkeypatch, name):
    monkeypatch.setitem(questions.MAKERS, "fcl", FakePeer)
    found, ask = questions.asked("fcl", name, 400)
    _, ours = questions.asked(OURS, name, 400)
    answer, own = ask(), ours()
    if name == "first hit":
        assert [own] == answer
        assert own is True
    if name == "all pairs":
        np.testing.assert_array_equal(own.pairs, answer[0])
        assert found.answer(own) == len(own.pairs) > 0
    if name == "distance":
        assert own.distance == answer[0] > 0.0


def test_scenes_touch_a_little_and_move():
    ask = question("scene, all move").prepare(64)
    first, second = ask(), ask()
    assert 0 < len(first) < 3 * 64
    assert [len(each.pairs) for each in first] != [len(each.pairs) for each in second]


def test_sizes_end_where_questions_do():
    for sizes in (FULL, QUICK):
        for each in QUESTIONS:
            for contestant in each.peers:
                assert max(sizes_of(sizes, each, contestant)) <= sizes.of_peers
    assert max(sizes_of(FULL, question("clearance"), OURS)) == question("clearance").most
    assert FULL.largest in sizes_of(FULL, question("build"), OURS)
    assert FULL.largest not in sizes_of(FULL, question("self-collision"), OURS)
    assert max(sizes_of(FULL, question("scene of 100 large meshes"), OURS)) == 100_000_000
    assert FULL.crowd in sizes_of(FULL, question("scene, one in 100 moves"), OURS)


def process(monkeypatch, code, out="", err=""):
    def run(command, **_):
        if code is None:
            raise subprocess.TimeoutExpired(command, 1.0)
        return subprocess.CompletedProcess(command, code, out, err)

    monkeypatch.setattr(measure.subprocess, "run", run)


def test_what_a_process_says_is_read(monkeypatch):
    process(monkeypatch, 0, json.dumps(Once([1.0, 2.0, 3.0], 7, 1e8)._asdict()))
    assert ask_elsewhere(OURS, "build", 1000, 0.1, Table()) == Once([1.0, 2.0, 3.0], 7, 1e8)


@pytest.mark.parametrize(
    "code, err, note",
    [
        (1, "Traceback\nModuleNotFoundError: No module named 'fcl'\n", "ModuleNotFoundError: No module named 'fcl'"),
        (-9, "", "it ended with -9 and no message"),
        (None, "", "did not answer “build” at 1,000 within"),
    ],
)
def test_a_library_that_does_not_answer_is_named(monkeypatch, code, err, note):
    process(monkeypatch, code, err=err)
    table = Table()
    assert ask_elsewhere("fcl", "build", 1000, 0.1, table) is None
    assert note in table.notes[0]


def test_an_error_of_our_own_is_one(monkeypatch):
    process(monkeypatch, 1, err="LimitError: too many pairs\n")
    with pytest.raises(TumbleError, match="'build' at 1,000 failed: LimitError: too many pairs"):
        ask_elsewhere(OURS, "build", 1000, 0.1, Table())


def test_goals_are_met_and_can_be_missed():
    assert set(verdicts(table_of()).values()) == {"met"}
    assert set(verdicts(Table()).values()) == {"not measured"}
    assert verdicts(table_of(largest=2_000_000))["a mesh of 20 million triangles"] == "missed"
    large = table_of(peak=lambda size: 2 * MOST_MEMORY if size >= 100_000 else 1e8)
    assert verdicts(large)["a mesh of 20 million triangles"] == "missed"
    assert verdicts(table_of(crowd=70_000))["a scene of 100 000 bodies, of which 1 000 move"] == "missed"
    limits = {"build": 1.1, "first hit": 0.3, "all pairs": 0.7, "distance": 0.3, "scene, all move": 1.2}
    for name, most in limits.items():
        lost = {goal for goal, verdict in verdicts(table_of({name: most + 0.01})).items() if verdict == "missed"}
        assert len(lost) == 1
        assert not {goal for goal, word in verdicts(table_of({name: most - 0.01})).items() if word == "missed"}


def test_the_page_shows_all_that_is_in_the_table(tmp_path):
    table = table_of()
    table.write(tmp_path / "results.csv")
    result = render(BENCHMARK, tmp_path / "results.csv", tmp_path / "page")
    assert result["ok"]
    text = (tmp_path / "page" / "index.md").read_text("utf-8")
    assert all(name in text for name in NAMES)
    assert {"times.svg", "memory.svg"} <= {path.name for path in (tmp_path / "page").iterdir()}
    page = Page(Document(""), table, tmp_path)
    rows = [*exponents(page), *exponents_of_scenes(page), *exponents_of_large_scenes(page)]
    assert len(rows) == sum(1 + len(each.peers) for each in QUESTIONS)
    assert rows[0][:3] == ["build", OURS, "0.20"]
    assert len(measured_values(page)) == sum(
        len(sizes_of(FULL, each, contestant)) for each in QUESTIONS for contestant in (OURS, *each.peers)
    )


def test_where_memory_is_not_known_the_page_says_so(tmp_path):
    table = table_of(peak=lambda size: None)
    table.write(tmp_path / "results.csv")
    render(BENCHMARK, tmp_path / "results.csv", tmp_path)
    assert not (tmp_path / "memory.svg").exists()
    assert set(verdicts(table).values()) == {"met"}


def test_numbers_on_the_page():
    assert [short(value) for value in (1e7, 1e4, 10.0, 0.01)] == ["10M", "10k", "10", "0.01"]
    assert [duration(value) for value in (2.0, 0.0123, 4.5e-6)] == ["2.00 s", "12.3 ms", "4.50 µs"]


@pytest.mark.slow
@pytest.mark.process
def test_a_whole_run(tmp_path):
    tiny = Sizes((100, 200, 400), 800, (8, 27, 64), 125, (200, 400), 200, 0.001)
    result = run_benchmark(BENCHMARK, tmp_path, sizes=tiny)
    assert result["ok"]
    table = Table.read(tmp_path / "results.csv")
    assert all(table.study(name) for name in NAMES)
