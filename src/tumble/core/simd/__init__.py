"""One library for code below Numba: memory by its address, atomics, vectors, Python objects as arguments."""
