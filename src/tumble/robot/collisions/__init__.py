"""Which links of a robot touch each other or an obstacle, for configurations by the million."""
