"""How a device traverses: the choices, with what each trades."""

from __future__ import annotations

from dataclasses import dataclass

from tumble.traversal.rules import DEFAULT_RULE


@dataclass(frozen=True)
class Settings:
    """What queries on a device may choose; the answers do not depend on it."""

    rule: str = DEFAULT_RULE
    """in which tree to go down, one of `tumble.traversal.rules`"""
    pool: bool = True
    """work-items draw from a pool; False: one work-item for each pair of bodies, as in the paper"""
    steps: int = 4096
    """with a pool, a walk is split after so many turns: fewer balance better and cost rounds; 0: never"""
    items_per_unit: int = 64
    """with a pool, how many work-items a compute unit of a GPU gets, in multiples of its vector width"""
    leaf_size: int = 1
    """triangles in a leaf of the trees that are built for devices, at most"""
    volume: str = "obb"
    """the oriented boxes of those trees: obb, obb-covariance"""
    first_capacity: int = 1 << 16
    """candidates for which there is room at first; more of them repeat the launch"""
    pool_capacity: int = 1 << 18
    """tasks that fit into the pool of the next round; a walk that finds it full goes on by itself"""
    most_candidates: int = 1 << 26
    """candidates of one launch, at most: beyond, the list of pairs is halved, and a single pair is left to the CPU"""


DEFAULT = Settings()
