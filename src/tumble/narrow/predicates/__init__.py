"""Signs of determinants and sums, decided exactly."""
