"""`tumble warm`: kernels before they are needed, as in an image of a container."""

from __future__ import annotations

from typing import Annotated

import typer

from tumble.cli.errors import Debug
from tumble.cli.output import amount, write_out
from tumble.cli.progress import progress_bar, run_interruptibly
from tumble.core.parallel import thread_count
from tumble.errors import FileError
from tumble.tools.warm import warm as run
from tumble.tools.workloads import ALL, USUAL

ALL_HELP = "Also every method over every kind of tree, for comparisons: several minutes."
JOBS_HELP = "Processes at a time; all cores if not given."


def warm(
    every: Annotated[bool, typer.Option("--all", help=ALL_HELP)] = False,
    jobs: Annotated[int | None, typer.Option("--jobs", min=1, metavar="N", help=JOBS_HELP, show_default=False)] = None,
    debug: Debug = False,
) -> None:
    """Compile the kernels of all calls now, on all cores, so that nothing is compiled later.

    They are kept in the cache that `tumble info` names; what is there, or in the package tumble-kernels, is not
    compiled again.
    """
    from tumble.core.kernel_cache import cache_folder

    folder = cache_folder()
    if folder is None:
        raise FileError("compiled kernels cannot be kept; `tumble info` says where they should be")
    before = len(list(folder.glob("*.nbc")))
    names = list(ALL if every else USUAL)
    with progress_bar("compiling kernels", lines=True) as bar:
        bar.update(0, len(names), "compiling kernels")
        run_interruptibly(
            lambda: run(
                names, thread_count(jobs), None, lambda done, total, _: bar.update(done, total, "compiling kernels")
            )
        )
    kernels = len(list(folder.glob("*.nbc")))
    write_out(f"{amount(kernels, 'kernel')} in {folder}, {kernels - before:,} of them new.\n")
