"""`tumble check`: lengths, rules, baseline, motion, files, exit codes."""

import json
import os
from importlib import import_module

import pytest
from assembly_files import write_cubes
from clash_files import checked, run, write

from solid_forms import BOX, SMALL, moved
from tumble import FileError, shapes, translation

CLEAR, FAULTS, ERROR = 0, 1, 2
BLOCK, DEEP, HAIR = shapes.box(100.0), moved(shapes.box(100.0), 80, 0, 0), moved(shapes.box(100.0), 99.9999, 0, 0)


def test_the_tolerance_decides(tmp_path):
    assert checked(tmp_path, one=BLOCK, two=HAIR)[0] == FAULTS
    code, text, found = checked(tmp_path, "--tolerance", "0.1", one=BLOCK, two=HAIR)
    assert (code, found["findings"][0]["kind"]) == (CLEAR, "contact")
    assert found["settings"]["tolerance"] == 0.1
    assert "No fault in 1 finding: 1 contact." in text
    code, text, found = checked(tmp_path, "--tolerance", "0.1", one=BLOCK, two=DEEP)
    (finding,) = found["findings"]
    assert (code, finding["kind"], finding["volume"]) == (FAULTS, "crossing", pytest.approx(200_000))
    assert (finding["depth"], finding["depth_is_exact"]) == (pytest.approx(20.0), True)
    assert "depth 20" in text
    assert run(*files(tmp_path, one=BLOCK, two=HAIR), "--tolerance", "1", "--fail-on", "contact").exit_code == FAULTS


def files(folder, **meshes):
    return [write(folder / f"{name}.off", mesh) for name, mesh in meshes.items()]


@pytest.mark.parametrize("text", ["0.1mm", "1e-4m", "100um", "100 µm", "0.01 cm"])
def test_lengths_have_units(tmp_path, text):
    """A GLB file is in metres."""
    path = write_cubes(tmp_path / "crossing.glb", [0.0, 0.75])
    found = json.loads(run(path, "--tolerance", text, "--json").stdout)
    assert found["settings"]["tolerance"] == pytest.approx(1e-4)


@pytest.mark.parametrize(
    "options, words",
    [
        (("--tolerance", "0.1mm"), "--tolerance is '0.1mm', but the files state no unit of length"),
        (("--clearance", "1 parsec"), "'parsec' is not a unit; use one of: um, mm, cm, m, in, ft"),
        (("--clearance", "-1"), "must be a finite length from 0"),
        (("--clearance", "wide"), "must be a length such as 0.1mm"),
        (("--clearance", "nan"), "must be a length such as 0.1mm"),
        (("--fail-on", "weather"), "unknown --fail-on 'weather'; choose one of: touching, contact"),
        (("--group-by", "colour"), "unknown --group-by 'colour'"),
        (("--bcf-version", "1"), "unknown --bcf-version '1'"),
        (("--bcf-version", "3.0"), "--bcf-version says which BCF file to write: name the file with --bcf"),
        (("--approve", "12"), "--approve needs --baseline"),
        (("--reason", "as built"), "--reason says why findings are approved: name them with --approve"),
        (("--rules", "missing.toml"), "missing.toml cannot be read"),
        (("--motion", "missing.json"), "missing.json cannot be read"),
        (("--csv", "no/such/folder.csv"), "there is no folder no/such"),
        (("--bcf", "."), "it is a folder"),
    ],
)
def test_wrong_options_are_one_line_on_stderr(tmp_path, options, words):
    result = run(*files(tmp_path, one=BLOCK, two=DEEP), *options)
    assert (result.exit_code, result.stdout) == (ERROR, "")
    assert words in result.stderr
    assert result.stderr.count("\n") == 1


