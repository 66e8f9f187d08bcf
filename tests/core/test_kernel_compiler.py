"""The compiler of kernels leaves out what changes nothing: the code is that of Numba's own compiler."""

import gc
import itertools
import math
import operator
import re
import resource
import sys
import threading
from functools import partial, wraps

import numpy as np
import pytest
from llvmlite import ir as llvm
from numba import njit, types
from numba.core import ir, postproc
from numba.core.bytecode import FunctionIdentity
from numba.core.compiler import Compiler, Flags, run_frontend
from numba.core.errors import NumbaError
from numba.core.imputils import builtin_registry
from numba.core.registry import cpu_target
from numba.core.targetconfig import ConfigStack, TargetConfig

from tumble.core import kernel_compiler
from tumble.core.kernel_compiler import SHORTCUTS, KernelCompiler

FLOATS, INTEGERS = types.float64[::1], types.int64[::1]


def total(values):
    found = 0.0
    for k in range(len(values)):
        if values[k] > 0.5 and not math.isinf(values[k]):
            found += abs(values[k]) * 2.0
        elif k % 3 == 1:
            found -= min(values[k], 1)
    return found


def search(keys, key):
    low, high = 0, keys.size
    while low < high:
        middle = (low + high) >> 1
        if keys[middle] < key:
            low = middle + 1
        else:
            high = middle
    return low, np.float32(low), keys[low - 1 : high]


def refuse(values):
    if values.size == 0:
        raise ValueError("nothing")
    a, (b, c) = values[0], (values[0] + 1, True)
    return (a, b)[1] if c else math.sqrt(a)


CASES = [(total, (FLOATS,)), (search, (INTEGERS, types.int64)), (refuse, (FLOATS,))]


def code_of(function, signature, compiler, monkeypatch):
    """Return the code that a compiler makes, as it goes to LLVM's optimiser and behind it."""
    monkeypatch.setattr(FunctionIdentity, "_unique_ids", itertools.count(1000))
    dispatcher = njit(pipeline_class=compiler, error_model="numpy")(function)
    dispatcher.compile(signature)
    (text,) = dispatcher.inspect_llvm().values()
    return re.sub(r"0x[0-9a-f]+|\b\d{12,}\b", "", text)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case[0].__name__)
def test_the_code_is_that_of_the_full_compiler(case, monkeypatch):
    plain = code_of(*case, Compiler, monkeypatch)
    lean = code_of(*case, KernelCompiler, monkeypatch)
    assert "define" in plain
    assert plain == lean
    assert plain == code_of(*case, Compiler, monkeypatch)  # what was remembered does not show elsewhere


@pytest.mark.parametrize("fails", [False, True])
def test_everything_is_put_back(fails):
    before = [getattr(owner, name) for owner, name, _, _ in SHORTCUTS]
    seen = []

    def watched(value):
        return value + seen if fails else value + 1.0

    original = kernel_compiler.KernelCompiler.define_pipelines

    class Watching(KernelCompiler):
        def define_pipelines(self):
            seen.extend(owner.__dict__[name] is replacement for owner, name, replacement, _ in SHORTCUTS)
            return original(self)

    dispatcher = njit(pipeline_class=Watching)(watched)
    if fails:
        with pytest.raises(Exception, match="seen"):
            dispatcher(1.0)
    else:
        assert dispatcher(1.0) == 2.0
    assert len(seen) >= len(SHORTCUTS)
    assert all(seen)
    assert [getattr(owner, name) for owner, name, _, _ in SHORTCUTS] == before


@pytest.mark.parametrize("function", [case[0] for case in CASES], ids=lambda function: function.__name__)
def test_the_variables_of_instructions(function):
    statements = [each for block in run_frontend(function).blocks.values() for each in block.body]
    plain = [each.list_vars() for each in statements]
    assert sum(map(len, plain)) > 10
    with kernel_compiler.shortcuts():
        assert [each.list_vars() for each in statements] == plain
        statements[0].extra = {"deep": [(ir.Var(None, "x", statements[0].loc),), 3.0]}
        assert statements[0].list_vars()[-1].name == "x"


def flags(**options):
    found = Flags()
    for name, value in options.items():
        setattr(found, name, value)
    return found


class OtherFlags(TargetConfig):
    pass


def test_flags_are_equal_when_their_values_are():
    default = Flags().boundscheck
    some = [
        flags(), flags(boundscheck=default), flags(boundscheck=not default), flags(nrt=True, boundscheck=default),
        flags(nrt=True), flags(error_model="numpy"), flags(error_model="numpy", nrt=True), OtherFlags(),
    ]  # fmt: skip
    pairs = list(itertools.product(some, some))
    equal, hashes = [a == b for a, b in pairs], [hash(each) for each in some]
    assert 8 < sum(equal) < len(pairs)
    with kernel_compiler.shortcuts():
        assert [a == b for a, b in pairs] == equal
        assert [hash(each) for each in some] == hashes
        assert (some[0] == 3) is False


