"""Random meshes and hand-made trees of any shape, for tests that compare traversals."""

import numpy as np
from hypothesis import strategies as st

import tumble

POSES = (
    None,
    tumble.translation(1.0, 0.0, 0.5),
    tumble.translation(0.25, -0.5, 1.0) @ tumble.rotation("z", np.pi / 2),
    tumble.translation(0.1, 0.2, 0.3) @ tumble.rotation((1.0, 2.0, 3.0), 0.7),
    tumble.translation(1e9, -1e9, 1e9) @ tumble.rotation((3.0, -1.0, 2.0), 2.4),
)


def random_mesh(rng, triangles, size=4):
    """Return triangles on a small integer grid, so that most of them touch something, often degenerately."""
    corners = rng.integers(0, size + 1, (triangles, 3, 3)) + rng.integers(0, size, (triangles, 1, 3))
    return tumble.Mesh(corners.reshape(-1, 3), np.arange(3 * triangles).reshape(-1, 3))


def soup(seed, triangles, scale=0.1):
    """Return triangles of random shape, scattered in the unit cube."""
    rng = np.random.default_rng(seed)
    corners = rng.uniform(size=(triangles, 1, 3)) + rng.normal(size=(triangles, 3, 3)) * scale
    return tumble.Mesh(corners.reshape(-1, 3), np.arange(3 * triangles).reshape(-1, 3))


def random_parents(rng, nodes, chain=0.3):
    """Return the parents of a random tree: any number of children, only children, chains."""
    parents = [-1]
    for node in range(1, nodes):
        parents.append(node - 1 if rng.random() < chain else int(rng.integers(0, node)))
    return parents


def random_tree(seed, nodes, volume="aabb", size=4, chain=0.3):
    """Return a random hand-made tree over a random mesh, one to three triangles in a leaf."""
    rng = np.random.default_rng(seed)
    parents = random_parents(rng, nodes, chain)
    leaves = sorted(set(range(nodes)) - set(parents))
    leaf_of = np.repeat(leaves, rng.integers(1, 4, len(leaves)))
    rng.shuffle(leaf_of)
    return tumble.Tree.from_parents(random_mesh(rng, len(leaf_of), size), parents, leaf_of, volume)


@st.composite
def trees(draw, volume="aabb", max_nodes=40):
    """Draw a random hand-made tree."""
    seed = draw(st.integers(0, 2**32 - 1))
    nodes = draw(st.integers(1, max_nodes))
    size = draw(st.sampled_from([1, 2, 4, 16]))
    chain = draw(st.sampled_from([0.0, 0.3, 0.9]))
    return random_tree(seed, nodes, volume, size, chain)
