"""Building the kernels: errors in words, macros that must not be missing, and boxes and units as devices see them."""

import numpy as np
import pytest
from device_cases import needs_device

import forest
import tumble
from tumble.device import opencl
from tumble.device.host.candidates import MOST_LEVELS, words_for
from tumble.device.host.local_units import device_boxes, device_corners, device_links, local_units
from tumble.device.host.walk_kinds import BINARY_STACK_FILES
from tumble.device.opencl import open_device
from tumble.device.protocol import program
from tumble.hierarchy.layout import COUNT, START


@needs_device
def test_a_failed_build_says_what_and_why(monkeypatch):
    monkeypatch.setattr(opencl, "source_of", lambda names: "kernel void broken(global int *x) { x[0] = nonsense; }")
    with pytest.raises(tumble.DeviceError, match=r"(?s)opencl:0 .*cannot build walk\.cl.*Found: opencl:0.*nonsense"):
        open_device("opencl:0").preferred_width(program("walk", WORDS=2), "broken")


@needs_device
@pytest.mark.parametrize("missing", ["WORDS", "RULE", "COUNTING"])
def test_a_missing_macro_is_an_error(missing):
    options = {name: value for name, value in (("WORDS", 2), ("RULE", 0), ("COUNTING", 0)) if name != missing}
    with pytest.raises(tumble.DeviceError, match=f"{missing} is missing"):
        open_device("opencl").preferred_width(program(*BINARY_STACK_FILES, **options), "binary_stack")


ADD = """
kernel void add_to(volatile global uint *counter, uint low, uint high, uint times, uint items) {
    if (get_global_id(0) >= items) return;
    for (uint k = 0; k < times; k++) add_long(counter, (ulong)high << 32 | low);
}
"""


@needs_device
def test_counters_have_64_bits(monkeypatch):
    source = opencl.source_of(("counters",)) + ADD
    monkeypatch.setattr(opencl, "source_of", lambda names: source)
    device, total = open_device("opencl"), np.zeros(1, np.uint64)
    with device.working():
        counter = device.empty(total.nbytes)  # what is uploaded cannot be written to
        device.write(counter, total)
        for low, high, times, items in ((0xFFFFFFFF, 0, 3, 50), (1, 2, 5, 7), (0, 1, 1, 1)):
            device.wait(
                device.launch(program("counters", TEST=1), "add_to", items, 4, counter, low, high, times, items)
            )
        device.read(counter, total)
    assert int(total[0]) == 150 * 0xFFFFFFFF + 35 * (2 << 32 | 1) + (1 << 32)


@needs_device
def test_a_kernel_says_how_large_its_groups_can_be():
    device, code = open_device("opencl"), program(*BINARY_STACK_FILES, WORDS=2, RULE=0, COUNTING=0)
    assert 1 <= device.most_in_group(code, "binary_stack") <= device.limits.group_items
    assert device.preferred_width(code, "binary_stack") >= 1


def test_words():
    assert [words_for(levels) for levels in (0, 1, 128, 129, 256, 257)] == [2, 2, 2, 4, 4, 8]
    with pytest.raises(tumble.DeviceError, match=f"{MOST_LEVELS + 1} levels"):
        words_for(MOST_LEVELS + 1)


@pytest.mark.parametrize("size", [1e-200, 1e-3, 1.0, 1e60])
@pytest.mark.parametrize("offset", [0.0, 1.0, 1e7])
def test_boxes_hold_their_triangles(size, offset):
    """In more places than float32 has: each vertex lies within the box by its own directions."""
    mesh = forest.soup(1, 60, 0.01)
    mesh = tumble.Mesh((mesh.vertices + offset) * size, mesh.faces)
    tree = tumble.build(mesh, "obb")
    local = local_units(mesh)
    boxes = device_boxes(tree, local).reshape(-1, 4, 4).astype(np.longdouble)
    corners = (mesh.vertices[mesh.faces[tree.order]].astype(np.longdouble) - local.origin) * local.scale
    assert np.abs(corners).max() <= 1.0
    assert np.abs(corners - device_corners(tree, local).reshape(-1, 3, 3)).max() <= 2.0**-24
    nodes = tree.postorder.layout.nodes
    for node, box in zip(nodes, boxes, strict=True):
        points = corners[node[START] : node[START] + node[COUNT]].reshape(-1, 3)
        assert (np.abs((points - box[3, :3]) @ box[:3, :3].T) <= box[:3, 3]).all()
        assert np.abs((points - box[3, :3]) @ box[:3, :3].T).max() > 0.9 * box[:3, 3].max() - 1e-5


def test_links_of_leaves_name_their_triangles():
    tree = tumble.build(forest.soup(1, 33), "obb", leaf_size=2)
    links, nodes = device_links(tree), tree.postorder.layout.nodes
    leaves = links[:, 0] < 0
    np.testing.assert_array_equal(-1 - links[leaves, 0], nodes[leaves, START])
    np.testing.assert_array_equal(links[:, 3], nodes[:, COUNT])
    assert links[leaves, 3].sum() == 33
