"""The rule about imports inside functions: only to start quickly, and as the first statements of the function.

An import inside a function is justified when it loads what the imports at the top of its file do not load anyway,
directly or through other modules, and what takes time to load: a package other than NumPy and the standard library, a
module that compiles kernels while it is imported, a slow module of the standard library, or many files of this package.
"""

import ast
import sys
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from syntax import statements

COMPILING = {"fixed_kernel", "direct_call"}
LIGHT = sys.stdlib_module_names | {"numpy"}
SLOW_STANDARD = {"importlib.metadata"}
"""it brings email, sockets and more: some fifty modules"""
MANY_FILES = 5
"""files of this package, about a millisecond each"""


class InnerImport(NamedTuple):
    """An import inside a function."""

    line: int
    text: str
    targets: frozenset[str]
    leading: bool
    """whether it is among the first statements of the function, behind the docstring"""


class Module(NamedTuple):
    """What a file imports, and whether importing it compiles kernels."""

    imports: frozenset[str]
    """outside functions, not counting those for types alone"""
    inner: tuple[InnerImport, ...]
    compiles: bool


def read_package(sources: dict[str, str]) -> dict[str, Module]:
    """Return the modules of a package from their texts, by name."""
    return {name: _read(ast.parse(text), sources) for name, text in sources.items()}


def loaded_by(names: Iterable[str], package: dict[str, Module]) -> set[str]:
    """Return what importing some modules loads: modules of the package, those above them, and slow foreign ones."""
    found: set[str] = set()
    waiting = list(names)
    while waiting:
        name = waiting.pop()
        top = name.partition(".")[0]
        if name in package and name not in found:
            found.add(name)
            waiting += [name.rpartition(".")[0], *package[name].imports]
        elif name in SLOW_STANDARD:
            found.add(name)
        elif top not in package and top not in LIGHT:
            found.add(top)
    return found - {""}


def saves_time(targets: Iterable[str], known: set[str], package: dict[str, Module]) -> bool:
    """Tell whether it takes time to load some modules where others are loaded already."""
    added = loaded_by(targets, package) - known
    files = [name for name in added if name in package]
    return len(files) >= MANY_FILES or len(files) < len(added) or any(package[name].compiles for name in files)


def faults(package: dict[str, Module]) -> list[str]:
    """Return every import inside a function that breaks the rule, with the reason."""
    found = []
    for name, module in sorted(package.items()):
        known = loaded_by([name], package) if module.inner else set()
        for each in module.inner:
            where = f"{name}:{each.line}: {each.text!r}"
            if not saves_time(each.targets, known, package):
                found.append(f"{where} loads nothing slow that the file does not load anyway: move it to the top")
            elif not each.leading:
                found.append(f"{where} is not at the top of its function")
    return found


def _read(tree: ast.Module, known: Iterable[str]) -> Module:
    outer = list(_outside_functions(tree))
    statements = [node for node in outer if isinstance(node, ast.Import | ast.ImportFrom)]
    imports = frozenset(target for statement in statements for target in _targets(statement, known))
    names = {node.id for node in outer if isinstance(node, ast.Name)}
    return Module(imports, tuple(_inner_imports(tree, known)), bool(names & COMPILING))


def _outside_functions(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the nodes that run while a module is imported: not bodies of functions, nor what is for types alone."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.If) and "TYPE_CHECKING" in ast.unparse(child.test):
            yield from _outside_functions(ast.Module(child.orelse, []))
        elif isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
            for decorator in child.decorator_list:
                yield from ast.walk(decorator)
        elif not isinstance(child, ast.Lambda):
            yield child
            yield from _outside_functions(child)


def _inner_imports(tree: ast.Module, known: Iterable[str]) -> Iterator[InnerImport]:
    functions = [node for node in statements(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    leading = {node for function in functions for node in _leading_imports(function)}
    inside = {node for function in functions for node in statements(function)}
    for node in sorted((n for n in inside if isinstance(n, ast.Import | ast.ImportFrom)), key=lambda n: n.lineno):
        yield InnerImport(node.lineno, ast.unparse(node), frozenset(_targets(node, known)), node in leading)


def _leading_imports(function: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[ast.stmt]:
    """Yield the imports that open a function, also those of a package that may be missing, in a `try`."""
    body = function.body[1:] if ast.get_docstring(function) is not None else function.body
    for statement in body:
        tried = statement.body if isinstance(statement, ast.Try) else [statement]
        if not all(isinstance(each, ast.Import | ast.ImportFrom) for each in tried):
            return
        yield from tried


def _targets(node: ast.Import | ast.ImportFrom, known: Iterable[str]) -> list[str]:
    """Return the modules that an import statement names."""
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    whole = [f"{node.module}.{alias.name}" for alias in node.names]
    return [name if name in known else str(node.module) for name in whole]
