"""Small files that would take very much time or memory: each is read in a process with limits on both."""

import json
import os
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest
from hostile import MAKERS
from typer.testing import CliRunner

import tumble
from covering import thinned
from tumble.cli import app

EXPECTED = {
    "primitives.glb": "1 parts, 360000 triangles",
    "nodes.glb": "30000 parts, 360000 triangles",
    "groups.obj": "10000 parts, 10000 triangles",
    "long-line.obj": "1 parts, 299998 triangles",
    "faces.obj": "1 parts, 200000 triangles",
    "continued.obj": "no triangles",
    "solids.stl": "no triangles",
    "lists.gltf": "no triangles",
    "just-allowed.3mf": "1 parts, 12 triangles",
    "small-bomb.3mf": "unpack to",
    "zip-bomb.3mf": "unpack to",
    "blank-bomb.3mf": "unpack to",
    "deep.3mf": "truncated or damaged",
    "entities.3mf": "document type declaration",
    "entities.xaml": "document type declaration",
    "deep.xaml": "inside each other",
    "wide.xaml": "more than 1000000 XML elements",
    "counts.off": "announces 9999999999 vertices",
    "face.off": "announces 999999999999 corners",
    "billion.gltf": "place 333333333 triangles, from 36 bytes",
    "billion.stl": "announces 1000000000 triangles",
    "billion.obj": "refers to vertex 1000000000",
    "billion.dae": "announces 1000000000 numbers",
    "ring.gltf": "inside itself",
    "ring.3mf": "contains itself",
    "ring.3dxml": "contains itself",
    "ring.dae": "contains itself",
    "ring.urdf": "make a loop",
    "deep-scene.gltf": "1 parts, 1 triangles",
    "deep-scene.3mf": "1 parts, 1 triangles",
    "deep-scene.dae": "1 parts, 1 triangles",
    "deep-nodes.dae": "inside each other",
    "deep-scene.urdf": "1500 parts, 18000 triangles",
    "doubling.3mf": "copies of copies",
    "doubling.dae": "copies of copies",
    "long-name.gltf": "5000 parts, 5000 triangles",
    "zip-bomb.3dxml": "unpack to",
    "entities.dae": "document type declaration",
    "entities.urdf": "document type declaration",
    "external-entity.urdf": "document type declaration",
    "entities.3dxml": "document type declaration",
    "wide.dae": "more than 1000000 XML elements",
}
# seconds each to be made, or to be read
SLOW = (
    "groups.obj",
    "lists.gltf",
    "deep.3mf",
    "zip-bomb.3mf",
    "blank-bomb.3mf",
    "just-allowed.3mf",
    "long-attribute.3mf",
    "wide.xaml",
    "primitives.glb",
    "solids.stl",
    "zip-bomb.3dxml",
    "wide.dae",
)
MOST = 250_000_000
"""bytes for any of them, of at most eight megabytes"""
pytestmark = pytest.mark.skipif(not os.path.exists("/proc/self/statm"), reason="needs Linux to limit the memory")


@cache
def outcomes(names: tuple[str, ...], folder: Path) -> dict[str, tuple[str, int]]:
    """What a process with limits says of files, which are made in a folder, and how much memory they took."""
    for name in names:
        (folder / name).write_bytes(MAKERS[name]())
        assert (folder / name).stat().st_size < 8_000_000
    program = Path(__file__).with_name("hostile.py")
    source = str(Path(tumble.__file__).parents[1])
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([source, str(program.parent)])}
    command = [sys.executable, str(program), *(str(folder / name) for name in names)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    lines = map(json.loads, done.stdout.splitlines())
    found = {Path(path).name: (outcome, memory) for path, outcome, _, memory in lines}
    missing = [name for name in names if name not in found]
    assert not missing, f"{missing[0]} ended the process ({done.returncode}): {done.stderr[-2000:]}"
    return found


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("hostile")


@pytest.mark.parametrize("name", [pytest.param(name, marks=[pytest.mark.slow] * (name in SLOW)) for name in MAKERS])
@pytest.mark.process
def test_time_and_memory_are_bounded(folder: Path, name: str) -> None:
    group = tuple(each for each in MAKERS if (each in SLOW) == (name in SLOW))
    outcome, memory = outcomes(group, folder)[name]
    assert memory < MOST
    assert EXPECTED.get(name, "cannot be read") in outcome
    assert "more memory than there is" not in outcome


# the readers are asked above, about every file: here it is about the command
@pytest.mark.parametrize(
    "name", thinned((name for name in MAKERS if name not in SLOW and " parts, " not in EXPECTED.get(name, "")), by=3)
)
def test_the_command_ends_with_one_line_and_code_2(tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TUMBLE_QUIET", "1")  # on a slow machine a line would say what takes so long
    (tmp_path / name).write_bytes(MAKERS[name]())
    done = CliRunner().invoke(app, ["check", str(tmp_path / name)])
    assert done.exit_code == 2
    assert done.stdout == ""
    (line,) = done.stderr.strip().splitlines()
    assert name in line
    assert [each.name for each in tmp_path.iterdir()] == [name]
