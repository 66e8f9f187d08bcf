"""Many points against one mesh: behind `tumble.closest_points`, `tumble.contains` and `tumble.signed_distance`."""
