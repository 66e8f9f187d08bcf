"""A program: simulate named worlds and print a digest of every step, for `dynamics/test_same_bits.py`.

    python same_bits_run.py NAME:COUNT:STEPS …

The first line is about the machine: digests of a matrix product by BLAS and of sines by NumPy, which do depend on it.
"""

import hashlib
import sys

import numpy as np

from tumble.scenario.worlds import build


def digest(arrays):
    """A short digest of the bits of arrays."""
    total = hashlib.sha256()
    for array in arrays:
        total.update(np.ascontiguousarray(array).tobytes())
    return total.hexdigest()[:16]


def lines(worlds):
    """Yield the line about the machine, and one for each step of each world."""
    rng = np.random.default_rng(0)
    a, b = rng.standard_normal((2, 40, 40))
    yield f"machine {digest([a @ b, np.linalg.inv(a)])} {digest([np.sin(a), np.exp(a)])}"
    for argument in worlds:
        name, count, steps = argument.split(":")
        world = build(name, count=int(count), threads=1)
        yield f"{name} 0 {digest(world.bodies)}"
        for step in range(1, int(steps) + 1):
            world.step()
            yield f"{name} {step} {digest([*world.bodies, *world.contacts, *world.state.quiet, world.asleep])}"


if __name__ == "__main__":
    print("\n".join(lines(sys.argv[1:])))
