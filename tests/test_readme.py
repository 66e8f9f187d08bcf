"""What the README shows is what happens."""

import re
import sys
from pathlib import Path

import numpy as np
import pytest
import trimesh
from typer.testing import CliRunner

import tumble
from tumble.cli import app
from tumble.compat.trimesh import CollisionManager

ROOT = Path(__file__).resolve().parents[1]
README = ROOT / "README.md"
TEXTS = [README, *sorted((ROOT / "docs").glob("*.md")), *sorted((ROOT / "benchmarks").glob("*.md"))]
COMMANDS = ["", "check", "chip", "simulate", "view", "info", "bench", "robot"]
PAPERS = ["stackless", "boxtree", "chip", "binary-stack", "bsp", "peers", "growth"]


def test_at_most_a_hundred_lines():
    assert len(README.read_text(encoding="utf-8").splitlines()) <= 100


def test_the_example_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    (code,) = re.findall(r"```python\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)
    names: dict[str, object] = {}
    exec(compile(code, str(README), "exec"), names)
    assert tumble.collides(names["knot"], names["ring"], None, names["pose"]) is True
    assert names["collision"].stats.hits == len(names["collision"])
    np.testing.assert_array_equal(tumble.load_tree("knot.tree").order, names["tree"].order)


def extras():
    """The extras that pyproject.toml offers."""
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    section = text.partition("[project.optional-dependencies]")[2].partition("\n[")[0]
    return set(re.findall(r"^(\w+) = ", section, re.MULTILINE))


def test_every_extra_that_a_text_or_message_names_is_there():
    named = {}
    for path in [*TEXTS, ROOT / "CONTRIBUTING.md", *(ROOT / "src").rglob("*.py")]:
        for found in re.findall(r"(?:tumble|\.)\[([a-z,]+)\]", path.read_text(encoding="utf-8")):
            named.update(dict.fromkeys(found.split(","), path))
    rows = README.read_text(encoding="utf-8").partition("| extra |")[2].partition("\n\n")[0]
    named.update(dict.fromkeys(re.findall(r"^\| `(\w+)` \|", rows, re.MULTILINE), README))
    assert {"view", "plot", "bench", "cad", "gpu", "test", "dev"} <= named.keys()
    assert set(named) - extras() == set(), named


def test_what_needs_an_extra_names_it(tmp_path, monkeypatch):
    """The commands of the README, typed where only `pip install .` was done."""
    for missing in ("viser", "matplotlib"):
        monkeypatch.setitem(sys.modules, missing, None)
    saving = CliRunner().invoke(app, ["simulate", "cows", "--save", str(tmp_path / "cows.html")])
    assert saving.exit_code == 2
    assert 'pip install "tumble[view]"' in saving.stderr
    for paper in PAPERS:
        rerun = CliRunner().invoke(app, ["bench", paper, "--quick", "--out", str(tmp_path / paper)])
        assert rerun.exit_code == 2
        assert re.search(r'pip install "tumble\[(plot|bench)\]"', rerun.stderr), rerun.stderr
    assert '"tumble[plot]"' in CliRunner().invoke(app, ["bench", "--help"], env={"COLUMNS": "200"}).stdout


def test_files_that_are_there():
    """Every link within the repository leads somewhere."""
    for path in TEXTS:
        for link in re.findall(r"\]\((?!https?:|#)([^)#]+)", path.read_text(encoding="utf-8")):
            assert (path.parent / link).exists(), (path, link)


def test_no_folder_of_a_workshop_in_texts_and_help():
    helps = [["--help"], *([name, "--help"] for name in COMMANDS[1:]), *(["bench", name, "--help"] for name in PAPERS)]
    pages = [CliRunner().invoke(app, arguments, env={"COLUMNS": "200"}).stdout for arguments in helps]
    for text in [*pages, *(path.read_text(encoding="utf-8") for path in TEXTS)]:
        assert "shared/meshes" not in text
    assert sum("TUMBLE_MESHES" in page for page in pages) == 5


def test_options_that_a_text_names_are_those_of_the_help():
    usage = re.compile(r"^    tumble ((?:bench |robot )?[\w-]+)((?:.*|\n {20,})*)", re.MULTILINE)
    for path in TEXTS:
        for command, options in usage.findall(path.read_text(encoding="utf-8")):
            shown = CliRunner().invoke(app, [*command.split(), "--help"], env={"COLUMNS": "200"}).stdout
            for option in re.findall(r"--[\w-]+", options):
                assert option in shown, (path, command, option)


def test_a_body_inside_a_convex_one_collides():
    """As the README says of the stand-in for trimesh's manager."""
    assert "a body wholly inside a convex one collides, as there" in README.read_text(encoding="utf-8")
    manager = CollisionManager()
    manager.add_object("outer", trimesh.creation.box((9, 9, 9)))
    assert manager.in_collision_single(trimesh.creation.box()) is True
