"""A small robot cell: what touches what, what may, and what would. Run: python examples/scene.py"""

import tumble
from tumble import shapes, transformed

crate = shapes.box()
arm = transformed(shapes.icosphere(3), [[2, 0, 0, 0], [0, 0.3, 0, 0], [0, 0, 0.3, 0], [0, 0, 0, 1]])

scene = tumble.Scene()
scene.add("floor", transformed(shapes.box(), [[20, 0, 0, 0], [0, 20, 0, 0], [0, 0, 1, -1], [0, 0, 0, 1]]))
for k in range(3):
    scene.add(f"crate {k}", crate, tumble.translation(3 * k, 0, 0))  # one mesh, three bodies
scene.add("arm", arm, tumble.translation(1.5, 0, 2))

print("touching:", scene.collisions().names)

for k in range(3):
    scene.allow("floor", f"crate {k}")  # crates stand on the floor: nothing to report
print("touching, but for what may:", scene.collisions().names)

scene.move("arm", tumble.translation(1.5, 0, 0.25))
for collision in scene.collisions():
    print(f"{collision.a} and {collision.b} touch with {len(collision.pairs)} pairs of triangles")

for angle in (0.0, 0.4, 0.8):
    pose = tumble.translation(1.5, 0, 1.0) @ tumble.rotation("y", angle)
    hit = [name for _, name in scene.collisions_with("arm", pose, first=True).names]
    print(f"turned by {angle}, the arm would touch:", hit or "nothing")

scene.move_many({f"crate {k}": tumble.translation(3 * k, 5, 0) for k in range(3)})
print("with the crates out of the way:", scene.collides())
