"""Do two triangles touch: the exact test, its filters, and the special cases."""
