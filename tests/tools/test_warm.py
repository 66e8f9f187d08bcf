"""Kernels before they are needed: `tumble warm`, and the wheel of kernels."""

import os
import subprocess
import sys
import zipfile

import pytest
from typer.testing import CliRunner

from tumble.cli import app
from tumble.errors import InternalError
from tumble.tools import warm, workloads

QUERY = """
import numpy as np, tumble
tumble.closest_points(tumble.shapes.torus(40, 20), np.zeros((3, 3)))
from tumble.core import compile_notices
print(compile_notices._compiled)
"""


def test_warm_says_how_many_kernels_there_are(monkeypatch):
    asked = []
    monkeypatch.setattr(warm, "_ask", lambda name, environment: asked.append(name))
    result = CliRunner().invoke(app, ["warm", "--jobs", "2"])
    assert result.exit_code == 0, result.output
    assert sorted(asked) == sorted(workloads.USUAL)
    assert "0 of them new." in result.stdout
    assert CliRunner().invoke(app, ["warm", "--all"]).exit_code == 0
    assert asked.count("methods") == 1


def test_what_cannot_be_compiled_is_named(monkeypatch):
    monkeypatch.setattr(warm, "_ask", lambda name, environment: "no memory" if name == "scene" else None)
    with pytest.raises(InternalError, match="scene could not be compiled: no memory"):
        warm.warm(list(workloads.USUAL), 2)


@pytest.mark.process
def test_a_workload_that_fails_says_why():
    assert "KeyError: 'nothing'" in (warm._ask("nothing", None) or "")


def test_every_workload_has_a_place_in_the_order():
    assert set(warm.LONGEST_FIRST) == set(workloads.ALL)


@pytest.mark.slow
def test_a_wheel_of_real_kernels_answers_without_the_compiler(tmp_path):
    command = [sys.executable, "-m", "tumble.tools.kernels", str(tmp_path / "dist"), "--only", "points"]
    subprocess.run(command, check=True, capture_output=True)
    (wheel,) = (tmp_path / "dist").iterdir()
    with zipfile.ZipFile(wheel) as files:
        files.extractall(tmp_path / "site")
    paths = [str(tmp_path / "site"), *filter(None, [os.environ.get("PYTHONPATH")])]
    own = {**os.environ, "TUMBLE_CACHE_DIR": str(tmp_path / "new"), "PYTHONPATH": os.pathsep.join(paths)}
    done = subprocess.run([sys.executable, "-c", QUERY], env=own, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "0"
    assert not list((tmp_path / "new").glob("*/*.nbc"))
