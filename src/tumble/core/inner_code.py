"""How a function that kernels alone call is compiled: as far as bitcode, which its callers contain.

Numba optimises each function to the end and makes machine code of it, although a function that Python never calls is
copied into the kernels that call it, and optimised there once more. Here it goes as far as the inliner needs it, and
no machine code is made.

A function finds its Python environment, which is needed to raise an exception, through a variable of its own. Numba
sets it when the function's machine code is loaded; here the library that contains the function has to.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from llvmlite import binding
from llvmlite.binding import newpassmanagers
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompileResult, compile_result
from numba.core.environment import lookup_environment

from tumble.core.kernel_compiler import KernelCompiler

ENVIRONMENT = "_ZN08NumbaEnv"
"""what the names of all variables that hold an environment begin with"""


LIGHT_PASSES = "sroa", "instruction_combine", "simplify_cfg"
"""of LLVM: what makes code short that others will contain, by their names in llvmlite"""


class OuterLibrary(JITCodeLibrary):
    """Machine code that Python, or C, calls. Kernels that call the same function contain another form of it."""

    counts_references = True
    """whether it uses Numba's run-time"""

    def _optimize_functions(self, ll_module: Any) -> None:
        """Leave that to the passes over the whole, which begin with it; nothing else contains these functions."""
        ll_module.data_layout = self._codegen._data_layout

    def _optimize_final_module(self) -> None:
        """Optimise once; Numba does so twice, to see reference counts where functions are inlined."""
        if self.counts_references:
            super()._optimize_final_module()
        else:
            passes, builder = self._codegen._module_pass_manager()
            passes.run(self._final_module, builder)

    def _finalize_specific(self) -> None:
        super()._finalize_specific()
        for variable in self._final_module.global_variables:
            environment = lookup_environment(variable.name) if variable.name.startswith(ENVIRONMENT) else None
            if environment is not None:
                self._codegen.set_env(variable.name, environment)

    def serialize_using_object_code(self) -> Any:
        """Return what the cache keeps: machine code and what it defines.

        Numba keeps bitcode as well, for libraries that would contain it; to read it took a third of loading a kernel.
        """
        self._ensure_finalized()
        module = self._final_module
        defined = [each.name for each in (*module.functions, *module.global_variables) if not each.is_declaration]
        return self.name, "object", (self._get_compiled_object(), defined)


@lru_cache(maxsize=1)
def _light_passes(codegen: Any) -> tuple[Any, Any]:
    """Return what runs the light passes over a function; all of Numba's where llvmlite does not know them."""
    manager = newpassmanagers.create_new_function_pass_manager()
    for name in LIGHT_PASSES:
        add: Any = getattr(manager, f"add_{name}_pass", None)
        if add is None:
            found: tuple[Any, Any] = codegen._function_pass_manager()
            return found
        add()
    return manager, codegen._pass_builder()


class InnerLibrary(JITCodeLibrary):
    """Code that other libraries contain, and that nothing calls where it stands."""

    def _optimize_functions(self, ll_module: Any) -> None:
        """Shorten what is defined here. The rest of simplifying is done where it is contained, in any case."""
        ll_module.data_layout = self._codegen._data_layout
        for function in ll_module.functions:
            if not function.is_declaration:
                passes, builder = _light_passes(self._codegen)
                passes.run(function, builder)

    def _optimize_final_module(self) -> None:
        """Leave that to the libraries that contain it."""

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()
        self._verify_declare_only_symbols()
        self._finalized = True

    @property
    def codegen(self) -> Any:
        """What sets the environment of a function's machine code: there is none."""
        return _NO_ENVIRONMENT

    def get_pointer_to_function(self, name: str) -> int:
        """Return 0: nothing can be called."""
        return 0

    def serialize_using_object_code(self) -> Any:
        """Return what the cache keeps."""
        return self.serialize_using_bitcode()


class _NoEnvironment:
    def set_env(self, name: str, environment: Any) -> None:
        pass


_NO_ENVIRONMENT = _NoEnvironment()


def _compiler_into(kind: type[JITCodeLibrary]) -> type[KernelCompiler]:
    class Into(KernelCompiler):
        """The compiler of kernels, with a library of our kind."""

        def __init__(self, *arguments: Any) -> None:
            super().__init__(*arguments)
            if self.state.library is None:
                self.state.library = kind(self.state.targetctx.codegen(), kind.__name__)
                self.state.library.enable_object_caching()
                self.state.library.counts_references = bool(self.state.flags.nrt)

    return Into


OuterCompiler, InnerCompiler = _compiler_into(OuterLibrary), _compiler_into(InnerLibrary)


def rebuild_outer(context: Any, payload: Any) -> CompileResult:
    """Return what the cache has kept of a function that Python, or C, calls."""
    name, _, (machine_code, defined) = payload[0]
    library = JITCodeLibrary(context.codegen(), name)
    library.enable_object_caching()
    library._set_compiled_object(machine_code)
    library._finalize_final_module()
    library._codegen._engine._defined_symbols.update(defined)
    return _rebuilt(context, library, payload)


def rebuild_inner(context: Any, payload: Any) -> CompileResult:
    """Return what the cache has kept of a function that kernels alone call."""
    name, _, bitcode = payload[0]
    library = InnerLibrary(context.codegen(), name)
    library._final_module = binding.parse_bitcode(bitcode)
    library._finalize_final_module()
    return _rebuilt(context, library, payload)


def _rebuilt(context: Any, library: JITCodeLibrary, payload: Any) -> CompileResult:
    _, description, environment, signature, objectmode, lifted, annotation, reload, others = payload
    for load in reload or ():
        load()
    found = compile_result(
        target_context=context,
        typing_context=context.typing_context,
        library=library,
        environment=environment,
        entry_point=context.get_executable(library, description, environment),
        fndesc=description,
        type_annotation=annotation,
        signature=signature,
        objectmode=objectmode,
        lifted=lifted,
        reload_init=reload,
        referenced_envs=others,  # the environments of what it contains live as long as it does
    )
    for each in others:
        library.codegen.set_env(each.env_name, each)
    return found


def declared_names(library: Any) -> list[str]:
    """Return the names of what a library calls and does not contain."""
    return [function.name for function in library._final_module.functions if function.is_declaration]
