"""Discretely oriented polytopes: boxes with their corners and edges cut off, paper `chip`, Section 3.1."""
