"""The runs that are kept in the repository: each page is what its table gives."""

from pathlib import Path

import pytest

from tumble.bench import BENCHMARKS, render

FOLDER = Path(__file__).resolve().parents[2] / "benchmarks"
KEPT = sorted(page.parent.relative_to(FOLDER) for page in FOLDER.glob("*/**/index.md"))


def test_every_benchmark_keeps_a_run():
    assert {run.parts[0] for run in KEPT if len(run.parts) == 2} == set(BENCHMARKS)


@pytest.mark.slow
@pytest.mark.parametrize("run", KEPT, ids=str)
def test_the_page_is_made_of_the_table(run, tmp_path):
    kept = FOLDER / run
    result = render(run.parts[0], kept / "results.csv", tmp_path)
    assert result["ok"]
    assert (tmp_path / "index.md").read_text("utf-8") == (kept / "index.md").read_text("utf-8")
    figures = {figure.name for figure in kept.glob("*.svg")}
    assert figures == {figure.name for figure in tmp_path.glob("*.svg")}
