"""`tumble check`: verdicts, exit codes and output, in this process."""

import json
from importlib import import_module

import numpy as np
import pytest
from assembly_files import cube, write_cube, write_cubes
from typer.testing import CliRunner

import tumble
from covering import sized
from tumble.cli import app
from tumble.scenario import assembly

CLEAR, FAULTS, ERROR, INTERRUPTED = 0, 1, 2, 130


def run(*arguments):
    return CliRunner().invoke(app, ["check", *map(str, arguments)])


def run_json(*arguments):
    result = run(*arguments, "--json")
    return result.exit_code, json.loads(result.stdout)


def rows_of(result):
    """The rows of the table, cell by cell; names without spaces."""
    lines = result.stdout.splitlines()
    start = next(k for k, line in enumerate(lines) if line.lstrip().startswith("finding "))
    return [line.split() for line in lines[start + 1 : lines.index("", start)]]


@pytest.fixture
def checks_once(monkeypatch):
    """Check with the same settings only once: the commands of the test differ in what they print."""
    command = import_module("tumble.cli.check")
    check, found = command.check_parts, {}

    def remembered(parts, settings, *others):
        if repr(settings) not in found:
            found[repr(settings)] = check(parts, settings, *others)
        return found[repr(settings)]

    monkeypatch.setattr(command, "check_parts", remembered)


def test_the_sample_is_checked_without_a_file(checks_once):
    result = run()
    assert result.exit_code == FAULTS
    assert "sample assembly" in result.stdout
    code, found = run_json()
    assert (code, found["unit"], found["sample"]) == (FAULTS, "mm", True)
    parts = dict(assembly())
    words = {"piercing": "goes", "too_close": "too", "apart": "does"}
    for row, finding in zip(rows_of(result), found["findings"], strict=True):
        assert row[:2] == ["✗" if finding["fails"] else "·", words.get(finding["kind"], finding["kind"])]
        pair = parts[finding["name_a"]], parts[finding["name_b"]]
        assert len(tumble.collide(*pair)) == finding["triangle_pairs"]
        relation = tumble.relation(*pair).relation
        # a fit is contact once it is proved, whether or not interiors meet
        expected = {"touching": {"touching"}, "apart": {"apart"}, "contact": {"touching", "crossing"}}
        assert relation in expected.get(finding["kind"], {"crossing"})
    # the wheel that is mounted half a tooth off, the bore that is too narrow, the bolt that is loose
    assert [(f["kind"], f["name_a"], f["name_b"]) for f in found["findings"] if f["fails"]] == [
        ("crossing", "intermediate-pinion", "output-wheel"),
        ("piercing", "input-shaft", "input-pinion"),
        ("apart", "bolt-6", "top-plate"),
    ]
    strict = run_json("--tolerance", "0")[1]
    assert strict["counts"]["kinds"]["contact"] == 0 < found["counts"]["kinds"]["contact"]


def test_json_says_everything(tmp_path):
    path = write_cubes(tmp_path / "cubes.glb", [0.0, 1.0, 5.0], ["one", "two", "three"])
    code, found = run_json(path)
    assert code == CLEAR
    assert (found["schema_version"], found["sample"], found["files"]) == (2, False, [str(path)])
    parts = {part["name"]: part for part in found["parts"]}
    assert {name: part["triangles"] for name, part in parts.items()} == {"one": 12, "two": 12, "three": 12}
    assert parts["two"]["bounds"] == [[0.5, -0.5, -0.5], [1.5, 0.5, 0.5]]
    assert all(part["closed"] for part in found["parts"])
    (finding,) = found["findings"]
    assert {finding["name_a"], finding["name_b"]} == {"one", "two"}
    assert (finding["kind"], finding["state"], finding["fails"]) == ("touching", "new", False)
    assert (finding["depth"], finding["depth_is_exact"], finding["contact_area"]) == (0.0, True, pytest.approx(1.0))
    assert (finding["point"], finding["gap"], finding["volume"]) == (pytest.approx([0.5, 0.0, 0.0]), None, None)
    for side in "ab":
        assert found["parts"][finding[side]]["name"] == finding[f"name_{side}"]
    kinds = found["counts"].pop("kinds")
    assert {kind for kind, count in kinds.items() if count} == {"touching"}
    assert found["counts"] == {
        "parts": 3,
        "triangles": 36,
        "part_pairs": 3,
        "looked_at": 1,
        "findings": 1,
        "faults": 0,
        "triangle_pairs": finding["triangle_pairs"],
        "open_parts": 0,
    }
    assert found["seconds"] > found["reading_seconds"] > 0


