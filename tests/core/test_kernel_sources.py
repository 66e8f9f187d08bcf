"""Which sources a kernel depends on: an edit recompiles what it shapes, and nothing else."""

from __future__ import annotations

import ast
import importlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import tumble
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

    implementation.__module__ = "tumble.volume.kdop.cones"
    try:
        table.register(Aabbs)(implementation)
        assert sources_of(["tumble.traversal.stackless"], [Aabbs]) >= before | {"tumble.volume.kdop.cones"}
        assert "tumble.volume.kdop.cones" not in sources_of(["tumble.traversal.stackless"])
    finally:
        kernel_sources._registrations = {
            each for each in kernel_sources._registrations if each.implementation != "tumble.volume.kdop.cones"
        }
        kernel_sources._sources_of.cache_clear()


def test_no_two_modules_digest_alike() -> None:
    names = module_names()
    assert len({digest_of([name]) for name in names}) == len(names)


@pytest.mark.parametrize(
    "edited, misses",
    [
        ("cli/check.py", 0),
        pytest.param("api/collide.py", 0, marks=pytest.mark.slow),
        pytest.param("mesh/formats/obj.py", 0, marks=pytest.mark.slow),
        ("volume/sphere.py", 0),
        pytest.param("core/kernel_cache.py", 0, marks=pytest.mark.slow),
        ("volume/aabb.py", 1),
        pytest.param("volume/protocol.py", 1, marks=pytest.mark.slow),
        pytest.param("volume/relative.py", 1, marks=pytest.mark.slow),
        ("core/jit.py", 1),
    ],
)
def test_an_edit_recompiles_what_depends_on_it(edited: str, misses: int, package_copy: Path) -> None:
    path = package_copy / "tumble" / edited
    good = path.read_text()
    path.write_text(good + "# edited\n")
    assert count_misses(package_copy) == misses
    path.write_text(good)


@pytest.fixture(scope="module")
def package_copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the package whose kernel of `USER` is compiled and kept."""
    folder = tmp_path_factory.mktemp("copy")
    source = Path(tumble.__file__).parent
    shutil.copytree(source, folder / "tumble", ignore=shutil.ignore_patterns("__pycache__"))
    (folder / "user.py").write_text(USER)
    assert [count_misses(folder), count_misses(folder)] == [1, 0]
    return folder


def count_misses(folder: Path) -> int:
    environment = {**os.environ, "TUMBLE_CACHE_DIR": str(folder / "cache"), "PYTHONPATH": str(folder)}
    process = subprocess.run(
        [sys.executable, str(folder / "user.py")], env=environment, capture_output=True, text=True, timeout=300
    )
    assert process.returncode == 0, process.stderr
    return int(process.stdout)
