"""When a program starts: how long a mesh takes to be read from a file, and its tree to be built.

The paper calls building no time-critical task, done when objects are loaded. A mesh is read from a text file, as was
usual then; both take turns, round by round.
"""

from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from tumble.bench.framework.table import Study
from tumble.bench.framework.timing import Effort, race
from tumble.bench.papers.chip.rotation import chip_tree
from tumble.mesh import Mesh, load

START_UP = "start-up"
READ, BUILD = "read", "build"


def add_start_up(name: str, mesh: Mesh, rounds: int, study: Study) -> None:
    """Write the times of one object; a mesh of its own each time, as meshes keep their trees."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "mesh.off"
        write_off(mesh, path)
        runs = {READ: lambda: load(path), BUILD: lambda: chip_tree(Mesh(mesh.vertices, mesh.faces))}
        for run in runs.values():
            run()
        found = race(runs, Effort(0.0, least_rounds=rounds, most_rounds=rounds))
    study.add_race(name, found, [(READ, BUILD)])


def write_off(mesh: Mesh, path: Path) -> None:
    """Write a mesh as an OFF file, coordinates to nine figures."""
    with path.open("w", encoding="ascii") as file:
        file.write(f"OFF\n{len(mesh.vertices)} {len(mesh.faces)} 0\n")
        np.savetxt(file, mesh.vertices, fmt="%.9g")
        np.savetxt(file, np.column_stack([np.full(len(mesh.faces), 3), mesh.faces]), fmt="%d")
