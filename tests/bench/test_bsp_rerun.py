"""A whole run of `tumble.bench.bsp` with small scenes made by code, from trees to files, and its command."""

import csv
import json
import re
from dataclasses import replace

import pytest
from typer.testing import CliRunner

from tumble.bench import bsp
from tumble.bench.bsp import asking, embree
from tumble.bench.bsp.published import TABLE_1
from tumble.bench.bsp.records import ALL, BETWEEN, CPU, papers_way
from tumble.bench.bsp.sheet import RULES
from tumble.bench.bsp.streams import STREAMS, called
from tumble.bench.framework.timing import Effort
from tumble.cli import app
from tumble.device import devices
from tumble.query.settings import BULK_AS_IN_PAPER

# Settings that are the paper's anyway: every other one would be another kernel to compile.
ONE_ROUND = Effort(0.0, least_rounds=1, most_rounds=1)
TINY = replace(
    bsp.QUICK,
    effort=ONE_ROUND,
    streams_effort=ONE_ROUND,
    entry_levels=(0, 2),
    depth_steps=(BULK_AS_IN_PAPER.step,),
    queues=(BULK_AS_IN_PAPER.queue,),
    groups=(BULK_AS_IN_PAPER.group,),
    sweep_step=BULK_AS_IN_PAPER.step,
    sheet_cells=8,
    sheet_every=100,
    shrink=400,
)
FILES = {"results.json", "results.csv", "index.md", "index.html"}
FIGURES = ("figure7", "figure8", "figure9", "broad-phases", "sheet")
FILES |= {f"{stem}.{kind}" for stem in FIGURES for kind in ("svg", "png")}


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    """One whole run without peers: its folder, what it returned, and its steps."""
    folder, steps = tmp_path_factory.mktemp("bsp"), []
    (folder / "no scenes").mkdir()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("tumble.bench.bsp.agenda.Ipc", _missing)
        patch.setattr("tumble.bench.bsp.agenda.Embree", _missing)
        progress = lambda *step: steps.append(step)  # noqa: E731
        result = bsp.run(folder / "out", True, progress, scenes=folder / "no scenes", scope=TINY)
    return folder / "out", result, steps


def _missing(*arguments):
    raise ImportError("not here")


def test_a_whole_run(finished):
    folder, result, steps = finished
    assert {path.name for path in folder.iterdir()} == FILES
    assert json.loads((folder / "results.json").read_text(encoding="utf-8")) == json.loads(json.dumps(result))
    assert result["ok"]
    assert [done for done, _, _ in steps[1:]] == sorted(done for done, _, _ in steps[1:])
    assert steps[-1][0] == steps[-1][1]
    verdicts = {claim["name"]: claim["verdict"] for claim in result["claims"]}
    assert verdicts["same-answers"] == verdicts["padding"] == "holds"
    assert (result["versions"]["ipctk"], result["versions"]["embree"]) == ("not installed", "not installed")
    html, markdown = (folder / "index.html").read_text("utf-8"), (folder / "index.md").read_text("utf-8")
    assert html.count("<svg") == len(FIGURES)
    assert "Something is wrong" not in html
    for words in ("quick run", "is a stand-in", "Embree did not compete", "6.43", "3\u202f100\u202f000"):
        assert words in markdown


def test_every_way_answers_every_question(finished):
    result, names = finished[1], [device.name for device in devices()]
    ways = {CPU, *names, *map(papers_way, names)}
    asked = [(one["scene"], one["question"]) for one in result["table"]]
    assert asked == [(s, q) for s, row in TABLE_1.items() for q in ((BETWEEN, ALL) if row.itself else (BETWEEN,))]
    assert all(set(one["seconds"]) == ways for one in result["table"])
    assert all(set(one["kernel_seconds"]) == ways - {CPU} for one in result["table"])
    assert {one["scene"] for one in result["streams"]} == set(TABLE_1)
    assert all(called(way, STREAMS) in one["seconds"] for one in result["streams"] for way in (CPU, *names))
    assert all(one["kernel_seconds"][called(name, STREAMS)] > 0 for one in result["streams"] for name in names)
    assert {(one["figure"], one["way"]) for one in result["swept"]} == {(f, way) for f in (8, 9) for way in ways}
    assert result["answers"]["compared"] > 30
    assert not result["answers"]["differ"]


def test_trees_and_the_sheet(finished):
    result = finished[1]
    assert all(one["compressed_nodes"] <= one["padded_nodes"] for one in result["trees"])
    rules = [one["rule"] for one in result["sheet"]]
    assert rules[:3] == list(RULES)
    assert len(rules) == 5
    assert len({one["pairs"] for one in result["sheet"]}) == 1
    assert all(one["frames"] == 3 for one in result["sheet"])


def test_the_table_of_numbers(finished):
    with (finished[0] / "results.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    parts = {"leaf pairs", "table 1", "figure 7", "figure 8", "figure 9", "broad phases", "trees", "sheet"}
    assert {row["part"] for row in rows} == parts


def test_a_way_that_loses_pairs_is_a_fault_and_shown(tmp_path, monkeypatch):
    honest = asking.leaf_pairs

    def forgetful(trees, pairs, settings, **options):
        keys, work = honest(trees, pairs, settings, **options)
        return (keys[1:] if settings.entry_level == 2 else keys), work

    monkeypatch.setattr(asking, "leaf_pairs", forgetful)
    monkeypatch.setattr("tumble.bench.bsp.agenda.devices", list)
    monkeypatch.setattr("tumble.bench.bsp.agenda.Ipc", _missing)
    monkeypatch.setattr(embree, "_places", lambda library: [])
    monkeypatch.setattr("tumble.bench.bsp.pages.draw_figures", lambda findings, folder: {})
    (tmp_path / "none").mkdir()
    result = bsp.run(tmp_path / "out", scenes=tmp_path / "none", scope=TINY)
    assert not result["ok"]
    assert [claim["name"] for claim in result["claims"] if claim["broken"]] == ["same-answers"]
    assert {one["question"].split(", ")[-2] for one in result["answers"]["differ"]} == {"entry level 2"}
    assert any("No OpenCL device" in note for note in result["notes"])
    assert "Something is wrong with this build" in (tmp_path / "out" / "index.html").read_text("utf-8")


def test_the_command(monkeypatch, tmp_path):
    asked = []

    def fake_run(out_dir, quick=False, progress=None, scenes=None, embree=None):
        progress(1, 2, "a step")
        asked.append((str(out_dir), quick, str(scenes), str(embree)))
        claims = [{"statement": "All agree.", "published": "–", "verdict": "holds", "broken": False}]
        goals = [{"name": "bulk", "goal": "≥ 4×", "measured": "5×", "verdict": "met", "verdict_text": "met"}]
        return {"ok": True, "claims": claims, "goals": goals}

    monkeypatch.setattr("tumble.bench.bsp.run", fake_run)
    words = ["bench", "bsp", "--quick", "--out", str(tmp_path), "--scenes", "unc", "--embree", "lib.so"]
    result = CliRunner().invoke(app, words)
    assert result.exit_code == 0
    assert asked == [(str(tmp_path), True, "unc", "lib.so")]
    assert "Goals: 1 met." in result.stdout
    text = re.sub(r"\x1b\[[0-9;]*m", "", CliRunner().invoke(app, ["bench", "bsp", "--help"]).stdout)
    assert all(option in text for option in ("--quick", "--scenes", "--embree", "--out"))
