"""A module of one small kernel, quick to compile, and the environment of processes that use it."""

import os
from pathlib import Path

import tumble

TINY = """
from tumble.core.jit import kernel

@kernel
def total(values):
    result = 0.0
    for value in values:
        result += value
    return result
"""
RUN_TINY = """
import numpy as np, tiny
assert tiny.total(np.arange(10.0)) == 45.0
print(sum(tiny.total.stats.cache_hits.values()), sum(tiny.total.stats.cache_misses.values()))
"""


def environment(cache: Path, *modules: Path) -> dict[str, str]:
    # the package under test first, wherever it was imported from
    paths = [str(Path(tumble.__file__).parents[1]), *map(str, modules)]
    # quiet: that compiling is announced is tested in test_compile_notices.py
    return {
        **os.environ,
        "TUMBLE_CACHE_DIR": str(cache),
        "PYTHONPATH": os.pathsep.join(paths),
        "TUMBLE_QUIET": "1",
    }