def test_an_operator_is_remembered_with_its_implementation(monkeypatch):
    """Another compiler's flags bring another implementation for the same signature."""
    tried = []

    class Operator:
        def __init__(self, typing_key):
            self.typing_key, self._impl_keys = typing_key, {}

    def call_type(self, context, args, kws):
        tried.append(args)
        signature = types.float64(*args)
        self._impl_keys[signature.args] = len(tried)
        return signature

    monkeypatch.setattr(kernel_compiler, "_original_call_type", call_type)
    add, plain = Operator(operator.add), (types.float64, types.int64)
    call = kernel_compiler._call_type
    first, second = flags(nrt=True), flags(nrt=False)
    for each, number in ((first, 1), (second, 2), (first, 1), (second, 2)):
        with ConfigStack().enter(each):
            signature = call(add, None, plain, {})
        assert add._impl_keys[signature.args] == number
    for other in ((types.float64, types.float32), (types.float64, FLOATS)):
        call(add, None, other, {})
        call(add, None, other, {})
    assert tried == [plain, plain, (types.float64, types.float32), (types.float64, FLOATS), (types.float64, FLOATS)]
    del tried[:]
    read, texts = Operator(operator.getitem), types.Array(types.unicode_type, 1, "C")
    places = types.Tuple((types.int64, types.slice2_type)), types.Tuple((types.int64, texts))
    for other in ((FLOATS, types.int64), (FLOATS, places[0]), (texts, types.int64), (FLOATS, places[1])):
        call(read, None, other, {})
        call(read, None, other, {})
    once, twice = [(FLOATS, types.int64), (FLOATS, places[0])], [(texts, types.int64), (FLOATS, places[1])]
    assert [tried.count(each) for each in once] == [1, 1]
    assert [tried.count(each) for each in twice] == [2, 2]


def unknown_attribute(values):
    return values[0] + values.nothing


def unknown_method(values):
    total = 0.0
    for k in range(3):
        total += values[k].nothing_of_the_kind()
    return total


def unknown_function(values):
    return unknown_method(values) + math.nothing_of_the_kind(values)


@pytest.mark.parametrize("function", [unknown_attribute, unknown_method, unknown_function])
def test_errors_say_the_same(function):
    def words_of(compiler):
        with pytest.raises(NumbaError) as caught:
            njit(pipeline_class=compiler, error_model="numpy")(function).compile((FLOATS,))
        return re.sub(r"0x[0-9a-f]+|in (nopython|kernel) mode", "", str(caught.value))

    assert words_of(KernelCompiler) == words_of(Compiler)
    assert "line" in words_of(KernelCompiler)


@pytest.mark.parametrize("collects", [True, False])
def test_garbage_waits_for_the_compiler_and_is_collected_again(collects):
    before = gc.isenabled()
    try:
        (gc.enable if collects else gc.disable)()
        with kernel_compiler.shortcuts(), kernel_compiler.shortcuts():
            assert not gc.isenabled()
        assert gc.isenabled() is collects
    finally:
        gc.enable() if before else gc.disable()


def collections_after(work):
    """Return how many collections take place while objects are made after some work."""
    seen = []

    def note(phase, _):
        seen.append(phase)

    gc.callbacks.append(note)
    try:
        with kernel_compiler.shortcuts():
            kept = work()
        more = [[] for _ in range(300)]  # more than Python keeps for lists to come
    finally:
        gc.callbacks.remove(note)
    del kept, more
    return seen.count("stop")


@pytest.fixture
def rare_collections(monkeypatch):
    """The collector as a command sets it."""
    before, enabled = gc.get_threshold(), gc.isenabled()
    gc.set_threshold(1_000)
    gc.enable()
    monkeypatch.setattr(kernel_compiler, "_left", 0)
    yield
    gc.set_threshold(*before)
    if not enabled:
        gc.disable()


def test_what_compiling_has_made_is_not_looked_through_after_it(rare_collections, monkeypatch):
    def work():
        return [[] for _ in range(2_000)]

    assert collections_after(work) == 0
    monkeypatch.setattr(kernel_compiler, "PUT_OFF", 0)
    assert collections_after(work) == 1


