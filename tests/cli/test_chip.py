"""`tumble chip`: options in, verdict, tables, JSON, trace and page out."""

import json
import re
import sys
from dataclasses import replace

import numpy as np
import pytest
import trimesh
from assembly_files import write_cube
from typer.testing import CliRunner

import tumble
from covering import crossed
from tumble.cli import app
from tumble.cli.chip import as_pose_of, line_file
from tumble.errors import FileError, OptionError
from tumble.mesh import rotation

CLEAR, TOUCHING, ERROR = 0, 1, 2


def run(*arguments):
    return CliRunner().invoke(app, ["chip", *map(str, arguments)])


@pytest.fixture(scope="module")
def cubes(tmp_path_factory):
    """Two cubes that touch, as files."""
    folder = tmp_path_factory.mktemp("cubes")
    return write_cube(folder / "one.stl", 0.0), write_cube(folder / "two.stl", 0.8)


def test_help_names_the_options():
    text = re.sub(r"\x1b\[[0-9;]*m", "", run("--help").stdout)
    assert all(option in text for option in ("--pose-b", "--out", "--json", "--trace", "--sweep", "--k", "--bus"))
    assert "chip" in CliRunner().invoke(app, ["--help"]).stdout


def test_without_matplotlib_only_the_pictures_are_left_out(cubes, tmp_path, monkeypatch):
    from tumble.chip import sweep as module

    knobs = [knob for knob in module.KNOBS if knob.name == "triangles"]
    monkeypatch.setattr(module.sweep, "__kwdefaults__", {**module.sweep.__kwdefaults__, "knobs": knobs})
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    result = run(*cubes, "--sweep", "--out", tmp_path)
    assert result.exit_code == TOUCHING, result.output
    assert (
        'Plots are left out: they need Matplotlib, which is not installed (pip install "tumble[plot]").'
        in result.stdout
    )
    assert {path.name for path in tmp_path.iterdir()} == {"index.html", "index.md"}
    page = (tmp_path / "index.md").read_text(encoding="utf-8")
    assert "Plots are left out" in page
    assert "What each unit did" in page
    assert "What a designer can change" in page
    assert ".svg" not in page
    assert json.loads(run(*cubes, "--json", "--out", tmp_path).stdout)["plots"] is False
    assert "Plots" not in run(*cubes, "--no-page").stdout


@pytest.mark.slow  # by default without pictures, above
def test_touching_cubes_with_a_page_and_a_sweep(cubes, tmp_path, monkeypatch):
    from tumble.chip import sweep as module

    (banks,) = (knob for knob in module.KNOBS if knob.name == "banks")
    knobs = [replace(banks, settings=banks.settings[2:])]
    monkeypatch.setattr(module, "KNOBS", knobs)
    monkeypatch.setattr(module.sweep, "__kwdefaults__", {**module.sweep.__kwdefaults__, "knobs": knobs})
    result = run(*cubes, "--sweep", "--out", tmp_path / "page")
    assert result.exit_code == TOUCHING, result.output
    pairs = tumble.collide(*map(tumble.load, cubes)).pairs
    assert f"They touch in {len(pairs)} pairs of triangles." in result.stdout
    for words in ("beside Equation 5", "busiest unit", "busy cycles", "read over the bus"):
        assert words in result.stdout
    assert {path.name for path in (tmp_path / "page").iterdir()} == {
        "index.html", "index.md", "timeline.svg", "timeline.png", "sweep.svg", "sweep.png",
    }  # fmt: skip
    assert str(tmp_path / "page" / "index.html") in result.stdout
    assert "memory banks" in result.stdout
    assert "4 •" in result.stdout
    assert "What a designer can change" in (tmp_path / "page" / "index.md").read_text(encoding="utf-8")


