"""Meshes and assemblies from files; whatever goes wrong is a FileError that names the path and the reason."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Literal, TypeAlias

from tumble.errors import FileError, OptionError
from tumble.mesh.assembly import Assembly, assemble
from tumble.mesh.formats import FORMATS, Request, Skipped, Split
from tumble.mesh.formats.placing import placed
from tumble.mesh.mesh import Mesh, Part, concatenated
from tumble.mesh.parts import as_whole, named, part_of
from tumble.mesh.reading import AnyPath, as_path, as_paths, errors_of, read_source
from tumble.mesh.units import check_unit

__all__ = ["AnyPath", "Assembly", "as_path", "load", "load_assembly", "load_parts"]

PartsOf: TypeAlias = Literal["nodes", "groups", "files", "components"]
_SPLITS: dict[str, Split] = {"nodes": "nodes", "groups": "groups", "files": "files", "components": "nodes"}


def load(path: AnyPath) -> Mesh:
    """Return all triangles of a file as one Mesh, in the order of the file, its scene transforms applied."""
    source = read_source(as_path(path), Request("files"))
    with errors_of(source.path):
        return concatenated([placed(each.mesh, each.matrix) for each in source.instances])


def load_parts(paths: AnyPath | Sequence[AnyPath], split: bool = True) -> list[Part]:
    """Return the named parts of one or several files, their coordinates as stored.

    A part is a node of a scene (glTF, GLB, 3DXML, XAML, DAE, STEP), an element of a building (IFC), a link of a robot
    (URDF), a mesh that the build of a 3MF file places, an object or group of an OBJ file, a solid of a text STL file,
    or a whole file; without `split`, always a whole file. Names are unique: with several files they start with the
    file's stem, and a name that comes again gets #2, #3 and so on, in the order of the file. `Part.units` is the unit
    of length that the format or the file states.

    `load_assembly` also takes folders, and converts everything to one unit.
    """
    files = []
    for number, path in enumerate(as_paths(paths)):
        source = read_source(path, Request("either" if split else "files"))
        with errors_of(path):
            parts = [part_of(instance, file=number) for instance in source.instances]
            files.append((path, parts if split else as_whole(parts, path)))
    return named(files)


def load_assembly(
    paths: AnyPath | Sequence[AnyPath],
    *,
    unit: str | None = None,
    to: str | None = None,
    parts: PartsOf = "nodes",
    folders: Sequence[AnyPath] = (),
    show: Callable[[int, int, Path], None] | None = None,
) -> Assembly:
    """Return the parts of files and folders, in one unit of length and around one origin.

    paths     files, or folders: all files of known formats in them, by name; the others are named as skipped
    unit      the unit of files that state none: "um", "mm", "cm", "m", "in" or "ft"
    to        the unit to convert to; else `unit` if a file states none, else the first one that a file states
    parts     what becomes a part: "nodes" of a scene, or also "groups" of OBJ files, whole "files", or the "components"
              of files that have one part: pieces that are connected by edges
    folders   where the files that a robot (URDF) refers to may be, besides its own folder
    show      called with the number of files that are read, that of all, and the next one

    Coordinates that are far from zero, compared with the size of the assembly, are moved by `Assembly.origin`. Names
    are made as by `load_parts`.
    """
    check_unit(unit, "unit")
    check_unit(to, "to")
    if parts not in _SPLITS:
        raise OptionError(f"parts must be one of {', '.join(_SPLITS)}, not {parts!r}")
    skipped: list[Skipped] = []
    files = [file for path in as_paths(paths) for file in _files(path, skipped)]
    allowed = tuple(as_paths(folders)) if folders else ()
    sources = []
    for number, file in enumerate(files):
        if show is not None:
            show(number, len(files), file)
        sources.append(read_source(file, Request(_SPLITS[parts], allowed)))
    assembly = assemble(sources, unit, to, parts)
    return replace(assembly, skipped=[*skipped, *assembly.skipped])


def _files(path: Path, skipped: list[Skipped]) -> list[Path]:
    """Return a file, or the files of a folder that can be read; what else is there is put on the list."""
    try:
        if not path.is_dir():
            return [path]
        found = sorted(each for each in path.iterdir() if not each.name.startswith("."))
    except (OSError, ValueError) as error:
        raise FileError(f"{path} cannot be opened: {getattr(error, 'strerror', None) or error}") from error
    files = []
    for each in found:
        if each.is_dir():
            skipped.append(Skipped(str(each), "a folder inside a folder; name it to read it"))
        elif each.suffix[1:].lower() in FORMATS:
            files.append(each)
        else:
            skipped.append(Skipped(str(each), f"the suffix {each.suffix!r} is not one of a format that is read"))
    if not files:
        raise FileError(f"{path} is a folder without files that can be read: {', '.join(FORMATS)}")
    return files
