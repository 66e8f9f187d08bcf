"""Random chips, random small meshes: the chip must find the pairs of `collide`, whatever its measures are.

`check_random_design(rng)` asks one question. It needs the folders `tests` and `tests/chip` on the path.
"""

import re
from dataclasses import replace

import numpy as np
from chip_cases import assert_answers, random_binary_tree

import forest
import tumble
from tumble import chip
from tumble.chip.design import KDOPS, LIMITS

# What a designer may well choose; the other draws go up to the limits.
USUAL = {
    "bus_bits": (8, 1024),
    "precharge": (1, 8),
    "ras_cas": (1, 8),
    "cas": (1, 8),
    "banks": (1, 16),
    "dotadd_stages": (2, 20),
    "tumbled": (1, 8),
    "buffer_pairs": (1, 8),
    "host_cycles": (1, 16),
    "triangle_queue": (2, 64),
    "operand_cycles": (1, 16),
}
POWERS_OF_TWO = ("bus_bits", "banks", "tumbled", "host_bits")
EXTREME_SHARE = 0.25
REMEDY = re.compile(r"use Design\((\w+)=(\d+)\)")
MOST_REMEDIES = 40
SLOW_OPERANDS = 1000


def random_design(rng, extreme=False):
    """Draw a design: every measure within its limits, or within what is usual."""
    limits = {name: bounds if extreme else USUAL.get(name, bounds) for name, bounds in LIMITS.items()}
    measures = {name: _draw(rng, name, *bounds) for name, bounds in limits.items()}
    measures["k"] = int(rng.choice(KDOPS))
    measures["triangle_queue"] = max(measures["triangle_queue"], 2 * measures["tumbled"])
    measures["triangle_unit"] = bool(rng.random() < 0.7)
    measures["leaf_dops"] = bool(rng.random() < 0.7)
    return chip.Design(**measures)


def _draw(rng, name, least, most):
    """Draw evenly on a logarithmic scale, and both ends more often."""
    between = round(float(np.exp(rng.uniform(np.log(least), np.log(most + 1)))))
    value = int(rng.choice([least, most, min(between, most)], p=[0.1, 0.1, 0.8]))
    return 1 << (value.bit_length() - 1) if name in POWERS_OF_TWO else value


def random_sides(rng, k, most):
    """Draw two meshes or trees, and their poses."""
    a, b = (_random_side(rng, k, most) for _ in range(2))
    if rng.random() < 0.2:
        b = a
    return a, b, *(_random_pose(rng) for _ in range(2))


def _random_side(rng, k, most):
    count, seed = int(rng.integers(1, most + 1)), int(rng.integers(2**32))
    kind = rng.integers(3)
    if kind == 0:
        return forest.soup(seed, count, float(rng.choice([0.05, 0.2, 0.5])))
    if kind == 1:
        return forest.random_mesh(rng, count, int(rng.integers(1, 4)))
    return random_binary_tree(seed, count, f"kdop{k}", balance=float(rng.choice([0.1, 0.5, 0.9])))


def _random_pose(rng):
    if rng.random() < 0.3:
        return None
    if rng.random() < 0.3:
        return forest.POSES[int(rng.integers(len(forest.POSES) - 1))]
    return tumble.mesh.random_pose(rng, float(rng.choice([0.1, 0.5])))


def check_random_design(rng):
    """Compare one random chip with `collide` and with the plain traversal; return the design and the run.

    A design whose SRAM or stack is too small for the trees must say so and name one that is not.
    """
    extreme = bool(rng.random() < EXTREME_SHARE)
    design = random_design(rng, extreme)
    sides = random_sides(rng, design.k, _most_triangles(design, extreme))
    for _ in range(MOST_REMEDIES):
        try:
            return design, assert_answers(*sides, design)
        except (tumble.OptionError, tumble.TreeError) as error:
            design = _with_remedy(design, str(error))
    raise AssertionError(f"{design}: no end of remedies")


def _most_triangles(design, extreme):
    """Return how large the meshes may be: millions of cycles take minutes."""
    if design.triangle_unit and design.operand_cycles > SLOW_OPERANDS:
        return 1
    return 4 if extreme else 16


def _with_remedy(design, message):
    """Return a design with the larger SRAM or stack that an error asks for."""
    remedy = REMEDY.search(message)
    assert remedy, f"{design}: the error does not say what would help: {message}"
    name, value = remedy[1], int(remedy[2])
    known = name == "sram_words" or (name == "levels" and "is too deep" in message)
    assert known, f"{design} should have been refused when it was made: {message}"
    assert value > getattr(design, name)
    return replace(design, **{name: value})
