"""Turned boxes as the other frame sees them: again turned boxes."""

from tumble.traversal.moved.protocol import move, overlap_moved
from tumble.volume.obb.box import move_box, overlap_moved_boxes
from tumble.volume.obb.kinds import CovarianceObbs, Obbs


def _move_turned_box(volumes, j, relative, moved, k):
    move_box(volumes.boxes[j], relative, moved[k])


def _overlap_turned_box(volumes, i, moved, k, relative):
    return overlap_moved_boxes(volumes.boxes[i], moved[k], relative)


for _record in (Obbs, CovarianceObbs):
    move.register(_record)(_move_turned_box)
    overlap_moved.register(_record)(_overlap_turned_box)
