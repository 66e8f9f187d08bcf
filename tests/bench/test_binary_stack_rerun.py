"""A whole run of `tumble.bench.binary_stack` with three boxes, from the fall to files, and its command."""

import csv
import json
import re
from dataclasses import replace

import pytest
from typer.testing import CliRunner

from tumble.bench import binary_stack
from tumble.bench.binary_stack import falling, racing
from tumble.bench.binary_stack.contestants import BINARY, DEFAULT, DEFAULT_ONE, EACH, called
from tumble.bench.framework.timing import Effort
from tumble.cli import app
from tumble.device import devices
from tumble.dynamics import World
from tumble.errors import FileError
from tumble.mesh import translation
from tumble.traversal.rules import RULES

ONE_ROUND = Effort(0.0, least_rounds=1, most_rounds=1)
TINY = replace(
    binary_stack.QUICK,
    bodies=3,
    steps=2,
    every=1,
    patience=1,
    effort=ONE_ROUND,
    compared=(1,),
    compared_effort=ONE_ROUND,
    memory_sizes=(100,),
    memory_children=(2, 4),
    obb_distances=(),
)
BOX = """OFF
8 12 0
0 0 0
1 0 0
1 1 0
0 1 0
0 0 1
1 0 1
1 1 1
0 1 1
3 0 2 1
3 0 3 2
3 4 5 6
3 4 6 7
3 0 1 5
3 0 5 4
3 1 2 6
3 1 6 5
3 2 3 7
3 2 7 6
3 3 0 4
3 3 4 7
"""
FILES = {"results.json", "results.csv", "index.md", "index.html"}
FILES |= {f"{stem}.{kind}" for stem in ("steps", "figure10", "traversals") for kind in ("svg", "png")}


def pile(name, *, mesh, count):
    """Boxes on each other, a little askew and a little too deep: they touch from the first step on."""
    world = World()
    world.add_plane()
    for number in range(count):
        world.add_body(mesh, translation(0.1 * number, 0.05 * number, 0.995 * number))
    return world


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    """One whole run: its folder, what it returned, and its steps."""
    folder, steps = tmp_path_factory.mktemp("binary_stack"), []
    (folder / "crate.off").write_text(BOX)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(falling, "build", pile)
        progress = lambda *step: steps.append(step)  # noqa: E731
        result = binary_stack.run(folder / "out", True, progress, mesh=folder / "crate.off", scope=TINY)
    return folder / "out", result, steps


def test_a_whole_run(finished):
    folder, result, steps = finished
    assert {path.name for path in folder.iterdir()} == FILES
    assert json.loads((folder / "results.json").read_text(encoding="utf-8")) == result
    assert result["ok"]
    assert [done for done, _, _ in steps[1:]] == sorted(done for done, _, _ in steps[1:])
    assert steps[-1][0] == steps[-1][1]
    assert (result["simulation"]["what"], result["simulation"]["bodies"]) == ("crate", 3)
    assert [step["step"] for step in result["simulation"]["steps"]] == [0, 1, 2]
    assert result["simulation"]["rest"]["steps"] == 4
    verdicts = {claim["name"]: claim["verdict"] for claim in result["claims"]}
    assert verdicts["same-walk"] == verdicts["same-answers"] == "holds"
    html, markdown = (folder / "index.html").read_text("utf-8"), (folder / "index.md").read_text("utf-8")
    assert html.count("<svg") == 3
    assert "Something is wrong" not in html
    for words in ("quick run", "… paper, GPU", "bounds (1) and (2)", "crate, by surface", "1\u202f553"):
        assert words in markdown


def test_every_way_answers_for_every_moment(finished):
    rows = finished[1]["rows"]
    ways = {DEFAULT, DEFAULT_ONE, BINARY, *(called(one, way) for one in devices() for way in ("", EACH))}
    assert [row["step"] for row in rows] == [0, 1, 2]
    assert all(set(row["seconds"]) == ways for row in rows)
    assert all(row["broad"] == row["colliding"] == 2 and row["faces"] > 0 for row in rows)
    assert all(times["kernel"] > 0 for row in rows for times in row["devices"].values())
    assert not any(one["differ"] for one in finished[1]["answers"])


def test_both_stacks_count_alike_with_every_rule(finished):
    (one,) = finished[1]["compared"]
    assert one["equal"] == dict.fromkeys(RULES, one["body_pairs"])
    assert all(counts["node_pairs"] >= counts["overlapping"] > 0 for counts in one["counts"].values())
    assert {"ordinary stack, volume", DEFAULT_ONE} < set(one["seconds"])


def test_the_table_of_numbers(finished):
    with (finished[0] / "results.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert {row["part"] for row in rows} == {"simulation", "table 1", "traversals", "memory"}
    bounds = {row["what"]: row["value"] for row in rows if row["object"] == "crate" and "2 chil" in row["contestant"]}
    assert bounds["bound_1"] == "32"
    assert bounds["binary"] == "16"


def test_a_stack_that_walks_otherwise_is_a_fault_and_shown(tmp_path, monkeypatch):
    honest = racing.queries

    def other_rule(mesh, moment, method, rule="volume"):
        return honest(mesh, moment, method, "a-first" if method == "stack" else rule)

    (tmp_path / "crate.off").write_text(BOX)
    monkeypatch.setattr(falling, "build", pile)
    monkeypatch.setattr(racing, "queries", other_rule)
    monkeypatch.setattr("tumble.bench.binary_stack.agenda.devices", list)
    result = binary_stack.run(tmp_path / "out", mesh=tmp_path / "crate.off", scope=replace(TINY, steps=1))
    assert not result["ok"]
    assert [claim["name"] for claim in result["claims"] if claim["broken"]] == ["same-walk"]
    assert any("No OpenCL device" in note for note in result["notes"])
    assert "Something is wrong with this build" in (tmp_path / "out" / "index.html").read_text("utf-8")


def test_a_mesh_that_is_none(tmp_path):
    with pytest.raises(FileError, match=r"nothing\.off"):
        binary_stack.run(tmp_path, mesh=tmp_path / "nothing.off", scope=TINY)


def test_the_command(monkeypatch, tmp_path):
    asked = []

    def fake_run(out_dir, quick=False, progress=None, mesh=None):
        progress(1, 2, "a step")
        asked.append((out_dir, quick, mesh))
        claims = [{"statement": "All agree.", "published": "–", "verdict": "does not hold", "broken": True}]
        goals = [{"name": "cows", "goal": "≤ 1 s", "measured": "0.5 s", "verdict": "met", "verdict_text": "met"}]
        return {"ok": False, "claims": claims, "goals": goals}

    monkeypatch.setattr("tumble.bench.binary_stack.run", fake_run)
    words = ["bench", "binary-stack", "--quick", "--out", str(tmp_path), "--mesh", "cow.off"]
    result = CliRunner().invoke(app, words)
    assert result.exit_code == 1
    assert [(str(out), quick, str(mesh)) for out, quick, mesh in asked] == [(str(tmp_path), True, "cow.off")]
    assert "a fault in Tumble" in result.stdout
    assert "Goals: 1 met." in result.stdout
    text = re.sub(r"\x1b\[[0-9;]*m", "", CliRunner().invoke(app, ["bench", "binary-stack", "--help"]).stdout)
    assert all(option in text for option in ("--quick", "--mesh", "--out"))
