"""Syntax trees, statement by statement: expressions are most of a tree, and hold neither definitions nor imports."""

import ast
from collections.abc import Iterator


def body(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the statements of a module, a function or another statement, its handlers and its cases."""
    for part in ("body", "orelse", "finalbody", "handlers", "cases"):
        yield from getattr(node, part, ())


def statements(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the same at all depths."""
    for child in body(node):
        yield child
        yield from statements(child)
