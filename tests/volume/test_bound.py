"""The lower bound of a distance is never above the distance of what is inside, nor far below it for nothing."""

from __future__ import annotations

from decimal import Decimal

import numpy as np
import pytest
from posed_contacts import ROTATIONS, SCALES, Posed, contacts, random_pose
from volume_calls import VOLUMES, compared, relative

from covering import crossed, sized
from distance_oracle import distance
from matrix import QUICK_VOLUMES, volume_cases
from tumble.volume.relative import SCALE


def moved_away(pair: Posed, rng: np.random.Generator, size: float) -> Posed:
    """A touching pair, b taken away from a by any distance: along the line of their middles, or one of a's axes."""
    a, b = pair.in_the_world()
    ways = [b.mean(axis=0) - a.mean(axis=0), *pair.pose_a[:, :3].T]
    way = ways[rng.integers(4)]
    length = np.linalg.norm(way)
    way = way / length if length > 0 else np.array([1.0, 0.0, 0.0])
    if way @ (b.mean(axis=0) - a.mean(axis=0)) < 0:
        way = -way
    return pair._replace(b=b + way * min(size * 10.0 ** rng.uniform(-6, 6), 5e98))


def apart(rotation: str, scale: str, count: int, seed: int = 2) -> list[Posed]:
    rng = np.random.default_rng([seed, *rotation.encode(), *scale.encode()])
    size = max(map(abs, SCALES[scale]))
    pairs = [moved_away(pair, rng, size) for pair in contacts(seed, rotation, scale, count)]
    return pairs + [pair.swapped() for pair in pairs[::2]]


def too_large(volume: str, pairs: list[Posed], true: list[Decimal]) -> list[Posed]:
    """The pairs whose volumes are said to be farther apart than the triangles in them are."""
    relatives = np.array([relative(*pair) for pair in pairs])
    found = compared(volume, np.array([p.a for p in pairs]), np.array([p.b for p in pairs]), relatives)
    bounds = np.maximum(found.bound, found.bound_in_frame_of_a)
    assert np.isfinite(bounds).all()
    assert (np.minimum(found.bound, found.bound_in_frame_of_a) >= 0.0).all()
    return [pair for pair, low, high in zip(pairs, bounds.tolist(), true, strict=True) if Decimal(low) > high]


@crossed(1, rotation=ROTATIONS, scale=SCALES)
def test_never_above_the_distance(rotation: str, scale: str) -> None:
    pairs = apart(rotation, scale, 10)
    true = [distance(*pair.in_the_world()) for pair in pairs]
    assert max(true) > 0
    for volume in QUICK_VOLUMES:
        assert too_large(volume, pairs, true) == [], volume


@pytest.mark.slow
@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("rotation", ROTATIONS)
def test_never_above_the_distance_at_length(rotation: str, scale: str) -> None:
    pairs = apart(rotation, scale, 500, 3)
    true = [distance(*pair.in_the_world()) for pair in pairs]
    for volume in VOLUMES:
        assert too_large(volume, pairs, true) == [], volume


@sized(20, 60)
@crossed(1, rotation=ROTATIONS, scale=SCALES, volume=volume_cases())
def test_zero_for_what_touches(volume: str, rotation: str, scale: str, count: int) -> None:
    pairs = list(contacts(5, rotation, scale, count))
    zero = [Decimal(0)] * len(pairs)
    assert too_large(volume, pairs, zero) == []
    assert too_large(volume, [pair.swapped() for pair in pairs], zero) == []


@sized(25, 100)
@crossed(1, rotation=ROTATIONS, volume=volume_cases())
def test_positive_where_volumes_do_not_overlap_and_there_alone(volume: str, rotation: str, count: int) -> None:
    pairs = apart(rotation, "ordinary", count) + list(contacts(4, rotation, "ordinary", count))
    relatives = np.array([relative(*pair) for pair in pairs])
    found = compared(volume, np.array([p.a for p in pairs]), np.array([p.b for p in pairs]), relatives)
    assert count / 5 < found.overlap.sum() < len(pairs) - count / 5
    for overlap, bound in (
        (found.overlap, found.bound),
        (found.overlap_in_frame_of_a, found.bound_in_frame_of_a),
    ):
        assert (bound[~overlap] > 0.0).all()
        assert (bound[overlap] <= 1e-12).all()
    np.testing.assert_allclose(found.bound, found.bound_in_frame_of_a, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("volume", volume_cases())
def test_near_the_distance_of_small_triangles_far_apart(volume: str) -> None:
    """A triangle of size 1 in a volume of at most a few times that: bound and distance differ by no more."""
    rng = np.random.default_rng(7)
    for gap in (20.0, 1e3, 1e6):
        pairs = []
        for _ in range(20):
            a, b = rng.uniform(-0.5, 0.5, (2, 3, 3))
            way = rng.normal(size=3)
            pose = random_pose(rng, "turned", 1.0)
            pose[:, 3] += gap * way / np.linalg.norm(way)
            pairs.append(Posed(a, b, random_pose(rng, "turned", 1.0), pose))
        relatives = np.array([relative(*pair) for pair in pairs])
        found = compared(volume, np.array([p.a for p in pairs]), np.array([p.b for p in pairs]), relatives)
        true = np.array([float(distance(*pair.in_the_world())) for pair in pairs])
        # six perpendicular directions or fewer see at least 1/√3 of a way, DOPs with corners more
        assert (found.bound > true / np.sqrt(3) - 4.0).all()
        if volume in ("aabb", "sphere", "obb", "obb-covariance"):
            assert (found.bound > true * (1 - 1e-6) - 4.0).all()


def test_the_scale_follows_the_poses() -> None:
    """Without it, a bound between meshes far apart would be too large by as much as their poses stretch."""
    for pair in contacts(1, "stretched", "ordinary", 20):
        assert 0.99 < relative(*pair)[SCALE] < 1 - 1e-4
    for pair in contacts(1, "turned", "ordinary", 20):
        assert 1 - 1e-12 < relative(*pair)[SCALE] < 1
    assert 1 - 1e-12 < relative(np.eye(3), np.eye(3))[SCALE] < 1
