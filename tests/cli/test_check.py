"""`tumble check`: verdicts, exit codes and output, in this process."""

import json
from importlib import import_module

import numpy as np
import pytest
import trimesh
from assembly_files import cube, write_cube, write_cubes
from typer.testing import CliRunner

import tumble
from covering import sized
from tumble.cli import app
from tumble.scenario import assembly

CLEAR, TOUCHING, ERROR, INTERRUPTED = 0, 1, 2, 130


def run(*arguments):
    return CliRunner().invoke(app, ["check", *map(str, arguments)])


def run_json(*arguments):
    result = run(*arguments, "--json")
    return result.exit_code, json.loads(result.stdout)


def rows_of(result):
    lines = result.stdout.splitlines()
    start = next(k for k, line in enumerate(lines) if line.startswith("part "))
    return [line.split() for line in lines[start + 1 : lines.index("", start)]]


def test_the_sample_is_checked_without_a_file():
    result = run()
    assert result.exit_code == TOUCHING
    assert "sample assembly" in result.stdout
    contacts = run_json()[1]["contacts"]
    expected = [[c["part_a"], c["relation"], c["part_b"], f"{c['triangle_pairs']:,}"] for c in contacts]
    assert rows_of(result) == expected
    parts = dict(assembly())
    for contact in contacts:
        pairs = tumble.collide(parts[contact["part_a"]], parts[contact["part_b"]])
        assert len(pairs) == contact["triangle_pairs"]
        relation = tumble.relation(parts[contact["part_a"]], parts[contact["part_b"]]).relation
        assert relation == contact["relation"] in ("touching", "crossing")


def test_json_says_everything(tmp_path):
    path = write_cubes(tmp_path / "cubes.glb", [0.0, 1.0, 5.0], ["one", "two", "three"])
    code, found = run_json(path)
    assert code == TOUCHING
    assert (found["schema_version"], found["sample"], found["files"]) == (1, False, [str(path)])
    parts = {part["name"]: part for part in found["parts"]}
    assert {name: part["triangles"] for name, part in parts.items()} == {"one": 12, "two": 12, "three": 12}
    assert parts["two"]["bounds"] == [[0.5, -0.5, -0.5], [1.5, 0.5, 0.5]]
    assert all(part["closed"] for part in found["parts"])
    (contact,) = found["contacts"]
    assert {contact["part_a"], contact["part_b"]} == {"one", "two"}
    assert contact["relation"] == "touching"
    for side in "ab":
        assert found["parts"][contact[f"index_{side}"]]["name"] == contact[f"part_{side}"]
    assert found["counts"] == {
        "parts": 3,
        "triangles": 36,
        "part_pairs": 3,
        "looked_at": 1,
        "touching": 1,
        "triangle_pairs": contact["triangle_pairs"],
        "relations": {"touching": 1, "crossing": 0, "inside": 0, "equal": 0, "undecided": 0},
        "open_parts": 0,
    }
    assert found["seconds"] > 0


@pytest.mark.parametrize("suffix", ["glb", "gltf", "3mf"])
def test_node_transforms_decide(tmp_path, suffix):
    folder = tmp_path / "touching"
    folder.mkdir()
    code, found = run_json(write_cubes(folder / f"cubes.{suffix}", [0.0, 1.0]))
    assert (code, found["counts"]["touching"]) == (TOUCHING, 1)
    code, found = run_json(write_cubes(tmp_path / f"apart.{suffix}", [0.0, 1.25]))
    assert (code, found["counts"]["touching"], found["counts"]["parts"]) == (CLEAR, 0, 2)


def test_one_ulp_apart_is_clear(tmp_path):
    code, found = run_json(write_cubes(tmp_path / "apart.glb", [0.0, np.nextafter(1.0, 2.0)]))
    low, high = (sorted(part["bounds"][k][0] for part in found["parts"]) for k in (0, 1))
    assert 0 < low[1] - high[0] < 1e-15
    assert (code, found["contacts"], found["counts"]["looked_at"]) == (CLEAR, [], 0)
    result = run(tmp_path / "apart.glb")
    assert result.exit_code == CLEAR
    assert "no parts touch" in result.stdout


