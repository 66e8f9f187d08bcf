"""Every function has annotations, but for kernels, whose types the compiler finds."""

import ast
from pathlib import Path

import tumble
from syntax import body

SOURCES = Path(tumble.__file__).parent
COMPILED = {
    "kernel", "inlined_kernel", "allocating_kernel", "fixed_kernel", "external", "direct_call",
    "generic", "inlined_generic", "register", "intrinsic", "instruction", "njit", "cfunc",
}  # fmt: skip
"""decorators of what is compiled, or written by what is"""


def decorator_name(node: ast.expr) -> str:
    node = node.func if isinstance(node, ast.Call) else node
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")


def registered_later(tree: ast.Module) -> set[str]:
    """Names of functions that become kernels by `generic.register(Record)(function)`."""
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call) and isinstance(node.func, ast.Call)]
    registering = [call for call in calls if decorator_name(call.func) == "register"]
    return {name.id for call in registering for name in call.args if isinstance(name, ast.Name)}


def is_of_a_volume(function: ast.FunctionDef) -> bool:
    """Tell whether this is a kernel that a volume's kind owns: the first argument is a record or rows of volumes."""
    return bool(function.args.args) and function.args.args[0].arg in ("volumes", "rows")


def untyped(code: str) -> list[str]:
    """Names of functions without complete annotations that are neither kernels nor within one."""
    tree, found = ast.parse(code), []
    registered = registered_later(tree) if "register(" in code else set()

    def visit(node: ast.AST) -> None:
        for child in body(node):
            if isinstance(child, ast.FunctionDef):
                decorators = {decorator_name(each) for each in child.decorator_list}
                if decorators & COMPILED or child.name in registered or is_of_a_volume(child):
                    continue
                arguments = [*child.args.posonlyargs, *child.args.args, *child.args.kwonlyargs]
                bare = [each for each in arguments if each.annotation is None and each.arg not in ("self", "cls")]
                if bare or child.returns is None:
                    found.append(child.name)
            visit(child)

    visit(tree)
    return found


def test_functions_of_python_have_annotations():
    paths = sorted(SOURCES.rglob("*.py"))
    assert len(paths) > 100
    found = {str(path.relative_to(SOURCES)): untyped(path.read_text(encoding="utf-8")) for path in paths}
    assert {name: names for name, names in found.items() if names} == {}


def test_missing_annotations_are_found():
    code = "def f(x): ...\n@kernel\ndef g(x): ...\ndef h(x: int) -> int: ...\ndef k(x): ...\nmove.register(R)(k)\n"
    assert untyped(code) == ["f"]
