"""The validator refuses volumes that lose a vertex, that are no volumes, and orders that lose a triangle."""

import contextlib
from fractions import Fraction

import numpy as np
import pytest
from tree_cases import AWKWARD, VOLUMES, random_soup, soup

import tumble
from tumble import Mesh, Tree, TreeError

# boxes of both kinds are compared alike, and each kind is a kernel to compile
ASKED = [pytest.param(each, marks=[pytest.mark.slow] * (each == "obb-covariance")) for each in VOLUMES]


def with_rows(tree: Tree, rows: np.ndarray) -> Tree:
    return Tree._of_sound(tree.mesh, tree.volume, tree.nodes, rows, tree.order)


def changed(tree: Tree, node: int, column: int, value: float) -> Tree:
    rows = tree.rows.copy()
    rows[node, column] = value
    return with_rows(tree, rows)


@pytest.mark.parametrize("case", ["soup of 97", "huge soup", "mixed sizes", "denormal", "segments"])
@pytest.mark.parametrize("every", [11, pytest.param(1, marks=pytest.mark.slow)])
def test_a_box_one_ulp_too_small_is_refused(case: str, every: int) -> None:
    tree = tumble.build(AWKWARD[case](), leaf_size=2)
    for node in range(0, len(tree), every):
        for column in range(6):
            value = np.nextafter(tree.rows[node, column], np.inf if column < 3 else -np.inf)
            with pytest.raises(TreeError, match=f"node {node} does not contain its triangle"):
                changed(tree, node, column, value).validate()


@pytest.mark.parametrize("scale", [1e-320, 1e-200, 1e-125, 1.0, 1e99])
def test_a_ball_that_is_too_small_is_refused(scale: float) -> None:
    """The built radius is rounded up; one that is short by a few ulps, in exact arithmetic, must not pass."""
    tree = tumble.build(random_soup(12, 3, scale), "sphere")
    corners = tree.mesh.triangles[tree.order]
    for node in range(len(tree)):
        start, count = tree.nodes[node, 6:8]
        far = max(
            sum((Fraction(float(x)) - Fraction(float(c))) ** 2 for x, c in zip(p, tree.rows[node, :3], strict=True))
            for p in corners[start : start + count].reshape(-1, 3)
        )
        low, high = 0.0, float(tree.rows[node, 3])
        while np.nextafter(low, high) < high:  # the least float64 radius that holds the corners
            middle = low + (high - low) / 2
            low, high = (low, middle) if Fraction(middle) ** 2 >= far else (middle, high)
        short = min(high * (1 - 2.0**-50), high - 2 * 5e-324)
        with pytest.raises(TreeError, match=f"node {node} does not contain its triangle"):
            changed(tree, node, 3, max(short, 0.0)).validate()


@pytest.mark.parametrize("factor", [-1.0, 0.0, 1e-320, 1e-200, 0.5])
def test_a_ball_needs_a_positive_radius(factor: float, recwarn: pytest.WarningsRecorder) -> None:
    """A negative radius has a good square, and would let every overlap test fail."""
    tree = tumble.build(random_soup(6), "sphere")
    for node in range(len(tree)):
        with pytest.raises(TreeError, match=f"node {node} "):
            changed(tree, node, 3, factor * tree.rows[node, 3]).validate()
    assert not recwarn.list


def test_a_ball_of_radius_zero_over_one_point_is_no_warning(recwarn: pytest.WarningsRecorder) -> None:
    """Whether it is accepted or not: it holds its point."""
    tree = tumble.build(Mesh([[1, 2, 3]], [[0, 0, 0]]), "sphere")
    with contextlib.suppress(TreeError):
        changed(tree, 0, 3, 0.0).validate()
    assert not recwarn.list


def test_a_ball_elsewhere_is_refused() -> None:
    tree = tumble.build(random_soup(6), "sphere")
    for node in range(len(tree)):
        for axis in range(3):
            with pytest.raises(TreeError, match=f"node {node} "):
                changed(tree, node, axis, tree.rows[node, axis] + 2.1 * tree.rows[node, 3]).validate()


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("volume", VOLUMES)
def test_volumes_must_be_finite(volume: str, value: float) -> None:
    tree = tumble.build(random_soup(6), volume)
    for node in range(len(tree)):
        for column in range(tree.rows.shape[1]):
            with pytest.raises(TreeError, match=f"node {node} "):
                changed(tree, node, column, value).validate()


