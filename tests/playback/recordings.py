"""Small recordings that several tests use."""

import numpy as np

import tumble
from tumble import shapes
from tumble.dynamics import World
from tumble.playback import Recorder


def small_world():
    """Three boxes of one mesh and a ball in the air, a static block, and a plane."""
    world = World()
    world.add_plane()
    box = shapes.box(0.5)
    for k in range(3):
        pose = tumble.translation(k - 1.0, 0.0, 1.0 + k) @ tumble.rotation("x", 0.3 * k)
        world.add_body(box, pose, spin=(0.0, 0.0, 40.0), name=f"box {k}")
    world.add_body(shapes.icosphere(2, 0.4), tumble.translation(0.0, 1.5, 2.0), name="a <ball> / of & sorts")
    world.add_body(shapes.box((4.0, 4.0, 0.2)), tumble.translation(0.0, 0.0, 0.1), static=True, name="block")
    return world


def recorded(steps=12, every=2):
    """What the small world did, and the poses at each frame."""
    world = small_world()
    recorder, poses = Recorder(world, every), [world.poses()]
    for step in range(1, steps + 1):
        world.step()
        recorder.note()
        if step % every == 0 or step == steps:
            poses.append(world.poses())
    return recorder.recording("a title & more"), np.array(poses)
