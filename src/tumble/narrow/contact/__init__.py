"""Contact geometry of touching triangles: segment, normal and depth."""