@pytest.mark.parametrize("suffix", ["glb", "gltf", "3mf"])
def test_node_transforms_decide(tmp_path, suffix):
    folder = tmp_path / "touching"
    folder.mkdir()
    code, found = run_json(write_cubes(folder / f"cubes.{suffix}", [0.0, 1.0]))
    assert (code, found["counts"]["kinds"]["touching"]) == (CLEAR, 1)
    code, found = run_json(write_cubes(tmp_path / f"apart.{suffix}", [0.0, 1.25]))
    assert (code, found["counts"]["findings"], found["counts"]["parts"]) == (CLEAR, 0, 2)


def test_one_ulp_apart_is_clear(tmp_path):
    code, found = run_json(write_cubes(tmp_path / "apart.glb", [0.0, np.nextafter(1.0, 2.0)]))
    low, high = (sorted(part["bounds"][k][0] for part in found["parts"]) for k in (0, 1))
    assert 0 < low[1] - high[0] < 1e-15
    assert (code, found["findings"], found["counts"]["looked_at"]) == (CLEAR, [], 0)
    result = run(tmp_path / "apart.glb")
    assert result.exit_code == CLEAR
    assert "no parts touch" in result.stdout


def test_one_geometry_twice_in_one_place(tmp_path):
    code, found = run_json(write_cubes(tmp_path / "twice.glb", [0.0, 0.0]))
    assert (code, [finding["kind"] for finding in found["findings"]]) == (FAULTS, ["duplicate"])
    assert "1 fault in 1 finding: 1 duplicate." in run(tmp_path / "twice.glb").stdout


@pytest.mark.parametrize("suffix", ["stl", "ply"])
def test_several_files(tmp_path, suffix):
    files = [write_cube(tmp_path / f"{name}.{suffix}", x) for name, x in (("left", 0.0), ("mid", 1.0), ("far", 4.0))]
    result = run(*files)
    assert result.exit_code == CLEAR
    assert rows_of(result)[0][:4] == ["·", "touching", "left", "mid"]
    assert "No fault in 1 finding: 1 touching." in result.stdout
    assert "3 parts, 36 triangles; looked at 1 of 3 pairs of parts" in result.stdout
    assert run(*files, "--fail-on", "touching").exit_code == FAULTS
    assert run(files[0], files[2]).exit_code == CLEAR


def test_the_same_file_twice_is_two_parts(tmp_path):
    path = write_cube(tmp_path / "cube.stl", 0.0)
    code, found = run_json(path, path)
    assert (code, [part["name"] for part in found["parts"]]) == (FAULTS, ["cube", "cube#2"])


def test_whole_files(tmp_path):
    left = write_cubes(tmp_path / "left.glb", [0.0, 0.5])
    right = write_cubes(tmp_path / "right.glb", [7.0, 7.5])
    assert run_json(left, right)[1]["counts"]["parts"] == 4
    code, found = run_json(left, right, "--parts", "files")
    # the first cube of both files stays at the origin
    assert (code, [part["name"] for part in found["parts"]]) == (FAULTS, ["left", "right"])
    assert [part["triangles"] for part in found["parts"]] == [24, 24]


def test_one_part_is_nothing_to_compare(tmp_path):
    path = write_cube(tmp_path / "alone.stl", 0.0)
    result = run(path)
    assert result.exit_code == CLEAR
    assert "nothing to compare" in result.stdout
    assert run_json(path)[1]["findings"] == []


def damaged_glb(tmp_path):
    path = write_cubes(tmp_path / "cut.glb", [0.0, 1.0])
    path.write_bytes(path.read_bytes()[:-100])
    return path


