"""Answers that are larger than the memory are refused before they are made."""

import builtins

import pytest

from tumble.core import memory
from tumble.errors import LimitError


def test_what_is_free_is_told(monkeypatch):
    free = memory.free_memory()
    assert free is None or free > 2**20

    def none(*_, **__):
        raise FileNotFoundError

    monkeypatch.setattr(builtins, "open", none)
    every = memory.free_memory()
    assert every is None or every > 2**20


def test_more_than_is_free_is_refused(monkeypatch):
    monkeypatch.setattr(memory, "free_memory", lambda: 2**30)
    memory.check_memory(2**30, "poses")
    with pytest.raises(LimitError, match=r"poses would take 1\.5 GiB, and 1\.0 GiB of memory are free: ask for fewer"):
        memory.check_memory(3 * 2**29, "poses")
    monkeypatch.setattr(memory, "free_memory", lambda: None)
    memory.check_memory(2**60, "poses")


def test_small_answers_do_not_ask(monkeypatch):
    monkeypatch.setattr(memory, "free_memory", lambda: 0)
    memory.check_memory(memory.SMALL - 1, "poses")
