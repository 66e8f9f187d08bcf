"""`tumble bench boxtree` and `tumble bench chip`: options in, claims and goals out."""

import re

import pytest
from typer.testing import CliRunner

from tumble.cli import app


def run(*arguments):
    return CliRunner().invoke(app, list(arguments))


PAPERS = pytest.mark.parametrize("paper", ["boxtree", "chip"])


@PAPERS
def test_help_names_the_options(paper):
    text = re.sub(r"\x1b\[[0-9;]*m", "", run("bench", paper, "--help").stdout)
    assert all(option in text for option in ("--quick", "--data", "--out"))
    assert paper in run("bench", "--help").stdout


@PAPERS
@pytest.mark.parametrize("ok", [True, False])
def test_options_go_to_the_benchmark_and_findings_come_back(monkeypatch, tmp_path, paper, ok):
    asked = []

    def fake_run(out_dir, quick=False, progress=None, data=None):
        progress(1, 2, "a case")
        asked.append((out_dir, quick, data))
        claims = [
            {"statement": "Nodes are small.", "published": "9", "verdict": "holds", "broken": False},
            {
                "statement": "All agree.",
                "published": "–",
                "verdict": "holds" if ok else "does not hold",
                "broken": not ok,
            },
        ]
        goals = [{"name": "build", "goal": "≥ 1", "measured": "2", "verdict": "met", "verdict_text": "met"}]
        return {"ok": ok, "claims": claims, "goals": goals}

    monkeypatch.setattr(f"tumble.bench.{paper}.run", fake_run)
    out = tmp_path / "results"
    result = run("bench", paper, "--quick", "--out", str(out), "--data", str(tmp_path))
    assert result.exit_code == (0 if ok else 1)
    assert asked == [(out, True, tmp_path)]
    assert ("Claims here: 2 holds." in result.stdout) is ok
    assert ("a fault in Tumble" in result.stdout) is not ok
    assert "Goals: 1 met." in result.stdout
    assert str(out / "index.html") in result.stdout


@PAPERS
def test_a_wrong_folder_is_explained(tmp_path, paper):
    result = run("bench", paper, "--quick", "--out", str(tmp_path), "--data", "nowhere")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "nowhere is no folder" in result.stderr
