"""Kernels are optimised once, and what they contain is made short before."""

import numpy as np
import pytest
from llvmlite.binding import newpassmanagers
from numba import njit
from numba.core.codegen import CPUCodeLibrary

from tumble.core import inner_code, jit
from tumble.core.inner_code import InnerLibrary, OuterLibrary
from tumble.core.jit import allocating_kernel, inlined_kernel, kernel

VALUES = np.array([1.0, -3.0, 0.5])


@pytest.fixture
def passes(monkeypatch):
    """How often passes have run over modules, and over the functions of others."""
    njit(lambda values: values[0])(VALUES)  # what Numba compiles once per process is compiled
    found = {"module": 0, "twice": 0, "function": 0}

    def counted(owner, name, what):
        original = getattr(owner, name)

        def count(*arguments):
            found[what] += 1
            return original(*arguments)

        monkeypatch.setattr(owner, name, count)

    counted(newpassmanagers.ModulePassManager, "run", "module")
    counted(newpassmanagers.FunctionPassManager, "run", "function")
    counted(CPUCodeLibrary, "_optimize_final_module", "twice")
    return found


class NoCache:
    """A cache of kernels in which nothing is found."""

    def __init__(self, function):
        pass

    def load_overload(self, *_):
        return None

    def save_overload(self, *_):
        pass


@pytest.fixture
def kernels(monkeypatch):
    """A kernel that calls another, and one that makes an array for it, none of them on disk."""
    for name in ("KernelCache", "InnerKernelCache"):
        monkeypatch.setattr(jit, name, NoCache)

    def part(values, k):
        return 2.0 * values[k] if values[k] > 0.0 else -values[k]

    def total(values):
        found = 0.0
        for k in range(len(values)):
            found += step(values, k)
        return found

    def total_twice(values):
        return outer(np.concatenate((values, values)))

    step, outer = inlined_kernel(part), kernel(total)
    return outer, allocating_kernel(total_twice)


def test_a_kernel_is_optimised_once(kernels, passes):
    outer, _ = kernels
    assert outer(VALUES) == 6.0
    assert passes["module"] == 1
    assert passes["twice"] == 0
    assert passes["function"] >= 1  # over `part`, which is contained


def test_where_references_are_counted_numba_optimises(kernels, passes):
    _, twice = kernels
    assert twice(VALUES) == 12.0
    assert passes["twice"] >= 1
    assert passes["module"] >= 2


@pytest.mark.parametrize("names", [inner_code.LIGHT_PASSES, ("of_another_version",)], ids=["known", "unknown"])
def test_inner_code_is_made_short_by_any_version_of_the_compiler(kernels, monkeypatch, names):
    lengths = []
    original = InnerLibrary._optimize_functions

    def watched(self, module):
        lengths.append(str(module).count("\n"))
        original(self, module)
        lengths.append(str(module).count("\n"))

    monkeypatch.setattr(InnerLibrary, "_optimize_functions", watched)
    monkeypatch.setattr(inner_code, "LIGHT_PASSES", names)
    inner_code._light_passes.cache_clear()
    try:
        assert kernels[0](VALUES) == 6.0
    finally:
        inner_code._light_passes.cache_clear()
    before, after = lengths[:2]
    assert after < before / 2


def test_kernels_that_make_no_arrays_count_no_references(kernels, monkeypatch):
    seen = []
    original = OuterLibrary._optimize_final_module

    def watched(self):
        seen.append(self.counts_references)
        original(self)

    monkeypatch.setattr(OuterLibrary, "_optimize_final_module", watched)
    kernels[0](VALUES)
    assert seen == [False]
    kernels[1](VALUES)
    assert seen == [False, True]
