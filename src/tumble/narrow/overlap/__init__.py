"""What two closed meshes have in common, as if one were moved by an infinitely small step: signs, segments, integrals."""
