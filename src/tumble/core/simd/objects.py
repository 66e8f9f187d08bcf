"""Python objects as arguments of compiled code, not unpacked, and the GIL, released by the code itself.

Numba finds the types of a call's arguments and unpacks them before a kernel runs; for a query of half a microsecond
that is most of the time. An argument of type `OBJECT` comes as it is, as the address of a Python object, and costs
nothing. Code that reads from it must hold the GIL; the caller keeps the object alive.
"""

from typing import Any

from numba import types
from numba.extending import NativeValue, models, register_model, unbox

from tumble.core.simd.memory import INT64, instruction


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


@instruction(types.int64(OBJECT))
def object_at(builder, thing):
    """Return the address of an object."""
    return thing


release_gil = types.ExternalFunction("PyEval_SaveThread", types.int64())
"""lets other Python threads run, and returns what `take_gil` needs; do not touch objects in between"""
take_gil = types.ExternalFunction("PyEval_RestoreThread", types.void(types.int64))
"""waits for the other Python threads"""
