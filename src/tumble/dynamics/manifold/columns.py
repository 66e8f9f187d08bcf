"""The columns of the arrays in `workspace`, by name: kernels write `lines[k, col.PUSH]`.

One array with several columns instead of an array for each: a kernel pays for every array that it is handed, and what
is needed together lies together.
"""

# Curve.lines: three numbers each.
FIRST = 0
SECOND = 3
"""the ends of the segment, directed along normal a × normal b"""
NORMAL_A = 6
NORMAL_B = 9
PUSH = 12
"""the direction in which the two triangles separate, where it was needed"""
LINES = 15

# Curve.marks: a column for the first end, the next for the second.
EDGE = 0
"""a number for the edge that an end is on and for the triangle that the edge pierces there; EMPTY for none"""
BEHIND = 2
"""the node of that edge behind the triangle; EMPTY for none"""
MARKS = 4

# Joints.entries: KEY is EMPTY where there is no entry.
KEY = 0
VALUE = 1
ENTRIES = 2

# Nodes.facts
VERTEX = 0
SIDE = 1
STATE = 2
HOME = 3
"""the triangle pair that the node belongs to"""
FACTS = 4

# Nodes.at
POSITION = 0
GAP = 3
"""the squared distance from there to the nearest end of the curve on its edges"""
AT = 4

# Faces.flooded
FLOODED_SIDE = 0
FLOODED_FACE = 1
FLOODED_NODE = 2
"""the node from which the flood came to the face"""
FLOODED_COLUMNS = 3

# Sets.sums, over the segments of a patch
LENGTH = 0
MIDDLE = 1
"""three numbers: the mean of the segments' middles, weighted by length"""
AREA = 4
"""three numbers: the vector area ½ ∮ x × dx"""
FACING = 7
"""three numbers: the sum of the directions in which the faces look at each other, weighted by length"""
FACINGS = 10
"""the sum of the lengths of the vectors that FACING adds up"""
COUNT = 11
LEAKY = 12
"""1 where the flood has leaked"""
SPLIT = 13
"""1 for a part of a patch that was split"""
DEEPEST = 14
"""the deepest of the single triangle pairs, where their pushes were needed"""
SUMS = 15

# PatchView.cap: the corners of a face, three numbers each
CORNER_P = 0
CORNER_Q = 3
CORNER_R = 6
CORNERS = 9

# PatchView.spots: coordinates across the normal and along it
X = 0
Y = 1
HEIGHT = 2
LEAVES = 3
"""the distance to where an edge of this vertex leaves the other body"""
SPOTS = 4

# PatchView.kinds
KIND = 0
"""SIDE_A or SIDE_B for a vertex, RIM for an end of a segment, CENTRE"""
ELEMENT = 1
"""the node, or twice the triangle pair plus the number of the end"""
KINDS = 2

# PatchView.chosen
SPOT = 0
SPOT_DEPTH = 1
SPOT_HEIGHT = 2
"""of the middle between the two surfaces"""
CHOSEN = 3

# PatchPoints.rows
POINT = 0
NORMAL = 3
DEPTH = 6
ROW = 7

# Workspace.counts
NODES = 0
JOINTS = 1
OPEN_ENDS = 2
FLOODED = 3
COUNTS = 4
