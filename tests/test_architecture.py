"""The shape of the house: imports go one way, registered names are tested and documented."""

import ast
import re
import runpy
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import tumble
from function_imports import Module, faults, read_package
from matrix import ONE_VOLUME
from tumble.api.ask import load_every_engine
from tumble.query.engine import CALLS, engines
from tumble.traversal.every import METHODS
from tumble.volume.kinds import KINDS

ROOT = Path(__file__).resolve().parents[1]
SOURCE = ROOT / "src" / "tumble"
load_every_engine()


def modules() -> dict[str, Path]:
    """The modules of the package by name."""
    found = {}
    for path in SOURCE.rglob("*.py"):
        parts = ("tumble", *path.relative_to(SOURCE).with_suffix("").parts)
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


MODULES = modules()


@cache
def package() -> dict[str, Module]:
    """What the modules of the package import, outside functions and inside."""
    return read_package({name: path.read_text("utf-8") for name, path in MODULES.items()})


@cache
def import_graph() -> dict[str, set[str]]:
    """What every module of the package imports of it; with imports inside functions, without those for types alone."""
    graph = {}
    for name, module in package().items():
        found = module.imports.union(*(each.targets for each in module.inner))
        graph[name] = {other for other in found if other in MODULES} - {name}
    return graph


def cycle_in(graph: dict[str, set[str]]) -> list[str] | None:
    """A way from a module back to itself, or None."""
    done: set[str] = set()

    def walk(name: str, way: list[str]) -> list[str] | None:
        if name in way:
            return [*way[way.index(name) :], name]
        if name in done:
            return None
        for other in sorted(graph[name]):
            found = walk(other, [*way, name])
            if found:
                return found
        done.add(name)
        return None

    for name in sorted(graph):
        found = walk(name, [])
        if found:
            return found
    return None


FILES = ("p.c", "p.d", "p.e", "p.f")
SLOW = "def f():\n    import numba\n"
FUNCTION_IMPORTS = {
    "a slow package": ({"p.a": SLOW}, 0),
    "a slow package, loaded at the top by what is imported": ({"p.a": f"import p.b\n{SLOW}", "p.b": "import numba"}, 1),
    "a slow package, loaded by the package around it": ({"p": "import numba", "p.a": SLOW}, 1),
    "a slow package, imported for types alone": ({"p.a": f"if TYPE_CHECKING:\n    import numba\n{SLOW}"}, 0),
    "a module that loads one": ({"p.a": "def f():\n    from p import b", "p.b": "from numba import njit"}, 0),
    "a module that loads it inside a function": ({"p.a": "def f():\n    import p.b", "p.b": SLOW}, 1),
    "the standard library": ({"p.a": "def f():\n    import json\n    import numpy as np"}, 2),
    "a module that compiles": ({"p.a": "def f():\n    import p.b", "p.b": "@fixed_kernel(int64())\ndef g(): ..."}, 0),
    "a module that only could": ({"p.a": "def f():\n    import p.b", "p.b": "def g():\n    fixed_kernel(h)"}, 1),
    "few files": ({"p.a": "def f():\n    import p.b", "p.b": "import p.c", "p.c": ""}, 1),
    "many files": (
        {"p.a": "def f():\n    import p.b", "p.b": "import p.c, p.d, p.e, p.f", **dict.fromkeys(FILES, "")},
        0,
    ),
    "a slow module of the standard library": ({"p.a": "def f():\n    import importlib.metadata"}, 0),
    "not at the top of the function": ({"p.a": "def f():\n    x = 1\n    import numba"}, 1),
    "in a branch": ({"p.a": "def f(x):\n    if x:\n        import numba"}, 1),
    "behind the docstring": ({"p.a": 'def f():\n    """Do."""\n    import numba'}, 0),
    "where it may be missing": (
        {"p.a": "def f():\n    try:\n        import numba\n    except ImportError:\n        return"},
        0,
    ),
}


@pytest.mark.parametrize("name", FUNCTION_IMPORTS)
def test_the_rule_about_function_imports_tells_cases_apart(name):
    sources, expected = FUNCTION_IMPORTS[name]
    assert len(faults(read_package({"p": "", **sources}))) == expected


def test_imports_inside_functions_are_for_a_quick_start():
    assert faults(package()) == []


def layers() -> list[str]:
    """The folders from top to bottom, as the contract of `lint-imports` lists them."""
    text = (ROOT / "pyproject.toml").read_text("utf-8")
    listed = text[text.index("layers = [") :]
    return re.findall(r'"tumble\.(\w+)"', listed[: listed.index("]")])


