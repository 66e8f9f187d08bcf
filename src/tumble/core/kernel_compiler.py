"""How kernels go through Numba's compiler: the passes that they need, and three shortcuts; the code is the same.

Two thirds of the time of compiling is Python code of Numba. Kernels are plain loops over arrays and records, so passes
for closures, `with`, array expressions, literal loops and parallel loops find nothing in them. While a kernel is
compiled, three functions of Numba are replaced by ones that return the same sooner. All is put back after it: other
code that the process compiles with Numba does not see any of this. One thread compiles at a time, under Numba's lock.

Measured by processor time, first `collide(method="stack")`: passes 15 %, remembered operators 12 %, flags 7 %,
variables 6 %, together 28 %.
"""

from __future__ import annotations

import gc
import inspect
import operator
from collections.abc import Callable
from contextlib import contextmanager
from types import FunctionType
from typing import TYPE_CHECKING, Any, TypeVar

from llvmlite import ir as llvm
from numba.core import base, errors, ir, lowering, typeinfer, types
from numba.core.compiler import Compiler
from numba.core.compiler_machinery import PassManager
from numba.core.cpu import CPUContext
from numba.core.imputils import builtin_registry
from numba.core.postproc import PostProcessor, VariableLifetime
from numba.core.runtime import rtsys
from numba.core.targetconfig import ConfigStack, TargetConfig
from numba.core.transforms import canonicalize_cfg
from numba.core.types.containers import BaseTuple
from numba.core.types.functions import BaseFunction
from numba.core.types.misc import SliceType

if TYPE_CHECKING:
    from collections.abc import Iterator

T = TypeVar("T")

NOT_NEEDED = frozenset(
    {
        "AnnotateTypes",  # the source text with types beside it
        "DumpParforDiagnostics",
        "FindLiterallyCalls",
        "InlineClosureLikes",
        "InlineInlinables",  # `njit(inline=...)`: kernels are inlined by LLVM
        "InlineOverloads",
        "LiteralPropagationSubPipelinePass",
        "LiteralUnroll",
        "MakeFunctionToJitFunction",
        "NopythonRewrites",  # array expressions
        "RewriteDynamicRaises",
        "WithLifting",
    }
)
"""passes that change nothing in a kernel; what one of them would have to see to makes compiling fail"""


class KernelCompiler(Compiler):
    """Numba's compiler for kernels."""

    def define_pipelines(self) -> list[PassManager]:
        """Return Numba's passes without those that a kernel does not need."""
        (full,) = super().define_pipelines()
        lean = PassManager("kernel")
        lean.passes.extend(each for each in full.passes if each[0].__name__ not in NOT_NEEDED)
        lean.finalize()
        return [lean]

    def _compile_core(self) -> Any:
        with shortcuts():
            return with_room(super()._compile_core) if _depth == 1 else super()._compile_core()


def _call(work: Callable[[], T]) -> T:
    return work()


PLACES = 70_000
"""on the stack of a frame: more than half of 1 MiB, so Python takes 1 MiB, and has half of it left for frames above"""
with_room = FunctionType(_call.__code__.replace(co_stacksize=PLACES), globals(), "with_room")
"""Call a function, with one piece of memory for all frames of Python above.

Python's frames lie in pieces of 16 KB. A loop at the end of one maps and unmaps the next in each round: 340,000 times
in a first check of the sample, a tenth of its time. A frame that takes half of a large piece leaves the rest to others.
"""

_depth = 0
_collects = True
_left = 0
PUT_OFF = 30
"""how many collections of garbage are left out at most; a command looks for it rarely, which makes 300 MB"""


@contextmanager
def shortcuts() -> Iterator[None]:
    """Have Numba take the shortcuts; kernels that are compiled within a kernel are within."""
    global _depth, _collects
    if _depth == 0:
        _collects = gc.isenabled()
        gc.disable()
        for owner, name, replacement, _ in SHORTCUTS:
            setattr(owner, name, replacement)
    _depth += 1
    try:
        yield
    finally:
        _depth -= 1
        if _depth == 0:
            for owner, name, _, original in SHORTCUTS:
                setattr(owner, name, original)
            if _collects:
                _put_off_collecting()
                gc.enable()


