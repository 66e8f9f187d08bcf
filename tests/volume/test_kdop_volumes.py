"""k-DOPs hold what they are fitted to, exactly; moved ones hold the turned ones; tests lose no contact."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from kdop_exact import KS, corners, integer_dop, places_along
from posed_contacts import ROTATIONS, SCALES, Posed, brought_home, contacts, on_a_coarse_grid, random_pose
from volume_calls import call_measure, call_merge, empty, fit_one, fitted, relative

from covering import crossed, sized
from matrix import k_cases
from oracle import pose_points, triangles_touch
from pairs import touching_float_pairs
from tumble.core.jit import kernel
from tumble.volume.kdop.directions import DIRECTIONS
from tumble.volume.kdop.realign import realignment
from tumble.volume.kinds import KINDS
from tumble.volume.protocol import into_frame_of_a, overlap, overlap_in_frame_of_a
from tumble.volume.relative import MARGIN, relative_pose

coordinates = st.floats(-1e100, 1e100, allow_subnormal=True) | st.sampled_from(
    [0.0, -0.0, 5e-324, -5e-324, 1e-310, 2.0**-1022, 2.0**-1021, 2.0**-970, 0.1, 1.0, 1e100, -1e100]
)


@kernel
def call_both(volumes, others, prepared, moved, answers):
    for i in range(answers.shape[0]):
        answers[i, 0] = overlap(volumes, i, others, i, prepared[i])
        into_frame_of_a(others, i, prepared[i], moved, i)
        answers[i, 1] = overlap_in_frame_of_a(volumes, i, moved, i, prepared[i])


def meet(k: int, rows_a: np.ndarray, rows_b: np.ndarray, relatives: list[np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    """Whether rows overlap, pair by pair, and the moved rows of b; `overlap` and `overlap_in_frame_of_a` must agree."""
    kind = KINDS[f"kdop{k}"]
    assert kind.prepare_pose is not None
    count = len(rows_a)
    moved, answers = np.full((count, kind.in_frame_of_a.width), np.nan), np.zeros((count, 2), np.bool_)
    prepared = np.array([kind.prepare_pose(each) for each in relatives])
    call_both(
        kind.record(np.ascontiguousarray(rows_a)), kind.record(np.ascontiguousarray(rows_b)), prepared, moved, answers
    )
    assert (answers[:, 0] == answers[:, 1]).all()
    return answers[:, 0], moved


def exact_places(k: int, points: np.ndarray) -> list[list[Fraction]]:
    exact = [[Fraction(float(x)) for x in point] for point in points]
    return [
        [sum(d * x for d, x in zip(row, p, strict=True)) for p in exact] for row in DIRECTIONS[k].astype(int).tolist()
    ]


def holds(k: int, row: np.ndarray, points: np.ndarray) -> bool:
    half = k // 2
    return all(
        Fraction(float(row[i])) <= min(places) and max(places) <= Fraction(float(row[half + i]))
        for i, places in enumerate(exact_places(k, points))
    )


# --- fit, merge, measure


@pytest.mark.parametrize("k", k_cases(KS))
@given(numbers=st.lists(st.tuples(*[coordinates] * 9), min_size=1, max_size=3))
def test_fit_holds_any_triangles(k: int, numbers: list) -> None:
    points = np.array(numbers).reshape(-1, 3)
    record = empty(f"kdop{k}", 3)
    fit_one(record, 1, points.reshape(-1, 3, 3), np.arange(len(numbers), dtype=np.int32), 0, len(numbers))
    assert np.isnan(record[0][[0, 2]]).all()
    assert holds(k, record[0][1], points)


@pytest.mark.parametrize("k", k_cases(KS))
@pytest.mark.parametrize("size", [5e-324, 1e-320, 2.0**-1022, 2.0**-1021, 1e-300, 1.0, 1e100])
@sized(12, 30)
def test_fit_holds_triangles_of_a_size_and_hardly_more(k: int, size: float, count: int) -> None:
    triangles = np.random.default_rng(3).uniform(-1, 1, (count, 3, 3)) * size
    half = k // 2
    for row, triangle in zip(fitted(f"kdop{k}", triangles)[0], triangles, strict=True):
        assert holds(k, row, triangle)
        assert row[:3].tolist() == triangle.min(axis=0).tolist()
        assert row[half : half + 3].tolist() == triangle.max(axis=0).tolist()
        slack = Fraction(float(np.abs(triangle).max())) * 3 * Fraction(2) ** -50 + Fraction(5e-324)
        for i, places in enumerate(exact_places(k, triangle)):
            assert Fraction(float(row[i])) >= min(places) - slack
            assert Fraction(float(row[half + i])) <= max(places) + slack


@pytest.mark.parametrize("k", k_cases(KS))
def test_a_side_is_rounded_outward_where_sums_are_not_exact(k: int) -> None:
    """Far from the origin nearly every sum is rounded, half of them inward."""
    triangles = np.random.default_rng(4).uniform(1, 2, (300, 3, 3)) * [1.0, 1e3, 1e-3]
    for row, triangle in zip(fitted(f"kdop{k}", triangles)[0], triangles, strict=True):
        assert holds(k, row, triangle)


@pytest.mark.parametrize("k", k_cases(KS))
def test_merge_is_exactly_the_least(k: int) -> None:
    rng = np.random.default_rng(5)
    first, second = fitted(f"kdop{k}", rng.normal(size=(2, 3, 3)))[0]
    half = k // 2
    expected = [*np.minimum(first, second)[:half], *np.maximum(first, second)[half:]]
    for node in range(3):
        record = empty(f"kdop{k}", 3)
        record[0][:2] = first, second
        call_merge(record, node, 0, 1)
        assert record[0][node].tolist() == expected


@pytest.mark.parametrize("k", k_cases(KS))
def test_measure_is_the_volume_of_the_box(k: int) -> None:
    corners_of_box = np.array([[[-1.0, 0, 2], [1, 3, 6], [0, 0, 3]]])
    assert call_measure(fitted(f"kdop{k}", corners_of_box), 0) == 24.0
    far = np.array([[[-1e100] * 3, [1e100] * 3, [0.0] * 3], [[-1e99] * 3, [1e99] * 3, [0.0] * 3]])
    record = fitted(f"kdop{k}", far)
    assert np.inf > call_measure(record, 0) > call_measure(record, 1) > 0


# --- moved DOPs, exactly


@crossed(1, k=k_cases(KS), rotation=ROTATIONS, shift=[0.0, 1.0, 1e6])
def test_the_moved_dop_holds_the_turned_one_and_the_margin(k: int, rotation: str, shift: float) -> None:
    """In exact arithmetic: all its corners, and the margin as many times as a direction sums coordinates."""
    rng = np.random.default_rng(6)
    half = k // 2
    dop, pose = integer_dop(k, rng), random_pose(rng, rotation, shift)
    extent = float(np.abs(dop).max())
    flat = relative_pose(None, pose, extent, extent)
    _, (row,) = meet(k, dop[None].astype(float), dop[None].astype(float), [flat])
    margin = Fraction(float(flat[MARGIN]))
    every = places_along(k, corners(k, dop), flat[:9].reshape(3, 3), flat[9:12])
    for i, places in enumerate(every):
        wide = margin * int(np.abs(DIRECTIONS[k][i]).sum())
        assert Fraction(float(row[i])) <= min(places) - wide
        assert Fraction(float(row[half + i])) >= max(places) + wide


@pytest.mark.parametrize("k", k_cases(KS))
def test_the_moved_dop_is_hardly_larger_than_realignment_says(k: int) -> None:
    rng = np.random.default_rng(7)
    half = k // 2
    for _ in range(30):
        dop, pose = integer_dop(k, rng).astype(float), random_pose(rng, "turned", 1000.0)
        flat = relative_pose(None, pose, 3000.0, 3000.0)
        _, (row,) = meet(k, dop[None], dop[None], [flat])
        turn = realignment(k, pose[:, :3])
        plain = (turn.coefficients * dop[turn.places]).sum(axis=1) + np.tile(DIRECTIONS[k] @ pose[:, 3], 2)
        wide = np.concatenate([plain[:half] - row[:half], row[half:] - plain[half:]])
        assert (wide > 0).all()
        assert (wide < 8 * flat[MARGIN]).all()


@pytest.mark.parametrize("k", k_cases(KS))
def test_without_poses_rows_stay_and_touching_is_exact(k: int) -> None:
    triangles = np.random.default_rng(8).normal(size=(20, 3, 3))
    rows = fitted(f"kdop{k}", triangles)[0]
    flats = [relative(triangle, triangle) for triangle in triangles]
    found, moved = meet(k, rows, rows, flats)
    assert found.all()
    assert moved.tolist() == rows.tolist()


def slabs(k: int, s: int, low: float, high: float) -> np.ndarray:
    """A row that leaves everything free but one slab."""
    row = np.concatenate([np.full(k // 2, -1e3), np.full(k // 2, 1e3)])
    row[s], row[k // 2 + s] = low, high
    return row


@pytest.mark.parametrize("k", k_cases(KS))
def test_each_direction_separates_alone_without_poses(k: int) -> None:
    for s in range(k // 2):
        first = slabs(k, s, -1.0, 1.0)
        beyond = np.nextafter(1.0, 2)
        seconds = np.array([slabs(k, s, *ends) for ends in ((1, 2), (beyond, 2), (-2, -1), (-2, -beyond))])
        flats = [relative_pose(None, None, 1e3, 1e3)] * 4
        found, _ = meet(k, np.tile(first, (4, 1)), seconds, flats)
        assert found.tolist() == [True, False, True, False]


@pytest.mark.parametrize("k", k_cases(KS))
def test_each_direction_separates_alone_under_poses(k: int) -> None:
    """The moved DOP's own sides say where a slab of a must end to be met or missed."""
    rng = np.random.default_rng(9)
    for s in range(k // 2):
        for rotation in ("turned", "straight", "hardly_turned"):
            dop = integer_dop(k, rng, 5).astype(float)
            flat = relative_pose(None, random_pose(rng, rotation, 10.0), 1e3, 1e3)
            _, (row,) = meet(k, dop[None], dop[None], [flat])
            low, high = row[s], row[k // 2 + s]
            ends = [
                (low - 1, low, True),
                (low - 1, np.nextafter(low, -np.inf), False),
                (high, high + 1, True),
                (np.nextafter(high, np.inf), high + 1, False),
            ]
            rows = np.array([slabs(k, s, a, b) for a, b, _ in ends])
            found, _ = meet(k, rows, np.tile(dop, (4, 1)), [flat] * 4)
            assert found.tolist() == [expected for *_, expected in ends]


@pytest.mark.parametrize("posed", [False, True])
@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("k", k_cases(KS))
def test_what_is_no_number_counts_as_overlapping(k: int, value: float, posed: bool) -> None:
    rng = np.random.default_rng(10)
    flat = relative_pose(None, random_pose(rng, "turned", 1.0) if posed else None, 1.0, 1.0)
    row = np.concatenate([np.full(k // 2, -1.0), np.full(k // 2, 1.0)])
    bad = np.full(k, value) if np.isnan(value) else np.concatenate([np.full(k // 2, -np.inf), np.full(k // 2, np.inf)])
    found, _ = meet(k, np.array([row, bad, bad]), np.array([bad, row, bad]), [flat] * 3)
    assert found.all()


# --- contacts


def at_a_side(k: int, rng: np.random.Generator, rotation: str, scale: str) -> Posed:
    """Two triangles with a common corner, on two sides of a plane across a direction of a, where b's DOP is sharp.

    b's other corners lie behind the common one along all three directions that the realigned bound is made of: then
    its moved DOP just reaches the plane, and only the margin keeps the pair.
    """
    size, offset, shift = SCALES[scale]
    pose = random_pose(rng, rotation, abs(shift))
    half = k // 2
    direction = int(rng.integers(half))
    across = DIRECTIONS[k][direction]
    corner = offset * rng.uniform(-1, 1, 3)
    inward = rng.uniform(-1, 1, (2, 3)) * size
    inward -= np.outer(np.maximum(inward @ across, 0), across) / (across @ across) * 1.000001
    a = np.stack([corner, corner + inward[0], corner + inward[1]])
    p = pose_points(a[:1], pose)[0]
    # b has no pose: seen from a, its frame is turned by the pose's transpose
    turn = realignment(k, pose[:, :3].T)
    members = DIRECTIONS[k][turn.places[direction] % half] * np.sign(turn.coefficients[direction])[:, None]
    members = members[np.abs(turn.coefficients[direction]) > 1e-12]
    ways: list[np.ndarray] = []
    while len(ways) < 2:
        way = rng.normal(size=3)
        if (members @ way > 0.05).all():
            ways.append(way / np.linalg.norm(way))
    return Posed(a, np.stack([p, p + ways[0] * size, p + ways[1] * size]), pose, None)


def lost(k: int, pairs: list[Posed]) -> list[Posed]:
    rows_a, rows_b = (fitted(f"kdop{k}", np.array([pair[side] for pair in pairs]))[0] for side in (0, 1))
    found, _ = meet(k, rows_a, rows_b, [relative(*pair) for pair in pairs])
    return [pair for pair, hit in zip(pairs, found, strict=True) if not hit]


@sized(2, 12)
@crossed(1, k=k_cases(KS), rotation=ROTATIONS)
def test_a_common_corner_at_a_side_is_never_lost(k: int, rotation: str, count: int) -> None:
    for scale in SCALES:
        rng = np.random.default_rng([11, *rotation.encode(), *scale.encode()])
        pairs = [at_a_side(k, rng, rotation, scale) for _ in range(count)]
        assert triangles_touch(*pairs[0].in_the_world())
        assert lost(k, pairs) == []
        assert lost(k, [pair.swapped() for pair in pairs]) == []


@pytest.mark.parametrize("k", k_cases(KS))
def test_common_vertices_made_for_boxes_and_balls_are_not_lost(k: int) -> None:
    for rotation in ROTATIONS:
        for scale in SCALES:
            pairs = list(contacts(12, rotation, scale, 4))
            assert lost(k, pairs) == []
            assert lost(k, [pair.swapped() for pair in pairs]) == []


@sized(200, 400)
@pytest.mark.parametrize("k", k_cases(KS))
def test_accidents_of_all_kinds_are_not_lost(k: int, count: int) -> None:
    world = touching_float_pairs(count, 13)
    small = np.abs(np.concatenate([world.a, world.b], axis=1)).max(axis=(1, 2)) < 1e96
    homed = brought_home(14, world.a[small], world.b[small])
    plain = (Posed(a, b, None, None) for a, b in zip(world.a, world.b, strict=True))
    pairs = [
        pair
        for pair in (*on_a_coarse_grid(15, 3 * count // 8), *homed, *plain)
        if triangles_touch(*pair.in_the_world())
    ]
    assert len(pairs) > count / 2
    assert lost(k, pairs) == []
