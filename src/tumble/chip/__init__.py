"""The CollisionChip of paper `chip`: a cycle-level model that runs real queries.

    run = tumble.chip.run(a, b, pose_b=pose)       pairs, cycles, bytes, and what each unit did
    image = tumble.chip.load(mesh)                 what the chip's memory holds of a mesh; run() takes it too

docs/chip-model.md draws the units and their timing and says where the model leaves the paper.
"""

from tumble.chip.design import Design
from tumble.chip.memory import Memory, load
from tumble.chip.result import ChipRun
from tumble.chip.run import run

__all__ = ["ChipRun", "Design", "Memory", "load", "run"]
