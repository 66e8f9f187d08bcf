"""Bounding volumes: one file or folder each, with a record of arrays and its `VolumeKind`."""

from tumble.volume import aabb, sphere
from tumble.volume.kdop import volumes as kdop
from tumble.volume.obb import kinds as obb
from tumble.volume.protocol import KINDS, VolumeKind, add_kind

for _kind in (aabb.KIND, sphere.KIND, *kdop.KINDS, *obb.KINDS):
    add_kind(_kind)

__all__ = ["KINDS", "VolumeKind", "add_kind"]
