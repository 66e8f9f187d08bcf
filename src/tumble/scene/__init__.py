"""Scenes: many named bodies, which of them touch, and which may."""

from tumble.query.nearest import BodiesNearest
from tumble.query.scene_answer import BodyCollision, SceneCollisions
from tumble.scene.scene import Scene

__all__ = ["BodiesNearest", "BodyCollision", "Scene", "SceneCollisions"]
