"""`tumble bench peers`: options in, a table of goals out."""

import re

import pytest
from typer.testing import CliRunner

from tumble.bench.peers.scope import QUERIES
from tumble.cli import app


def run(*arguments):
    return CliRunner().invoke(app, list(arguments))


def test_help_names_options_and_queries():
    text = re.sub(r"\x1b\[[0-9;]*m", "", run("bench", "peers", "--help").stdout)
    assert all(option in text for option in ("--quick", "--data", "--out", "--threads", "--only"))
    assert all(query in text for query in QUERIES)
    assert "peers" in run("bench", "--help").stdout


def test_options_go_to_the_benchmark_and_goals_come_back(monkeypatch, tmp_path):
    asked = []

    def fake_run(out_dir, quick=False, progress=None, **options):
        progress(1, 2, "a case")
        asked.append((out_dir, quick, options))
        goals = [
            {"name": "build", "goal": "≥ 5×", "measured": "6×", "verdict": "met", "verdict_text": "met"},
            {"name": "memory", "goal": "≤ 64", "measured": "70", "verdict": "missed", "verdict_text": "missed: at 91%"},
        ]
        return {"goals": goals, "differences": [{"peer": "fcl", "differ": 2}, {"peer": "vtk", "differ": 0}]}

    monkeypatch.setattr("tumble.bench.peers.run", fake_run)
    out = tmp_path / "results"
    options = ("--quick", "--out", str(out), "--threads", "3", "--only", "build, memory", "--data", str(tmp_path))
    result = run("bench", "peers", *options)
    assert result.exit_code == 0
    assert asked == [(out, True, {"data": tmp_path, "threads": 3, "only": ["build", "memory"]})]
    assert "missed: at 91%" in result.stdout
    assert "Goals: 1 met, 1 missed." in result.stdout
    assert "Answers differ from Tumble's, which are exact, in 1 case (fcl)." in result.stdout
    assert str(out / "index.html") in result.stdout


@pytest.mark.parametrize(
    "options, message",
    [
        (("--only", "first"), "unknown query 'first': choose from first-hit"),
        (("--only", ","), "no query named"),
        (("--threads", "0"), "threads=0"),
        (("--data", "nowhere"), "nowhere is no folder"),
    ],
)
def test_wrong_options_are_explained(tmp_path, options, message):
    result = run("bench", "peers", "--out", str(tmp_path), *options)
    assert (result.exit_code, result.stdout) == (2, "")
    assert message in result.stderr
