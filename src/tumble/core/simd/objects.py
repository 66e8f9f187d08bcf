"""Python objects as arguments of compiled code, not unpacked, and the GIL, released by the code itself.

Numba finds the types of a call's arguments and unpacks them before a kernel runs; for a query of half a microsecond
that is most of the time. An argument of type `OBJECT` comes as it is, as the address of a Python object, and costs
nothing. Code that reads from it must hold the GIL; the caller keeps the object alive.
"""

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import NativeValue, intrinsic, models, register_model, unbox

from tumble.core.simd.memory import INT64, call_symbol


class ObjectType(types.Type):
    """Any Python object, not unpacked."""

    def __init__(self) -> None:
        super().__init__(name="TumbleObject")


OBJECT = ObjectType()


@register_model(ObjectType)
class _ObjectModel(models.PrimitiveModel):
    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(manager, kind, INT64)


@unbox(ObjectType)
def _unbox(kind: Any, pointer: Any, context: Any) -> NativeValue:
    # no reference is taken: the caller keeps the object alive during the call
    return NativeValue(context.builder.ptrtoint(pointer, INT64))


@intrinsic
def object_at(typing_context, thing):
    """Return the address of an object."""

    def generate(context, builder, signature, arguments):
        return arguments[0]

    return types.int64(OBJECT), generate


@intrinsic
def release_gil(typing_context):
    """Let other Python threads run; return what `take_gil` needs. Do not touch objects in between."""

    def generate(context, builder, signature, arguments):
        return builder.ptrtoint(call_symbol(builder, "PyEval_SaveThread", cgutils.voidptr_t, []), INT64)

    return types.int64(), generate


@intrinsic
def take_gil(typing_context, state):
    """Wait for the other Python threads."""

    def generate(context, builder, signature, arguments):
        pointer = builder.inttoptr(arguments[0], cgutils.voidptr_t)
        call_symbol(builder, "PyEval_RestoreThread", ir.VoidType(), [pointer])
        return context.get_dummy_value()

    return types.void(types.int64), generate
