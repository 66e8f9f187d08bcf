"""`tumble check`: what is buried in another part, and how parts lie to each other."""

from functools import partial
from importlib import import_module

import pytest
from clash_files import checked

from solid_forms import BALL, BOX, HOLLOW, SMALL, inverted, joined, moved
from tumble import Mesh, shapes
from tumble.clash import CheckSettings

CLEAR, FAULTS = 0, 1
OPEN_BOX, OPEN_SMALL = Mesh(BOX.vertices, BOX.faces[1:]), Mesh(SMALL.vertices, SMALL.faces[1:])


@pytest.mark.parametrize(
    "a, b, kind, first, code",
    [
        (SMALL, BOX, "inside", "one", FAULTS),
        (BOX, SMALL, "inside", "two", FAULTS),
        (moved(SMALL, 0.5, 0, 0), BOX, "inside", "one", FAULTS),
        (BOX, moved(BOX, 2, 0, 0), "touching", "one", CLEAR),
        (BOX, moved(BOX, 1, 0, 0), "crossing", "one", FAULTS),
        (BOX, inverted(BOX), "duplicate", "one", FAULTS),
        (shapes.box(3.0), HOLLOW, "crossing", "one", FAULTS),
        (OPEN_SMALL, BOX, "inside", "one", FAULTS),
        (OPEN_BOX, moved(OPEN_BOX, 1, 0.5, 0.25), "crossing", "one", FAULTS),
        (OPEN_BOX, moved(OPEN_BOX, 2, 0, 0), "touching", "one", CLEAR),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_findings(tmp_path, a, b, kind, first, code):
    exit_code, text, found = checked(tmp_path, one=a, two=b)
    assert exit_code == code
    (finding,) = found["findings"]
    assert (finding["name_a"], finding["kind"]) == (first, kind)
    row = next(line for line in text.splitlines() if line[:1] in ("✗", "·"))
    assert row.split()[:4] == ["✗" if code else "·", kind, first, finding["name_b"]]
    assert found["counts"]["kinds"][kind] == sum(found["counts"]["kinds"].values()) == 1


@pytest.mark.parametrize("a, b", [(SMALL, HOLLOW), (BOX, moved(SMALL, 3, 0, 0))])
def test_clear(tmp_path, a, b):
    code, text, found = checked(tmp_path, one=a, two=b)
    assert (code, found["findings"]) == (CLEAR, [])
    assert "Clear: no parts touch, and none is inside another." in text
    assert "open" not in text


def test_nothing_is_inside_an_open_part(tmp_path):
    code, text, found = checked(tmp_path, pin=SMALL, lidless=OPEN_BOX)
    assert (code, found["findings"], found["counts"]["open_parts"]) == (CLEAR, [], 1)
    assert [part["closed"] for part in found["parts"]] == [True, False]
    assert "1 of 2 parts has open edges (lidless): surfaces without an inside, in which nothing is found." in text
    many = {f"sheet{k}": moved(OPEN_SMALL, 5 * k, 0, 0) for k in range(5)}
    assert "5 of 5 parts have open edges (sheet0, sheet1, sheet2, …): surfaces" in checked(tmp_path, **many)[1]


def test_what_takes_long_is_left_undecided_unless_asked_for(tmp_path, monkeypatch):
    """A surface, which has no volume that could tell."""
    parts = {"ball": Mesh(BALL.vertices, BALL.faces[1:]), "mould": joined(shapes.box(4.0), inverted(BALL))}
    monkeypatch.setattr(import_module("tumble.cli.check"), "CheckSettings", partial(CheckSettings, lines_each=5))
    code, text, found = checked(tmp_path, **parts)
    assert (code, [finding["kind"] for finding in found["findings"]]) == (FAULTS, ["undecided"])
    assert "--relations decides all" in text
    code, text, found = checked(tmp_path, "--relations", **parts)
    assert (code, [finding["kind"] for finding in found["findings"]]) == (CLEAR, ["touching"])
    assert "ndecided" not in text
