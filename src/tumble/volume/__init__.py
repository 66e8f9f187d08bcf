"""Bounding volumes: one file or folder each; `kinds` is the table of all, which only generic methods need."""
