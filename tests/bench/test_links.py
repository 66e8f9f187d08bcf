"""Walks that have only the links of their own nodes: what the paper says of the size of nodes."""

import numpy as np
import pytest

import tumble
from tumble.bench.papers.binary_stack.links import (
    binary_walk,
    boxes_overlap,
    for_binary_stack,
    for_ordinary_stack,
    ordinary_walk,
)
from tumble.mesh import shapes


def walks(tree, binary, ordinary):
    overlap = boxes_overlap(tree, 0.3)
    return binary_walk(binary, binary, overlap), ordinary_walk(ordinary, ordinary, overlap)


@pytest.mark.parametrize("children", [2, 3, 8])
def test_both_visit_the_same_pairs(children):
    tree = tumble.build(shapes.icosphere(1), "aabb", leaf_size=1, arity=children)
    binary, ordinary = for_binary_stack(tree), for_ordinary_stack(tree)
    assert (binary.bytes_per_node, ordinary.bytes_per_node) == (12, 8)
    ours, theirs = walks(tree, binary, ordinary)
    assert ours == theirs
    assert len(set(ours)) == len(ours) > 1000


def test_a_link_that_is_wrong_is_seen():
    tree = tumble.build(shapes.icosphere(1), "aabb", leaf_size=1)
    binary, ordinary = for_binary_stack(tree), for_ordinary_stack(tree)
    left = binary.rows[0, 0]
    for column in range(3):  # left-most child, escape index, ancestor counter
        rows = binary.rows.copy()
        rows[left, column] += 1
        ours, theirs = walks(tree, binary._replace(rows=rows), ordinary)
        assert ours != theirs
    rows = ordinary.rows.copy()
    rows[0, 1] = 1
    ours, theirs = walks(tree, binary, ordinary._replace(rows=rows))
    assert ours != theirs


def test_boxes_are_those_of_the_triangles():
    tree = tumble.build(shapes.box(), "aabb", leaf_size=1)
    assert boxes_overlap(tree, 0.99)(0, 0)
    assert boxes_overlap(tree, 1.0)(0, 0)
    assert not boxes_overlap(tree, np.nextafter(1.0, 2.0))(0, 0)
