"""Kernels on disk: in the folder that was asked for, right whatever happens to the files, and never at others' cost."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest
from tiny_kernel import RUN_TINY, TINY, environment

from tumble.core import kernel_cache
from tumble.core.jit import kernel

QUERY = """
import tumble
ball = tumble.shapes.icosphere(2)
print(len(tumble.collide(ball, ball, None, tumble.translation(1, 0, 0)).pairs))
"""


@pytest.fixture(scope="module")
def module(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a module of one small kernel, quick to compile."""
    folder = tmp_path_factory.mktemp("module")
    (folder / "tiny.py").write_text(TINY)
    return folder


def start(code: str, cache: Path, *modules: Path) -> subprocess.Popen[str]:
    pipe = subprocess.PIPE
    return subprocess.Popen(
        [sys.executable, "-c", code], env=environment(cache, *modules), stdout=pipe, stderr=pipe, text=True
    )


def run(code: str, cache: Path, *modules: Path) -> list[int]:
    """The numbers that a new process prints; it must end well and say nothing else."""
    process = start(code, cache, *modules)
    out, err = process.communicate(timeout=300)
    assert process.returncode == 0, (process.returncode, err)
    assert err == ""
    return [int(word) for word in out.split()]


def files(cache: Path) -> list[Path]:
    return sorted(cache.glob("*/*.nbc"))


def total(values):
    result = 0.0
    for value in values:
        result += value
    return result


class Loads(NamedTuple):
    """What became of a kernel that was called with a folder of its own."""

    hits: int
    misses: int
    warnings: list[str]


Loader = Callable[..., Loads]


@pytest.fixture
def load(monkeypatch: pytest.MonkeyPatch) -> Iterator[Loader]:
    """Call a new kernel that keeps its code in a folder, as a process does that starts with this folder."""

    def ask(cache: Path, dtype: type = np.float64) -> Loads:
        monkeypatch.setenv("TUMBLE_CACHE_DIR", str(cache))
        kernel_cache.cache_folder.cache_clear()
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            fresh = kernel(total)
            assert fresh(np.arange(10, dtype=dtype)) == 45.0
        counts = [sum(each.values()) for each in (fresh.stats.cache_hits, fresh.stats.cache_misses)]
        return Loads(*counts, [str(warning.message) for warning in caught])

    yield ask
    monkeypatch.undo()
    kernel_cache.cache_folder.cache_clear()


COLD, WARM = Loads(0, 1, []), Loads(1, 0, [])


@pytest.fixture
def warm(load: Loader, tmp_path: Path) -> Path:
    """A folder that has the kernel."""
    assert load(tmp_path / "warm") == COLD
    return tmp_path / "warm"


def test_kernels_are_kept_in_the_folder_that_was_asked_for(load: Loader, tmp_path: Path) -> None:
    cache = tmp_path / "deep" / "cache"
    assert load(cache) == COLD
    assert len(files(cache)) == 1
    before = files(cache)[0].stat().st_mtime_ns
    assert load(cache) == WARM
    assert files(cache)[0].stat().st_mtime_ns == before
    assert [path for path in cache.rglob("*") if path.is_file()] == files(cache)


def test_each_specialisation_has_a_file_of_its_own(load: Loader, tmp_path: Path) -> None:
    for expected in (COLD, WARM):
        for dtype in (np.float64, np.float32):
            assert load(tmp_path / "cache", dtype) == expected
    assert len(files(tmp_path / "cache")) == 2


