"""The paper `chip`: what the program does wrong is found out by claims that must hold; marks, costs and files."""

from dataclasses import replace

import numpy as np
import pytest
from chip_spoilt import results, words

import tumble
from tumble.bench.framework.benchmark import Run
from tumble.bench.framework.claims import HOLDS, PARTLY
from tumble.bench.framework.table import Table
from tumble.bench.papers.chip import marks, rotation, swept
from tumble.bench.papers.chip.marks import LIST_MARKS, PAPERS, run_marks
from tumble.bench.papers.chip.measure import QUICK
from tumble.bench.papers.chip.published import DELAY, MARKS
from tumble.bench.papers.chip.rotation import CYCLE_MODEL, SOUP
from tumble.bench.papers.chip.speedups import BUSES
from tumble.bench.papers.chip.startup import write_off
from tumble.chip import Design
from tumble.chip.cost import answer_cycles, comparator_count, register_words
from tumble.chip.dotadd import UNIT as DOTADD
from tumble.chip.sweep import Point

SOUP_TRIANGLES = 60


@pytest.fixture(scope="module")
def soup():
    """The query on a polygon soup, as it is and without triangles; all certain claims about it hold."""
    kept, honest = [], rotation.run_twice

    def noted(*arguments):
        kept.append(honest(*arguments))
        return kept[-1]

    table = Table()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(rotation, "run_twice", noted)
        rotation.run_soup(SOUP_TRIANGLES, table.study(CYCLE_MODEL))
    found = words(table)
    assert {found[name] for name in ("polygon-soups", "same-answers", "moved-once", "three-k")} == {HOLDS}
    return kept[0]


def _lossy(run):
    return replace(run, pairs=run.pairs[1:])


def _moving_twice(run):
    return replace(run, tumbled_nodes=run.tumbled_nodes + 1)


def _multiplying_more(run):
    return replace(run, busy={**run.busy, DOTADD: run.busy[DOTADD] + 1})


@pytest.mark.parametrize(
    "name, spoil",
    [
        ("polygon-soups", _lossy),
        ("same-answers", _lossy),
        ("moved-once", _moving_twice),
        ("three-k", _multiplying_more),
    ],
)
def test_a_chip_that_does_something_else_is_a_fault(monkeypatch, soup, name, spoil):
    """Of the query on a polygon soup; its run is made once."""
    monkeypatch.setattr(rotation, "run_twice", lambda *arguments: tuple(map(spoil, soup)))
    table = Table()
    rotation.run_soup(SOUP_TRIANGLES, table.study(CYCLE_MODEL))
    result = results(table)[name]
    assert result.broken
    if name == "same-answers":
        assert f"the chip on {SOUP}" in result.verdict.numbers


def test_a_record_that_does_not_fit_is_a_fault(monkeypatch):
    monkeypatch.setattr(rotation, "MATRIX_WORDS", slice(0, 16))  # all of a 4 × 4 matrix
    table = Table()
    rotation.add_layout(table.study(rotation.LAYOUT))
    assert results(table)["record-fits"].broken


def test_a_design_that_loses_a_pair_is_a_fault(monkeypatch, soup):
    lost = [Point("tumbled", label, label == "2", *map(_lossy, soup)) for label in ("1", "2", "4", "8")]
    monkeypatch.setattr(swept, "sweep", lambda *meshes, **options: lost)
    monkeypatch.setattr(rotation, "rotate", lambda *arguments: np.ones(1))
    monkeypatch.setattr(swept, "close_distance", lambda *arguments: 1.0)
    run = Run(QUICK)
    swept.run_sweep(run, lambda *progress: None)
    assert results(run.table)["any-design"].broken


def test_the_marks_of_a_list_are_those_of_section_5(monkeypatch):
    """All but the last in every list; a chip that begins a cycle later has none of the later ones."""
    study = Table().study(LIST_MARKS)
    run_marks(SOUP_TRIANGLES, study)
    exact = {mark: study.count(mark, PAPERS, "as printed") / study.count(mark, PAPERS, "lists") for mark in MARKS}
    assert [share == 1 for share in exact.values()] == [True, True, True, True, False]
    assert exact["the fourth aligned node is compared"] > 0.8
    monkeypatch.setattr(marks, "DELAY", DELAY + 1)
    late = Table()
    run_marks(SOUP_TRIANGLES, late.study(LIST_MARKS))
    assert [late.study(LIST_MARKS).count(mark, PAPERS, "as printed") for mark in MARKS][1:] == [0] * 4
    assert words(late)["list-in-time"] == PARTLY


def test_what_a_design_costs():
    assert [comparator_count(Design(tumbled=n)) for n in (1, 2, 4)] == [24, 48, 96]
    # DOP, matrix, correspondence, e and results registers, and a buffer of two pairs
    assert register_words() == 24 + 33 * 4 + 66 + 24 + 48 + 128
    assert register_words(Design(k=6, tumbled=1, buffer_pairs=1)) == 18 + 15 * 4 + 48 + 6 + 6 + 64
    assert [answer_cycles(3, design) for design in BUSES.values()] == [3 * 4, 3 * 2 * 8]


def test_a_mesh_is_written_to_be_read_again(tmp_path):
    mesh = tumble.shapes.torus(segments=12, sides=8)
    write_off(mesh, tmp_path / "mesh.off")
    again = tumble.load(tmp_path / "mesh.off")
    assert np.array_equal(again.faces, mesh.faces)
    assert again.vertices == pytest.approx(mesh.vertices)
