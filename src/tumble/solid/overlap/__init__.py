"""What two solids have in common: intersection curves, volume, centroid and box."""
