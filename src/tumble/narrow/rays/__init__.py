"""Where a ray meets a triangle, decided exactly."""
