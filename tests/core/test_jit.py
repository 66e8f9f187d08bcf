"""Generic functions, functions for kernels alone, and external ones: what the compiler makes of them."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from typing import NamedTuple

import numpy as np
import pytest
from numba import float64, njit, types
from numba.core.bytecode import FunctionIdentity
from numba.core.errors import TypingError
from numba.core.serialize import dumps

from tumble.core.jit import BORROWING, external, generic, inlined_kernel, kernel
from tumble.volume.aabb import Aabbs


class Apple(NamedTuple):
    weights: np.ndarray


class Pear(NamedTuple):
    weights: np.ndarray


@generic
def taste(fruit, i):
    """Choose by the type of the fruit."""


@taste.register(Apple)
def _apple(fruit, i):
    return fruit.weights[i]


@taste.register(Pear)
def _pear(fruit, i):
    return -fruit.weights[i]


@taste.register(type(None))
def _nothing(fruit, i):
    return 0.0


@kernel
def call_taste(fruit, i):
    return taste(fruit, i)


def test_the_type_of_the_first_argument_chooses() -> None:
    weights = np.array([1.0, 2.0])
    assert call_taste(Apple(weights), 1) == 2.0
    assert call_taste(Pear(weights), 1) == -2.0
    assert call_taste(None, 1) == 0.0


@pytest.mark.parametrize("other", [Aabbs(np.ones((1, 6))), (np.ones(1),), np.ones(1), 3])
def test_unknown_records_are_refused_while_compiling(other: object) -> None:
    with pytest.raises(TypingError, match="taste"):
        call_taste(other, 0)


@external(float64(float64, float64))
def jit_test_hypotenuse(x, y):
    return (x * x + y * y) ** 0.5


@kernel
def call_hypotenuse(x, y):
    return jit_test_hypotenuse(x, y)


def test_functions_for_kernels_alone_refuse_python() -> None:
    """Without an entry point, a call would end in a crash."""
    with pytest.raises(TypeError, match="inner can be called by kernels only"):
        inner(1.0)
    assert outer(1.0) == inner.py_func(1.0) == 2.0
    with pytest.raises(TypeError, match="can be called by kernels only"):
        inner(1.0)  # compiled by now


@inlined_kernel
def inner(value):
    return value + 1.0


@kernel
def outer(value):
    return inner(value)


@kernel
def refuse(value):
    if value < 0.0:
        raise ValueError("less than nothing")
    return value


@kernel
def call_refuse(value):
    return refuse(value) + 1.0


def test_what_kernels_call_is_not_compiled_for_python() -> None:
    assert call_refuse(1.0) == 2.0
    assert not refuse.overloads
    for function in (call_refuse, refuse):
        with pytest.raises(ValueError, match="less than nothing"):
            function(-1.0)
    assert refuse(2.0) == 2.0


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork on this system")
@pytest.mark.process
def test_no_two_processes_give_functions_the_same_names() -> None:
    """Those of one definition with other constants, which come from disk, would be taken for each other."""
    code = """if True:
        import os, tumble.core.jit as jit
        first, child = next(jit.FunctionIdentity._unique_ids), os.fork()
        if child:
            os.waitpid(child, 0)
        print(first, next(jit.FunctionIdentity._unique_ids), flush=True)
    """
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=300)
    (_, forked), (parent, second) = (line.split() for line in run.stdout.splitlines())
    assert int(second) == int(parent) + 1
    here = next(FunctionIdentity._unique_ids)
    assert len({int(number) >> 32 for number in (parent, forked, here)}) == 3


@inlined_kernel
def one_or_two(value, twice):
    return 2.0 * value if twice else value


def test_constants_at_a_call_make_no_copies() -> None:
    for constant in (types.literal(True), types.literal(False), types.boolean):
        one_or_two.inner.get_call_template([types.float64, constant], {})
    assert len(one_or_two.inner.overloads) == 1


def made_with(number):
    @inlined_kernel
    def scaled(value):
        return number * value

    @kernel
    def call_scaled(value):
        return scaled(value)

    return call_scaled


def test_a_kernel_made_with_kernels_is_known_by_what_they_were_made_with() -> None:
    keys = [dumps(made_with(number)) for number in (2.0, 2.0, 3.0)]
    assert keys[0] == keys[1] != keys[2]
    with pytest.raises(TypeError, match="not handed to other processes"):
        pickle.loads(keys[0])


def test_a_dispatcher_is_made_when_a_kernel_is_used() -> None:
    made = made_with(2.0)
    assert not {"inner", "dispatcher"} & set(vars(made))
    assert made(3.0) == 6.0
    assert "inner" not in vars(made), "no kernel calls it"
    assert made.signatures == [(types.float64,)]


def test_external_functions_are_called_by_symbol() -> None:
    assert call_hypotenuse(3.0, 4.0) == 5.0
    fresh = njit(**BORROWING)(call_hypotenuse.py_func)  # machine code from the cache cannot be inspected
    assert fresh(3.0, 4.0) == 5.0
    (code,) = fresh.inspect_llvm().values()
    assert "tumble_jit_test_hypotenuse" in code
