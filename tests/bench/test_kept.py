"""The runs that are kept in the repository: each page is what its table gives."""

from pathlib import Path

import pytest

from tumble.bench import BENCHMARKS, render

KEPT = sorted((Path(__file__).resolve().parents[2] / "benchmarks").glob("*/*/results.csv"))


def test_every_benchmark_keeps_a_run():
    assert {path.parents[1].name for path in KEPT} == set(BENCHMARKS)


@pytest.mark.slow
@pytest.mark.parametrize("path", KEPT, ids=lambda path: path.parents[1].name)
def test_the_page_is_made_of_the_table(path, tmp_path):
    result = render(path.parents[1].name, path, tmp_path)
    assert result["ok"]
    assert (tmp_path / "index.md").read_text("utf-8") == (path.parent / "index.md").read_text("utf-8")
    figures = {figure.name for figure in path.parent.glob("*.svg")}
    assert figures == {figure.name for figure in tmp_path.glob("*.svg")}
