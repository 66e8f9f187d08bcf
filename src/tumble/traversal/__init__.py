"""Traversals: one file per algorithm, written once for all volumes, layouts, questions; `every` registers them."""
