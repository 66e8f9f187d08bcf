"""How Python calls a kernel: one that was told to end early is never taken for one that came to its end."""

from collections.abc import Callable
from functools import cached_property, lru_cache, update_wrapper
from threading import RLock
from typing import Any

from numba.core import serialize
from numba.core.registry import CPUDispatcher
from numba.core.types.misc import unliteral

from tumble.core.interrupts import RAISED, STOPPING, check, forget, words


class InnerDispatcher(CPUDispatcher):
    """Numba's dispatcher of a function that kernels alone call. It has no entry point: Numba would jump to address 0.

    Numba compiles a function that kernels call anew for each constant that stands at a call, `walk(tree, True)` and
    `walk(tree, False)`; LLVM spreads constants all the same where it inlines the call. A first step of `World` compiles
    in a fifth less time without these copies.
    """

    def get_call_template(self, args: Any, kws: Any) -> Any:
        """Compile for the types of the arguments, whatever their values."""
        return super().get_call_template(
            [unliteral(each) for each in args], {name: unliteral(each) for name, each in kws.items()}
        )


_lock = RLock()


class InnerKernel:
    """A function that kernels alone call. Most are not compiled in a process, so its dispatcher is made when one is."""

    def __init__(self, function: Callable[..., Any], make: Callable[[], Any]) -> None:
        update_wrapper(self, function)
        self.py_func = function
        self._make = make

    @cached_property
    def inner(self) -> Any:
        """What Numba compiles for the kernels that call this."""
        with _lock:
            return self.__dict__["inner"] if "inner" in self.__dict__ else self._make()

    @property
    def _numba_type_(self) -> Any:
        """What Numba takes this for, where it stands in a kernel."""
        return self.inner._numba_type_

    def __reduce__(self) -> Any:
        """Say which function this is and what it was made with: a part of the key of a kernel that was made with it."""
        function = self.py_func
        made_with = tuple(cell.cell_contents for cell in function.__closure__ or ())
        return _refuse, (function.__module__, function.__qualname__, function.__code__.co_firstlineno, made_with)

    def __call__(self, *arguments: Any) -> Any:
        """Refuse."""
        raise TypeError(f"{self.py_func.__name__} can be called by kernels only; its `py_func` can be called here")


def _refuse(module: str, name: str, *_: Any) -> Any:
    raise TypeError(f"the kernel {module}.{name} is not handed to other processes: import it there")


class Kernel(InnerKernel):
    """A function that Python calls, with a look at why it returned to Python. Other kernels call its `inner` form."""

    def __init__(self, function: Callable[..., Any], make: Callable[[], Any], make_inner: Callable[[], Any]) -> None:
        super().__init__(function, make_inner)
        self._make_outer = make

    @cached_property
    def dispatcher(self) -> Any:
        """What compiles or loads this when it is called."""
        with _lock:
            return self.__dict__["dispatcher"] if "dispatcher" in self.__dict__ else self._make_outer()

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(self.dispatcher, name)

    def __call__(self, *arguments: Any) -> Any:
        """Run the kernel, then raise what it returned early for, if it did."""
        if words[RAISED]:
            forget()
        try:
            result: Any = self.dispatcher(*arguments)
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