def test_json_says_everything(cubes):
    result = run(*cubes, "--json", "--no-page", "--pose-b", "0.1,0.05,0,10,20,30", "--bus", 128, "--memory", "3-4-5")
    found = json.loads(result.stdout)
    pose = as_pose_of("0.1,0.05,0,10,20,30")
    assert found["pairs"] == tumble.collide(*map(tumble.load, cubes), None, pose).pairs.tolist()
    assert (found["touching"], result.exit_code) == (True, TOUCHING)
    assert found["triangles"] == [12, 12]
    assert found["microseconds"] == pytest.approx(found["cycles"] * 3.76e-3)
    assert found["difference"] == pytest.approx(found["cycles_without_triangles"] / found["equation_cycles"] - 1)
    assert found["design"]["bus_bits"] == 128
    assert [found["design"][name] for name in ("precharge", "ras_cas", "cas")] == [3, 4, 5]
    assert found["bottleneck"] in found["busy"]
    assert (found["page"], found["sweep"]) == (None, [])


@crossed(1, bus=[8, 64, *(pytest.param(bits, marks=pytest.mark.slow) for bits in (16, 32))], k=[6, 24])
def test_a_narrow_bus_gives_the_same_pairs(cubes, bus, k):
    pose = "0.1,0.05,0,10,20,30"
    found = json.loads(run(*cubes, "--json", "--no-page", "--pose-b", pose, "--bus", bus, "--k", k).stdout)
    assert found["pairs"] == tumble.collide(*map(tumble.load, cubes), None, as_pose_of(pose)).pairs.tolist()


def test_clear_cubes(cubes):
    result = run(*cubes, "--no-page", "--pose-b", "5,0,0")
    assert result.exit_code == CLEAR, result.output
    assert "Clear: they do not touch." in result.stdout


def test_the_trace_has_a_line_a_cycle(cubes, tmp_path):
    result = run(*cubes, "--no-page", "--trace", tmp_path / "trace.txt", "--cycles", 50)
    assert result.exit_code == TOUCHING
    assert len((tmp_path / "trace.txt").read_text(encoding="utf-8").splitlines()) == 51
    assert "The trace:" in result.stdout


@pytest.mark.parametrize(
    "arguments, words",
    [
        (["--k", 20], "k must be one of"),
        (["--bus", 100], "bus_bits must be"),
        (["--banks", 0], "banks must be"),
        (["--memory", "2-2"], "as in 2-2-2"),
        (["--memory", "2-x-2"], "as in 2-2-2"),
        (["--pose-b", "1,2"], "has 2 numbers"),
        (["--pose-b", "1,2,three"], "give 3, 6 or 16 numbers"),
        (["--pose-b", ",".join(["2"] * 16)], "pose"),
    ],
)
def test_what_cannot_be_is_explained(cubes, arguments, words):
    result = run(*cubes, "--no-page", *arguments)
    assert (result.exit_code, result.stdout) == (ERROR, "")
    assert words in result.stderr


def test_files_that_cannot_be_used_are_named(cubes, tmp_path):
    huge = trimesh.creation.box()
    huge.apply_scale(1e35)
    huge.export(tmp_path / "huge.off")
    (tmp_path / "empty.off").write_text("OFF\n0 0 0\n")
    for file, words in (("none.stl", "none.stl"), ("empty.off", "holds no triangles"), ("huge.off", "float32")):
        result = run(cubes[0], tmp_path / file, "--no-page")
        assert (result.exit_code, result.stdout) == (ERROR, "")
        assert words in result.stderr


def test_a_folder_that_is_none(cubes, tmp_path):
    (tmp_path / "taken").write_text("x")
    result = run(*cubes, "--out", tmp_path / "taken")
    assert result.exit_code == ERROR
    assert "taken" in result.stderr


def test_poses():
    assert as_pose_of(None) is None
    assert as_pose_of("1, -2,3")[:3, 3].tolist() == [1, -2, 3]
    turned = as_pose_of("0 0 0 90 0 90")
    assert np.allclose(turned, rotation("z", np.pi / 2) @ rotation("x", np.pi / 2))
    assert as_pose_of(",".join(map(str, range(16)))).tolist() == np.arange(16.0).reshape(4, 4).tolist()
    with pytest.raises(OptionError, match="4 numbers"):
        as_pose_of("1,2,3,4")


def test_a_trace_that_cannot_be_written(tmp_path):
    with pytest.raises(FileError, match="cannot be written"), line_file(tmp_path / "no" / "trace", 3):
        pass
