"""Parts that come too near: pairs of triangles, along a motion, and in a scene with a rule for each body."""

import numpy as np

import tumble

block, pin = tumble.shapes.box(2.0), tumble.shapes.box(0.5)

# a pair exactly d apart respects the clearance
beside = tumble.translation(2.25, 0.0, 0.0)
for d in (1.0, np.nextafter(1.0, 2.0)):
    near = tumble.clearance(block, pin, d, None, beside)
    print(f"nearer than {d!r}: {len(near)} pairs of triangles")

# along a motion: where the pin comes within 0.5 of the block
poses = np.stack([tumble.translation(4.0 - 0.25 * step, 0.0, 0.0) for step in range(12)])
near = tumble.collide_many(block, pin, poses, clearance=0.5)
touching = tumble.collide_many(block, pin, poses)
print("too near from pose", int(np.argmax(near.hit)), "on, touching from pose", int(np.argmax(touching.hit)), "on")

# in a scene: a hot pipe that needs much space, but not from its clamp
scene = tumble.Scene()
scene.add("pipe", tumble.shapes.torus(radius=2.0, tube=0.2, segments=24, sides=10))
scene.add("clamp", tumble.shapes.box(0.3), tumble.translation(2.0, 0.0, 0.4))
scene.add("cable", tumble.shapes.box(0.3), tumble.translation(-2.0, 0.0, 0.75))
scene.add("plug", tumble.shapes.box(0.1), tumble.translation(-2.0, 0.0, 0.75))
rules = {None: 0.02, "pipe": 0.5, ("pipe", "clamp"): 0.0}
for record in scene.collisions(clearance=rules, solid=True):
    apart = f"{record.distances.min():.3f} apart" if len(record) else "one inside the other"
    print(f"{record.a} and {record.b}: {apart}")
