"""Scenes of two meshes, by name and by group; built when first asked for, then kept."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from tumble.errors import OptionError
from tumble.mesh import Mesh
from tumble.scenario import paper_stackless

Pose = NDArray[np.float64] | None


@dataclass(frozen=True, eq=False)
class PairScene:
    """Two posed meshes with a name; scenes of equal shape share one Mesh, and with it its trees."""

    name: str
    title: str
    group: str
    mesh_a: Mesh
    mesh_b: Mesh
    pose_a: Pose = None
    pose_b: Pose = None


def pair_scene_names(group: str | None = None) -> list[str]:
    """The names of all scenes, or of one group's, without building any."""
    if group is None:
        return list(paper_stackless.RECIPES)
    names = [name for name, recipe in paper_stackless.RECIPES.items() if recipe.group == group]
    if not names:
        raise OptionError(f"unknown group of scenes {group!r}: choose from {', '.join(pair_scene_groups())}")
    return names


def pair_scene_groups() -> list[str]:
    """The groups of scenes, in the order of the paper's tables."""
    return list(dict.fromkeys(recipe.group for recipe in paper_stackless.RECIPES.values()))


def pair_scenes(group: str | None = None) -> list[PairScene]:
    """All scenes, or those of one group, in the order of the paper's tables."""
    return [pair_scene(name) for name in pair_scene_names(group)]


def pair_scene(name: str) -> PairScene:
    """One scene by its name."""
    if name not in paper_stackless.RECIPES:
        raise OptionError(f"unknown scene {name!r}: choose from {', '.join(pair_scene_names())}")
    return _build(name)


@cache
def _build(name: str) -> PairScene:
    recipe = paper_stackless.RECIPES[name]
    mesh_a, mesh_b = recipe.make_a(), recipe.make_b()
    return PairScene(name, recipe.title, recipe.group, mesh_a, mesh_b, recipe.pose_a, recipe.pose_b)
