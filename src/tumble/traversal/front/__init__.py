"""Traversal from the front of the frame before: the streams model of Tang et al. 2011."""
