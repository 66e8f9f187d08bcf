"""`tumble bench NAME`: options in, claims and goals out, the same for every benchmark of the registry."""

import re
from importlib import import_module
from pathlib import Path

import pytest
from typer.testing import CliRunner

from tumble import bench
from tumble.bench import BENCHMARKS, load
from tumble.bench.framework.claims import check_claims, claims_section
from tumble.bench.framework.goals import check_goals, goals_table
from tumble.bench.framework.table import Table
from tumble.cli import app
from tumble.cli import bench as command
from tumble.errors import OptionError
from tumble.report import Document

NAMES = pytest.mark.parametrize("name", BENCHMARKS)
KEPT = Path(__file__).parents[2] / "benchmarks"


def run(*arguments):
    return CliRunner().invoke(app, ["bench", *map(str, arguments)])


def test_help_lists_every_benchmark():
    text = run("--help").stdout
    assert all(name in text for name in BENCHMARKS)


@NAMES
def test_help_names_the_options(name):
    text = re.sub(r"\x1b\[[0-9;]*m", "", run(name, "--help").stdout)
    options = ("quick", "out", "from", *BENCHMARKS[name].options)
    assert all(f"--{option}" in text for option in options)


def results(ok=True, **changes):
    claims = [
        {"statement": "Nodes are small.", "published": "9", "verdict": "holds", "broken": False},
        {"statement": "All agree.", "published": "–", "verdict": "holds" if ok else "does not hold", "broken": not ok},
    ]
    goals = [{"name": "build", "goal": "≥ 1", "measured": "2", "verdict": "met", "verdict_text": "met"}]
    return {"ok": ok, "claims": claims, "goals": goals, "remark": "Others differ.\n", **changes}


@NAMES
@pytest.mark.parametrize("ok", [True, False])
def test_options_go_to_the_benchmark_and_verdicts_come_back(monkeypatch, tmp_path, name, ok):
    calls = []

    def fake_run(name, out, quick, progress, **options):
        progress(1, 2, "a case")
        calls.append((name, out, quick, options))
        return results(ok)

    monkeypatch.setattr(command, "run", fake_run)
    values = {"threads": 3, "only": "build, memory"}
    given = {option: values.get(option, tmp_path) for option in BENCHMARKS[name].options}
    flags = [part for option, value in given.items() for part in (f"--{option}", value)]
    found = run(name, "--quick", "--out", tmp_path / "out", *flags)
    assert found.exit_code == (0 if ok else 1)
    if "only" in given:
        given["only"] = ["build", "memory"]
    assert calls == [(name, tmp_path / "out", True, given)]
    assert ("Claims here: 2 holds." in found.stdout) is ok
    assert ("a fault in Tumble" in found.stdout) is not ok
    assert "Goals: 1 met." in found.stdout
    assert "Others differ.\n" in found.stdout
    assert str(tmp_path / "out" / "index.html") in found.stdout


def test_without_claims_only_goals_are_shown(monkeypatch, tmp_path):
    monkeypatch.setattr(command, "run", lambda *given, **options: results(claims=[], remark=""))
    assert "Claims" not in run("peers", "--out", tmp_path).stdout


def kept(name):
    return KEPT / name / "amd-epyc-2-cores"


READY = [name for name in BENCHMARKS if hasattr(import_module(BENCHMARKS[name].module), "BENCHMARK")]


@pytest.mark.parametrize("name", READY)
def test_the_verdicts_of_a_kept_run_come_from_its_table(name):
    """Verdict by verdict and number by number."""
    benchmark, table = load(name), Table.read(kept(name) / "results.csv")
    document = Document("")
    claims_section(document, check_claims(benchmark.claims, table))
    document.table(goals_table(check_goals(benchmark.goals, table)))
    page = (kept(name) / "index.md").read_text(encoding="utf-8")
    for block in document.blocks[:-1] if benchmark.claims else ():
        assert block.markdown in page
    assert not benchmark.goals or document.blocks[-1].markdown in page


# by default the page with the fewest figures; tests/bench/test_kept.py draws those of all pages
@pytest.mark.parametrize(
    "name", [name if name == "peers" else pytest.param(name, marks=pytest.mark.slow) for name in READY]
)
def test_the_page_of_a_kept_run_comes_from_its_table(tmp_path, name, no_drawing):
    found = run(name, "--from", kept(name) / "results.csv", "--out", tmp_path)
    assert found.exit_code == 0
    assert (tmp_path / "index.md").read_text("utf-8") == (kept(name) / "index.md").read_text("utf-8")
    files = {path.name for path in kept(name).iterdir() if path.is_file()}  # a second run has a folder of its own
    assert files <= {path.name for path in tmp_path.iterdir()} | {"results.csv"}


def test_a_table_that_is_none(tmp_path):
    (tmp_path / "old.csv").write_text("table,scene\n")
    found = run("chip", "--from", tmp_path / "old.csv", "--out", tmp_path)
    assert (found.exit_code, found.stdout) == (2, "")
    assert "name a results.csv that `tumble bench` wrote" in found.stderr


@pytest.mark.parametrize("name", [name for name, entry in BENCHMARKS.items() if "data" in entry.options])
def test_a_wrong_folder_is_explained(tmp_path, name):
    found = run(name, "--quick", "--out", tmp_path, "--data", "nowhere")
    assert (found.exit_code, found.stdout) == (2, "")
    assert "nowhere is no folder" in found.stderr


def test_a_folder_that_cannot_be_made_is_explained(tmp_path):
    (tmp_path / "file").touch()
    found = run("stackless", "--quick", "--out", tmp_path / "file" / "results")
    assert (found.exit_code, found.stdout) == (2, "")
    assert found.stderr.startswith("error: ")


def test_a_name_that_is_none(tmp_path):
    with pytest.raises(OptionError, match="unknown benchmark 'chips': choose from stackless"):
        bench.run("chips", tmp_path)
