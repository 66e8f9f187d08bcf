"""What the CollisionChip did, for people: tables, the timeline of its units, the sweep, the page."""
