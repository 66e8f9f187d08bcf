"""External functions: compiled with the first kernel that calls them, and there whenever a kernel comes from disk."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import tumble
from tumble.core import kernel_cache

MODULES = {
    "lengths": """
from numba import float64
from tumble.core.jit import external

@external(float64(float64))
def test_square(x):
    return x * x

@external(float64(float64, float64))
def test_length(x, y):
    return (test_square(x) + test_square(y)) ** 0.5

@external(float64(float64))
def test_unused(x):
    return x
""",
    "caller": """
from lengths import test_length
from tumble.core.jit import inlined_kernel, kernel

@inlined_kernel
def inner(x):
    return test_length(x, 4.0)

@kernel
def outer(x):
    return inner(x)
""",
}
# Each answer is by a process of its own, in which no symbol is defined; what compiling needs they find loaded.
RUN = """
import os, sys, traceback
import numba
from tumble.core.kernel_cache import cache_folder

def kept():
    return sorted(path.name.split("-")[0] for path in cache_folder().iterdir())

numba.njit(lambda x: x)(1.0)
for gone in sys.argv[1:]:
    for path in cache_folder().glob(gone):
        path.unlink()
    child = os.fork()
    if child == 0:
        try:
            import caller
            print(kept(), caller.outer(3.0), kept(), sep=chr(10), flush=True)
        except BaseException:
            traceback.print_exc()
        finally:
            sys.stderr.flush()
            os._exit(0)
    os.waitpid(child, 0)
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork on this system")
@pytest.mark.process
def test_an_import_compiles_nothing_and_kernels_from_disk_find_their_symbols(tmp_path: Path) -> None:
    for name, text in MODULES.items():
        (tmp_path / f"{name}.py").write_text(text)
    # the package under test first, wherever it was imported from
    paths = os.pathsep.join([str(Path(tumble.__file__).parents[1]), str(tmp_path)])
    environment = {**os.environ, "PYTHONPATH": paths, "TUMBLE_CACHE_DIR": str(tmp_path / "cache"), "TUMBLE_QUIET": "1"}
    command = [sys.executable, "-W", "ignore", "-c", RUN, "nothing", "nothing", "caller.outer-*"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=300)
    assert (done.returncode, done.stderr) == (0, "")
    kept = "['caller.inner', 'caller.outer', 'lengths.test_length', 'lengths.test_square']"
    # compiled; from disk; and a kernel that is compiled around one from disk
    expected = ["[]", "5.0", kept, kept, "5.0", kept, kept.replace("'caller.outer', ", ""), "5.0", kept]
    assert done.stdout.splitlines() == expected


def test_a_symbol_whose_definition_was_interrupted_is_defined_the_next_time() -> None:
    asked = []

    def define() -> None:
        asked.append(len(asked))
        if len(asked) == 1:
            raise KeyboardInterrupt

    kernel_cache.define_before_use("test_interrupted", define)
    with pytest.raises(KeyboardInterrupt):
        kernel_cache.define_symbol("test_interrupted")
    for _ in range(2):
        kernel_cache.define_symbol("test_interrupted")
    assert asked == [0, 1]
