"""The orders in which a tree's nodes stand in memory, and the links between them.

A node is one row of eight int32 (half a cache line), see `columns`. Both layouts have the same columns, so a traversal
that only follows links works on either; `preorder.Preorder` and `postorder.Postorder` are types of their own for what
is special to one of them.
"""