def test_one_geometry_twice_in_one_place(tmp_path):
    code, found = run_json(write_cubes(tmp_path / "twice.glb", [0.0, 0.0]))
    assert code == TOUCHING
    same = trimesh.creation.box()
    assert found["counts"]["triangle_pairs"] == len(tumble.collide(same, same))
    assert [contact["relation"] for contact in found["contacts"]] == ["equal"]
    assert "1 pair of parts meets: 1 equal" in run(tmp_path / "twice.glb").stdout


@pytest.mark.parametrize("suffix", ["stl", "ply"])
def test_several_files(tmp_path, suffix):
    files = [write_cube(tmp_path / f"{name}.{suffix}", x) for name, x in (("left", 0.0), ("mid", 1.0), ("far", 4.0))]
    result = run(*files)
    assert result.exit_code == TOUCHING
    assert rows_of(result)[0][:3] == ["left", "touching", "mid"]
    assert "1 pair of parts meets: 1 touching; " in result.stdout
    assert "3 parts, 36 triangles; looked at 1 of 3 pairs of parts" in result.stdout
    assert run(files[0], files[2]).exit_code == CLEAR


def test_the_same_file_twice_is_two_parts(tmp_path):
    path = write_cube(tmp_path / "cube.stl", 0.0)
    code, found = run_json(path, path)
    assert (code, [part["name"] for part in found["parts"]]) == (TOUCHING, ["cube", "cube#2"])


def test_whole_files(tmp_path):
    left = write_cubes(tmp_path / "left.glb", [0.0, 0.5])
    right = write_cubes(tmp_path / "right.glb", [7.0, 7.5])
    assert run_json(left, right)[1]["counts"]["parts"] == 4
    code, found = run_json(left, right, "--whole")
    # the first cube of both files stays at the origin
    assert (code, [part["name"] for part in found["parts"]]) == (TOUCHING, ["left", "right"])
    assert [part["triangles"] for part in found["parts"]] == [24, 24]


def test_one_part_is_nothing_to_compare(tmp_path):
    path = write_cube(tmp_path / "alone.stl", 0.0)
    result = run(path)
    assert result.exit_code == CLEAR
    assert "nothing to compare" in result.stdout
    assert run_json(path)[1]["contacts"] == []


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


def the_folder_itself(tmp_path):
    return tmp_path


@pytest.mark.parametrize(
    "make",
    [damaged_glb, damaged_stl, empty_scene, missing_file, empty_file, the_folder_itself],
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
    assert "red\\x1b[31m" in result.stdout
    assert "two\\nlines" in result.stdout
    names = {part["name"] for part in run_json(tmp_path / "odd.glb")[1]["parts"]}
    assert names == {"red\x1b[31m", "two\nlines"}


@sized(60, 300)
def test_every_one_of_many_rows_is_printed(tmp_path, count):
    path = write_cubes(tmp_path / "chain.glb", [0.75 * k for k in range(count + 1)])
    result = run(path)
    contacts = run_json(path)[1]["contacts"]
    assert len(contacts) == count
    assert [row[:3] for row in rows_of(result)] == [[c["part_a"], "crossing", c["part_b"]] for c in contacts]
    order = [(c["index_a"], c["index_b"]) for c in contacts]
    assert order == sorted(order)


@pytest.mark.parametrize(
    "raised, code, words", [(KeyboardInterrupt, INTERRUPTED, "interrupted"), (MemoryError, ERROR, "error: not enough")]
)
def test_other_ends(monkeypatch, raised, code, words):
    def fail(*arguments):
        raise raised

    monkeypatch.setattr(import_module("tumble.cli.check"), "contacts_of", fail)
    result = run()
    assert (result.exit_code, result.stdout) == (code, "")
    assert result.stderr.startswith(words)


def test_names_that_cannot_be_encoded(tmp_path):
    first = write_cube(tmp_path / "größe.stl", 0.0)
    runner = CliRunner(charset="ascii")
    result = runner.invoke(app, ["check", str(first), str(first)])
    assert result.exit_code == TOUCHING
    assert "gr\\xf6\\xdfe" in result.stdout


def test_cubes_of_these_tests_are_unit_cubes():
    assert np.array_equal(cube().bounds, [[-0.5] * 3, [0.5] * 3])
