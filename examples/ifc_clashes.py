"""A check of IFC files beside IfcOpenShell's own clash detection: how long each takes, and what each finds.

    pip install 'tumble[ifc]' && python examples/ifc_clashes.py FILE.ifc …

Both read the files by IfcOpenShell. IfcOpenShell says which pairs meet and how far they protrude into each other; a
check says, exactly, what each pair is, proves fits, and measures depth, volume, curves and areas. In turns, processor
time of one thread, trees included, the best of some rounds.
"""

import sys
import time
from collections import Counter
from collections.abc import Callable
from typing import Any

import tumble
from tumble.clash import CheckSettings, check_parts
from tumble.mesh import Mesh, Part

TOLERANCE = 1e-3  # m
SPACES = ("IfcSpace", "IfcSpatialZone")  # they are no parts: everything is in one
ROUNDS = 5


def shapes_of(files: list[str]) -> list[Any]:
    """Return IfcOpenShell's shapes of all elements."""
    import ifcopenshell
    import ifcopenshell.geom as geom

    found = []
    for file in files:
        model = ifcopenshell.open(file)
        iterator = geom.iterator(geom.settings(), model, 1)
        more = iterator.initialize()
        while more:
            shape = iterator.get()
            element = model.by_guid(shape.guid)
            if element.is_a() not in SPACES:
                found.append((element, shape))
            more = iterator.next()
    return found


def found_by_ifcopenshell(shapes: list[Any]) -> int:
    """Return how many pairs IfcOpenShell's mode with depths finds."""
    import ifcopenshell.geom as geom

    tree = geom.tree(backend="opencascade.trianglebvh")
    for _, shape in shapes:
        tree.add_element(shape)
    elements = [element for element, _ in shapes]
    return len(tree.clash_intersection_many(elements, elements, tolerance=TOLERANCE, check_all=True))


def found_by_check(parts: list[Part]) -> Counter[str]:
    """Return how many findings of each kind a check makes, of meshes that nothing is known of."""
    fresh = [part._replace(mesh=Mesh(part.mesh.vertices, part.mesh.faces)) for part in parts]
    return Counter(
        str(each.kind) for each in check_parts(fresh, CheckSettings(tolerance=TOLERANCE, threads=1)).findings
    )


def best_of(work: Callable[[], Any], known: float) -> tuple[float, Any]:
    """Return the least processor time so far, and what came out."""
    start = time.process_time()
    found = work()
    return min(known, time.process_time() - start), found


def main() -> None:
    """Measure and print."""
    files = sys.argv[1:]
    if not files:
        print("usage: python examples/ifc_clashes.py FILE.ifc …")
        return
    try:
        import ifcopenshell  # noqa: F401
    except ImportError:
        sys.exit("IfcOpenShell is not installed: pip install 'tumble[ifc]'")
    start = time.perf_counter()
    parts = tumble.load_assembly(files).parts
    print(f"reading {len(parts)} parts: {time.perf_counter() - start:.1f} s")
    shapes = shapes_of(files)
    found_by_check(parts)  # kernels are loaded, or compiled
    ours = theirs = float("inf")
    for _ in range(ROUNDS):
        ours, kinds = best_of(lambda: found_by_check(parts), ours)
        theirs, pairs = best_of(lambda: found_by_ifcopenshell(shapes), theirs)
    print(f"check: {1e3 * ours:.0f} ms, " + ", ".join(f"{count} {kind}" for kind, count in kinds.items()))
    print(f"IfcOpenShell, with depths: {1e3 * theirs:.1f} ms, {pairs} pairs")


if __name__ == "__main__":
    main()
