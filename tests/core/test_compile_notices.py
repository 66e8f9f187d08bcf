"""Whoever waits for the compiler is told so: in one line, once, where logging sends it, or not at all."""

from __future__ import annotations

import importlib
import logging
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest
from numba import float64

import tumble
from tumble.core import compile_notices
from tumble.core.jit import external
from tumble.core.kernel_cache import cache_folder, define_symbol

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


@pytest.fixture
def module(tmp_path: Path) -> Path:
    folder = tmp_path / "module"
    folder.mkdir()
    (folder / "tiny.py").write_text(TINY)
    return folder


@pytest.fixture
def tiny(module: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    """The module of small kernels, in a process that seems to have compiled nothing yet."""
    for name, value in (("_under_way", []), ("_compiled", 0), ("_announced", False)):
        monkeypatch.setattr(compile_notices, name, value)
    monkeypatch.setenv("TUMBLE_CACHE_DIR", str(module / "cache"))
    monkeypatch.delenv("TUMBLE_QUIET", raising=False)
    monkeypatch.syspath_prepend(module)
    monkeypatch.delitem(sys.modules, "tiny", raising=False)
    cache_folder.cache_clear()
    yield importlib.import_module("tiny")
    del sys.modules["tiny"]
    monkeypatch.undo()
    cache_folder.cache_clear()


@pytest.mark.slow  # by default a command is asked, in `test_compiling.py`
def test_one_line_when_something_is_compiled_and_none_when_all_is_on_disk(module: Path) -> None:
    code = "import tiny; print(tiny.quadruple(1.0), tiny.quadruple(1))"
    paths = os.pathsep.join([str(Path(tumble.__file__).parents[1]), str(module)])
    inherited = {name: value for name, value in os.environ.items() if name != "TUMBLE_QUIET"}
    settings = {**inherited, "PYTHONPATH": paths, "TUMBLE_CACHE_DIR": str(module / "cache")}
    for said in (KEPT, ""):
        command = [sys.executable, "-c", code]
        done = subprocess.run(command, env=settings, capture_output=True, text=True, check=True, timeout=300)
        assert (done.stdout, done.stderr) == ("4.0 4\n", said)


def test_it_says_when_kernels_cannot_be_kept(tiny, tmp_path, monkeypatch, caplog):
    (tmp_path / "file").touch()
    monkeypatch.setenv("TUMBLE_CACHE_DIR", str(tmp_path / "file"))
    cache_folder.cache_clear()
    tiny.double(1.0)
    assert caplog.messages == [NOTICE + "they cannot be kept, so every process compiles anew (`tumble info` says why)"]


def test_external_functions_are_announced_too(tiny, caplog):
    define_symbol(external(float64(float64))(tiny.double.py_func).symbol)
    assert caplog.messages == [KEPT.rstrip()]


@pytest.mark.parametrize("value, quiet", [("1", True), ("0", False), ("yes", True), ("", False)])
def test_an_environment_variable_switches_it_off(tiny, monkeypatch, caplog, value, quiet):
    monkeypatch.setenv("TUMBLE_QUIET", value)
    tiny.double(1.0)
    assert caplog.messages == ([] if quiet else [KEPT.rstrip()])


def test_logging_switches_it_off(tiny, caplog):
    caplog.set_level(logging.ERROR, "tumble")
    tiny.double(1.0)
    assert caplog.messages == []


def test_logging_leads_it_elsewhere_and_tells_more(tiny, caplog, capfd):
    caplog.set_level(logging.INFO, "tumble")
    tiny.quadruple(1.0)
    first, *others = caplog.record_tuples
    assert first == ("tumble", logging.WARNING, KEPT.rstrip())
    # what a kernel calls is compiled on its behalf
    told = [(name, level, message.rpartition(" in ")[0]) for name, level, message in others]
    assert told == [("tumble", logging.INFO, "compiled quadruple")]
    assert capfd.readouterr() == ("", "")


def test_a_listener_is_told_instead(tiny, caplog):
    told = []
    with compile_notices.show_in(lambda *news: told.append(news)):
        tiny.quadruple(1.0)
    assert told == [("quadruple", 0), ("double", 0), ("quadruple", 1), (None, 2)]
    assert caplog.messages == []
    tiny.double(1)
    assert caplog.messages == [KEPT.rstrip()]


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