def test_rules_and_clearance(tmp_path):
    rules = tmp_path / "rules.toml"
    rules.write_text("[[ignore]]\na = 'one'\nb = 'two'\nname = 'glued'\n[[ignore]]\na = 'gone*'\nname = 'old'\n")
    parts = {"one": BLOCK, "two": DEEP, "three": moved(BLOCK, 0, 101, 0)}
    code, text, found = checked(tmp_path, "--rules", rules, "--clearance", "2", **parts)
    assert code == FAULTS
    assert sorted((one["kind"], one["gap"], one["name_b"]) for one in found["findings"]) == [
        ("too_close", 1.0, "three"),
        ("too_close", 1.0, "three"),
    ]
    assert found["ignored"] == {"glued": 1, "old": 0}
    assert "Rules left out 1 pair of parts." in text
    assert "The rule 'old' matches no parts." in text
    assert checked(tmp_path, "--rules", rules, **parts)[0] == CLEAR


def test_a_baseline_remembers(tmp_path):
    parts = files(tmp_path, one=BLOCK, two=DEEP)
    baseline = tmp_path / "state.json"

    def once(*more):
        result = run(*parts, "--baseline", baseline, "--json", *more)
        (finding,) = json.loads(result.stdout)["findings"]
        return result.exit_code, finding["state"], finding["reason"], finding["id"]

    code, state, _, number = once()
    assert (code, state) == (FAULTS, "new")
    assert once()[:2] == (FAULTS, "persistent")
    assert once("--approve", number[:8], "--reason", "as built")[:3] == (CLEAR, "approved", "as built")
    assert once()[:3] == (CLEAR, "approved", "as built")
    result = run(parts[0], "--baseline", baseline)
    assert "Resolved: one and two (crossing)." in result.stdout
    assert "0 approved, 1 resolved" in result.stdout
    assert once()[1] == "approved"
    before = baseline.read_bytes()
    result = run(*parts, "--baseline", baseline, "--approve", "zzz")
    assert (result.exit_code, result.stdout, baseline.read_bytes()) == (ERROR, "", before)
    baseline.write_text("{")
    assert run(*parts, "--baseline", baseline).exit_code == ERROR


def test_motion(tmp_path):
    poses = tmp_path / "poses.json"
    steps = [translation(step, 0, 0).tolist() for step in (200.0, 100.0, 90.0)]
    poses.write_text(json.dumps({"tracks": {"two": steps}}))
    code, text, found = checked(tmp_path, "--motion", poses, one=BLOCK, two=BLOCK)
    (finding,) = found["findings"]
    assert (code, finding["kind"], finding["frames"], finding["frame"], found["frames"]) == (
        FAULTS, "crossing", [1, 2], 2, 3,
    )  # fmt: skip
    assert "2 of 3 frames" in text


def test_files_are_written_whole_or_not_at_all(tmp_path, monkeypatch):
    (tmp_path / "out").mkdir()
    parts = files(tmp_path, **{"<b>one<b>": BLOCK, "größe": DEEP})
    names = [tmp_path / "out" / name for name in ("a.csv", "a.bcf")]
    result = run(*parts, "--csv", names[0], "--bcf", names[1], "--bcf-version", "3.0")
    assert result.exit_code == FAULTS
    assert sorted(os.listdir(tmp_path / "out")) == ["a.bcf", "a.csv"]
    text = names[0].read_text("utf-8-sig")
    assert "<b>one<b>" in text
    assert "größe" in text
    for name in names:
        name.unlink()
    monkeypatch.setattr(import_module("tumble.cli.check"), "check_parts", lambda *arguments: 1 / 0)
    assert isinstance(run(*parts, "--csv", names[0], "--bcf", names[1]).exception, ZeroDivisionError)
    assert os.listdir(tmp_path / "out") == []


def test_groups(tmp_path):
    parts = {"block": BOX, "pin-1": SMALL, "pin-2": moved(SMALL, 5, 0, 0), "lid": moved(BOX, 0, 0, 1.5)}
    _, text, found = checked(tmp_path, "--group-by", "names", **parts)
    assert {group["name"] for group in found["groups"]} >= {"block × pin", "block × lid"}
    assert "block × pin" in text
    assert sum(len(group["findings"]) for group in found["groups"]) == len(found["findings"])


def hard_link(folder, name):
    os.link(folder / name, folder / "other.txt")
    return folder / "other.txt"


