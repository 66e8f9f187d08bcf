"""Implicit trees from their definition: plain Python, level by level, no kernel."""

import numpy as np

from oracle import pose_points


def posed_triangles(meshes, poses=None):
    """Return the corners of all triangles, mesh behind mesh, (m, 3, 3)."""
    poses = [None] * len(meshes) if poses is None else poses
    parts = [pose_points(mesh.vertices, pose)[mesh.faces] for mesh, pose in zip(meshes, poses, strict=True)]
    return np.concatenate([np.empty((0, 3, 3)), *parts])


def exact_boxes(meshes, poses=None):
    """Return lowest and highest corners of all triangles, (m, 6) float64."""
    triangles = posed_triangles(meshes, poses)
    return np.concatenate([triangles.min(axis=1), triangles.max(axis=1)], axis=1)


def rounded(boxes, frame):
    """Return boxes in the common frame, (m, 6) float32."""
    return ((boxes - np.tile(frame[:3], 2)) * frame[3]).astype(np.float32)


def curve_place(box, bounds):
    """Return the 30-bit place of a box's middle on the Morton curve through the bounds, bit by bit."""
    place = 0
    for axis in range(3):
        low, high = np.float32(2.0 * bounds[axis]), 2.0 * (bounds[3 + axis] - bounds[axis])
        cells = np.float32(1024 / high if high > 0.0 else 0.0)
        cell = min(max(int((box[axis] + box[3 + axis] - low) * cells), 0), 1023)
        for bit in range(10):
            place |= (cell >> bit & 1) << (3 * bit + axis)
    return place


def check_boxes(trees, meshes, poses=None):
    """Check the boxes of every node, given the order of leaves."""
    layout, boxes = trees.layout, trees.boxes.T
    leaves = rounded(exact_boxes(meshes, poses), trees.posed.world.frame)
    nowhere = np.array([np.inf] * 3 + [-np.inf] * 3, np.float32)
    known = np.zeros(len(boxes), bool)
    for tree, count in enumerate(layout.triangles.tolist()):
        first, depth = layout.first_leaf[tree], layout.depth[tree]
        mine = trees.order[first : first + count]
        assert sorted(mine.tolist()) == list(range(first, first + count))
        for level in range(depth + 1):
            row, width = layout.first_row[tree] + level, 2 ** (depth - level)
            for place in range(layout.active[row]):
                below = leaves[mine[place * width : (place + 1) * width]]
                expected = np.concatenate([below[:, :3].min(axis=0), below[:, 3:].max(axis=0)])
                node = layout.starts[row] + place
                np.testing.assert_array_equal(boxes[node], expected)
                known[node] = True
    np.testing.assert_array_equal(boxes[~known], np.broadcast_to(nowhere, ((~known).sum(), 6)))
