"""Impulses go from step to step by key, then to the nearest point, never from one pair of bodies to another."""

import numpy as np

from tumble.dynamics.contacts import contacts_of, joined, no_contacts, with_impulses


def some(rows):
    """Contacts from rows (a, b, key, x)."""
    a, b, keys, x = (np.array(column) for column in zip(*rows, strict=True))
    count = len(rows)
    points = np.zeros((count, 3))
    points[:, 0] = x
    normals = np.tile([0.0, 0.0, 1.0], (count, 1))
    return joined(contacts_of(a, b, points, normals, np.zeros(count), keys.astype(np.int64), *np.zeros((2, count))))


def test_sorted_by_bodies_and_key():
    contacts = some([(1, 2, 5, 0), (0, 3, 1, 0), (1, -1, 9, 0), (1, 2, 4, 0)])
    assert list(zip(contacts.body_a, contacts.body_b, contacts.keys, strict=True)) == [
        (0, 3, 1), (1, -1, 9), (1, 2, 4), (1, 2, 5)
    ]  # fmt: skip


def test_by_key_then_by_nearness():
    old = some([(0, 1, 1, 0.0), (0, 1, 2, 1.0), (0, 1, 3, 2.0), (0, 2, 1, 0.0)])
    old.pressed[:, 0], old.rubbed[:, 1] = [1, 2, 3, 4], [5, 6, 7, 8]
    # 2 stays though 1's place is nearer; 9 takes over from 3, 8 comes too late, and 1 of another pair is no namesake
    new = some([(0, 1, 2, 0.0), (0, 1, 8, 2.09), (0, 1, 9, 2.05), (0, 3, 1, 0.0)])
    new = with_impulses(new, old, 0.1)
    assert new.pressed[:, 0].tolist() == [2, 3, 0, 0]
    assert new.rubbed[:, 1].tolist() == [6, 7, 0, 0]


def test_nothing_to_hand_on():
    new = with_impulses(some([(0, 1, 2, 0.0)]), no_contacts(), 1.0)
    assert new.pressed.tolist() == [[0, 0]]
    assert len(with_impulses(no_contacts(), new, 1.0).keys) == 0
