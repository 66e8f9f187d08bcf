"""The fuzzer itself: every target runs, planted wrong answers are found, crashes and hangs are told by their case."""

import os
import re
import time
from dataclasses import replace
from operator import attrgetter

import numpy as np
import pytest

import tumble
import tumble.robot
from covering import thinned
from fuzz import garbage, signals
from fuzz.__main__ import main
from fuzz.limits import TooLong, memory_limit, streams_kept, time_limit
from fuzz.targets import TARGETS, Target, generator, load

SEEDS = range(1)
SEEDS_FOR_A_FAULT = range(40)


@pytest.mark.parametrize("name", TARGETS)
@pytest.mark.slow  # CI runs the fuzzer itself, with all targets
def test_every_target_runs(name, monkeypatch):
    """In this process, which has most kernels already."""
    monkeypatch.setattr(signals, "SECONDS", 0.2)
    for seed in SEEDS:
        load(TARGETS[name]).case(generator(name, seed))


@pytest.mark.slow
def test_every_target_runs_in_a_worker(tmp_path, capsys):
    ids = tmp_path / "ids"
    ids.write_text("\n".join(f"{name}:{seed}" for name in TARGETS for seed in SEEDS))
    code = main(["--replay", str(ids), "--workers", "1"])
    out = capsys.readouterr().out
    assert code == 0, out
    for name in TARGETS:
        assert re.search(rf"{name} +{len(SEEDS)} +0 ", out)


def test_a_case_is_made_from_target_and_seed_alone():
    draws = [generator("pairs", 7).integers(1 << 60) for _ in range(2)]
    assert draws[0] == draws[1]
    assert len({*draws, generator("rays", 7).integers(1 << 60), generator("pairs", 8).integers(1 << 60)}) == 3


def without_last_pair(ask):
    """Lose a pair where there are two or more."""

    def wrong(*arguments, **options):
        found = ask(*arguments, **options)
        return replace(found, pairs=found.pairs[:-1]) if len(found) > 1 else found

    return wrong


def changed(ask, **fields):
    """Change fields of the record that a function returns."""

    def wrong(*arguments, **options):
        found = ask(*arguments, **options)
        return replace(found, **{name: change(getattr(found, name)) for name, change in fields.items()})

    return wrong


def farther(ask):
    """Make a distance a little larger than it is."""

    def wrong(*arguments, **options):
        found = ask(*arguments, **options)
        return tumble.Nearest(found.distance * (1.0 + 1e-12), found.pair, found.points)

    return wrong


def foreign_error(*arguments, **options):
    raise RuntimeError("planted")


FAULTS = {
    "pairs": ("collide", without_last_pair),
    "engines": ("collide", without_last_pair),
    "bodies": ("collide_all", lambda ask: lambda *a, **o: changed(ask, triangles=lambda x: x[:, ::-1])(*a, **o)),
    "itself": ("self_collide", without_last_pair),
    "contacts": ("collide", lambda ask: with_contacts(ask, lambda of: replace(of, depths=of.depths / 2))),
    "distances": ("distance", farther),
    "clearances": ("clearance", lambda ask: changed(ask, pairs=lambda x: x[:-1])),
    "candidates": ("candidates", lambda ask: changed(ask, edge_edge=lambda x: x if x is None else x[:-1])),
    "impacts": ("edge_edge_impacts", lambda ask: changed(ask, times=lambda x: x + 1e-6)),
    "motions": ("time_of_impact", lambda ask: changed(ask, time=lambda x: min(1.01 * x, 1.0) if x <= 1.0 else x)),
    "overlaps": ("penetration", lambda ask: changed(ask, box=lambda x: np.add(x, [[0.0], [1e-9]]))),
    "rays": ("cast_rays", lambda ask: changed(ask, distances=lambda x: x * 1.0001)),
    "points": ("contains", lambda ask: changed(ask, inside=lambda x: x[::-1])),
    "frusta": ("inside_frustum", lambda ask: lambda *a, **o: ask(*a, **o)[1:]),
    "options": ("collide", without_last_pair),
    "histories": ("translation", lambda ask: lambda x, y, z: ask(x + 1, y, z) if x == 1 else ask(x, y, z)),
    "parts": ("touching_parts", lambda ask: lambda parts: ask(parts)[1:]),
    "solids": ("relation", lambda ask: changed(ask, relation=lambda x: "apart" if x == "touching" else x)),
    "forms": ("Deformable", lambda ask: foreign_error),
    "trees": ("load_tree", lambda ask: foreign_error),
    "threads": ("collide", without_last_pair),
    "files": ("load_parts", lambda ask: lambda path: ask(path)[1:]),
    "robots": ("robot.Robot.poses", lambda ask: lambda *a, **o: ask(*a, **o) * (1.0 + 1e-10)),
    "chip": ("collide", without_last_pair),
}  # fmt: skip


