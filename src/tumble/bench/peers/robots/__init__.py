"""Collisions of robot configurations, raced against pinocchio."""
