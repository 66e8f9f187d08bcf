"""STEP: read once cascadio is there, by a process that may crash without harm."""

import importlib.util
import os
import subprocess
from pathlib import Path

import pytest

from tumble.errors import FileError, MissingDependencyError
from tumble.mesh import load_parts
from tumble.mesh.formats import step

MESHES = Path(os.environ.get("TUMBLE_MESHES", Path(__file__).resolve().parents[2] / ".." / "shared" / "meshes"))
EMPTY = "ISO-10303-21;\nHEADER;\nENDSEC;\nDATA;\nENDSEC;\nEND-ISO-10303-21;\n"

with_cascadio = pytest.mark.skipif(importlib.util.find_spec("cascadio") is None, reason="cascadio is not installed")


def test_without_cascadio_the_error_says_what_to_install(tmp_path, monkeypatch):
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    for suffix in ("step", "stp", "STEP"):
        (tmp_path / f"a.{suffix}").write_text(EMPTY)
        with pytest.raises(MissingDependencyError, match=r"pip install 'tumble\[cad\]'"):
            load_parts(tmp_path / f"a.{suffix}")


@with_cascadio
def test_an_assembly():
    path = MESHES / "step" / "as1-oc-214.stp"
    if not path.exists():
        pytest.skip("the folder of real meshes is not here")
    parts = load_parts(path)
    assert len(parts) == 18
    assert {part.units for part in parts} == {"m"}


@with_cascadio
@pytest.mark.slow  # by default the failures below, of a reader that stands for it
@pytest.mark.parametrize("text", [EMPTY.replace("DATA;", "DATA;\n#1=NONSENSE(#2,$);"), "solid\n", EMPTY[:-20], EMPTY])
def test_damaged_files(tmp_path, text):
    (tmp_path / "a.step").write_text(text)
    with pytest.raises(FileError):
        load_parts(tmp_path / "a.step")


@pytest.mark.parametrize(
    "program, words",
    [
        ("import os; os.abort()", "crashed"),
        ("import time; time.sleep(60)", "did not finish"),
        ("raise MemoryError('much')", "much"),
        ("pass", "damaged"),
    ],
)
def test_a_crash_a_hang_and_a_failure_of_the_other_process(tmp_path, monkeypatch, program, words):
    monkeypatch.setattr(step, "_CONVERT", program)
    monkeypatch.setattr(step, "_SECONDS", 10 if "sleep" not in program else 0.5)
    monkeypatch.setattr("importlib.util.find_spec", lambda name: object())
    (tmp_path / "a.step").write_text(EMPTY)
    with pytest.raises(FileError, match=words) as caught:
        load_parts(tmp_path / "a.step")
    assert not isinstance(caught.value.__cause__, subprocess.SubprocessError)
