"""Points and a mesh: the libraries that find nearest points and signed distances, and an exact judge of signs."""