def test_garbage_of_compiling_does_not_pile_up(rare_collections):
    def work():
        return [[] for _ in range(1_000 * kernel_compiler.PUT_OFF * 2 // 3)]

    assert [collections_after(work) > 0 for _ in range(4)] == [False, True, True, True]


def test_what_is_frozen_stays_so(rare_collections):
    gc.freeze()
    try:
        frozen = gc.get_freeze_count()
        assert collections_after(lambda: [[] for _ in range(2_000)]) == 1
        assert frozen - 100 < gc.get_freeze_count() <= frozen
    finally:
        gc.unfreeze()


def most_faults(call):
    """Return the most pages that are mapped while functions are called in a loop, by depths of the stack."""

    def small(a):
        b = c = d = e = f = g = a
        return b + c + d + e + f + g

    def at_depth(depth):
        a = b = c = d = 1
        if depth:
            return at_depth(depth - 1)
        before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
        for _ in range(1_000):
            list(map(small, (a, b, c, d)))
        return resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before

    found = []
    # a thread has a stack of its own, which begins at its first piece
    thread = threading.Thread(target=lambda: found.extend(call(partial(at_depth, depth)) for depth in DEPTHS))
    thread.start()
    thread.join()
    return max(found)


DEPTHS = range(400)


@pytest.mark.skipif(sys.platform != "linux" or sys.version_info < (3, 11), reason="frames lie elsewhere")
def test_no_loop_maps_memory_for_its_frames():
    assert most_faults(lambda work: work()) > 500
    assert most_faults(kernel_compiler.with_room) < 100


def test_results_and_errors_come_through_the_room():
    assert kernel_compiler.with_room(lambda: 3) == 3
    with pytest.raises(ZeroDivisionError):
        kernel_compiler.with_room(lambda: 1 / 0)


def counting(values):
    for k in range(len(values)):
        if values[k] > 1.0:
            yield values[k]


@pytest.mark.parametrize("emit", [False, True])
@pytest.mark.parametrize("function", [total, search, refuse, counting], ids=lambda function: function.__name__)
def test_lifetimes_are_those_of_the_full_compiler(function, emit):
    def processed(run):
        function_ir = run_frontend(function)
        run(postproc.PostProcessor(function_ir), emit)
        lifetime = function_ir.variable_lifetime
        texts = [str(each) for block in function_ir.blocks.values() for each in block.body]
        return texts, lifetime.livemap, lifetime.deadmaps.internal.keys(), function_ir.generator_info is None

    short = kernel_compiler._postprocess
    assert processed(short)[1:] == processed(postproc.PostProcessor.run)[1:]
    assert processed(short)[0] == processed(postproc.PostProcessor.run)[0]
    assert processed(short)[3] is (function is not counting)


def test_sizes_of_types_are_those_of_llvm():
    data, size = cpu_target.target_context.target_data, kernel_compiler._abi_size
    number, pair = llvm.IntType(64), llvm.LiteralStructType([llvm.DoubleType(), llvm.IntType(8)])
    module = llvm.Module(context=llvm.Context())
    named = module.context.get_identified_type("named")
    named.set_body(number, pair)
    plain, other = (number, pair, llvm.ArrayType(pair, 3), llvm.PointerType(pair)), (named, llvm.ArrayType(named, 2))
    for kind, context in [(kind, None) for kind in plain] + [(kind, module.context) for kind in other]:
        for _ in range(2):
            assert size(kind, data, context) == kernel_compiler._original_size(kind, data, context) > 0
        assert kernel_compiler._has_no_names(kind) is (context is None)
        assert ((kind, data) in kernel_compiler._sizes) is (context is None)


def test_what_is_registered_later_is_found():
    """Numba's tables are looked through anew for each kernel, those of extensions, too."""

    context = cpu_target.target_context
    context.refresh()
    registry = next(each for each in context._registries if each is not builtin_registry)
    with kernel_compiler.shortcuts():
        context.refresh()
        assert any(each is context._registries for each in kernel_compiler._loaded)
        for table in (registry, builtin_registry):
            key = object()
            table.lower(key, types.int64)(lambda context, builder, signature, arguments: arguments[0])
            assert key not in context._defns
            context.refresh()
            assert key in context._defns


def with_place(a, *, loc=None):
    return a


def with_places(a, *loc, **more):
    return more


def with_variable(a, *more):
    loc = a + 1
    return more, loc


@wraps(with_place)
def wrapping(*arguments, **more):
    return with_place(*arguments, **more)


@pytest.mark.parametrize(
    "function", [with_place, with_places, with_variable, wrapping, partial(with_place, 3), total, len, abs]
)
def test_which_functions_take_a_place(function):
    assert kernel_compiler._has_loc(function) == kernel_compiler._original_has_loc(function)
    assert kernel_compiler._has_loc(with_place)
    assert kernel_compiler._has_loc(wrapping)
