"""Where nodes lie: the paper's arrays, Equation 1, and the search for a node's level."""

import numpy as np
import pytest

from tumble.core.jit import kernel
from tumble.errors import OptionError
from tumble.hierarchy.implicit import layout_of
from tumble.hierarchy.implicit.layout import row_of, short_last_steps, steps_down

COUNTS = [[1], [2], [3], [5, 1, 8], [0, 4, 0, 0, 7], [33, 64, 65], [0], []]


@kernel
def rows_of(starts, rows):
    for node in range(rows.shape[0]):
        rows[node] = row_of(starts, node)


def levels(count, padded):
    """Return the size of each level and how much of it is active, from the definition."""
    depth = 0
    while 2**depth < count:
        depth += 1
    active = [len({leaf >> (depth - level) for leaf in range(count)}) for level in range(depth + 1)]
    return ([2**level if count else 0 for level in range(depth + 1)] if padded else active), active


@pytest.mark.parametrize("padded", [True, False])
@pytest.mark.parametrize("counts", COUNTS, ids=str)
def test_rows_follow_each_other(counts, padded):
    layout = layout_of(np.array(counts, np.int64), padded)
    row = node = 0
    for tree, count in enumerate(counts):
        sizes, active = levels(count, padded)
        assert layout.offset[tree] == node
        assert layout.depth[tree] == len(sizes) - 1
        assert layout.first_row[tree] == row
        assert layout.first_leaf[tree] == sum(counts[:tree])
        for level, size in enumerate(sizes):
            assert layout.starts[row] == node
            assert layout.active[row] == active[level]
            assert layout.left[row] == len(sizes) - 1 - level
            assert layout.tree[row] == tree
            row, node = row + 1, node + size
    assert len(layout.starts) == row
    assert layout.nodes == layout.offset[-1] == node


@pytest.mark.parametrize("padded", [True, False])
@pytest.mark.parametrize("counts", COUNTS[:-2], ids=str)
def test_search_finds_the_row_of_every_node(counts, padded):
    layout = layout_of(np.array(counts, np.int64), padded)
    rows = np.empty(layout.nodes, np.int64)
    rows_of(layout.starts, rows)
    np.testing.assert_array_equal(rows, np.searchsorted(layout.starts, np.arange(layout.nodes), side="right") - 1)


def test_padded_places_are_those_of_equation_1():
    """The δ-level descendants of node n of a heap are 2**δ n + 2**δ - 1 + j."""
    layout = layout_of(np.array([9, 37]), True)
    for tree in (0, 1):
        depth, offset = layout.depth[tree], layout.offset[tree]
        for n in range(2 ** (depth + 1) - 1):
            level = (n + 1).bit_length() - 1
            row = layout.first_row[tree] + level
            place = offset + n - layout.starts[row]
            for step in range(layout.left[row] + 1):
                for j in range(2**step):
                    found = layout.starts[row + step] + (place << step) + j
                    assert found == offset + 2**step * n + 2**step - 1 + j


def test_compressed_takes_less_room():
    padded, compressed = (layout_of(np.array([2**16 + 1]), form) for form in (True, False))
    assert padded.nodes == 2**18 - 1
    assert compressed.nodes == 2**17 + 17


@pytest.mark.parametrize("triangles", [1, 2, 3, 5, 8, 9, 480, 16_002, 92_230])
def test_compressed_trees_are_ostensibly_implicit(triangles):
    """Chitalu, Dubach and Komura 2020: a complete tree without its virtual nodes, whose places have a closed form.

    Of V virtual nodes at a level, V >> k are k levels higher; all of them together are 2 V - popcount(V).
    """
    layout = layout_of(np.array([triangles]), False)
    depth = int(layout.depth[0])
    missing = (1 << depth) - triangles
    for level in range(depth + 1):
        above = missing >> (depth - level + 1)
        assert layout.starts[level] == (1 << level) - 1 - (2 * above - above.bit_count())
        assert layout.active[level] == (1 << level) - (missing >> (depth - level))
    assert layout.nodes == 2 ** (depth + 1) - 1 - (2 * missing - missing.bit_count())


def test_short_last_steps_are_those_of_equation_2():
    layout = layout_of(np.array([1, 5, 92_230]))
    for most in (1, 3, 4):
        np.testing.assert_array_equal(short_last_steps(layout, most), [min(most, left) for left in layout.left])


def test_too_many_nodes_are_refused():
    with pytest.raises(OptionError, match="1073741825 triangles take"):
        layout_of(np.array([2**30 + 1]))


@pytest.mark.parametrize("most", [1, 2, 3, 5])
def test_steps_down_are_whole_but_for_the_first(most):
    layout = layout_of(np.array([1, 2, 5, 0, 480, 92230]))
    down = steps_down(layout, most)
    assert ((down == 0) == (layout.left == 0)).all()
    assert (down <= most).all()
    row = int(layout.first_row[-1])
    steps = []
    while layout.left[row]:
        steps.append(int(down[row]))
        row += steps[-1]
    assert steps[1:] == [most] * (len(steps) - 1)
    assert sum(steps) == layout.depth[-1] == 17
    assert row == len(layout.left) - 1


@pytest.mark.parametrize(
    "wrong", [[-5], [3, -1], [1.5], ["a"], None, [2**70], np.array([2**64 - 1], np.uint64), [[1], [1, 2]]]
)
def test_counts_that_make_no_sense(wrong):
    with pytest.raises(OptionError, match="whole numbers of triangles"):
        layout_of(wrong)


def test_no_tree_at_all():
    assert layout_of([]).nodes == layout_of([0]).nodes == 0
