"""Every named scene, the same for tests, benchmarks and commands, all made by code.

scenario.pair_scenes("intersection")        the scenes of a group, each two meshes and their poses
scenario.pair_scene("scalability-2")        one scene by its name
scenario.assembly()                         the parts of a small gear train, some of which touch
scenario.SheetOverBall(40).vertices(100)    a frame of a sheet of cloth that falls over a ball
scenario.worlds.build("cows")               a world of rigid bodies; a module of its own, as it loads the kernels
"""

from tumble.scenario.assembly import assembly
from tumble.scenario.pairs import PairScene, pair_scene, pair_scene_groups, pair_scene_names, pair_scenes
from tumble.scenario.sheet import SheetOverBall

__all__ = [
    "PairScene",
    "SheetOverBall",
    "assembly",
    "pair_scene",
    "pair_scene_groups",
    "pair_scene_names",
    "pair_scenes",
]
