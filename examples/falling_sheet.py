"""A sheet falls over a ball and touches it and itself, frame by frame. Run: python examples/falling_sheet.py"""

import os

import tumble
from tumble.scenario.sheet import FRAMES, SheetOverBall

SMALL = os.environ.get("TUMBLE_EXAMPLE_SIZE") == "small"
sheet = SheetOverBall(20 if SMALL else 100)  # 800 or 20 000 triangles
cloth = tumble.Deformable(sheet.mesh(0))

print("frame  tree      with the ball  with itself     update    queries")
for frame in range(0, FRAMES, 25 if SMALL else 1):
    cloth.update(sheet.vertices(frame))
    ball, itself = cloth.collide(sheet.ball), cloth.self_collide()
    if frame % 25 == 0:
        spent = cloth.timings
        tree = "rebuilt " if spent.rebuilt else "refitted"
        asked = 1000 * (spent.collide + spent.self_collide)
        print(f"{frame:5}  {tree} {len(ball):14} {len(itself):12} {1000 * spent.update:7.1f} ms {asked:7.1f} ms")
