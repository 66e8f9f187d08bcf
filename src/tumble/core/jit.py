"""How kernels are made: `kernel` compiles and caches, `external` keeps large code apart, `direct_call` bypasses Numba's
dispatch, `generic` chooses by type.

A traversal is written once. What differs between volumes, layouts, questions and counters is a call to a generic
function, and the compiler picks the implementation from the NamedTuple type that stands at its first place:

    @generic
    def overlap(volumes_a, i, volumes_b, j, relative): ...

    @overlap.register(Aabbs)
    def _overlap_aabbs(volumes_a, i, volumes_b, j, relative): ...

The choice is made while compiling and costs nothing at run time. Record classes must live in importable modules, or
the cache on disk cannot find them again, and no two of them may have the same name.
"""

import itertools
import os
import secrets
from collections.abc import Callable
from functools import partial
from typing import Any

from llvmlite import binding
from numba import njit, types
from numba.core.bytecode import FunctionIdentity
from numba.core.ccallback import CFunc
from numba.core.typing.templates import infer, infer_global, make_overload_template
from numba.extending import models, register_model

from tumble.core import kernel_sources
from tumble.core.inner_code import InnerCompiler, OuterCompiler
from tumble.core.kernel_cache import InnerKernelCache, KernelCache, define_before_use, define_symbol
from tumble.core.kernel_call import InnerDispatcher, InnerKernel, Kernel

# Division by zero gives infinity instead of raising, which keeps error paths out of loops.
OPTIONS = {"nogil": True, "error_model": "numpy"}
# Without Numba's run-time there is no reference counting: arrays are borrowed from the caller for the call's duration.
# In traversals that is worth a factor, and it makes compiling several times faster.
BORROWING = {**OPTIONS, "_nrt": False}
# What an external function is compiled with: Numba would take what is not said from the kernel that calls it.
OF_ITS_OWN = {"error_model": "numpy", "_nrt": True, "forceinline": False, "fastmath": False}
# For functions that kernels alone call: entry points for Python and C take 7 % of all compiling (four queries, cold).
NEVER_FROM_PYTHON = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}


def _without_lock_events() -> None:
    """Take off what Numba hangs on each call into LLVM, to time it: a twentieth of all compiling, and nobody asks."""
    callbacks = getattr(getattr(binding.ffi.lib, "_lock", None), "_cblist", None)
    if isinstance(callbacks, list):
        callbacks[:] = [each for each in callbacks if getattr(each[0], "__module__", "") != "numba.core.base"]


def _number_functions_anew() -> None:
    """Let this process give its functions names that no other gives: what comes from disk is linked by name.

    Numba counts functions from 1, to tell those apart that were made of one definition with other constants.
    """
    FunctionIdentity._unique_ids = itertools.count(1 + secrets.randbits(60))


_without_lock_events()
_number_functions_anew()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_number_functions_anew)


def kernel(function: Callable[..., Any]) -> Any:
    """Compile a function on first use, without the GIL and without reference counts, and keep the code on disk.

    A kernel must not make arrays; what it needs is handed in, or it is an `allocating_kernel`.
    """
    return _outer(function, BORROWING)


def inlined_kernel(function: Callable[..., Any]) -> Any:
    """Compile as `kernel` does, but copy the code to where it is called: for the steps of hot loops.

    Python cannot call it: see `InnerKernel`.
    """
    return _inner(function, {**BORROWING, "forceinline": True})


def allocating_kernel(function: Callable[..., Any]) -> Any:
    """Compile as `kernel` does, but for functions that make arrays of their own."""
    return _outer(function, OPTIONS)


def _outer(function: Callable[..., Any], options: dict[str, Any]) -> Any:
    return Kernel(
        function, partial(_outer_dispatcher, function, options), partial(_inner_dispatcher, function, options)
    )


def _inner(function: Callable[..., Any], options: dict[str, Any]) -> Any:
    return InnerKernel(function, partial(_inner_dispatcher, function, options))


def _outer_dispatcher(function: Callable[..., Any], options: dict[str, Any]) -> Any:
    dispatcher = njit(**options, pipeline_class=OuterCompiler)(function)
    dispatcher._cache = KernelCache(function)
    return dispatcher


def _inner_dispatcher(function: Callable[..., Any], options: dict[str, Any]) -> Any:
    dispatcher = njit(**options, **NEVER_FROM_PYTHON, pipeline_class=InnerCompiler)(function)
    dispatcher._cache = InnerKernelCache(function)
    dispatcher.__class__ = InnerDispatcher
    return dispatcher


