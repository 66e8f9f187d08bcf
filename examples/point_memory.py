"""How much memory calls about many points take besides their input and output. Run: python examples/point_memory.py

Each call is measured in a process of its own: the largest resident size while it ran, less what was resident before it
and less the arrays that it returns. Kernels are loaded and the tree is built by a first call.
"""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np

import tumble
from tumble import shapes

SMALL = os.environ.get("TUMBLE_EXAMPLE_SIZE") == "small"
COUNTS = (1_000, 2_000) if SMALL else (1_000_000, 10_000_000)
SIDES = 10 if SMALL else 160
CALLS = ("closest_points", "signed_distance", "contains")
DTYPES = ("float64", "float32")
MEGABYTE = 1e6


def largest_resident() -> float:
    """Return the largest resident size of this process so far, in bytes."""
    import resource  # not on Windows

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)


def resident() -> float:
    """Return the resident size of this process, in bytes; where the system does not say, the largest so far."""
    try:
        return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return largest_resident()


def measured(call: str, dtype: str, count: int) -> str:
    """Make one call, and say what it took."""
    ring = shapes.torus(radius=1.0, tube=0.4, segments=2 * SIDES, sides=SIDES)
    rng = np.random.default_rng(1)
    points = np.empty((count, 3), dtype)
    for some in np.array_split(points, 100):  # so that making them is not what takes most memory
        some[:] = rng.uniform(-1.5, 1.5, some.shape)
    ask = getattr(tumble, call)
    ask(ring, points[:1000])
    before = resident()
    found = ask(ring, points)
    answer = sum(column.nbytes for column in vars(found).values() if isinstance(column, np.ndarray))
    more = (largest_resident() - before - answer) / MEGABYTE
    sizes = f"{points.nbytes / MEGABYTE:.0f} MB in, {answer / MEGABYTE:.0f} MB out"
    return f"{call:16} {dtype} {count:10,} points, {len(ring):,} triangles: {sizes}, {more:.0f} MB more"


if __name__ == "__main__":
    if len(sys.argv) > 1:
        print(measured(sys.argv[1], sys.argv[2], int(sys.argv[3])))
    elif SMALL:
        print(measured(CALLS[0], DTYPES[0], COUNTS[0]))
    else:
        for case in ((call, dtype, str(count)) for call in CALLS for dtype in DTYPES for count in COUNTS):
            subprocess.run([sys.executable, __file__, *case], check=True)