def with_contacts(ask, change):
    """Change the contacts of an answer that has any."""

    def wrong(*arguments, **options):
        found = ask(*arguments, **options)
        return found if found.contacts is None else replace(found, contacts=change(found.contacts))

    return wrong


@pytest.mark.parametrize("name", thinned(FAULTS, 2))
def test_a_planted_fault_is_found(name, monkeypatch):
    attribute, plant = FAULTS[name]
    monkeypatch.setattr(f"tumble.{attribute}", plant(attrgetter(attribute)(tumble)))
    with pytest.raises((AssertionError, RuntimeError, IndexError)):
        run_many(name)


def test_a_foreign_error_is_found(monkeypatch):
    monkeypatch.setattr(garbage, "CALLS", {"planted": (foreign_error, {"argument": 1})})
    with pytest.raises(RuntimeError, match="planted"):
        run_many("garbage")


def test_an_answer_that_an_interrupt_changed_is_found(monkeypatch):
    answer = [b"right"]

    def forgetful():
        answer_before, answer[0] = answer[0], b"half done"
        time.sleep(0.01)
        answer[0] = answer_before
        return answer[0]

    monkeypatch.setattr(signals, "GROUPS", {"planted": lambda: {"forgetful": forgetful}})
    with pytest.raises(AssertionError, match="forgetful answers otherwise"):
        run_many("signals")


def test_every_target_has_a_planted_fault():
    assert set(FAULTS) | {"garbage", "signals"} == set(TARGETS)


def test_a_closed_stream_is_found():
    with pytest.raises(AssertionError, match=r"streams \[0\] were closed"), streams_kept():
        os.close(0)
    os.fstat(0)


def test_limits_of_time_and_memory():
    with pytest.raises(TooLong), time_limit(0.1):
        time.sleep(10)
    with pytest.raises(MemoryError), memory_limit(1 << 20):
        bytes(1 << 30)
    assert len(bytes(1 << 30)) == 1 << 30


def run_many(name):
    for seed in SEEDS_FOR_A_FAULT:
        load(TARGETS[name]).case(generator(name, seed))


CASES = {
    "passes": "def case(rng): pass",
    "wrong": "def case(rng): assert rng.random() < 0.5, 'half of them are wrong'",
    "crash": "import os, signal\ndef case(rng): os.kill(os.getpid(), signal.SIGSEGV)",
    "gone": "import os\ndef case(rng): os._exit(7)",
    "hang": "import time\ndef case(rng): time.sleep(1000)",
    "new": "seen = []\ndef ways(rng): return 'a way'\ndef case(rng): pass",
}


@pytest.fixture
def planted(tmp_path, monkeypatch):
    """Return targets whose cases do one thing."""
    monkeypatch.syspath_prepend(tmp_path)
    for name, source in CASES.items():
        (tmp_path / f"planted_{name}.py").write_text(source + "\n")
    return {name: Target(f"planted_{name}") for name in CASES}


def run(targets, *arguments):
    return main(["--seconds", "0.5", "--workers", "1", *arguments], targets)


