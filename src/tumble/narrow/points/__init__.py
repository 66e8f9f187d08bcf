"""A point and a triangle: how far, and on which side."""
