"""Which sources shape a kernel: the module that holds it, what that imports, and what its records bring.

    start from the kernel's module and from the modules of the records among its arguments
    add what each module imports from this package, and what those import, and so on
    add every implementation of a generic function in these modules for a record in these modules; repeat

The last step is needed because a traversal calls `overlap` without importing any volume: which implementation it means
follows from the records. Only imports at the top of a module count: those inside functions belong to Python code, which
no kernel contains. Reading one file too many costs a needless compilation, one too few would run old code.
"""

import hashlib
import os
import re
import sys
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

PACKAGE = __name__.partition(".")[0]
ROOT = Path(__file__).parents[1]
# Where compiled code is kept does not shape it, nor what is said about it.
_OF_STORAGE = ("kernel_bundle", "kernel_cache", "kernel_place", "compile_notices")
IGNORED = frozenset({__name__, *(f"{PACKAGE}.core.{name}" for name in _OF_STORAGE)})
_IMPORTS = re.compile(rf"^(?:from ({PACKAGE}[\w.]*) import (\([^)]*\)|.*)|import ({PACKAGE}[\w.]*))", re.MULTILINE)


class Registration(NamedTuple):
    """An implementation of a generic function, by the modules of its parts."""

    generic: str
    record: str
    implementation: str


_registrations: set[Registration] = set()


def register(generic: str, record: type, implementation: str) -> None:
    """Note that module `implementation` implements a generic function of module `generic` for a record."""
    # An implementation for None applies to every kernel that calls the generic function.
    _registrations.add(Registration(generic, generic if record is type(None) else record.__module__, implementation))


def sources_of(modules: Iterable[str], records: Iterable[type] = ()) -> frozenset[str]:
    """Return the names of the modules that shape a kernel of these modules, called with these records."""
    return _sources_of(frozenset({*modules, *(record.__module__ for record in records)}), len(_registrations))


@lru_cache(maxsize=1024)
def _sources_of(start: frozenset[str], registrations: int) -> frozenset[str]:
    """Follow imports and registrations; their number tells this call from an earlier one that knew fewer."""
    found = frozenset().union(*map(_imported_by, start))
    while True:
        added = {
            each.implementation
            for each in _registrations
            if each.generic in found and each.record in found and each.implementation not in found
        }
        if not added:
            return found - IGNORED
        found = found.union(*map(_imported_by, added))


def digest_of(modules: Iterable[str]) -> str:
    """Digest the texts of modules."""
    digest = hashlib.sha256()
    for module in sorted(modules):
        digest.update(f"{module} {_text_digest(module)}\n".encode())
    return digest.hexdigest()


@lru_cache(maxsize=4096)
def _imported_by(module: str) -> frozenset[str]:
    """Return a module and all that it imports from this package, directly or not."""
    found: set[str] = set()
    waiting = [module]
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting += _direct_imports(name)
    return frozenset(found)


@lru_cache(maxsize=4096)
def _direct_imports(module: str) -> tuple[str, ...]:
    found: set[str] = set()
    for source, names, plain in _imports(module):
        if plain:
            found.add(plain)
        else:
            found.update(_home(source, name) for name in _imported_names(names))
    return tuple(sorted(found))


@lru_cache(maxsize=4096)
def _imports(module: str) -> tuple[tuple[str, ...], ...]:
    """Return the imports of this package at the top of a module: found by plain search, before anything is parsed."""
    text, found = f"\n{_text(module)}", []
    for word in ("from", "import"):
        at = -1
        while (at := text.find(f"\n{word} {PACKAGE}", at + 1)) >= 0:
            match = _IMPORTS.match(text, at + 1)
            if match:
                found.append(match.groups(""))
    return tuple(found)


def _imported_names(clause: str) -> list[str]:
    """Return the names in what follows `import`, without their aliases."""
    clause = re.sub(r"#.*", "", clause).strip("() \n\t")
    return [words[0] for part in clause.split(",") if (words := part.split())]


def _home(module: str, name: str) -> str:
    """Return the module that a name comes from: a submodule, what a package passes on, or the module itself."""
    if _path(f"{module}.{name}") is not None:
        return f"{module}.{name}"
    path = _path(module)
    if path is not None and path.name == "__init__.py":
        for source, names, _ in _imports(module):
            if source and source != module and name in _imported_names(names):
                return _home(source, name)
    return module


@lru_cache(maxsize=4096)
def _path(module: str) -> Path | None:
    """Return the file of a module, or None when there is none (a console, a module of another package that is gone)."""
    if module != PACKAGE and not module.startswith(f"{PACKAGE}."):
        file: Any = getattr(sys.modules.get(module), "__file__", None)
        return Path(file) if file else None
    *folders, name = module.split(".")
    folder = ROOT.joinpath(*folders[1:])
    if module == PACKAGE:
        return ROOT / "__init__.py"
    if name in _listed(folder) and "__init__.py" in _listed(folder / name):
        return folder / name / "__init__.py"
    return folder / f"{name}.py" if f"{name}.py" in _listed(folder) else None


@lru_cache(maxsize=4096)
def _listed(folder: Path) -> frozenset[str]:
    """Return the names in a folder: read once, as most questions are about files that are not there."""
    try:
        return frozenset(os.listdir(folder))
    except OSError:
        return frozenset()


@lru_cache(maxsize=4096)
def _text(module: str) -> str:
    path = _path(module)
    try:
        return path.read_text(encoding="utf-8") if path else ""
    except (OSError, UnicodeDecodeError):
        return ""


@lru_cache(maxsize=4096)
def _text_digest(module: str) -> str:
    return hashlib.sha256(_text(module).encode()).hexdigest()
