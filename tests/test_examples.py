"""Every program in `examples/` runs, at small sizes."""

import runpy
import sys
from pathlib import Path

import pytest

EXAMPLES = sorted((Path(__file__).resolve().parents[1] / "examples").glob("*.py"))


# `list_traversal` asks in the same way, for kernels that are compiled anyway; the unit-triangle test has its own tests
SLOW = ("kdop_choice", "unit_triangle")
# these start processes of Python
PROCESSES = ("cluster_memory", "cluster_speed")
# what an example says where a package or a device is missing
MISSING = ("is not installed: pip install", "device='opencl'")
# by default this one starts itself with `--one`, twice
QUICK_ARGUMENTS = {"compare_versions": ["--one"]}


def cases():
    for path in EXAMPLES:
        quick = QUICK_ARGUMENTS.get(path.stem)
        if quick:
            yield pytest.param(path, quick, id=f"{path.stem} {' '.join(quick)}")
        marks = [pytest.mark.slow] * (path.stem in SLOW or bool(quick)) + [pytest.mark.process] * (
            path.stem in PROCESSES
        )
        yield pytest.param(path, [], id=path.stem, marks=marks)


@pytest.mark.parametrize(("path", "arguments"), list(cases()))
def test_every_example_runs(path, arguments, tmp_path, monkeypatch, capfd):
    """In this process: a new one for each would take longer to start than the example."""
    monkeypatch.setenv("TUMBLE_EXAMPLE_SIZE", "small")
    monkeypatch.setattr(sys, "argv", [str(path), *arguments])
    monkeypatch.chdir(tmp_path)
    try:
        runpy.run_path(str(path), run_name="__main__")
    except SystemExit as ended:
        if any(reason in str(ended.code) for reason in MISSING):
            pytest.skip(str(ended.code))
        if ended.code:
            raise
    assert capfd.readouterr().out
