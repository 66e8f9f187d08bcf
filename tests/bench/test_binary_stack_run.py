"""Whole runs of the paper `binary-stack` with three boxes, from the fall to files; they compile many kernels."""

from dataclasses import replace

import pytest

from tumble.bench.framework.run import run_benchmark
from tumble.bench.framework.table import Table
from tumble.bench.framework.timing import Effort
from tumble.bench.papers.binary_stack import BENCHMARK, fall, measure, races
from tumble.bench.papers.binary_stack.fall import FALL, SIMULATOR, Fall
from tumble.bench.papers.binary_stack.memory import MEMORY
from tumble.bench.papers.binary_stack.obb_race import BINARY_OBB, COAL, OBB, race_obb
from tumble.bench.papers.binary_stack.races import (
    BINARY,
    COLLISIONS,
    DEFAULT,
    DEFAULT_ONE,
    LEAVES,
    PARENTS,
    SPEEDUPS,
    STACK,
    TRAVERSALS,
    by_rule,
    one_each,
)
from tumble.device import devices
from tumble.dynamics import World
from tumble.errors import FileError
from tumble.mesh import shapes, translation
from tumble.scenario.objects import shape_duo
from tumble.traversal.rules import RULES

ONE_ROUND = Effort(0.0, least_rounds=1, most_rounds=1)
TINY = replace(
    measure.QUICK,
    fall=Fall(bodies=3, steps=2, every=1, patience=1),
    effort=ONE_ROUND,
    compared=(1,),
    compared_effort=ONE_ROUND,
    memory_sizes=(100,),
    memory_children=(2, 4),
    obb_distances=(),
)
FIGURES = {f"{stem}.{kind}" for stem in ("frames", "steps", "figure10", "traversals") for kind in ("svg", "png")}


def pile(name, *, mesh, count):
    """Boxes on each other, a little askew and a little too deep: they touch from the first step on."""
    world = World()
    world.add_plane()
    for number in range(count):
        world.add_body(mesh, translation(0.1 * number, 0.05 * number, 0.995 * number))
    return world


@pytest.fixture
def crates(monkeypatch):
    monkeypatch.setattr(fall, "build", pile)
    monkeypatch.setattr(measure, "_body", lambda run: (shapes.box(), "crate", True))


@pytest.mark.slow
def test_a_whole_run(tmp_path, crates):
    steps = []
    summary = run_benchmark(BENCHMARK, tmp_path, True, lambda *step: steps.append(step), sizes=TINY)
    assert summary["ok"]
    assert [done for done, _, _ in steps] == sorted(done for done, _, _ in steps)
    assert {path.name for path in tmp_path.iterdir()} >= FIGURES
    table = Table.read(tmp_path / "results.csv")
    falling, collisions, walks = (table.study(name) for name in (FALL, COLLISIONS, TRAVERSALS))
    assert falling.count("crate", "", "bodies") == 3
    assert falling.count("crate", "", "steps until rest") == 4
    assert len(falling.series("crate", SIMULATOR, "step")) == 3

    names = [device.name for device in devices()]
    ways = {DEFAULT, DEFAULT_ONE, BINARY, LEAVES, *names, *map(one_each, names)}
    assert collisions.cases() == ["step 0", "step 1", "step 2"]
    for case in collisions.cases():
        assert set(collisions.contestants(case)) == ways
        assert collisions.value(case, "", "broad") == collisions.value(case, "", "narrow") == 2
        assert collisions.value(case, "", "leaf pairs") >= collisions.value(case, "", "faces") > 0
        assert all(collisions.value(case, name, "kernel") > 0 for name in names)
    assert table.study(SPEEDUPS).cases() == names

    (case,) = walks.cases()
    for rule in RULES:
        name = by_rule(BINARY, rule)
        assert walks.value(case, name, "counted alike") == walks.value(case, "", "body pairs")
        assert walks.value(case, name, "node pairs") >= walks.value(case, name, "overlapping") > 0
    assert {by_rule(STACK, "volume"), PARENTS, DEFAULT_ONE} < set(walks.contestants())
    assert table.study(MEMORY).value("crate, 2 children", STACK, "bound") == 32
    text = (tmp_path / "index.md").read_text(encoding="utf-8")
    for part in ("quick run", "… paper, GPU", "bounds (1) and (2)", "crate, by surface", "1\u202f553"):
        assert part in text


@pytest.mark.slow
def test_a_stack_that_walks_otherwise_is_a_fault_and_shown(tmp_path, crates, monkeypatch):
    honest = races.queries

    def other_rule(mesh, moment, method, rule="volume"):
        return honest(mesh, moment, method, "a-first" if method == "stack" else rule)

    monkeypatch.setattr(races, "queries", other_rule)
    monkeypatch.setattr(measure, "devices", list)
    summary = run_benchmark(BENCHMARK, tmp_path, sizes=replace(TINY, fall=TINY.fall._replace(steps=1)))
    assert [claim["name"] for claim in summary["claims"] if claim["broken"]] == ["same-walk"]
    assert any("No OpenCL device" in note for note in summary["notes"])
    assert "Something is wrong with this build" in (tmp_path / "index.html").read_text("utf-8")


@pytest.mark.slow
def test_coal_is_raced_on_the_same_poses():
    pytest.importorskip("coal")
    study = Table().study("race")
    race_obb(shape_duo("knot", 300), 0.6, 3, ONE_ROUND, study)
    every, first = study.cases(OBB, BINARY_OBB, COAL)
    assert [study.text(case, "", "query") for case in (every, first)] == ["all pairs", "first hit"]
    assert study.text(every, "", "answer") == study.text(first, "", "answer")


def test_a_mesh_that_is_none(tmp_path):
    with pytest.raises(FileError, match=r"nothing\.off"):
        run_benchmark(BENCHMARK, tmp_path, sizes=TINY, mesh=tmp_path / "nothing.off")
