"""How Python calls a kernel: one that was told to end early is never taken for one that came to its end."""

from collections.abc import Callable
from functools import cached_property, lru_cache
from typing import Any

from numba.core import serialize
from numba.core.dispatcher import Dispatcher
from numba.core.registry import CPUDispatcher
from numba.core.types.misc import unliteral

from tumble.core.interrupts import RAISED, STOPPING, check, forget, words

_dispatch = Dispatcher.__call__


class InnerKernel(CPUDispatcher):
    """A function that kernels alone call. It has no entry point for Python, and Numba would jump to address 0.

    Numba compiles a function that kernels call anew for each constant that stands at a call, `walk(tree, True)` and
    `walk(tree, False)`; LLVM spreads constants all the same where it inlines the call. A first step of `World` compiles
    in a fifth less time without these copies.
    """

    def get_call_template(self, args: Any, kws: Any) -> Any:
        """Compile for the types of the arguments, whatever their values."""
        return super().get_call_template(
            [unliteral(each) for each in args], {name: unliteral(each) for name, each in kws.items()}
        )

    def __call__(self, *arguments: Any) -> Any:
        """Refuse."""
        raise TypeError(f"{self.py_func.__name__} can be called by kernels only; its `py_func` can be called here")


class Kernel(CPUDispatcher):
    """A function that Python calls, with a look at why it returned to Python. Other kernels call its `inner` form."""

    make_inner: Callable[[], InnerKernel]

    @cached_property
    def inner(self) -> InnerKernel:
        """What kernels call: made when one does, as most are called by Python or by kernels, but not by both."""
        return self.make_inner()

    def get_call_template(self, args: Any, kws: Any) -> Any:
        """Compile the form that kernels call."""
        return self.inner.get_call_template(args, kws)

    def get_overload(self, sig: Any) -> Any:
        """Return what a kernel calls."""
        return self.inner.get_overload(sig)

    def __call__(self, *arguments: Any) -> Any:
        """Run the kernel, then raise what it returned early for, if it did."""
        if words[RAISED]:
            forget()
        try:
            result: Any = _dispatch(self, *arguments)
        except BaseException as error:
            forget()
            if isinstance(error, SystemError):
                # Numba runs a little Python to make results, and does not expect that a signal handler raises there.
                raise _first_cause(error) from None
            raise
        if words[RAISED] or words[STOPPING]:
            check()
        return result


def _first_cause(error: BaseException) -> BaseException:
    """Return what was raised before all that was raised in consequence."""
    while isinstance(error, SystemError) and error.__cause__ is not None:
        error = error.__cause__
    return error


# That little Python looks up types that it has seen before: done by C, no signal handler can run in it.
if hasattr(serialize, "_numba_unpickle"):
    serialize._numba_unpickle = lru_cache(maxsize=None)(serialize._numba_unpickle)
