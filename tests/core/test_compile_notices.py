"""Whoever waits for the compiler is told so: in one line, once, where logging sends it, or not at all."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import tumble
from tumble.core import compile_notices

TINY = """
from tumble.core.jit import kernel

@kernel
def double(value):
    return value + value

@kernel
def quadruple(value):
    return double(double(value))
"""
NOTICE = "tumble is compiling kernels: the first use of each method takes about a minute, "
KEPT = NOTICE + "later ones take them from disk\n"


SLOW_VALUES = [pytest.param(*each, marks=pytest.mark.slow) for each in (("yes", True), ("", False))]


@pytest.fixture
def module(tmp_path: Path) -> Path:
    folder = tmp_path / "module"
    folder.mkdir()
    (folder / "tiny.py").write_text(TINY)
    return folder


def run(code: str, module: Path, cache: Path, **environment: str) -> tuple[str, str]:
    """What a new process prints, and what it says on stderr."""
    paths = os.pathsep.join([str(Path(tumble.__file__).parents[1]), str(module)])
    inherited = {name: value for name, value in os.environ.items() if name != "TUMBLE_QUIET"}
    settings = {**inherited, "PYTHONPATH": paths, "TUMBLE_CACHE_DIR": str(cache), **environment}
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, env=settings, capture_output=True, text=True, check=True, timeout=300)
    return done.stdout, done.stderr


def test_one_line_when_something_is_compiled_and_none_when_all_is_on_disk(module, tmp_path):
    code = "import tiny; print(tiny.quadruple(1.0), tiny.quadruple(1))"
    assert run(code, module, tmp_path / "cache") == ("4.0 4\n", KEPT)
    assert run(code, module, tmp_path / "cache") == ("4.0 4\n", "")


def test_it_says_when_kernels_cannot_be_kept(module, tmp_path):
    (tmp_path / "file").touch()
    said = run("import tiny; tiny.double(1.0)", module, tmp_path / "file")[1]
    assert said == NOTICE + "they cannot be kept, so every process compiles anew (`tumble info` says why)\n"


def test_external_functions_are_announced_too(module, tmp_path):
    code = "from numba import float64; from tumble.core.jit import external; from tumble.core import kernel_cache\n"
    code += "import tiny; kernel_cache.define_symbol(external(float64(float64))(tiny.double.py_func).symbol)"
    assert run(code, module, tmp_path / "cache") == ("", KEPT)


@pytest.mark.parametrize("value, quiet", [("1", True), ("0", False), *SLOW_VALUES])
def test_an_environment_variable_switches_it_off(module, tmp_path, value, quiet):
    said = run("import tiny; tiny.double(1.0)", module, tmp_path / "cache", TUMBLE_QUIET=value)[1]
    assert said == ("" if quiet else KEPT)


def test_logging_switches_it_off(module, tmp_path):
    code = "import logging, tiny; logging.getLogger('tumble').setLevel(logging.ERROR); tiny.double(1.0)"
    assert run(code, module, tmp_path / "cache") == ("", "")


def test_logging_leads_it_elsewhere_and_tells_more(module, tmp_path):
    code = "import logging, sys, tiny; logging.basicConfig(stream=sys.stdout, level=logging.INFO)\n"
    out, err = run(code + "tiny.quadruple(1.0)", module, tmp_path / "cache")
    first, *others = out.splitlines()
    assert (first, err) == (f"WARNING:tumble:{KEPT.rstrip()}", "")
    # what a kernel calls is compiled on its behalf
    assert [line.rpartition(" in ")[0] for line in others] == ["INFO:tumble:compiled quadruple"]


def test_a_listener_is_told_instead(module, tmp_path):
    code = """
import tiny
from tumble.core import compile_notices
with compile_notices.show_in(lambda *told: print(*told)):
    tiny.quadruple(1.0)
tiny.double(1)
"""
    out, err = run(code, module, tmp_path / "cache")
    assert out.splitlines() == ["quadruple 0", "double 0", "quadruple 1", "None 2"]
    assert err == KEPT


def test_kernels_that_numba_gives_up_do_not_count(monkeypatch):
    monkeypatch.setattr(compile_notices, "_under_way", [])
    monkeypatch.setattr(compile_notices, "_compiled", 0)
    told = []
    with compile_notices.show_in(lambda *news: told.append(news)):
        for name in ("outer", "tried in vain", "outer"):  # the same again, for other types
            compile_notices.started(name, None)
        compile_notices.finished("never begun")
        compile_notices.finished("outer")
        compile_notices.started("next", None)
        compile_notices.finished("next")
    assert told == [("outer", 0), ("tried in vain", 0), ("outer", 0), (None, 1), ("next", 1), (None, 2)]
