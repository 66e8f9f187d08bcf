"""STEP: read once cascadio is there, by a process that may crash without harm."""

import importlib.util
import os
import subprocess
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from tumble.errors import FileError, MissingDependencyError
from tumble.mesh import load_parts, transformed
from tumble.mesh.edges import edges_of
from tumble.mesh.formats import limited_process, step

MESHES = Path(os.environ.get("TUMBLE_MESHES", Path(__file__).resolve().parents[2] / ".." / "shared" / "meshes"))
AS1 = {"nut": 8, "bolt": 6, "l-bracket": 2, "rod": 1, "plate": 1}
EMPTY = "ISO-10303-21;\nHEADER;\nENDSEC;\nDATA;\nENDSEC;\nEND-ISO-10303-21;\n"

with_cascadio = pytest.mark.skipif(importlib.util.find_spec("cascadio") is None, reason="cascadio is not installed")


def test_without_cascadio_the_error_says_what_to_install(tmp_path, monkeypatch):
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    for suffix in ("step", "stp", "STEP"):
        (tmp_path / f"a.{suffix}").write_text(EMPTY)
        with pytest.raises(MissingDependencyError, match=r"pip install 'tumble\[cad\]'"):
            load_parts(tmp_path / f"a.{suffix}")


@with_cascadio
@pytest.mark.process
def test_an_assembly():
    path = MESHES / "step" / "as1-oc-214.stp"
    if not path.exists():
        pytest.skip("the folder of real meshes is not here")
    parts = load_parts(path)
    assert Counter(part.name.partition("#")[0] for part in parts) == AS1
    assert {part.units for part in parts} == {"mm"}
    assert len({part.shape for part in parts}) == len(AS1)
    assert {part.group for part in parts if part.name == "plate"} == {"as1"}
    for part in parts:
        assert edges_of(part.mesh).closed
        for other in (each for each in parts if each.shape == part.shape):
            moved = transformed(part.mesh, other.pose @ np.linalg.inv(part.pose))
            assert np.allclose(moved.vertices, other.mesh.vertices, atol=1e-9)
    # as drawn: the brackets stand on the plate, and the nuts are flush with it from below
    lowest = {part.name: part.mesh.bounds[0, 2] for part in parts}
    assert {lowest["l-bracket"], lowest["l-bracket#2"]} == {20.0}
    assert [part.mesh.bounds[1, 2] for part in parts if part.name in ("nut#3", "nut#7")] == [0.0, 0.0]


@pytest.mark.parametrize(
    "statements, unit",
    [
        ("#1=(LENGTH_UNIT()NAMED_UNIT(*)SI_UNIT(.MILLI.,.METRE.));", "mm"),
        ("#1=( LENGTH_UNIT() NAMED_UNIT(*) SI_UNIT( $ , .METRE. ) );", "m"),
        (
            "#1=(CONVERSION_BASED_UNIT('INCH',#2)LENGTH_UNIT()NAMED_UNIT(#3));#2=(LENGTH_UNIT()SI_UNIT(.MILLI.,.METRE.));",
            "in",
        ),
        ("#1=(LENGTH_UNIT()SI_UNIT(.MILLI.,.METRE.));#2=(LENGTH_UNIT()SI_UNIT(.CENTI.,.METRE.));", "m"),
        ("#1=(PLANE_ANGLE_UNIT()SI_UNIT($,.RADIAN.));", "m"),
        ("", "m"),
    ],
)
def test_the_unit_of_the_file(statements, unit):
    assert step.unit_of(statements.encode()) == unit


def test_numbers_come_back_as_they_were_drawn():
    rng = np.random.default_rng(0)
    digits = rng.integers(-(10**6), 10**6, 200)  # float32 keeps any six
    drawn = np.array([0.0, 13.0, -7.5, 1e-5, 123456.0, *(digits / 10.0 ** rng.integers(0, 6, 200))])
    metres = (drawn / 1000).astype(np.float32).astype(np.float64)
    assert np.array_equal(step.as_drawn(metres, "mm"), drawn)
    inches = np.array([1.5, 0.0625, 12.0])
    assert np.array_equal(step.as_drawn((inches * 0.0254).astype(np.float32).astype(np.float64), "in"), inches)
    noise = np.sort(rng.uniform(-1, 1, 500).astype(np.float32).astype(np.float64))
    found = step.as_drawn(noise, "mm")
    assert (np.diff(found) > 0).all()
    assert np.array_equal((found / 1000).astype(np.float32), noise.astype(np.float32))
    doubles = rng.uniform(-1, 1, 5)
    assert np.array_equal(step.as_drawn(doubles, "mm"), doubles * 1000)


@pytest.mark.process
def test_modules_of_the_users_folder_are_not_run(tmp_path, monkeypatch):
    """A folder of downloaded files may hold a cascadio.py, or a resource.py."""
    for name in ("resource", "cascadio"):
        (tmp_path / f"{name}.py").write_text("import pathlib; pathlib.Path(__file__).with_suffix('.ran').touch(); x")
    (tmp_path / "a.step").write_text(EMPTY)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("importlib.util.find_spec", lambda name: object())
    with pytest.raises(FileError):
        load_parts("a.step")
    assert not list(tmp_path.glob("*.ran"))


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
    monkeypatch.setattr(limited_process, "SECONDS", 10 if "sleep" not in program else 0.5)
    monkeypatch.setattr("importlib.util.find_spec", lambda name: object())
    (tmp_path / "a.step").write_text(EMPTY)
    with pytest.raises(FileError, match=words) as caught:
        load_parts(tmp_path / "a.step")
    assert not isinstance(caught.value.__cause__, subprocess.SubprocessError)
