"""The fast path: two packed trees, eight boxes at a time; what `auto` is."""
