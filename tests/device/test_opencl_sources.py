"""What the text of the OpenCL kernels must and must not have; needs no device."""

import re
from importlib.resources import files

import pytest

KERNELS = sorted((files("tumble.device") / "kernels").iterdir(), key=lambda file: file.name)
"""the .cl files"""


def without_comments(source):
    return re.sub(r"/\*.*?\*/", "", source, flags=re.DOTALL)


def plain_inlines(source):
    """Return the lines with an `inline` that is not `static`.

    In C99, which OpenCL C is, such a function has no definition of its own: a compiler that does not inline a call
    leaves a symbol that nothing defines.
    """
    return [line for line in without_comments(source).splitlines() if re.search(r"(?<!static )\binline\b", line)]


def open_functions(source):
    """Return the names of functions that are neither kernels nor static, and so have to be linked."""
    pattern = r"^(?!static |kernel |INLINED |typedef |#)[\w ]*\w[ *]+(\w+)\([^;]*?\)\s*\{"
    return re.findall(pattern, without_comments(source), flags=re.MULTILINE)


def test_there_are_kernels():
    assert len(KERNELS) >= 17
    assert all(file.name.endswith(".cl") for file in KERNELS)


@pytest.mark.parametrize("file", KERNELS, ids=lambda file: file.name)
def test_every_function_is_a_kernel_or_static(file):
    source = file.read_text("utf-8")
    assert plain_inlines(source) == []
    assert open_functions(source) == []


def test_what_is_looked_for_is_found():
    assert plain_inlines("inline int one(void) { return 1; }") == ["inline int one(void) { return 1; }"]
    assert plain_inlines("#define INLINED inline __attribute__((always_inline))") != []
    assert plain_inlines("/* inline */ static inline int one(void) { return 1; }") == []
    assert open_functions("int one(\n    int x)\n{\n    return x;\n}") == ["one"]
    assert open_functions("static int one(int x) { return x; }\nkernel void two(int x) { one(x); }") == []
