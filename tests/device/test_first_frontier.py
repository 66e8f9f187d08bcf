"""The first frontier and the layout on a device without a driver: what is uploaded, kept and refused."""

from dataclasses import replace

import numpy as np
import pytest
from null_device import LIMITS, NullDevice

import forest
from tumble.device.host import bulk
from tumble.device.host.first_frontier import first_sources
from tumble.device.host.implicit_trees import DeviceTrees
from tumble.errors import OptionError
from tumble.hierarchy.implicit.posed import posed_meshes
from tumble.query.settings import BulkSettings

TRIANGLES = 32


def trees_on(device):
    return DeviceTrees(device, posed_meshes([forest.soup(seed, TRIANGLES) for seed in range(2)], None, 1))


def test_the_first_frontier_is_uploaded_once():
    device = NullDevice()
    trees, settings = trees_on(device), BulkSettings(entry_level=2, tested=False)
    pairs = np.array([[0, 0], [0, 1]])
    first = list(first_sources(trees, pairs, settings))
    uploads = device.count("upload")
    assert [source.pairs for source in first] == [10 + 16]
    assert list(first_sources(trees, pairs.copy(), settings)) == first
    trees.move([None, forest.soup(7, TRIANGLES).vertices])  # where meshes are does not matter
    assert list(first_sources(trees, pairs, settings)) == first
    assert device.count("upload") == uploads
    for other, other_pairs in ((settings, pairs[:1]), (replace(settings, entry_level=1), pairs)):
        assert list(first_sources(trees, other_pairs, other)) != first
    assert device.count("upload") == uploads + 2


def test_a_first_frontier_in_parts_is_not_kept():
    device = NullDevice()
    trees, settings = trees_on(device), BulkSettings(entry_level=2, depth_step=1, most_pairs=16, tested=False)
    parts = list(first_sources(trees, np.array([[0, 0], [0, 1]]), settings))
    assert sorted(part.pairs for part in parts) == [10, 16]
    assert trees.first_frontier is None


def test_a_layout_that_does_not_fit_into_local_memory_is_refused():
    device = NullDevice(limits=LIMITS._replace(local_bytes=256 + 8 * 16 + 4))
    with pytest.raises(OptionError, match="search='local': null:0 has local memory for 1 trees, not 2"):
        bulk.UntestedRounds(trees_on(device), BulkSettings(queue=16, tested=False, search="local"), True, False)
