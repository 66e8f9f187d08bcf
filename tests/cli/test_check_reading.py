"""What `tumble check` makes of files: units, parts, folders, types, and what it says of them."""

import json

import pytest
from assembly_files import write_cube, write_cubes
from clash_files import run, write

from solid_forms import box, moved
from tumble.mesh.mesh import concatenated

CLEAR, FAULTS, ERROR = 0, 1, 2
UNIT = box((0.0, 0.0, 0.0), (1.0, 1.0, 1.0))
GROUPS = """\
v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1
g floor\nf 1 2 3
g wall\nf 1 2 4
"""


def run_json(*arguments):
    result = run(*arguments, "--json")
    return result.exit_code, json.loads(result.stdout)


def test_files_are_converted_to_one_unit(tmp_path):
    """A cube of a metre, by glTF, and one of 100 mm in the middle of its side: half of it is inside."""
    large = write_cubes(tmp_path / "large.glb", [0.0])
    small = write(tmp_path / "small.off", box((450.0, -50.0, -50.0), (550.0, 50.0, 50.0)))
    code, found = run_json(large, small, "--unit", "mm")
    (finding,) = found["findings"]
    assert (code, found["unit"], finding["kind"]) == (FAULTS, "mm", "crossing")
    assert finding["volume"] == pytest.approx(50.0 * 100.0**2)
    assert found["notes"] == ["large.glb: converted from m to mm."]
    assert "large.glb: converted from m to mm." in run(large, small, "--unit", "mm").stdout
    code, found = run_json(large, small, "--unit", "mm", "--in", "cm", "--tolerance", "60mm")
    assert (code, found["unit"], found["settings"]["tolerance"]) == (CLEAR, "cm", 6.0)
    assert found["findings"][0]["volume"] == pytest.approx(500.0)


def test_unknown_units_beside_known_ones_are_said(tmp_path):
    files = write_cubes(tmp_path / "known.glb", [0.0]), write_cube(tmp_path / "unknown.stl", 5.0)
    code, found = run_json(*files)
    assert (code, found["unit"]) == (CLEAR, "m")
    assert found["notes"] == ["unknown.stl: no unit of length is stated; taken as m, like the other files."]
    only = run(files[1], "--tolerance", "1mm")
    assert only.exit_code == ERROR
    assert "--unit" in only.stderr
    assert run(files[1], "--tolerance", "1mm", "--unit", "in").exit_code == CLEAR


def test_groups_of_an_obj_file_are_parts_if_asked(tmp_path):
    path = tmp_path / "room.obj"
    path.write_text(GROUPS)
    names = {
        asked: [part["name"] for part in run_json(path, "--parts", asked)[1]["parts"]] for asked in ("nodes", "groups")
    }
    assert names == {"nodes": ["room"], "groups": ["floor", "wall"]}


def test_a_file_of_one_part_is_split_by_what_is_connected(tmp_path):
    path = write(tmp_path / "two.off", concatenated([UNIT, moved(UNIT, 0.5, 0.25, 0.125)]))
    assert run_json(path)[1]["counts"]["parts"] == 1
    code, found = run_json(path, "--split")
    assert (code, [one["kind"] for one in found["findings"]]) == (FAULTS, ["crossing"])
    assert [part["name"] for part in found["parts"]] == ["component 1", "component 2"]


def test_a_folder_is_read_and_what_is_skipped_is_said(tmp_path):
    folder = tmp_path / "parts"
    folder.mkdir()
    for name, offset in (("a", 0.0), ("b", 0.5)):
        write_cube(folder / f"{name}.stl", offset)
    (folder / "notes.txt").write_text("not a mesh")
    code, found = run_json(folder)
    assert (code, [part["name"] for part in found["parts"]]) == (FAULTS, ["a", "b"])
    assert [one["what"] for one in found["skipped"]] == [str(folder / "notes.txt")]
    page = tmp_path / "page.html"
    assert "notes.txt" in run(folder, "--report", page).stdout
    assert "notes.txt" in page.read_text()


@pytest.mark.parametrize(
    "options, said",
    [
        (("--unit", "parsec"), "--unit must be one of um, mm"),
        (("--in", "parsec"), "--in must be one of um, mm"),
        (("--parts", "bolts"), "--parts"),
        (("--split", "--parts", "files"), "give one of them"),
        (("--in", "mm"), "states no unit of length"),
    ],
)
def test_what_cannot_be_is_refused(tmp_path, options, said):
    result = run(write_cube(tmp_path / "cube.stl", 0.0), *options)
    assert (result.exit_code, result.stdout) == (ERROR, "")
    assert said in result.stderr


def test_far_coordinates_are_moved_and_the_shift_is_said(tmp_path):
    files = [
        write(tmp_path / f"{name}.off", box((x, 5.4e6, 0.0), (x + 1.0, 5.4e6 + 1.0, 1.0)))
        for name, x in (("a", 4.5e5), ("b", 4.5e5 + 0.5))
    ]
    code, found = run_json(*files)
    (finding,) = found["findings"]
    assert (code, finding["volume"]) == (FAULTS, pytest.approx(0.5))
    point = [value + start for value, start in zip(finding["point"], found["origin"], strict=True)]
    assert point == pytest.approx([4.5e5 + 0.75, 5.4e6 + 0.5, 0.5], abs=1e-6)
    assert any("was subtracted" in note for note in found["notes"])
