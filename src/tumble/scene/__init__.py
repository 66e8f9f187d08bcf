"""Scenes: many named bodies, which of them touch, and which may."""

from tumble.scene.result import BodyCollision, SceneCollisions
from tumble.scene.scene import Scene

__all__ = ["BodyCollision", "Scene", "SceneCollisions"]
