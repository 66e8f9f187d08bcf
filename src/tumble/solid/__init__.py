"""Meshes as solids: the points that a closed surface winds around, and how two such sets lie to each other."""
