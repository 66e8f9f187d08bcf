"""The table of all bounding volumes."""

from importlib import import_module

from tumble.volume.protocol import KINDS, VolumeKind, add_kind

# each module has a `KIND`, or several `KINDS`; in the order of tables and messages
for _name in ("aabb", "sphere", "kdop.volumes", "obb.kinds"):
    _module = import_module(f"tumble.volume.{_name}")
    for _kind in getattr(_module, "KINDS", None) or (_module.KIND,):
        add_kind(_kind)

__all__ = ["KINDS", "VolumeKind", "add_kind"]
