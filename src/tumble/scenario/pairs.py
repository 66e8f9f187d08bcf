"""Scenes of two meshes, by name and by group."""

from __future__ import annotations

from tumble.errors import OptionError
from tumble.scenario.paper_stackless import SCENES, PairScene


def pair_scene_names(group: str | None = None) -> list[str]:
    """The names of all scenes, or of one group's."""
    names = [name for name, scene in SCENES.items() if group in (None, scene.group)]
    if not names:
        raise OptionError(f"unknown group of scenes {group!r}: choose from {', '.join(pair_scene_groups())}")
    return names


def pair_scene_groups() -> list[str]:
    """The groups of scenes, in the order of the paper's tables."""
    return list(dict.fromkeys(scene.group for scene in SCENES.values()))


def pair_scenes(group: str | None = None) -> list[PairScene]:
    """All scenes, or those of one group, in the order of the paper's tables."""
    return [SCENES[name] for name in pair_scene_names(group)]


def pair_scene(name: str) -> PairScene:
    """One scene by its name."""
    if name not in SCENES:
        raise OptionError(f"unknown scene {name!r}: choose from {', '.join(SCENES)}")
    return SCENES[name]
