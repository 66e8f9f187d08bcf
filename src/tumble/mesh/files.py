"""Meshes and assemblies from files; whatever goes wrong is a FileError that names the path and the reason."""

from collections import Counter
from collections.abc import Sequence
from os import PathLike, fspath
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

from tumble.errors import FileError, InputError, MissingDependencyError, OptionError
from tumble.mesh.formats import FORMATS, reader
from tumble.mesh.mesh import Mesh, Part, concatenated

AnyPath: TypeAlias = str | PathLike[str]

_ARCHIVES = {"zip", "gz", "tgz", "bz2", "tar", "7z"}
# Formats that people try, and what to do instead.
_INSTEAD = {
    "dae": "convert it to GLB, e.g. with Blender or assimp",
    "iges": "export it as STEP",
    "igs": "export it as STEP",
    "xyz": "it holds points without triangles",
}


def load(path: AnyPath) -> Mesh:
    """Return all triangles of a file as one Mesh, in the order of the file, its scene transforms applied."""
    return concatenated([part.mesh for part in _read(as_path(path), split=False)])


def load_parts(paths: AnyPath | Sequence[AnyPath], split: bool = True) -> list[Part]:
    """Return the named parts of one or several files.

    A part is a node of a scene (glTF, GLB, 3DXML, XAML, STEP), a mesh that the build of a 3MF file places, an object
    or group of an OBJ file, a solid of a text STL file, or a whole file; without `split`, always a whole file. Names
    are unique: with several files they start with the file's stem, and a name that comes again gets #2, #3 and so on,
    in the order of the file. `Part.units` is the unit of length that the format or the file states.
    """
    files = _listed(paths)
    if not files:
        raise OptionError("no file given; pass at least one path")
    named = []
    for path in [as_path(file) for file in files]:
        parts = _read(path, split)
        if not split:
            parts = [Part(path.stem, concatenated([part.mesh for part in parts]), parts[0].units)]
        named += [part._replace(name=_name(part, path, len(parts), len(files))) for part in parts]
    return _unique(named)


def as_path(path: AnyPath) -> Path:
    """Return a path, or raise OptionError for what is none: bytes, open files, numbers.

    A number is a file descriptor to Python, and would be read, and closed.
    """
    if isinstance(path, str | PathLike) and isinstance(named := fspath(path), str):
        return Path(named)
    hint = "; pass its .name" if hasattr(path, "read") else ""
    raise OptionError(f"a path must be a str or a pathlib.Path, not {path!r}{hint}")


def _listed(paths: Any) -> list[Any]:
    """Return one path, or several, as a list; text, bytes and open files are no lists of paths."""
    if isinstance(paths, str | bytes | PathLike) or hasattr(paths, "read"):
        return [paths]
    try:
        return list(paths)
    except TypeError:
        raise OptionError(f"expected a path or several, not {paths!r}") from None


def _read(path: Path, split: bool) -> list[Part]:
    kind = _kind(path)
    try:
        # what overflows or is not a number is refused by Mesh and by poses, by name
        with np.errstate(over="ignore", invalid="ignore"):
            parts = [part for part in reader(kind)(path, split) if len(part.mesh)]
    except (FileError, MissingDependencyError):
        raise
    except MemoryError as error:
        raise FileError(f"{path} needs more memory than there is") from error
    except Exception as error:  # parsers raise whatever they like on damaged files
        raise FileError(f"{path} cannot be read as {kind.upper()}: {_reason(error)}") from error
    if not parts:
        raise FileError(f"{path} holds no triangles")
    return parts


def _kind(path: Path) -> str:
    kind = path.suffix[1:].lower()
    try:
        size = path.stat().st_size
    except (OSError, ValueError) as error:  # ValueError: a null byte in the path
        raise FileError(f"{path} cannot be opened: {getattr(error, 'strerror', None) or error}") from error
    if path.is_dir():
        raise FileError(f"{path} is a directory; pass the files inside it")
    if not path.is_file():
        raise FileError(f"{path} is not a regular file")
    if kind in _ARCHIVES:
        raise FileError(f"{path} is an archive; unpack it and pass the files inside it")
    if kind in _INSTEAD:
        raise FileError(f"{path} is of a format that is not read: {_INSTEAD[kind]}")
    if kind not in FORMATS:
        raise FileError(f"{path} has the unknown suffix {path.suffix!r}; can be read: {', '.join(FORMATS)}")
    if size == 0:
        raise FileError(f"{path} is empty (0 bytes)")
    return kind


def _reason(error: Exception) -> str:
    if isinstance(error, InputError | ValueError) and str(error):
        return str(error)
    return f"{type(error).__name__}: {error}" if str(error) else f"damaged ({type(error).__name__})"


def _name(part: Part, path: Path, parts_in_file: int, files: int) -> str:
    if parts_in_file == 1:
        return path.stem
    own = part.name or "unnamed"
    return f"{path.stem}/{own}" if files > 1 else own


def _unique(parts: list[Part]) -> list[Part]:
    taken = {part.name for part in parts}
    used: Counter[str] = Counter()
    unique = []
    for part in parts:
        name = part.name
        used[name] += 1
        fresh = name
        while used[name] > 1 and (fresh := f"{name}#{used[name]}") in taken:
            used[name] += 1
        taken.add(fresh)
        unique.append(part._replace(name=fresh))
    return unique
