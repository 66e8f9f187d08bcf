"""Scenes by name: worlds that are ready to run, each in a file of its own.

world = build("cows")
world.step(400)
"""

from __future__ import annotations

from tumble.dynamics.scenes import bowl, cows, dominoes, gears, stack
from tumble.dynamics.scenes.kind import Options, SceneKind
from tumble.dynamics.world import World
from tumble.errors import InputError
from tumble.mesh import MeshLike

SCENES: dict[str, SceneKind] = {
    kind.name: kind for kind in (cows.SCENE, stack.SCENE, dominoes.SCENE, gears.SCENE, bowl.SCENE)
}

__all__ = ["SCENES", "Options", "SceneKind", "build"]


def build(
    name: str,
    *,
    mesh: MeshLike | None = None,
    count: int | None = None,
    threads: int | None = None,
    device: str = "cpu",
) -> World:
    """Return the world of a scene at its start.

    mesh      the body that the scene is about; None for the scene's own
    count     how many of them; None for the scene's own number
    threads   how many look for touching triangles; None for all cores
    device    where touching triangles are found: cpu, or an OpenCL device (`tumble.devices`)
    """
    if name not in SCENES:
        raise InputError(f"there is no scene {name!r}; choose one of: {', '.join(SCENES)}")
    return SCENES[name].make(Options(mesh, count, threads, device))
