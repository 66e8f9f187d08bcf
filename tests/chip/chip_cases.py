"""Meshes and trees for tests of the chip."""

import importlib

import numpy as np
from chip_reference import Reference

import forest
import tumble
from tumble import chip
from tumble.chip.sweep import load_for

# the package's name `run` is the function
host = importlib.import_module("tumble.chip.run")

POSE = tumble.translation(0.4, 0.2, -0.1) @ tumble.rotation((1.0, 2.0, 3.0), 0.7)


def random_binary_tree(seed, triangles, volume="kdop24", only_children=0.2, balance=0.5):
    """Return a tree of any shape with one triangle a leaf and at most two children a node."""
    rng = np.random.default_rng(seed)
    parents, leaf_of = [-1], np.zeros(triangles, np.int64)
    waiting = [(0, list(rng.permutation(triangles)))]
    while waiting:
        node, owned = waiting.pop()
        if len(owned) > 1 or rng.random() < only_children:
            cut = len(owned) if rng.random() < only_children or len(owned) == 1 else _cut(rng, len(owned), balance)
            for part in (owned[:cut], owned[cut:]):
                if part:
                    waiting.append((len(parents), part))
                    parents.append(node)
        else:
            leaf_of[owned[0]] = node
    return tumble.Tree.from_parents(forest.random_mesh(rng, triangles, 3), parents, leaf_of, volume)


def _cut(rng, count, balance):
    return int(np.clip(rng.normal(balance * count, 0.1 * count), 1, count - 1))


def started(a, b, pose_a=None, pose_b=None, design=None):
    """Return a chip that has not run yet."""
    design = chip.Design() if design is None else design
    memories = tuple(side if isinstance(side, chip.Memory) else load_for(side, design) for side in (a, b))
    return host._chip(design, memories, tumble.mesh.as_pose(pose_a), tumble.mesh.as_pose(pose_b))


def run_to_the_end(machine):
    """Let cycles pass until the query is answered."""
    while not machine.done:
        machine.tick()


def assert_answers(a, b, pose_a=None, pose_b=None, design=None):
    """Run a query, compare pairs with `collide` and counts with the reference; return the run."""
    design = chip.Design() if design is None else design
    images = [load_for(side, design) for side in (a, b)]
    meshes = [image.mesh for image in images]
    result = chip.run(*images, pose_a, pose_b, design=design, most_cycles=5_000_000)
    np.testing.assert_array_equal(result.pairs, tumble.collide(*meshes, pose_a, pose_b).pairs)
    if len(meshes[0]) and len(meshes[1]):
        reference = Reference(*images, setup_of(images, pose_a, pose_b, design), design.tumbled)
        assert result.lists == reference.lists
        assert result.aligned_nodes == reference.aligned_nodes
        assert result.tumbled_nodes == reference.tumbled_nodes
        assert result.polygon_checks == reference.leaf_pairs.total() == len(reference.leaf_pairs)
        assert max(reference.moved.values()) == 1
        assert result.different_tumbled_nodes == result.tumbled_nodes
    return result


def setup_of(images, pose_a, pose_b, design):
    poses = tumble.mesh.as_pose(pose_a), tumble.mesh.as_pose(pose_b)
    extents = [image.mesh.extent for image in images]
    return host.set_up(design, host.relative_pose(*poses, *extents), extents[1], images[1].reach)
