"""Bounding volumes: one file each, a record of arrays and its kernels."""

from tumble.volume import aabb, sphere
from tumble.volume.kdop.volumes import KINDS as DOPS
from tumble.volume.obb.kinds import KINDS as OBBS
from tumble.volume.protocol import VolumeKind

KINDS: dict[str, VolumeKind] = {kind.name: kind for kind in (aabb.KIND, sphere.KIND, *DOPS, *OBBS)}

__all__ = ["KINDS", "VolumeKind"]
