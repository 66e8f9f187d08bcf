"""`tumble simulate`: a scene runs, a file plays it back, and a table tells where the time went."""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tumble.cli.errors import CLEAR, INTERRUPTED, Debug
from tumble.cli.options import Json, takes
from tumble.cli.output import write_out
from tumble.cli.plain_values import PlainCommand
from tumble.cli.progress import Bar, first_interrupt_sets, progress_bar, run_interruptibly
from tumble.cli.simulate_verdict import Outcome
from tumble.core.parallel import run_pieces
from tumble.errors import MeshError, OptionError, SimulationError
from tumble.mesh import load, shapes, translation
from tumble.scene import Scene

if TYPE_CHECKING:
    from tumble.dynamics import World
    from tumble.playback import Recorder

FRAMES_A_SECOND = 50

SAVE_HELP = (
    "Write what happened: an animated glTF (.glb), or a page for the browser (.html), which needs "
    'pip install "tumble[view]".'
)
MESH_HELP = "The body that falls, a closed mesh, in scenes that take one (cows, bowl)."
CONTINUOUS_HELP = "Stop bodies that are too fast for the step at their times of impact: none passes through another."
DEVICE_HELP = "Where touching triangles are found: cpu, opencl, opencl:1 …"
EVERY = f"{FRAMES_A_SECOND} a second"
number = partial(typer.Option, metavar="N")


class ListsScenes(PlainCommand):
    """A command whose help tells which scenes there are; they are loaded only for that."""

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Write the help, with a line for each scene at its end."""
        from tumble.scenario.worlds import WORLDS

        width = max(map(len, WORLDS))
        lines = [f"{kind.name:<{width}}  {kind.summary}; {kind.steps} steps" for kind in WORLDS.values()]
        self.epilog = "\n\n".join(["The scenes:", *lines])
        super().format_help(ctx, formatter)


COMMAND_CLASS = ListsScenes


@dataclass(frozen=True)
class SimulateOptions:
    """The options of the command."""

    scene: Annotated[str, typer.Argument(metavar="SCENE", help="The scene by its name, see below.")]
    save: Annotated[Path | None, typer.Option("--save", metavar="FILE", help=SAVE_HELP)] = None
    steps: Annotated[int | None, number("--steps", help="How many.", show_default="the scene's own", min=1)] = None
    count: Annotated[int | None, number("--count", help="How many bodies.", show_default="the scene's own")] = None
    mesh: Annotated[Path | None, typer.Option("--mesh", metavar="FILE", help=MESH_HELP)] = None
    hull: Annotated[bool, typer.Option("--hull", help="Take the convex hull of the mesh, if it is open say.")] = False
    every: Annotated[int | None, number("--every", help="Keep every N-th step.", show_default=EVERY, min=1)] = None
    continuous: Annotated[bool, typer.Option("--continuous", help=CONTINUOUS_HELP)] = False
    device: Annotated[str, typer.Option("--device", help=DEVICE_HELP)] = "cpu"
    threads: Annotated[int | None, number("--threads", help="Threads.", show_default="all cores")] = None
    json: Json = False
    debug: Debug = False


@takes(SimulateOptions)
def simulate(options: SimulateOptions) -> None:
    """Run a scene of rigid bodies, and save it as a page that plays in the browser.

    Ctrl-C ends the simulation early: what there is until then is saved.

    The exit code is 0, 130 if it was ended early, 2 on an error.
    """
    stop = threading.Event()
    with progress_bar("preparing") as bar, first_interrupt_sets(stop):
        outcome = run_interruptibly(lambda: _run(options, bar, stop))
    write_out(outcome.render(options.json))
    raise typer.Exit(INTERRUPTED if outcome.interrupted else CLEAR)


def _run(options: SimulateOptions, bar: Bar, stop: threading.Event) -> Outcome:
    from tumble.playback import Recorder, check_target
    from tumble.scenario.worlds import WORLDS

    if options.save is not None:
        check_target(options.save)
    world = _world(options)
    steps = WORLDS[options.scene].steps if options.steps is None else options.steps
    every = options.every or max(1, round(1.0 / (FRAMES_A_SECOND * world.time_step)))
    recorder = None if options.save is None else Recorder(world, every)
    bar.update(0, None, "preparing")
    _compile(options)
    outcome = Outcome(options.scene, options.device, world)
    try:
        _go_on(world, steps, outcome, recorder, bar, stop)
    except SimulationError as error:
        _save(options, outcome, recorder, bar)
        until = "" if options.save is None or world.steps == 0 else f"; what happened until then is in {options.save}"
        raise SimulationError(f"{error}{until}") from error
    _save(options, outcome, recorder, bar)
    return outcome


def _world(options: SimulateOptions) -> World:
    """Return the scene at its start."""
    from tumble.dynamics import convex_hull
    from tumble.scenario.worlds import build

    if options.hull and options.mesh is None:
        raise OptionError("--hull is about the mesh of --mesh FILE, and none is given")
    mesh = None if options.mesh is None else load(options.mesh)
    try:
        body = convex_hull(mesh) if options.hull and mesh is not None else mesh
        return build(
            options.scene,
            mesh=body,
            count=options.count,
            continuous=options.continuous,
            threads=options.threads,
            device=options.device,
        )
    except MeshError as error:
        raise MeshError(f"{options.mesh}: {str(error).replace('hull=True', '--hull')}") from error


def _compile(options: SimulateOptions) -> None:
    """Let two boxes touch, in a world of their own: what a step compiles must not be counted among its times."""
    from tumble.dynamics import Fixed, Settings, World

    settings = Settings(continuous=options.continuous)
    world = World(settings=settings, threads=options.threads, device=options.device)
    world.add_plane()
    for height in (0.49, 1.48):
        world.add_body(shapes.box(), translation(0.0, 0.0, height))
    if options.continuous:
        world.add_body(shapes.box(0.1), translation(0.0, 0.0, 2.5), velocity=(0.0, 0.0, -100.0))
    world.add_joint(Fixed(0, None))
    world.step(2)
    many = Scene(broad_phase="tree")  # as in a world of many bodies
    for place in range(3):
        many.add(str(place), shapes.box(), translation(0.5 * place, 0.0, 0.0))
    many.candidates()
    many.move("0", translation(0.1, 0.0, 0.0))
    many.candidates()
    run_pieces(str, 2, 2)  # threads, which a step starts only for many pairs


def _go_on(
    world: World, steps: int, outcome: Outcome, recorder: Recorder | None, bar: Bar, stop: threading.Event
) -> None:
    """Step until the end, or until Ctrl-C."""
    bar.update(0, steps, "first step")
    for done in range(1, steps + 1):
        began = time.perf_counter()
        world.step()
        outcome.note(time.perf_counter() - began)
        if recorder is not None:
            recorder.note()
        if stop.is_set():
            outcome.interrupted = done < steps
            return
        bar.update(done, steps, f"{world.counts['awake']:,} awake, {world.counts['contact points']:,} contacts, step")


def _save(options: SimulateOptions, outcome: Outcome, recorder: Recorder | None, bar: Bar) -> None:
    from tumble.playback import save

    if recorder is None or options.save is None or outcome.steps == 0:
        return
    bar.update(0, None, f"writing {options.save.name}")
    outcome.file, outcome.file_bytes = options.save, save(recorder.recording(f"tumble · {options.scene}"), options.save)
