"""What two closed meshes share, one of them moved by an infinitely small step: signs, segments, integrals."""
