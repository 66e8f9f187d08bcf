"""What Numba does not offer by itself: memory by its address, and vectors of eight float32 numbers."""
