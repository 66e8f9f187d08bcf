"""The working memory of one builder: that of a packed tree's cuts first, then what boxtrees need besides.

A range that waits, and a branch, is a record of four rows of eight float32: the box about its boxes, that about their
centres, then its rebuilt box in float64 and start, stop, node and depth in int32.
"""

from tumble.hierarchy.boxtree.layout import MAX_DEPTH
from tumble.hierarchy.packed.scratch import WORDS as CUT_WORDS

ROW_BYTES = 32
RECORD_BYTES = 4 * ROW_BYTES
REBUILT = 2 * ROW_BYTES
"""byte of the rebuilt box"""
START, STOP, NODE, DEPTH = 28, 29, 30, 31
"""int32 of a record"""
MOST_WAITING = MAX_DEPTH + 2
"""each level leaves one sibling behind"""

PARENT = -(-8 * CUT_WORDS // ROW_BYTES)
"""row: the rebuilt box of the range to cut"""
FACTORS = PARENT + 1
"""three rows, one for each axis of a cut: how much surface a box loses, for each unit of length cut off a side"""
RECORD = ROW_BYTES * (FACTORS + 3)
"""byte of the record of the range to cut"""
WAITING = RECORD + RECORD_BYTES
"""byte of the ranges that wait"""
WORDS = (WAITING + MOST_WAITING * RECORD_BYTES) // 8
"""64-bit words in all"""
