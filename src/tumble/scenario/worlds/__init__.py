"""Worlds of rigid bodies by name, ready to run, each in a file of its own.

world = build("cows")
world.step(400)
"""

from dataclasses import replace

from tumble.dynamics import Settings, World
from tumble.errors import InputError, OptionError
from tumble.mesh import MeshLike, as_mesh
from tumble.scenario.worlds import bowl, cows, dominoes, gears, linkage, stack
from tumble.scenario.worlds.kind import WorldKind

WORLDS: dict[str, WorldKind] = {
    kind.name: kind for kind in (cows.KIND, stack.KIND, dominoes.KIND, gears.KIND, linkage.KIND, bowl.KIND)
}

__all__ = ["WORLDS", "WorldKind", "build"]


def build(
    name: str,
    *,
    mesh: MeshLike | None = None,
    count: int | None = None,
    continuous: bool = False,
    threads: int | None = None,
    device: str = "cpu",
) -> World:
    """Return the world of a scene at its start.

    mesh         the body that the scene is about; None for the scene's own
    count        the number of these bodies; None for the scene's own
    continuous   whether fast bodies are stopped at their times of impact: `Settings.continuous`
    threads      for finding touching triangles; None for all cores
    device       where touching triangles are found: cpu, or an OpenCL device (`tumble.devices`)
    """
    if name not in WORLDS:
        raise InputError(f"there is no scene {name!r}; choose one of: {', '.join(WORLDS)}")
    kind = WORLDS[name]
    if mesh is not None and kind.no_mesh:
        takers = " and ".join(other.name for other in WORLDS.values() if not other.no_mesh)
        raise OptionError(f"a mesh cannot be chosen here: {kind.no_mesh}; the scenes that take one are {takers}")
    body_count, body = kind.checked_count(count), None if mesh is None else as_mesh(mesh)
    settings = replace(kind.settings or Settings(), continuous=continuous)
    world = World(step=kind.time_step, settings=settings, threads=threads, device=device)
    kind.fill(world, body_count, body)
    return world
