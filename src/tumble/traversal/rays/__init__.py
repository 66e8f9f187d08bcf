"""Rays and frusta against one mesh: behind `tumble.cast_rays` and `tumble.inside_frustum`."""
