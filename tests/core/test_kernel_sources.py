"""Which sources a kernel depends on: an edit recompiles what it shapes, and nothing else."""

from __future__ import annotations

import ast
import importlib
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import tumble
import tumble.volume.kinds
from tumble.core import kernel_sources
from tumble.core.jit import Generic
from tumble.core.kernel_sources import ROOT, digest_of, sources_of
from tumble.volume.aabb import Aabbs

# A kernel calls a generic function; the record that it is called with brings the implementation.
USER = """
from typing import NamedTuple
import numpy as np
from tumble.core.jit import kernel
from tumble.volume.protocol import overlap
import tumble.volume.kinds
from tumble.volume.aabb import Aabbs

@kernel
def run(boxes, relative):
    return overlap(boxes, 0, boxes, 0, relative)

relative = np.zeros(64)
answer = run(Aabbs(np.zeros((1, 6))), relative)
print(sum(run.stats.cache_misses.values()))
"""


def module_names() -> list[str]:
    names = []
    for path in sorted(ROOT.rglob("*.py")):
        parts = path.relative_to(ROOT).with_suffix("").parts
        names.append(".".join(("tumble", *parts)).removesuffix(".__init__"))
    return names


def top_level_imports(path: Path) -> set[tuple[str, str]]:
    """(module, name) of what a file imports from the package outside of functions, as Python parses it."""
    found = set()
    waiting: list[ast.AST] = list(ast.parse(path.read_text()).body)
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("tumble"):
            assert node.level == 0
            found |= {(str(node.module), alias.name) for alias in node.names}
        elif isinstance(node, ast.Import):
            found |= {(alias.name, "") for alias in node.names if alias.name.startswith("tumble")}
        elif isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test):
            waiting += node.orelse
        elif not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            waiting += ast.iter_child_nodes(node)
    return found


def test_every_import_is_seen() -> None:
    passed_on = set()
    for module in module_names():
        path = kernel_sources._path(module)
        assert path is not None
        seen = set(kernel_sources._direct_imports(module))
        for source, name in top_level_imports(path):
            home = source if not name else kernel_sources._home(source, name)
            assert home in seen, (module, source, name)
            if name and home not in (source, f"{source}.{name}"):
                passed_on.add((home, name))
    for home, name in passed_on:  # names that a package passes on: the module that was found really has them
        assert hasattr(importlib.import_module(home), name)
    assert ("tumble.mesh.convert", "as_mesh") in passed_on


def test_a_kernel_depends_on_what_its_module_imports() -> None:
    found = sources_of(["tumble.traversal.stackless"])
    assert {
        "tumble.traversal.stackless",
        "tumble.traversal.protocol",
        "tumble.volume.protocol",
        "tumble.core.jit",
    } <= found
    assert not any(
        name.startswith(("tumble.cli", "tumble.bench", "tumble.api", "tumble.mesh.formats")) for name in found
    )
    assert "tumble.volume.aabb" not in found


def test_records_bring_their_implementations() -> None:
    found = sources_of(["tumble.traversal.stackless"], [Aabbs])
    assert "tumble.volume.aabb" in found
    assert "tumble.volume.sphere" not in found


def test_implementations_elsewhere_are_found() -> None:
    table = Generic("taste", "tumble.volume.protocol")
    before = sources_of(["tumble.traversal.stackless"], [Aabbs])

    def implementation() -> None:
        """Stand for a kernel."""

    implementation.__module__ = "tumble.volume.kdop.directions"
    try:
        table.register(Aabbs)(implementation)
        assert sources_of(["tumble.traversal.stackless"], [Aabbs]) >= before | {"tumble.volume.kdop.directions"}
        assert "tumble.volume.kdop.directions" not in sources_of(["tumble.traversal.stackless"])
    finally:
        kernel_sources._registrations = {
            each for each in kernel_sources._registrations if each.implementation != "tumble.volume.kdop.directions"
        }
        kernel_sources._sources_of.cache_clear()


def test_no_two_modules_digest_alike() -> None:
    names = module_names()
    assert len({digest_of([name]) for name in names}) == len(names)


# Edits one source after the other, and counts each time how often a new kernel is not found on disk.
EDITS = """
import json, sys
from pathlib import Path
import user
from tumble.core import kernel_sources
from tumble.core.jit import kernel

def misses():
    for each in vars(kernel_sources).values():
        getattr(each, "cache_clear", lambda: None)()  # what was read of sources
    fresh = kernel(user.run.py_func)
    fresh(user.Aabbs(user.np.zeros((1, 6))), user.relative)
    return sum(fresh.stats.cache_misses.values())

found = {"": misses()}
for edited in sys.argv[1:]:
    path = kernel_sources.ROOT / edited
    good = path.read_text()
    path.write_text(good + "# edited\\n")
    found[edited] = misses()
    path.write_text(good)
found["as before"] = misses()
print(json.dumps(found))
"""
Names = tuple[str, ...]
UNRELATED = (
    "cli/check.py",
    "api/collide.py",
    "mesh/formats/obj.py",
    "volume/sphere.py",
    "core/kernel_cache.py",
)
SHAPING = ("volume/aabb.py", "volume/protocol.py", "volume/relative.py", "core/jit.py")


@pytest.mark.parametrize(
    ("unrelated", "shaping"),
    [(UNRELATED[-2:], SHAPING[:1]), pytest.param(UNRELATED, SHAPING, marks=pytest.mark.slow)],
    ids=["some", "all"],
)
@pytest.mark.process
def test_an_edit_recompiles_what_depends_on_it(tmp_path: Path, unrelated: Names, shaping: Names) -> None:
    """In a copy of the package, whose kernel of `USER` is compiled and kept."""
    shutil.copytree(Path(tumble.__file__).parent, tmp_path / "tumble")
    (tmp_path / "user.py").write_text(USER)
    first, _, found = run_in(tmp_path, EDITS, *unrelated, *shaping).partition("\n")
    assert int(first) == 1
    assert json.loads(found) == {**dict.fromkeys(("", *unrelated, "as before"), 0), **dict.fromkeys(shaping, 1)}
    if shaping == SHAPING:
        assert int(run_in(tmp_path, "import user")) == 0


def run_in(folder: Path, code: str, *arguments: str) -> str:
    environment = {**os.environ, "TUMBLE_CACHE_DIR": str(folder / "cache"), "PYTHONPATH": str(folder)}
    process = subprocess.run(
        [sys.executable, "-c", code, *arguments], env=environment, capture_output=True, text=True, timeout=300
    )
    assert process.returncode == 0, process.stderr
    return process.stdout
