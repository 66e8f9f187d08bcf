"""Rounding never parts volumes whose triangles share a point: judged exactly, at every scale that is accepted."""

from functools import cache, lru_cache

import numpy as np
import pytest
from posed_contacts import ROTATIONS, SCALES, Posed, brought_home, contacts, on_a_coarse_grid
from volume_calls import overlaps, relative

from covering import crossed, sized
from matrix import volume_cases
from oracle import triangles_touch
from pairs import touching_float_pairs
from tumble.mesh.rigid import RIGIDITY_TOLERANCE, as_pose


def lost(volume: str, pairs: list[Posed]) -> list[Posed]:
    """The touching pairs whose volumes are said to be apart."""
    a, b = np.array([p.a for p in pairs]), np.array([p.b for p in pairs])
    found = overlaps(volume, a, b, np.array([relative(*p) for p in pairs]))
    return [pair for pair, hit in zip(pairs, found, strict=True) if not hit]


def touching(pairs: list[Posed]) -> list[Posed]:
    return [pair for pair in pairs if triangles_touch(*pair.in_the_world())]


@pytest.mark.parametrize("rotation", ROTATIONS)
def test_every_rotation_of_these_tests_is_an_accepted_pose(rotation: str) -> None:
    for pair in contacts(1, rotation, "ordinary", 50):
        as_pose(np.vstack([pair.pose_a, [0, 0, 0, 1]]))


@pytest.mark.parametrize("rotation", ["stretched", "sheared"])
def test_some_rotations_of_these_tests_are_far_from_rigid(rotation: str) -> None:
    for pair in contacts(1, rotation, "ordinary", 50):
        linear = pair.pose_a[:, :3]
        assert 0.2 < np.abs(linear.T @ linear - np.eye(3)).max() / RIGIDITY_TOLERANCE <= 1


@sized(4, 60)
@crossed(rotation=ROTATIONS, scale=SCALES, volume=volume_cases())
def test_a_common_vertex_is_never_lost(volume: str, rotation: str, scale: str, count: int) -> None:
    pairs = list(contacts(2, rotation, scale, count))
    for pair in pairs[:4]:
        assert triangles_touch(*pair.in_the_world())
    assert lost(volume, pairs) == []
    assert lost(volume, [pair.swapped() for pair in pairs]) == []


@cache
def accidents() -> list[Posed]:
    return touching(list(on_a_coarse_grid(3, 700)))


@cache
def posed_contacts(count: int) -> list[Posed]:
    world = touching_float_pairs(count, 4)
    small = np.abs(np.concatenate([world.a, world.b], axis=1)).max(axis=(1, 2)) < 1e96
    return touching(list(brought_home(5, world.a[small], world.b[small])))


@cache
def contacts_without_poses(count: int) -> list[Posed]:
    world = touching_float_pairs(count, 6)
    return touching([Posed(a, b, None, None) for a, b in zip(world.a, world.b, strict=True)])


@pytest.mark.parametrize("volume", volume_cases())
def test_accidents_on_a_coarse_grid_are_not_lost(volume: str) -> None:
    assert len(accidents()) > 70
    assert lost(volume, accidents()) == []


@sized(300, 1000)
@pytest.mark.parametrize("volume", volume_cases())
def test_contacts_between_two_posed_triangles_are_not_lost(volume: str, count: int) -> None:
    assert len(posed_contacts(count)) > 0.15 * count
    assert lost(volume, posed_contacts(count)) == []


@sized(400, 1300)
@pytest.mark.parametrize("volume", volume_cases())
def test_contacts_without_poses_are_not_lost(volume: str, count: int) -> None:
    assert len(contacts_without_poses(count)) > 0.34 * count
    assert lost(volume, contacts_without_poses(count)) == []


@lru_cache(maxsize=1)
def long_contacts(scale: str) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Triangles a and b in every rotation, their relative poses, and those of the swapped pairs."""
    pairs = [pair for rotation in ROTATIONS for pair in contacts(7, rotation, scale, 5000)]
    one_way, other_way = ([relative(*each) for each in way] for way in (pairs, [p.swapped() for p in pairs]))
    a, b = np.array([p.a for p in pairs]), np.array([p.b for p in pairs])
    return a, b, np.array(one_way), np.array(other_way)


# The volumes take turns fastest, so that the contacts of a scale are made once.
@pytest.mark.slow
@pytest.mark.parametrize("volume", volume_cases())
@pytest.mark.parametrize("scale", SCALES)
def test_a_common_vertex_is_never_lost_at_length(volume: str, scale: str) -> None:
    a, b, one_way, other_way = long_contacts(scale)
    assert overlaps(volume, a, b, one_way).all()
    assert overlaps(volume, b, a, other_way).all()