def _put_off_collecting() -> None:
    """Have the next collection leave out what was made meanwhile, if a command has seen to it that few take place.

    It would take a twentieth of all compiling. To freeze all objects and thaw them moves them to the oldest generation,
    in no time; what somebody has frozen stays so.
    """
    global _left
    _left += gc.get_count()[0]
    if _left < PUT_OFF * gc.get_threshold()[0] and gc.get_freeze_count() == 0:
        gc.freeze()
        gc.unfreeze()


def _flags_hash(self: Any) -> int:
    """Return Numba's own number, which is of the names of all options and not of their values."""
    kind = type(self)
    if kind not in _hashes:
        _hashes[kind] = hash(tuple(sorted(kind.options)))
    return _hashes[kind]


_hashes: dict[Any, int] = {}


def _flags_equal(self: Any, other: Any) -> Any:
    """Compare the options that are set on one side or the other; all others have their defaults on both."""
    if self is other:
        return True
    if type(self) is not type(other):
        return _original_equal(self, other)
    own, others, options = self._values, other._values, self.options
    return own == others or all(
        own.get(name, options[name].default) == others.get(name, options[name].default) for name in own | others
    )


def _listed_variables(self: ir.Inst, value: Any) -> list[ir.Var]:
    found: list[ir.Var] = []
    _list_variables(value, found)
    return found


NO_VARIABLES = frozenset({str, int, bool, type(None), ir.Loc, ir.Const, ir.Global, ir.FreeVar, ir.Arg})


def _list_variables(value: Any, found: list[ir.Var]) -> None:
    """Add the variables in a part of an instruction, in order, as `ir.Inst._rec_list_vars` does, into one list."""
    kind = type(value)
    if kind is ir.Var:
        found.append(value)
    elif kind in NO_VARIABLES:
        return
    elif kind is dict:
        for each in value.values():
            kind = type(each)
            if kind is ir.Var:
                found.append(each)
            elif kind not in NO_VARIABLES:
                _list_variables(each, found)
    elif kind is ir.Expr:
        _list_variables(value._kws, found)
    elif isinstance(value, ir.Inst):
        found.extend(value.list_vars())
    elif isinstance(value, ir.Var):
        found.append(value)
    elif isinstance(value, list | tuple):
        for each in value:
            _list_variables(each, found)
    elif isinstance(value, dict):
        for each in value.values():
            _list_variables(each, found)


OF_ARRAYS = frozenset({operator.getitem, operator.setitem})
"""operators for which Numba tries some thirty definitions, most of them of containers that kernels do not have"""
_remembered: dict[Any, tuple[Any, Any]] = {}


def _call_type(self: Any, context: Any, args: tuple[Any, ...], kws: dict[str, Any]) -> Any:
    """Return the signature of a call; that of an operator with numbers is found once, not where it stands in a kernel.

    So is that of an operator that reads from an array or writes to one. Numba tries the definitions of an operator one
    after the other, some twenty for `+`. What it finds hangs on the definitions, which are part of `self`, the
    arguments' types and the compiler's flags.
    """
    if kws or not all(map(_is_number, args)):
        if kws or self.typing_key not in OF_ARRAYS or not all(map(_is_plain, args)):
            return _original_call_type(self, context, args, kws)
    key = self, context, args, _number_of(ConfigStack.top_or_none())
    if key not in _remembered:
        signature: Any = _original_call_type(self, context, args, kws)
        _remembered[key] = signature, self._impl_keys[signature.args]
    signature, self._impl_keys[signature.args] = _remembered[key]
    return signature


def _is_number(kind: types.Type) -> bool:
    return isinstance(kind, types.Number | types.Boolean)


def _is_plain(kind: types.Type) -> bool:
    """Tell whether a type is that of a number, a slice, an array of numbers, or a tuple of those."""
    if isinstance(kind, BaseTuple):
        return all(map(_is_plain, kind.types))
    if isinstance(kind, types.Array):
        return _is_number(kind.dtype)
    return _is_number(kind) or isinstance(kind, SliceType)


_seen_flags: list[Any] = []
_last_values: dict[str, Any] | None = None
_last_number = -1


def _number_of(flags: Any) -> int:
    """Return the same number for flags that are equal: to compare all of them takes longer than to look at the last."""
    global _last_values, _last_number
    values = None if flags is None else flags._values
    if values != _last_values or _last_number < 0:
        if flags not in _seen_flags:
            _seen_flags.append(None if flags is None else flags.copy())
        _last_values, _last_number = values and dict(values), _seen_flags.index(flags)
    return _last_number


