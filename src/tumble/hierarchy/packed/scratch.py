"""The working memory of one builder: where things lie in it, and how large it is.

The first part is counted in rows of eight float32, the second in single int32.
"""

from tumble.hierarchy.packed.layout import LANES, MAX_DEPTH

BINS = 16
"""intervals on each axis, among which a cut is sought"""
BOTTOM = 16
"""triangles, at most, that go into one last block: eight leaves of two"""

# rows of eight float32
BIN_BOXES = 0
RIGHT_COSTS = BIN_BOXES + 3 * BINS
PART_BOXES = RIGHT_COSTS + BINS // 8
PART_CENTRES = PART_BOXES + LANES
COLUMNS = PART_CENTRES + LANES
"""the boxes of a last block as columns, and their areas"""
PRICES = COLUMNS + 7 * BOTTOM // 8
WAITING_BOXES = PRICES + BOTTOM * BOTTOM // 8
"""two rows for each range: the box about its boxes, and that about their centres"""
MOST_WAITING = LANES * (MAX_DEPTH + 1)
"""each level leaves at most seven siblings behind"""
FLOAT_ROWS = WAITING_BOXES + 2 * MOST_WAITING

# single int32
BIN_COUNTS = 8 * FLOAT_ROWS
PART_STARTS = BIN_COUNTS + 3 * BINS
PART_STOPS = PART_STARTS + LANES
PART_LANES = PART_STOPS + LANES
PARTNERS = PART_LANES + LANES
WAITING = PARTNERS + BOTTOM
WAITING_FIELDS = 4
"""start, stop, block, depth"""

WORDS = (WAITING + WAITING_FIELDS * MOST_WAITING + 1) // 2
"""64-bit words in all"""
