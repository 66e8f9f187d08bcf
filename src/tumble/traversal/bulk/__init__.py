"""Bulk-synchronous traversal of implicit trees: paper `bsp`."""