def inflated(tree: Tree, size: float) -> np.ndarray:
    """Volumes that hold everything, and are out of all proportion to the mesh."""
    rows = tree.rows.copy()
    if tree.volume == "aabb":
        rows[:, :3], rows[:, 3:] = -size, size
    else:
        rows[:, 3] = size
    return rows


@pytest.mark.parametrize("pose", [tumble.rotation("z", 0.5), tumble.rotation([1, 2, 3], 0.5), None])
@pytest.mark.parametrize("size", [1e4, 1e30, 1e150, 1e308])
@pytest.mark.parametrize("volume", ASKED)
def test_outsized_volumes_are_refused_or_lose_nothing(volume: str, size: float, pose: np.ndarray | None) -> None:
    """Margins follow the size of the mesh, so volumes far beyond it can round away a contact, or overflow."""
    good = tumble.build(random_soup(30, 5), volume)
    expected = tumble.collide(good, good, None, pose, stats=True).pairs
    tree = with_rows(good, inflated(good, size))
    try:
        tree.validate()
    except TreeError:
        return
    assert np.array_equal(tumble.collide(tree, tree, None, pose, stats=True).pairs, expected)


def test_lopsided_boxes_are_refused_or_lose_nothing() -> None:
    """Each box reaches far out on the side away from the contact: its middle and half sizes round coarsely."""
    rng = np.random.default_rng(6)
    lost = 0
    for _ in range(60):
        corners = rng.uniform(-1, 0, (3, 3))
        a, b = (tumble.build(soup(corners[[0, 1, k]])) for k in (2, 0))
        size, pose = 10.0 ** rng.uniform(17, 99), tumble.rotation(rng.normal(size=3), rng.uniform(0.1, 3))
        up, down = a.rows.copy(), b.rows.copy()
        up[:, 3:], down[:, :3] = size * rng.uniform(0.5, 1, 3), -size * rng.uniform(0.5, 1, 3)
        a, b = with_rows(a, up), with_rows(b, down)
        try:
            a.validate()
            b.validate()
        except TreeError:
            continue
        lost += len(tumble.collide(a, b, pose, pose)) == 0
    assert lost == 0


@pytest.mark.parametrize("volume", VOLUMES)
def test_orders_that_are_no_permutation_are_refused(volume: str) -> None:
    tree = tumble.build(random_soup(6), volume)
    for order in ([0, 1, 2, 3, 4, 4], [0, 1, 2, 3, 4, 6], [0, 1, 2, 3, 4], [-1, 0, 1, 2, 3, 4], [0, 1, 2, 3, 4, 5, 6]):
        with pytest.raises(TreeError, match="order"):
            Tree(tree.mesh, volume, tree.nodes, tree.rows, np.array(order, np.int32)).validate()


@pytest.mark.parametrize("volume", VOLUMES)
def test_swapped_triangles_are_refused(volume: str) -> None:
    tree = tumble.build(random_soup(6, 7), volume)
    for i in range(6):
        for j in range(i):
            order = tree.order.copy()
            order[[i, j]] = order[[j, i]]
            with pytest.raises(TreeError, match="does not contain its triangle"):
                Tree(tree.mesh, volume, tree.nodes, tree.rows, order).validate()


def test_shapes_must_fit() -> None:
    tree = tumble.build(random_soup(6))
    for rows in (tree.rows[:-1], tree.rows[:, :4], np.repeat(tree.rows, 2, axis=0), tree.rows.ravel()):
        with pytest.raises(TreeError, match="do not fit"):
            with_rows(tree, rows).validate()


def test_nodes_and_triangles_are_both_there_or_both_missing() -> None:
    tree, empty = tumble.build(random_soup(6)), tumble.build(Mesh([], []))
    with pytest.raises(TreeError, match="0 nodes over 6 triangles"):
        Tree(tree.mesh, "aabb", empty.nodes, empty.rows, tree.order).validate()
    with pytest.raises(TreeError, match="11 nodes over 0 triangles"):
        Tree(empty.mesh, "aabb", tree.nodes, tree.rows, empty.order).validate()
    with pytest.raises(TreeError, match="order"):
        Tree(empty.mesh, "aabb", empty.nodes, empty.rows, tree.order).validate()
