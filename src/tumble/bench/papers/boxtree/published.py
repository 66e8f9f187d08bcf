"""What the paper prints: Table 1, from `data/boxtree.csv`, and the numbers of its text."""

from tumble.bench.framework.published import published_rows
from tumble.bench.framework.table import PUBLISHED, Table, Value

TABLE_1 = "Table 1"
# Section 6: the memory of an OBB tree, a boxtree's being 1.
OBB_BYTES = 7
# Section 3.1: about half of the nodes have only about so much empty volume between them and their parent.
EMPTY_SHARE = 0.10
# Section 3.1: the sides on which a child usually touches its parent's box.
TOUCHING_SIDES = 3
# Section 5: lookup tables gain at most so much.
LOOKUP_GAIN = 0.08
# Section 6, built on a Pentium III of 1 GHz.
TRIANGLES_PER_SECOND = 20_000
# Section 5: small steps of the full turn.
STEPS = 5000
# Figure 8: the triangles of the headlight and of the lock.
TURN_SIZES = (64_000, 80_000)
# Sections 3.2.1 and 3.2.5: operations of axis alignment per node pair, alone and with node work done one level up.
AXIS_ALIGNMENT, AXIS_AHEAD = "Section 3.2.1", "Section 3.2.5"
AXIS_OPERATIONS: dict[str, dict[str, Value]] = {
    AXIS_ALIGNMENT: {"multiplications": 3, "additions": 4, "comparisons": 5},
    AXIS_AHEAD: {"multiplications": 1.5, "additions": 2, "comparisons": 5},
}
MACHINE = "Pentium III, 1 GHz, 512 MB, gcc 3.0.4"


def add_published(table: Table) -> None:
    """Write Table 1, by our names: bytes per node, and operations per node pair in the worst case; and their kinds.

    The lookup test has no row of its own.
    """
    for row in published_rows("boxtree"):
        values = {"bytes per node": int(row["bytes"]), "operations": int(row["operations"])}
        table.study(PUBLISHED).add_values(TABLE_1, row["tree"], values)
    for where, counts in AXIS_OPERATIONS.items():
        table.study(PUBLISHED).add_values(where, "boxtree, axis", counts)