@pytest.mark.parametrize("option", ["--report", "--csv", "--bcf", "--baseline"])
@pytest.mark.parametrize("way", ["file", "relative", "folder", "link", "hard link"])
def test_an_output_never_replaces_what_is_read(tmp_path, monkeypatch, option, way):
    parts = files(tmp_path, one=BLOCK, two=DEEP)
    before = parts[1].read_bytes()
    given, output = parts, parts[1]
    if way == "relative":
        monkeypatch.chdir(tmp_path)
        output = f"../{tmp_path.name}/two.off"
    if way == "folder":
        given = [tmp_path]
    if way == "link":
        output = tmp_path / "link.html"
        output.symlink_to(parts[1])
    if way == "hard link":
        output = hard_link(tmp_path, "two.off")
    result = run(*given, option, output)
    assert (result.exit_code, result.stdout) == (ERROR, "")
    assert f"{option} {output} would replace" in result.stderr
    assert parts[1].read_bytes() == before


def test_an_output_never_replaces_rules_or_another_output(tmp_path):
    parts, rules, out = files(tmp_path, one=BLOCK, two=DEEP), tmp_path / "rules.toml", tmp_path / "out"
    rules.write_text("")
    result = run(*parts, "--rules", rules, "--report", rules)
    assert (result.exit_code, rules.read_text()) == (ERROR, "")
    assert "would replace --rules" in result.stderr
    result = run(*parts, "--csv", out, "--baseline", tmp_path / "." / "out")
    assert (result.exit_code, out.exists()) == (ERROR, False)
    assert "--csv and --baseline would both be written to" in result.stderr
    assert run(*parts, "--csv", os.devnull, "--report", os.devnull).exit_code == FAULTS


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no FIFOs on this system")
@pytest.mark.parametrize("option", ["--rules", "--baseline", "--motion"])
def test_what_may_never_end_is_not_read(tmp_path, option):
    os.mkfifo(tmp_path / "fifo")
    parts = files(tmp_path, one=BLOCK, two=DEEP)
    for path in (tmp_path / "fifo", "/dev/zero"):
        result = run(*parts, option, path)
        assert (result.exit_code, result.stdout) == (ERROR, "")
        assert f"{path} is not a regular file" in result.stderr


@pytest.mark.parametrize(
    "option, text", [("--rules", "a=" + "[" * 3000), ("--baseline", "[" * 100_000), ("--motion", "[" * 100_000)]
)
def test_what_is_nested_too_deeply_is_one_line(tmp_path, option, text):
    (tmp_path / "deep").write_text(text)
    result = run(*files(tmp_path, one=BLOCK, two=DEEP), option, tmp_path / "deep")
    assert (result.exit_code, result.stdout, result.stderr.count("\n")) == (ERROR, "", 1)
    assert str(tmp_path / "deep") in result.stderr


def test_a_wrong_baseline_is_found_before_the_check(tmp_path, monkeypatch):
    monkeypatch.setattr(import_module("tumble.cli.check"), "read_assembly", lambda *arguments: 1 / 0)
    for depth in ("NaN", "-1", "true", "1e999", "1" + 400 * "0"):
        row = f'{{"id": "1", "a": "a", "b": "b", "kind": "crossing", "depth": {depth}, "state": "approved"}}'
        text = f'{{"format": "tumble baseline", "version": 1, "findings": [{row}]}}'
        (tmp_path / "state.json").write_text(text)
        result = run(*files(tmp_path, one=BLOCK), "--baseline", tmp_path / "state.json")
        assert result.exit_code == ERROR
        assert "finding 0 has the depth" in result.stderr


def test_without_its_output_no_file_is_written(tmp_path, monkeypatch):
    def full(text):
        raise FileError("the output cannot be written: no space")

    monkeypatch.setattr(import_module("tumble.cli.check"), "write_out", full)
    parts = files(tmp_path, one=BLOCK, two=DEEP)
    result = run(*parts, "--csv", tmp_path / "out.csv", "--baseline", tmp_path / "state.json")
    assert result.exit_code == ERROR
    assert sorted(os.listdir(tmp_path)) == ["one.off", "two.off"]
