"""PyOpenCL is behind one file: everything else works against the protocol."""

import ast
from pathlib import Path

import tumble

PACKAGE = Path(tumble.__file__).parent
ALLOWED = "device/opencl.py"
LISTED = {"cli/info.py", "bench"}
"""these name the package in tables of versions, and import nothing"""


def imported(path):
    """Return the modules that a file imports, in any form."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
        elif isinstance(node, ast.Call):
            called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            if called in ("import_module", "__import__", "find_spec"):
                yield from (part.value for part in node.args if isinstance(part, ast.Constant))


def test_no_other_module_imports_it():
    found = {
        path.relative_to(PACKAGE).as_posix()
        for path in PACKAGE.rglob("*.py")
        if any(str(name).partition(".")[0] == "pyopencl" for name in imported(path))
    }
    assert found == {ALLOWED}


def test_host_code_knows_the_protocol_alone():
    for path in (PACKAGE / "device" / "host").glob("*.py"):
        assert not [name for name in imported(path) if name in ("tumble.device.opencl", "tumble.device.null")], path