def damaged_stl(tmp_path):
    path = write_cube(tmp_path / "cut.stl", 0.0)
    path.write_bytes(path.read_bytes()[:-30])
    return path


def empty_scene(tmp_path):
    path = tmp_path / "empty.gltf"
    path.write_text('{"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": []}]}')
    return path


def missing_file(tmp_path):
    return tmp_path / "missing.stl"


def empty_file(tmp_path):
    path = tmp_path / "empty.ply"
    path.touch()
    return path


def empty_folder(folder):
    path = folder / "empty"
    path.mkdir()
    return path


@pytest.mark.parametrize(
    "make",
    [damaged_glb, damaged_stl, empty_scene, missing_file, empty_file, empty_folder],
    ids=lambda f: f.__name__,
)
@pytest.mark.parametrize("options", [(), ("--json",)])
def test_what_cannot_be_read_is_one_line_on_stderr(tmp_path, make, options):
    path = make(tmp_path)
    good = write_cube(tmp_path / "good.stl", 0.0)
    result = run(good, path, *options)
    assert result.exit_code == ERROR
    assert result.stdout == ""
    assert result.stderr.startswith("error: ")
    assert str(path) in result.stderr
    assert result.stderr.count("\n") == 1


def test_debug_shows_where(tmp_path):
    result = run(tmp_path / "missing.stl", "--debug")
    assert result.exit_code == ERROR
    assert "Traceback" in result.stderr
    assert result.stderr.splitlines()[-1].startswith("error: ")


def test_wrong_usage():
    result = run("--no-such-option")
    assert (result.exit_code, result.stdout) == (ERROR, "")
    assert CliRunner().invoke(app, ["no-such-command"]).exit_code == ERROR


def test_long_names_are_not_cut(tmp_path):
    names = ["n" * 120, "[bold]m[/bold] :smile: " + "m" * 120]
    result = run(write_cubes(tmp_path / "long.glb", [0.0, 1.0], names))
    assert all(name in result.stdout for name in names)
    assert "\x1b" not in result.stdout
    assert "…" not in result.stdout


def test_names_cannot_steer_the_terminal(tmp_path):
    result = run(write_cubes(tmp_path / "odd.glb", [0.0, 1.0], ["red\x1b[31m", "two\nlines"]))
    assert "\x1b" not in result.stdout
    assert "red\ufffd[31m" in result.stdout
    assert "two\ufffdlines" in result.stdout
    names = {part["name"] for part in run_json(tmp_path / "odd.glb")[1]["parts"]}
    assert names == {"red\ufffd[31m", "two\ufffdlines"}


@sized(20, 300)
def test_every_one_of_many_rows_is_printed(tmp_path, count):
    path = write_cubes(tmp_path / "chain.glb", [0.75 * k for k in range(count + 1)])
    result = run(path)
    findings = run_json(path)[1]["findings"]
    assert len(findings) == count
    assert [row[1:4] for row in rows_of(result)] == [["crossing", f["name_a"], f["name_b"]] for f in findings]


@pytest.mark.parametrize(
    "raised, code, words", [(KeyboardInterrupt, INTERRUPTED, "interrupted"), (MemoryError, ERROR, "error: not enough")]
)
def test_other_ends(monkeypatch, raised, code, words):
    def fail(*arguments):
        raise raised

    monkeypatch.setattr(import_module("tumble.cli.check"), "check_parts", fail)
    result = run()
    assert (result.exit_code, result.stdout) == (code, "")
    assert result.stderr.startswith(words)


def test_names_that_cannot_be_encoded(tmp_path):
    first = write_cube(tmp_path / "größe.stl", 0.0)
    runner = CliRunner(charset="ascii")
    result = runner.invoke(app, ["check", str(first), str(first)])
    assert result.exit_code == FAULTS
    assert "gr\\xf6\\xdfe" in result.stdout


def test_cubes_of_these_tests_are_unit_cubes():
    assert np.array_equal(cube().bounds, [[-0.5] * 3, [0.5] * 3])
