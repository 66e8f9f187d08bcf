"""The narrow phase: which triangles touch, decided exactly."""

from tumble.narrow.triangles.exact import triangles_touch, triangles_touch_many

__all__ = ["triangles_touch", "triangles_touch_many"]
