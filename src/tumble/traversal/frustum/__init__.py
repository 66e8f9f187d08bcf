"""Which triangles are not outside of a frustum: behind `tumble.inside_frustum`."""
