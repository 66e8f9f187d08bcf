"""Sections 1 and 6: is a boxtree made fast enough when a program starts? Beside other trees, and beside reading files.

The paper's rate, 20 000 polygons per second, was that of its machine; any one of today reaches it. What can be compared
on one machine: the paper's tree with AABB, OBB and DOP trees by the same rule, all with one triangle per leaf and on
one thread, and with the time to read the object from a file, as text and in binary.
"""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

import tumble
from tumble.bench.framework.table import Study
from tumble.bench.framework.timing import Effort
from tumble.bench.papers.boxtree.clock import processor_race
from tumble.bench.papers.boxtree.contestants import AABB, DOP, OBB, PRINTED, STORED
from tumble.mesh import Mesh
from tumble.scenario.objects import shape_duo

STARTUP = "start-up"
BUILT_TREES = (AABB, OBB, DOP)
TEXT_FILE, BINARY_FILE = "reading OFF", "reading binary STL"
FILES = {TEXT_FILE: "object.off", BINARY_FILE: "object.stl"}
STL_TRIANGLE = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("attributes", "<u2")])


def add_startup(kind: str, size: int, effort: Effort, study: Study) -> None:
    """Race the paper's builder with those of other trees and with reading the object."""
    from tumble.hierarchy.boxtree.build import build_boxtree

    mesh, case = shape_duo(kind, size).a, f"{kind} {size}"

    def fresh() -> Mesh:
        """The same mesh without the trees that it keeps."""
        return Mesh(mesh.vertices, mesh.faces)

    def other(volume: str) -> object:
        return tumble.build(fresh(), volume, split="least-volume", leaf_size=1)

    with TemporaryDirectory() as folder:
        write_files(mesh, Path(folder))
        runs: dict[str, Callable[[], object]] = {
            PRINTED: lambda: build_boxtree(fresh(), "least-volume", 1, "coplanar", 1)
        }
        runs |= {name: partial(other, STORED[name]) for name in BUILT_TREES}
        runs |= {name: partial(tumble.load, Path(folder) / file) for name, file in FILES.items()}
        for run in runs.values():
            run()
        study.add_values(case, "", {"kind": kind, "triangles": len(mesh)})
        study.add_race(case, processor_race(runs, effort), [(PRINTED, name) for name in runs if name != PRINTED])


def write_files(mesh: Mesh, folder: Path) -> None:
    """Write the object as text and in binary."""
    vertices = "\n".join(" ".join(f"{value:.9g}" for value in row) for row in mesh.vertices.tolist())
    faces = "\n".join(f"3 {i} {j} {k}" for i, j, k in mesh.faces.tolist())
    text = f"OFF\n{len(mesh.vertices)} {len(mesh)} 0\n{vertices}\n{faces}\n"
    (folder / FILES[TEXT_FILE]).write_text(text)
    triangles = np.zeros(len(mesh), STL_TRIANGLE)
    triangles["corners"] = mesh.vertices[mesh.faces]
    content = bytes(80) + np.uint32(len(mesh)).tobytes() + triangles.tobytes()
    (folder / FILES[BINARY_FILE]).write_bytes(content)
