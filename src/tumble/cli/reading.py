"""What commands read: files of assemblies, and the options that say how; without a file, the sample assembly."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, cast

import typer

from tumble.cli.output import printable
from tumble.cli.progress import Bar
from tumble.core.options import checked_name
from tumble.errors import OptionError
from tumble.mesh import Assembly, load_assembly
from tumble.mesh.units import UNITS, check_unit
from tumble.scenario import assembly as sample_parts

if TYPE_CHECKING:
    from tumble.mesh.files import PartsOf

FILES_HELP = (
    "Assemblies (GLB, glTF, 3MF, 3DXML, DAE, URDF …), a file for each part (STL, PLY, OBJ …), or folders; "
    'STEP needs pip install "tumble[cad]", IFC "tumble[ifc]".'
)
UNIT_HELP = "The unit of files that state none."
IN_HELP = "Convert everything to this unit; else to the first one that a file states."
PARTS_HELP = "What is a part: nodes of a scene, groups of OBJ files as well, or whole files."
SPLIT_HELP = "Take files of one part apart: what is not connected is a part."
FOLDER_HELP = "Where files that a robot (URDF) refers to may be, besides its own folder; again for more."
PARTS = "nodes", "groups", "files"


def file_option(option: str, text: str) -> typer.models.OptionInfo:
    """Return an option that takes a path."""
    return typer.Option(option, metavar="FILE", help=text, show_default=False)


def _unit(option: str, text: str) -> typer.models.OptionInfo:
    return typer.Option(option, metavar="|".join(UNITS), help=text, show_default=False)


@dataclass(frozen=True)
class ReadingOptions:
    """The options of every command that reads assemblies."""

    files: Annotated[list[Path] | None, typer.Argument(metavar="FILE", help=FILES_HELP, show_default=False)] = None
    unit: Annotated[str | None, _unit("--unit", UNIT_HELP)] = None
    to: Annotated[str | None, _unit("--in", IN_HELP)] = None
    parts: Annotated[str, typer.Option("--parts", metavar="|".join(PARTS), help=PARTS_HELP)] = "nodes"
    split: Annotated[bool, typer.Option("--split", help=SPLIT_HELP)] = False
    folder: Annotated[list[Path] | None, file_option("--folder", FOLDER_HELP)] = None


def check_reading(options: ReadingOptions) -> None:
    """Refuse options that cannot work before the work."""
    check_unit(options.unit, "--unit")
    check_unit(options.to, "--in")
    checked_name("--parts", options.parts, PARTS)
    if options.split and options.parts != "nodes":
        raise OptionError(
            f"--split takes parts apart, and --parts {options.parts} says what they are: give one of them"
        )


def read_assembly(options: ReadingOptions, bar: Bar) -> Assembly:
    """Return the assembly of the files, or the sample."""
    if not options.files:
        return Assembly([part._replace(units="mm") for part in sample_parts()], "mm")

    def show(done: int, total: int, path: Path) -> None:
        bar.update(done, total, f"reading {printable(path.name)}")

    wanted = cast("PartsOf", "components" if options.split else options.parts)
    return load_assembly(
        options.files, unit=options.unit, to=options.to, parts=wanted, folders=options.folder or (), show=show
    )
