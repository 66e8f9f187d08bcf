"""Every program in `examples/` runs, at small sizes."""

import runpy
import sys
from pathlib import Path

import pytest

EXAMPLES = sorted((Path(__file__).resolve().parents[1] / "examples").glob("*.py"))


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_every_example_runs(path, tmp_path, monkeypatch, capfd):
    """In this process: a new one for each would take longer to start than the example."""
    monkeypatch.setenv("TUMBLE_EXAMPLE_SIZE", "small")
    monkeypatch.setattr(sys, "argv", [str(path)])
    monkeypatch.chdir(tmp_path)
    try:
        runpy.run_path(str(path), run_name="__main__")
    except SystemExit as ended:
        if "is not installed: pip install" in str(ended.code):
            pytest.skip(str(ended.code))
        if ended.code:
            raise
    assert capfd.readouterr().out
