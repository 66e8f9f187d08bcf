"""Trees over elements: what kernels are compiled for does not depend on how the elements are laid out in memory."""

import numpy as np

from tumble import shapes
from tumble.hierarchy.implicit.elements import element_trees, vertex_boxes


def test_corners_stand_row_by_row():
    """Or kernels that have been compiled for faces would be compiled once more for lists made of columns."""
    box = shapes.box()
    points = vertex_boxes(box.vertices, box.vertices, 0.0)
    columns = np.asfortranarray(box.faces)
    trees = element_trees(points, [columns, columns], 1)
    assert trees.posed.bodies.faces.flags.c_contiguous
    np.testing.assert_array_equal(trees.posed.bodies.faces, np.concatenate([box.faces, box.faces]))