def test_no_cycles_even_inside_functions():
    assert cycle_in(import_graph()) is None


def test_a_cycle_would_be_found():
    assert cycle_in({"a": {"b"}, "b": {"c"}, "c": {"b"}}) == ["b", "c", "b"]


def test_imports_go_down():
    order = {name: k for k, name in enumerate(layers())}
    wrong = []
    for name, imported in import_graph().items():
        for other in imported:
            here, there = (module.split(".")[1] if "." in module else None for module in (name, other))
            if here in order and there in order and order[there] < order[here]:
                wrong.append((name, other))
    assert not wrong


def test_every_folder_is_in_the_contract():
    folders = {path.name for path in SOURCE.iterdir() if path.is_dir() and path.name != "__pycache__"}
    assert folders <= set(layers())


def test_the_root_holds_little():
    assert {path.name for path in SOURCE.glob("*.py")} <= {"__init__.py", "__main__.py", "errors.py"}


def test_pyopencl_is_imported_in_one_file():
    pattern = re.compile(r"^\s*(import|from) pyopencl|import_module\(.pyopencl", re.MULTILINE)
    found = [name for name, path in MODULES.items() if pattern.search(path.read_text("utf-8"))]
    assert found == ["tumble.device.opencl"]


def unique_along_axes(text: str) -> int:
    """Return how often a module asks NumPy for unique rows."""
    if "unique" not in text:  # most files, and to parse all of them takes seconds
        return 0
    calls = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Call)]
    named = [call for call in calls if isinstance(call.func, ast.Attribute) and call.func.attr == "unique"]
    return sum(any(keyword.arg == "axis" for keyword in call.keywords) for call in named)


def test_unique_rows_are_found_without_numpys_way_which_loses_signals():
    assert unique_along_axes("import numpy as np\nnp.unique(rows, axis=0)\nnp.unique(rows)") == 1
    found = [name for name, path in MODULES.items() if unique_along_axes(path.read_text(encoding="utf-8"))]
    assert found == []


def test_every_registered_name_is_documented():
    page, docstring = (ROOT / "docs" / "methods.md").read_text("utf-8"), tumble.collide.__doc__ or ""
    for engine in engines():
        assert f"`{engine.method}`" in page, engine.method
        assert re.search(rf"\b{engine.method}\b", docstring), engine.method
        for tree in engine.trees:
            assert re.search(rf"\b{tree}\b", docstring), tree
        assert engine.settings is None or f"{type(engine.settings).__name__}" in docstring


@pytest.mark.parametrize("page", ["README.md", *sorted(str(path.relative_to(ROOT)) for path in ROOT.glob("docs/*.md"))])
def test_files_that_a_page_names_exist(page):
    named = re.findall(r"`([\w/*-]+/[\w*]+\.(?:py|cl))`", (ROOT / page).read_text("utf-8"))
    missing = [name for name in named if not any(list(base.glob(name)) for base in (ROOT, SOURCE))]
    assert not missing


def test_every_question_has_a_name_in_errors():
    assert {question for engine in engines() for question in engine.questions} <= set(CALLS)


def names_asked(file: str) -> tuple[dict[str, Any], set[str]]:
    """What a test file defines, and the text of every value of its parameters, slow ones included."""
    defined = runpy.run_path(str(ROOT / "tests" / file))
    marks = [mark for each in defined.values() for mark in getattr(each, "pytestmark", ())]
    cases = [case for mark in marks if mark.name == "parametrize" for case in mark.args[1]]
    return defined, {str(value) for case in cases for value in getattr(case, "values", (case,))}


def test_every_method_and_volume_is_in_the_agreement_matrix():
    defined, asked = names_asked("traversal/test_agreement.py")
    assert set(defined["TREE_METHODS"]) == {name for name, method in METHODS.items() if method.layout is not None}
    assert set(KINDS) <= {*asked, ONE_VOLUME}


def test_every_engine_is_in_the_option_matrix():
    _, asked = names_asked("api/test_option_matrix.py")
    assert {str(each) for each in engines() if each.device == "cpu" or tumble.devices()} <= asked


def test_the_package_imports_without_kernels():
    """`import tumble` is quick: it loads no compiler, no OpenCL and no plots."""
    heavy = ("numba", "pyopencl", "matplotlib", "viser")
    code = f"import sys, tumble; print([name for name in {heavy!r} if name in sys.modules])"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"


def test_run_as_a_module():
    with pytest.raises(SystemExit):
        runpy.run_module("tumble", run_name="__main__", alter_sys=True)
