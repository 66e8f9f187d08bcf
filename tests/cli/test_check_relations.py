"""`tumble check`: what is buried in another part, and how parts that touch lie to each other."""

import json
from importlib import import_module

import pytest
from typer.testing import CliRunner

from solid_forms import BALL, BOX, HOLLOW, SMALL, inverted, joined, moved
from tumble import Mesh, shapes
from tumble.cli import app

CLEAR, TOUCHING = 0, 1
OPEN_BOX, OPEN_SMALL = Mesh(BOX.vertices, BOX.faces[1:]), Mesh(SMALL.vertices, SMALL.faces[1:])


def write(path, mesh):
    """An OFF file, which keeps every bit."""
    rows = [f"{x!r} {y!r} {z!r}" for x, y, z in mesh.vertices.tolist()]
    rows += [f"3 {i} {j} {k}" for i, j, k in mesh.faces.tolist()]
    path.write_text("\n".join(["OFF", f"{len(mesh.vertices)} {len(mesh)} 0", *rows, ""]))
    return path


def run(*arguments):
    return CliRunner().invoke(app, ["check", *map(str, arguments)])


def checked(folder, *options, **meshes):
    """The exit code, the words for the pairs, the text and the JSON object."""
    files = [write(folder / f"{name}.off", mesh) for name, mesh in meshes.items()]
    text, found = run(*files, *options), run(*files, *options, "--json")
    assert text.exit_code == found.exit_code
    return text.exit_code, text.stdout, json.loads(found.stdout)


@pytest.mark.parametrize(
    "a, b, relation, word",
    [
        (SMALL, BOX, "a_inside_b", "inside"),
        (BOX, SMALL, "b_inside_a", "contains"),
        (moved(SMALL, 0.5, 0, 0), BOX, "a_inside_b", "inside"),
        (BOX, moved(BOX, 2, 0, 0), "touching", "touching"),
        (BOX, moved(BOX, 1, 0, 0), "crossing", "crossing"),
        (BOX, inverted(BOX), "equal", "equal"),
        (shapes.box(3.0), HOLLOW, "crossing", "crossing"),
        (OPEN_SMALL, BOX, "a_inside_b", "inside"),
        (OPEN_BOX, moved(OPEN_BOX, 1, 0.5, 0.25), "crossing", "crossing"),
        (OPEN_BOX, moved(OPEN_BOX, 2, 0, 0), "touching", "touching"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_findings(tmp_path, a, b, relation, word):
    code, text, found = checked(tmp_path, one=a, two=b)
    assert code == TOUCHING
    (contact,) = found["contacts"]
    assert (contact["part_a"], contact["part_b"], contact["relation"]) == ("one", "two", relation)
    row = next(line for line in text.splitlines() if line.startswith("one"))
    assert row.split() == ["one", word, "two", f"{contact['triangle_pairs']:,}"]
    kind = "inside" if word == "contains" else word
    assert f"1 pair of parts meets: 1 {kind}; " in text
    assert found["counts"]["relations"][kind] == sum(found["counts"]["relations"].values()) == 1
    assert found["counts"]["touching"] == (contact["triangle_pairs"] > 0)


@pytest.mark.parametrize("a, b", [(SMALL, HOLLOW), (BOX, moved(SMALL, 3, 0, 0))])
def test_clear(tmp_path, a, b):
    code, text, found = checked(tmp_path, one=a, two=b)
    assert (code, found["contacts"]) == (CLEAR, [])
    assert "Clear: no parts touch, and none is inside another." in text
    assert "open" not in text


def test_nothing_is_inside_an_open_part(tmp_path):
    code, text, found = checked(tmp_path, pin=SMALL, lidless=OPEN_BOX)
    assert (code, found["contacts"], found["counts"]["open_parts"]) == (CLEAR, [], 1)
    assert [part["closed"] for part in found["parts"]] == [True, False]
    assert "1 of 2 parts has open edges (lidless), so no inside: what is buried there is not found." in text
    many = {f"sheet{k}": moved(OPEN_SMALL, 5 * k, 0, 0) for k in range(5)}
    assert "5 of 5 parts have open edges (sheet0, sheet1, sheet2, …), so no inside" in checked(tmp_path, **many)[1]


def test_what_takes_long_is_left_undecided_unless_asked_for(tmp_path, monkeypatch):
    parts = {
        "ball": BALL,
        "mould": joined(shapes.box(4.0), inverted(BALL)),
        "pin": moved(shapes.box(0.5), 1.5, 1.5, 1.5),
    }
    monkeypatch.setattr(import_module("tumble.cli.check"), "EACH", 20)
    code, text, found = checked(tmp_path, **parts)
    assert code == TOUCHING
    relations = {(c["part_a"], c["part_b"]): c["relation"] for c in found["contacts"]}
    assert relations == {("ball", "mould"): None, ("mould", "pin"): "b_inside_a"}
    assert "2 pairs of parts meet: 1 inside, 1 undecided; " in text
    assert "--relations decides all" in text
    code, text, found = checked(tmp_path, "--relations", **parts)
    assert [c["relation"] for c in found["contacts"]] == ["touching", "b_inside_a"]
    assert "ndecided" not in text
    monkeypatch.setattr(import_module("tumble.cli.check"), "ALL", 0)
    assert checked(tmp_path, **parts)[2]["counts"]["relations"]["undecided"] == 1
