"""What a worker must have in common with whoever asks it, so that its answers are the same bits.

Tumble itself, with its sources, and the kind of processor have to be the same. Of Python, NumPy, SciPy, Numba and
llvmlite the first two numbers of the version have to be: what follows them are corrections.
"""

from __future__ import annotations

import hashlib
import platform
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from tumble.cluster.protocol import Connection
from tumble.errors import ClusterError

PACKAGES = "numpy", "scipy", "numba", "llvmlite"
Facts = Mapping[str, str]


def greeting(packages: Sequence[str] = PACKAGES) -> Callable[[], dict[str, str]]:
    """Return a function that tells what a process consists of.

    It is made here so that it is pickled as it is, not by its name: a worker of another version may not have it.
    """

    def facts() -> dict[str, str]:
        found = {"Python": ".".join(platform.python_version_tuple()[:2]), "the processor": platform.machine()}
        found["the byte order"] = sys.byteorder
        for name in packages:
            try:
                found[name] = ".".join(version(name).split(".")[:2])
            except PackageNotFoundError:
                found[name] = "none"
        try:
            found["Tumble"] = str(import_module("tumble").__version__)
        except ImportError:
            found["Tumble"] = "none"
            return found
        root, code = Path(str(import_module("tumble").__file__)).parent, hashlib.sha256()
        for path in sorted([*root.rglob("*.py"), *root.rglob("*.cl")]):
            code.update(path.relative_to(root).as_posix().encode() + path.read_bytes())
        found["the sources of Tumble"] = code.hexdigest()[:12]
        return found

    return facts


@cache
def own_facts() -> Facts:
    """Return what this process consists of."""
    return greeting()()


def identity() -> str:
    """Return Tumble's version and a digest of its sources, as one word."""
    return f"{own_facts()['Tumble']}+{own_facts()['the sources of Tumble']}"


def check_workers(connection: Connection, workers: Sequence[str]) -> None:
    """Refuse workers whose answers might be others than those of this process."""
    for worker, facts in connection.everywhere(greeting(), workers).items():
        if isinstance(facts, BaseException):
            raise ClusterError(f"the worker {worker} cannot say which Tumble it has: {facts}") from facts
        compare(worker, facts, own_facts())


def compare(worker: str, facts: Facts, own: Facts) -> None:
    """Refuse one worker if it differs; its version of Tumble is named first."""
    for name in sorted(own, key=lambda name: (name != "Tumble", name != "the sources of Tumble")):
        theirs, ours = facts.get(name, "unknown"), own[name]
        if theirs != ours:
            raise ClusterError(
                f"the worker {worker} differs: {name} is {theirs} there and {ours} here; its answers might too, so "
                "install the same on all machines (docs/cluster.md says what has to be the same)"
            )
