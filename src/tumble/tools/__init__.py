"""Tools around the library: kernels before they are needed."""
