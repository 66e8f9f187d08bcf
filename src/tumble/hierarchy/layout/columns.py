"""The columns of a node row."""

FIRST = 0
"""index of the left-most child, -1 at a leaf"""
ESCAPE = 1
"""where to go when the subtree below is done or skipped; one past the last node at the end"""
PARENT = 2
"""index of the parent, -1 at the root"""
LEVEL = 3
"""depth, 0 at the root"""
RIGHT = 4
"""1 at the last child of a parent (an only child too), else 0; the root counts as a left child"""
RIGHTS = 5
"""the paper's right-child level: how many right children follow each other upwards from here, this one included"""
START = 6
"""the first place of the node's triangles in the tree's triangle order"""
COUNT = 7
"""how many triangles the node holds, inner nodes included"""
COLUMNS = 8
