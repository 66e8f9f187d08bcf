"""The same bits on every machine of one architecture: BLAS kernels, vector units and libraries make no difference.

Subprocesses play other machines: OpenBLAS is told to take the kernels of another processor, NumPy not to use its
wider vectors, the C library not to use fused multiply-add. Each step's state is compared by a digest.
"""

import ast
import os
import platform
import subprocess
import sys
from functools import lru_cache
from pathlib import Path

import numpy as np
import pytest

import same_bits_run
import tumble

SOURCES = Path(tumble.__file__).parent
FEATURES = " ".join(np._core._multiarray_umath.__cpu_dispatch__)
OLD_LIBRARY = {"GLIBC_TUNABLES": "glibc.cpu.hwcaps=-AVX2,-AVX2_Usable,-FMA,-FMA_Usable,-FMA4,-AVX512F"}
OLDEST = {"OPENBLAS_CORETYPE": "Prescott", "NPY_DISABLE_CPU_FEATURES": FEATURES, **OLD_LIBRARY}
MACHINES = {
    "Prescott": OLDEST,
    "Nehalem": {"OPENBLAS_CORETYPE": "Nehalem"},
    "Sandybridge": {"OPENBLAS_CORETYPE": "Sandybridge", "NPY_DISABLE_CPU_FEATURES": FEATURES},
    "Haswell": {"OPENBLAS_CORETYPE": "Haswell"},
    "SkylakeX": {"OPENBLAS_CORETYPE": "SkylakeX"},
    "Zen": {"OPENBLAS_CORETYPE": "Zen"},
    "old library": OLD_LIBRARY,
    # other machine code: compiled anew, for an x86 of 2003
    "generic": {"NUMBA_CPU_NAME": "generic", "NUMBA_CPU_FEATURES": ""},
}
ILLEGAL_INSTRUCTION = -4


def elsewhere(machine, worlds):
    """Lines of digests, or None if this machine cannot play the other one."""
    environment = {**os.environ, "PYTHONPATH": str(SOURCES.parent), "PYTHONWARNINGS": "ignore", **machine}
    command = [sys.executable, same_bits_run.__file__, *worlds]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    if done.returncode == ILLEGAL_INSTRUCTION:
        return None
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


@lru_cache
def here(worlds):
    return list(same_bits_run.lines(worlds))


def first_difference(one, other):
    return next((pair for pair in zip(one, other, strict=True) if pair[0] != pair[1]), None)


@pytest.mark.process
def test_another_machine_simulates_the_same_bits():
    worlds = "dominoes:4:12", "gears:2:6"
    own, other = here(worlds), elsewhere(OLDEST, worlds)
    assert first_difference(own[1:], other[1:]) is None
    if platform.machine() in ("x86_64", "AMD64") and "openblas" in str(np.show_config("dicts")):
        assert own[0] != other[0]  # the machines do differ, where that may show


@pytest.mark.slow
@pytest.mark.parametrize("name", MACHINES)
def test_the_cows_are_the_same_on_other_machines(name):
    worlds = "cows:27:120", "bowl:3:150", "stack:6:60", "linkage:2:60"
    other = elsewhere(MACHINES[name], worlds)
    if other is None:
        pytest.skip(f"this processor cannot run code for {name}")
    assert first_difference(here(worlds)[1:], other[1:]) is None


# What decides about states: everything that a body is made of, and a step.
FILES = [
    path
    for folder in ("dynamics", "mesh/shapes", "scenario/worlds")
    for path in sorted((SOURCES / folder).rglob("*.py"))
] + [SOURCES / "mesh" / "pose.py", SOURCES / "core" / "linear.py", SOURCES / "core" / "products.py"]
BLAS = {
    "dot",
    "vdot",
    "inner",
    "matmul",
    "matvec",
    "vecmat",
    "vecdot",
    "einsum",
    "tensordot",
    "linalg",
    "cov",
    "corrcoef",
}
LIBRARY = {
    "sin",
    "cos",
    "tan",
    "arcsin",
    "arccos",
    "arctan",
    "arctan2",
    "asin",
    "acos",
    "atan",
    "atan2",
    "hypot",
    "exp",
}
LIBRARY |= {"expm1", "log", "log2", "log10", "log1p", "power", "pow", "cbrt", "sinh", "cosh", "tanh", "fma", "polyfit"}
ALLOWED = {("pose.py", "sin"), ("pose.py", "cos")}  # angles beyond 10⁵, where accuracy counts more


def faults(path):
    """Yield the line and the name of what depends on the machine."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, (ast.BinOp, ast.AugAssign)) and isinstance(node.op, ast.MatMult):
            yield node.lineno, "@"
        elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Pow):
            if isinstance(node.right, ast.Constant) and isinstance(node.right.value, float):
                yield node.lineno, f"** {node.right.value}"
        elif isinstance(node, ast.Attribute) and node.attr in BLAS | LIBRARY:
            yield node.lineno, node.attr
        elif isinstance(node, ast.ImportFrom) and node.module in ("math", "numpy", "numpy.linalg", "scipy.linalg"):
            yield from ((node.lineno, name.name) for name in node.names if name.name in BLAS | LIBRARY)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(SOURCES).as_posix())
def test_no_source_of_a_state_calls_what_depends_on_the_machine(path):
    assert [fault for fault in faults(path) if (path.name, fault[1]) not in ALLOWED] == []


def test_the_check_of_sources_finds_what_it_looks_for(tmp_path):
    source = "from math import sin\na = b @ c\nd = np.linalg.inv(a) + np.einsum('i->', x)\ne = x ** 0.5 + y.dot(z)\n"
    (tmp_path / "bad.py").write_text(source)
    assert {name for _, name in faults(tmp_path / "bad.py")} == {"sin", "@", "linalg", "einsum", "** 0.5", "dot"}