@pytest.mark.parametrize("name", [pytest.param("passes", marks=pytest.mark.slow), "new"])
@pytest.mark.process
def test_what_passes_passes(name, planted, capsys):
    assert run({name: planted[name]}) == 0
    assert re.search(rf"{name} +[1-9]\d* +0 ", capsys.readouterr().out)


@pytest.mark.parametrize(
    "name, told",
    [
        ("hang", "hang"),
        pytest.param("crash", r"crash \(SIGSEGV\)", marks=pytest.mark.slow),  # as the next test has it
        pytest.param("gone", r"crash \(exit code 7\)", marks=pytest.mark.slow),
    ],
)
@pytest.mark.process
def test_crashes_and_hangs_are_told_by_their_case(name, told, planted, capsys, tmp_path):
    """And the next worker goes on: what passes is run after it as well."""
    ids = tmp_path / "ids"
    ids.write_text(f"{name}:5\npasses:5\n")
    assert run(planted, "--timeout", "3", "--replay", str(ids)) == 1
    out = capsys.readouterr().out
    assert re.search(rf"FAILED {name}:5 after .*: {told}", out), out
    assert re.search(rf"again: python -m tests.fuzz --replay {name}:5", out)
    assert re.search(r"passes +1 +0 ", out)


@pytest.mark.process
def test_a_crash_of_a_run_is_repeated_by_its_seed(planted, capsys):
    targets = {"crash": planted["crash"], "passes": planted["passes"]}
    assert run(targets, "--seed", "1") == 1  # which begins with the crash
    found = re.search(r"FAILED (crash:\d+)", capsys.readouterr().out)
    assert run(targets, "--replay", found[1]) == 1
    assert f"FAILED {found[1]}" in capsys.readouterr().out


@pytest.mark.process
def test_a_count_of_cases_is_the_same_everywhere(planted, capsys, tmp_path):
    saved = tmp_path / "failures"
    targets = {name: planted[name] for name in ("wrong", "passes")} | {"new": planted["new"]._replace(cases=0.2)}
    assert run(targets, "--each", "16", "--save", str(saved)) == 1
    wrong = [seed for seed in range(16) if generator("wrong", seed).random() >= 0.5]
    assert [line.split()[0] for line in saved.read_text().splitlines()] == [f"wrong:{seed}" for seed in wrong]
    out = capsys.readouterr().out
    assert re.search(rf"new +4 +0 .*\npasses +16 +0 .*\nwrong +16 +{len(wrong)} ", out), out


@pytest.mark.process
def test_a_wrong_answer_is_told_and_repeated(planted, capsys, tmp_path):
    targets = {"wrong": planted["wrong"]}
    saved = tmp_path / "failures"
    # the first case of this seed is wrong: a slow machine has no time for more
    assert run(targets, "--seed", "10", "--save", str(saved)) == 1
    out = capsys.readouterr().out
    found = re.search(r"FAILED (wrong:\d+) .*AssertionError", out)
    assert "half of them are wrong" in out
    failures = [line.split()[0] for line in saved.read_text().splitlines()]
    assert found[1] in failures
    capsys.readouterr()
    assert run(targets, "--replay", str(saved)) == 1
    assert re.search(rf"wrong +{len(failures)} +{len(failures)} ", capsys.readouterr().out)
    good = next(seed for seed in range(100) if generator("wrong", seed).random() < 0.5)
    assert run(targets, "--replay", f"wrong:{good}") == 0


def test_a_case_that_is_none(planted):
    with pytest.raises(SystemExit, match="is not a case"):
        run(planted, "--replay", "nothing:3")


def test_known_ways_come_first_when_new_ones_are_dear():
    from fuzz.worker import Worker

    class Module:
        @staticmethod
        def ways(rng):
            return str(rng.integers(4))

    worker = Worker(None)
    first = worker.way("any", Module, 0)
    assert worker.affordable("any", Module, 0) == 0
    worker.spent_on_new["any"], worker.known = 1.0, {first}
    for seed in range(20):
        assert worker.way("any", Module, worker.affordable("any", Module, seed)) == first