class _ErrorContext:
    """What Numba enters for each statement, to add to the message of an error where it comes from."""

    __slots__ = ("_arguments", "_named")

    def __init__(self, *arguments: Any, **named: Any) -> None:
        self._arguments, self._named = arguments, named

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: Any, error: BaseException | None, _: Any) -> None:
        if error is not None:
            with _original_context(*self._arguments, **self._named):
                raise error


def _postprocess(self: PostProcessor, emit_dels: bool = False, extend_lifetimes: bool = False) -> None:
    """Do what Numba does, without which variables are alive where a block begins: generators and object mode ask that.

    Five passes do so for each function. How long variables live is found when the last of them asks.
    """
    function = self.func_ir
    if function.is_generator:
        _original_run(self, emit_dels, extend_lifetimes)
        return
    function.blocks = canonicalize_cfg(function.blocks)
    function.variable_lifetime = VariableLifetime(function.blocks)
    function.generator_info = None
    if emit_dels:
        self._insert_var_dels(extend_lifetimes=extend_lifetimes)


_sizes: dict[tuple[Any, Any], int] = {}
PLAIN_VALUES = llvm.IntType, llvm.FloatType, llvm.DoubleType, llvm.PointerType


def _abi_size(self: llvm.Type, target_data: Any, context: Any = None) -> int:
    """Return the size of a type, for which LLVM reads a module: asked for each variable. Named types may change."""
    if context is not None or not _has_no_names(self):
        return _original_size(self, target_data, context)
    key = self, target_data
    if key not in _sizes:
        _sizes[key] = _original_size(self, target_data)
    return _sizes[key]


def _has_no_names(kind: llvm.Type) -> bool:
    if isinstance(kind, llvm.LiteralStructType):
        return all(map(_has_no_names, kind.elements))
    return _has_no_names(kind.element) if isinstance(kind, llvm.ArrayType) else isinstance(kind, PLAIN_VALUES)


_loaded: list[dict[Any, Any]] = []


def _load_registries(self: CPUContext) -> None:
    """Look for what is new in the tables that Numba has loaded; it goes through forty imports, seven times a kernel."""
    tables = self._registries
    if type(self) is not CPUContext or not any(each is tables for each in _loaded):
        _original_load(self)
        _loaded.append(tables)
        return
    rtsys.initialize(self)
    for table in tuple(tables):
        if table is not builtin_registry:  # Numba does that next
            self.install_registry(table)


def _has_loc(function: Any) -> bool:
    """Tell whether a function of Numba takes a place in the source: asked for each call in a kernel."""
    if type(function) is not FunctionType or hasattr(function, "__wrapped__") or hasattr(function, "__signature__"):
        found: bool = _original_has_loc(function)
        return found
    code = function.__code__
    starred = bool(code.co_flags & inspect.CO_VARARGS) + bool(code.co_flags & inspect.CO_VARKEYWORDS)
    return "loc" in code.co_varnames[: code.co_argcount + code.co_kwonlyargcount + starred]


_original_has_loc = base._has_loc
_original_run = PostProcessor.run
_original_size = llvm.Type.get_abi_size
_original_load = CPUContext.load_additional_registries
_original_equal = TargetConfig.__eq__
_original_call_type = BaseFunction.get_call_type
_original_context: Any = vars(errors)["new_error_context"]

SHORTCUTS = (
    (TargetConfig, "__hash__", _flags_hash, TargetConfig.__hash__),
    (TargetConfig, "__eq__", _flags_equal, _original_equal),
    (ir.Inst, "_rec_list_vars", _listed_variables, ir.Inst._rec_list_vars),
    (BaseFunction, "get_call_type", _call_type, _original_call_type),
    (base, "_has_loc", _has_loc, _original_has_loc),
    (PostProcessor, "run", _postprocess, _original_run),
    (llvm.Type, "get_abi_size", _abi_size, _original_size),
    (CPUContext, "load_additional_registries", _load_registries, _original_load),
    *((owner, "new_error_context", _ErrorContext, _original_context) for owner in (errors, typeinfer, lowering)),
)
"""owner, name, replacement and original of the functions of Numba that take longer than they need"""
