"""How solids lie to each other: inside, touching, crossing, and what surfaces alone cannot tell.

The second table has parts of the sample assembly that touch, and what their relation costs.

python examples/relation.py
"""

import time

import numpy as np

import tumble
from tumble import shapes, translation
from tumble.scenario.assembly import assembly

IN_CONTACT = (("top-plate", "bolt-1"), ("base-plate", "input-lower-bearing-outer"), ("bolt-1", "nut-1"))
ROUNDS = 5


def hollow(outer: float, inner: float) -> tumble.Mesh:
    """Return a cube with a cubic cavity: one mesh of two shells, the inner one facing inward."""
    shell, cavity = shapes.box(outer), shapes.box(inner)
    faces = np.concatenate([shell.faces, cavity.faces[:, ::-1] + len(shell.vertices)])
    return tumble.Mesh(np.concatenate([shell.vertices, cavity.vertices]), faces)


def main() -> None:
    """Print the relations of some pairs."""
    block, pin, case = shapes.box(2.0), shapes.box(1.0), hollow(4.0, 2.0)
    ball, ring = shapes.icosphere(2, 0.2), shapes.torus()
    questions = [
        ("a pin in a block", pin, block, None),
        ("a pin flush with a side of the block", pin, block, translation(0.5, 0.0, 0.0)),
        ("a pin beside the block", pin, block, translation(1.5, 0.0, 0.0)),
        ("a pin that sticks out", pin, block, translation(1.0, 0.0, 0.0)),
        ("a pin in the cavity of a case", pin, case, None),
        ("a block that fills the cavity", block, case, None),
        ("a ball in the tube of a torus", ball, ring, translation(1.0, 0.0, 0.0)),
        ("a ball in the hole of a torus", ball, ring, None),
        ("a block and its subdivision", block, tumble.subdivide(block), None),
    ]
    print(f"{'':40}{'surfaces touch':16}relation")
    for name, a, b, pose in questions:
        touch = "yes" if tumble.collides(a, b, pose) else "no"
        print(f"{name:40}{touch:16}{tumble.relation(a, b, pose).relation}")
    parts = {part.name: part.mesh for part in assembly()}
    print(f"\n{'':46}{'pairs of triangles':20}{'ms':6}relation")
    for one, other in IN_CONTACT:
        a, b = parts[one], parts[other]
        times = []
        for _ in range(ROUNDS):
            start = time.perf_counter()
            relation = tumble.relation(a, b).relation
            times.append(time.perf_counter() - start)
        pairs = len(tumble.collide(a, b))
        print(f"{f'{one} and {other}':46}{pairs:<20}{1e3 * min(times):<6.1f}{relation}")


if __name__ == "__main__":
    main()