def fixed_kernel(*signatures: Any) -> Callable[[Callable[..., Any]], Any]:
    """Compile as `kernel` does, at once, for these signatures and no others: other arguments raise TypeError.

    For entry points of the fast path, where checking the arguments' types in Python would cost more than the call.
    """

    def make(function: Callable[..., Any]) -> Any:
        dispatcher = kernel(function)
        for signature in signatures:
            dispatcher.compile(signature)
        dispatcher.disable_compile()
        return dispatcher

    return make


def direct_call(signature: Any) -> Callable[[Callable[..., Any]], Any]:
    """Compile a function at once and return a direct entry point that bypasses Numba's argument dispatch.

    Arguments of type `tumble.core.simd.objects.OBJECT` arrive unchanged; the function checks them itself.
    It runs with the GIL unless it releases it itself.
    """

    def make(function: Callable[..., Any]) -> Any:
        dispatcher = _outer(function, {**BORROWING, "nogil": False})
        dispatcher.compile(signature)
        _kept_code.append(dispatcher)
        (compiled,) = dispatcher.overloads.values()
        return compiled.entry_point

    return make


_kept_code: list[Any] = []


class Symbol(types.ExternalFunction):
    """Numba's type of an external function, which is compiled when the types of a call are looked for."""

    def get_call_type(self, context: Any, args: Any, kws: Any) -> Any:
        """Return the signature of a call."""
        define_symbol(self.symbol)
        return super().get_call_type(context, args, kws)


register_model(Symbol)(models.OpaqueModel)


def external(signature: Any) -> Callable[[Callable[..., Any]], Any]:
    """Make a function of plain numbers a symbol that kernels call without containing its code.

    Numba copies everything that a kernel calls into the kernel and optimises it again. For code that is large, or
    rarely reached, that costs seconds for each specialisation; a call to a symbol costs a few nanoseconds. It is
    compiled, or loaded from disk, together with the first kernel that calls it.
    """

    def make(function: Callable[..., Any]) -> Any:
        symbol = f"tumble_{function.__name__}"

        def define() -> None:
            parts = signature.args, signature.return_type
            compiled: Any = CFunc(function, parts, locals={}, options=OF_ITS_OWN, pipeline_class=OuterCompiler)
            compiled._cache = KernelCache(function)
            compiled.compile()
            _kept_code.append(compiled)  # the machine code lives as long as this object
            binding.add_symbol(symbol, compiled.address)

        define_before_use(symbol, define)
        return Symbol(symbol, signature)

    return make


class Generic:
    """The table of implementations of one generic function; see `generic`."""

    def __init__(self, name: str, module: str) -> None:
        self.name = name
        self.module = module
        self.implementations: dict[type, Callable[..., Any]] = {}

    def choose(self, *arguments: Any) -> Callable[..., Any] | None:
        """Return the implementation for Numba's type of the first argument."""
        record = arguments[0]
        if isinstance(record, types.BaseNamedTuple):
            return self.implementations.get(record.instance_class)
        return self.implementations.get(type(None)) if isinstance(record, types.NoneType) else None

    def register(self, record: type) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
        """Decorate the implementation for one NamedTuple class (or for `type(None)`)."""

        def keep(function: Callable[..., Any]) -> Callable[..., Any]:
            self.implementations[record] = function
            kernel_sources.register(self.module, record, function.__module__)
            return function

        return keep


def generic(stub: Callable[..., Any]) -> Any:
    """Turn a stub into a function that kernels can call and that is implemented record by record."""
    return _generic(stub, BORROWING)


def inlined_generic(stub: Callable[..., Any]) -> Any:
    """Make a generic function as `generic` does, and copy its code to where it is called: see `inlined_kernel`."""
    return _generic(stub, {**BORROWING, "forceinline": True})


def _generic(stub: Callable[..., Any], options: dict[str, Any]) -> Any:
    table = Generic(stub.__name__, stub.__module__)
    # What `numba.extending.overload` does, but for the kind of function that is made of an implementation.
    template = make_overload_template(stub, table.choose, options, strict=False, inline="never")
    template._get_jit_decorator = lambda template: lambda **options: partial(_inner_dispatcher, options=options)
    infer(template)
    infer_global(stub, types.Function(template))
    stub.register = table.register  # type: ignore[attr-defined]
    return stub
