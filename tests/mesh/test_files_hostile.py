"""Small files that would take very much time or memory: each is read in a process with limits on both."""

import json
import os
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest
from hostile import MAKERS

import tumble

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
)
pytestmark = pytest.mark.skipif(not os.path.exists("/proc/self/statm"), reason="needs Linux to limit the memory")


@cache
def outcomes(names: tuple[str, ...], folder: Path) -> dict[str, str]:
    """What a process with limits says of files, which are made in a folder."""
    for name in names:
        (folder / name).write_bytes(MAKERS[name]())
        assert (folder / name).stat().st_size < 8_000_000
    program = Path(__file__).with_name("hostile.py")
    source = str(Path(tumble.__file__).parents[1])
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([source, str(program.parent)])}
    command = [sys.executable, str(program), *(str(folder / name) for name in names)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    found = {Path(path).name: outcome for path, outcome in map(json.loads, done.stdout.splitlines())}
    missing = [name for name in names if name not in found]
    assert not missing, f"{missing[0]} ended the process ({done.returncode}): {done.stderr[-2000:]}"
    return found


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("hostile")


@pytest.mark.parametrize("name", [pytest.param(name, marks=[pytest.mark.slow] * (name in SLOW)) for name in MAKERS])
def test_time_and_memory_are_bounded(folder: Path, name: str) -> None:
    group = tuple(each for each in MAKERS if (each in SLOW) == (name in SLOW))
    outcome = outcomes(group, folder)[name]
    assert EXPECTED.get(name, "cannot be read") in outcome
    assert "more memory than there is" not in outcome