@pytest.mark.parametrize("where", ["a file", "below a file", "no such device"])
def test_an_impossible_folder_only_costs_time(where: str, load: Loader, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine")
    folder = {
        "a file": tmp_path / "file",
        "below a file": tmp_path / "file" / "x",
        "no such device": Path("/dev/null/x"),
    }
    assert load(folder[where]) == COLD
    assert (tmp_path / "file").read_text() == "mine"


def test_a_folder_that_vanishes_meanwhile_only_costs_time(load: Loader, warm: Path) -> None:
    shutil.rmtree(warm)
    again = kernel(total)
    assert again(np.arange(10.0)) == 45.0
    assert [sum(each.values()) for each in (again.stats.cache_hits, again.stats.cache_misses)] == [0, 1]
    assert not warm.exists()


@pytest.mark.skipif(
    os.name == "nt" or not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write anywhere"
)
def test_a_read_only_folder_only_costs_time(load: Loader, tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    cache.mkdir(mode=0o500)
    assert load(cache) == COLD


# Expressions over `data`, the good content of the file, and `code`, where its machine code begins.
DAMAGES = {
    "emptied": "b''",
    "cut in half": "data[: len(data) // 2]",
    "cut by a byte": "data[:-1]",
    "zeroed": "bytes(len(data))",
    "text": "b'hello'",
    "another pickle": "b'\\x80\\x04N.'",
    "a pickled pair": "b'\\x80\\x04NN\\x86.'",
}
# These unpickle well, and still hold wrong code: it must be known before it runs.
SUBTLE = {
    "zeroed in the middle": "data[: len(data) // 2] + bytes(512) + data[len(data) // 2 + 512 :]",
    "a wrong byte early in the code": "data[: code + 64] + b'?' + data[code + 65 :]",
    "a wrong byte late in the code": "data[: code + 5000] + b'?' + data[code + 5001 :]",
}
RUN_DAMAGED = """
import numpy as np, tiny
from tumble.core.jit import kernel
from tumble.core.kernel_cache import cache_folder

def misses():
    fresh = kernel(tiny.total.py_func)
    assert fresh(np.arange(10.0)) == 45.0
    return sum(fresh.stats.cache_misses.values())

assert misses() == 1
(path,) = cache_folder().glob("*.nbc")
data = path.read_bytes()
code = max(data.find(bytes([0x7F]) + b"ELF"), len(data) // 3)
for damage in DAMAGES:
    path.write_bytes(eval(damage))
    print(misses(), misses(), flush=True)
"""


@pytest.mark.parametrize(
    "damages",
    [
        [DAMAGES["cut by a byte"], DAMAGES["a pickled pair"], *SUBTLE.values()],
        pytest.param([*DAMAGES.values(), *SUBTLE.values()], marks=pytest.mark.slow),
    ],
    ids=["some", "all"],
)
@pytest.mark.process
def test_damaged_files_are_ignored_and_replaced(damages: list[str], module: Path, tmp_path: Path) -> None:
    """In a process of its own, which wrong code would bring down."""
    assert run(f"DAMAGES = {damages!r}" + RUN_DAMAGED, tmp_path / "cache", module) == [1, 0] * len(damages)


@pytest.mark.slow  # as do those of a run of all tests
@pytest.mark.parametrize("count", [2, 6])
def test_processes_that_start_cold_together(count: int, module: Path, tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    processes = [start(RUN_TINY, cache, module) for _ in range(count)]
    for process in processes:
        _, err = process.communicate(timeout=300)
        assert process.returncode == 0, err
    assert run(RUN_TINY, cache, module) == [1, 0]
    assert len(files(cache)) == 1


@pytest.mark.slow
def test_queries_that_start_cold_together(tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    processes = [start(QUERY, cache) for _ in range(2)]
    answers = [process.communicate(timeout=600) for process in processes]
    assert len({out for out, _ in answers}) == 1
    assert int(answers[0][0]) == run(QUERY, cache)[0] > 10


def test_old_kernels_are_swept_and_nothing_else(load: Loader, tmp_path: Path) -> None:
    """The folder may be shared with others, may even be someone's home: only what is surely ours may go."""
    cache, old = tmp_path / "cache", time.time() - 2 * kernel_cache.STALE_AFTER_SECONDS
    cache.mkdir(mode=0o700)
    this = cache / kernel_cache.compiler_digest()
    emptied, used, mixed = cache / ("0123456789" * 2), cache / ("abcdef0123" * 2), cache / ("fedcba9876" * 2)
    for folder in (this, emptied, used, mixed, cache / "photos", cache / "empty"):
        folder.mkdir(mode=0o700)
    for folder in (this, used, mixed, cache / "photos"):
        (folder / "kernel.nbc").write_bytes(b"old")
        os.utime(folder / "kernel.nbc", (old, old))
    (used / "recent.nbc").write_bytes(b"new")
    for folder in (mixed, cache / "photos"):
        (folder / "only copy.jpg").write_bytes(b"precious")
        os.utime(folder / "only copy.jpg", (old, old))
    for folder in cache.iterdir():
        os.utime(folder, (old, old))
    load(cache)
    assert sorted(str(path.relative_to(cache)) for path in cache.rglob("*.jpg")) == sorted(
        [f"{mixed.name}/only copy.jpg", "photos/only copy.jpg"]
    )
    assert (cache / "photos" / "kernel.nbc").exists()
    assert (cache / "empty").exists()
    assert not emptied.exists()
    assert [path.name for path in used.iterdir()] == ["recent.nbc"]
    assert [path.name.partition("-")[0] for path in this.iterdir()] == ["test_kernel_cache.total"]
    assert not (mixed / "kernel.nbc").exists()


def test_kernels_in_use_are_not_swept(load: Loader, warm: Path) -> None:
    old = time.time() - 2 * kernel_cache.STALE_AFTER_SECONDS
    os.utime(files(warm)[0], (old, old))
    assert load(warm) == WARM
    assert files(warm)[0].stat().st_mtime > time.time() - kernel_cache.FRESH_SECONDS


@pytest.mark.parametrize("module", ["np", "numba", "llvmlite"])
def test_the_folder_follows_the_compiler(module: str, monkeypatch: pytest.MonkeyPatch) -> None:
    before = kernel_cache.compiler_digest()
    monkeypatch.setattr(getattr(kernel_cache, module), "__version__", "0.0")
    assert kernel_cache.compiler_digest() != before


# --- folders that others can write to


needs_owners = pytest.mark.skipif(not hasattr(os, "geteuid"), reason="this system has no owners of files")
needs_root = pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root gives files away")
FOLDERS = {"the root": lambda cache: cache, "the folder of the compiler": lambda cache: files(cache)[0].parent}


@needs_owners
@pytest.mark.parametrize("mode", [0o777, 0o770, 0o1777])
@pytest.mark.parametrize("which", FOLDERS)
def test_folders_that_others_can_write_to_are_not_read(which: str, mode: int, load: Loader, warm: Path) -> None:
    assert load(warm) == WARM
    folder = FOLDERS[which](warm)
    folder.chmod(mode)
    found = load(warm)
    assert found[:2] == COLD[:2]
    (warning,) = found.warnings
    assert str(folder) in warning
    assert "TUMBLE_CACHE_DIR" in warning


@needs_root
@pytest.mark.parametrize("which", FOLDERS)
def test_folders_of_other_users_are_not_read(which: str, load: Loader, warm: Path) -> None:
    os.chown(FOLDERS[which](warm), 12345, -1)
    found = load(warm)
    assert found[:2] == COLD[:2]
    (warning,) = found.warnings
    assert "another user (number 12345)" in warning


@needs_owners
def test_files_that_others_can_write_to_are_not_read(load: Loader, warm: Path) -> None:
    files(warm)[0].chmod(0o666)
    assert load(warm) == COLD


@needs_root
def test_files_of_other_users_are_not_read(load: Loader, warm: Path) -> None:
    os.chown(files(warm)[0], 12345, -1)
    assert load(warm) == COLD


@needs_owners
def test_what_is_kept_belongs_to_its_user_alone(load: Loader, tmp_path: Path) -> None:
    cache, before = tmp_path / "deep" / "cache", os.umask(0)
    try:
        load(cache)
    finally:
        os.umask(before)
    assert files(cache)
    assert {path.stat().st_mode & 0o077 for path in (cache, *cache.rglob("*"))} == {0}


@pytest.mark.process
def test_what_can_only_be_compiled_is_not_imported_to_load_a_kernel(module: Path, tmp_path: Path) -> None:
    """Numba imports it when it compiles, or where something that the code calls is not there."""
    asked = "import sys\nprint('numba.np.arraymath' in sys.modules)"
    hidden = "from llvmlite import binding\nbinding.address_of_symbol = lambda name: None\n"
    found = []
    for before in ("", "", hidden):
        command = [sys.executable, "-c", before + RUN_TINY + asked]
        own = environment(tmp_path, module)
        done = subprocess.run(command, env=own, capture_output=True, text=True, check=True)
        found.append(done.stdout.split())
    assert found == [["0", "1", "True"], ["1", "0", "False"], ["1", "0", "True"]]
