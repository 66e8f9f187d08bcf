"""`tumble robot check`: which links of a robot touch each other, by random configurations."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, cast

import typer

from tumble.cli.errors import CLEAR, TOUCHING, Debug
from tumble.cli.options import Json, takes
from tumble.cli.output import write_out
from tumble.cli.outputs import check_outputs
from tumble.cli.plain_values import PlainCommand
from tumble.cli.progress import Bar, progress_bar, run_interruptibly
from tumble.cli.reading import FOLDER_HELP, file_option
from tumble.cli.robot_verdict import RobotVerdict
from tumble.core.options import checked_name
from tumble.core.whole_files import write_all
from tumble.robot import Robot
from tumble.robot.reading import GEOMETRIES, Geometry
from tumble.robot.srdf import check_srdf_path

SRDF_HELP = "Which pairs of links may touch; without it, those that a joint connects."
SAMPLES_HELP = "How many random configurations, within the limits of the joints."
SAVE_HELP = "Write an SRDF file: pairs that may touch as stated, and those that sampling finds."
GEOMETRY_HELP = "Which shapes of the links."

app = typer.Typer(
    help="Robots: URDF and SRDF files.", no_args_is_help=True, add_completion=False, rich_markup_mode="markdown"
)


@dataclass(frozen=True)
class RobotOptions:
    """The options of `tumble robot check`."""

    file: Annotated[Path, typer.Argument(metavar="FILE", help="A robot (URDF).", show_default=False)]
    srdf: Annotated[Path | None, file_option("--srdf", SRDF_HELP)] = None
    folder: Annotated[list[Path] | None, file_option("--folder", FOLDER_HELP)] = None
    geometry: Annotated[str, typer.Option("--geometry", metavar="|".join(GEOMETRIES), help=GEOMETRY_HELP)] = "collision"
    samples: Annotated[int, typer.Option("--samples", min=1, max=100_000_000, help=SAMPLES_HELP)] = 10_000
    seed: Annotated[int, typer.Option("--seed", min=0, help="Of the random configurations.")] = 0
    save_srdf: Annotated[Path | None, file_option("--save-srdf", SAVE_HELP)] = None
    json: Json = False
    debug: Debug = False


@app.command("check", cls=PlainCommand)
@takes(RobotOptions)
def check(options: RobotOptions) -> None:
    """Tell how often links of a robot touch each other, how deep, and which pairs of links may.

    The exit code is 0, 1 if pairs are faulty: they touch in every configuration and may not, or the SRDF says that they
    never touch, and they do; 2 is an error.
    """
    checked_name("--geometry", options.geometry, GEOMETRIES)
    check_outputs({"--save-srdf": options.save_srdf}, {"--srdf": options.srdf}, (options.file,))
    if options.save_srdf is not None:
        check_srdf_path(options.save_srdf)
    with progress_bar("reading", lines=True) as bar:
        verdict = run_interruptibly(lambda: _look(options, bar))
    files = {} if options.save_srdf is None else {options.save_srdf: verdict.srdf()}
    write_all(files, lambda: write_out(verdict.render(options.json)))
    raise typer.Exit(TOUCHING if verdict.faults else CLEAR)


def _look(options: RobotOptions, bar: Bar) -> RobotVerdict:
    started = time.perf_counter()
    geometry = cast(Geometry, options.geometry)
    robot = Robot.load(options.file, options.srdf, package_dirs=tuple(options.folder or ()), geometry=geometry)
    bar.update(0, None, "checking configurations")
    found = robot.find_allowed_pairs(options.samples, options.seed, depths=True)
    return RobotVerdict(str(options.file), robot, found, options.seed, time.perf_counter() - started)
