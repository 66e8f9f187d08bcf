"""Paper `chip`, Section 5: what a query costs on the chip, from its node counts alone (Equation 5).

    T_L = 100 + (α − 2) · 10        cycles for a list of α pairs of aligned nodes
    T_T = T_L · τ                   for τ lists, each with its group of tumbled nodes (two of them in the paper)

The constants follow from its account of a list, here for any design (in cycles of the chip, two to a memory cycle):

    8       the SDRAM reads from an idle bank: RAS to CAS, then CAS
    10      the first number of the first tumbled node is in the DOP registers
    46      a number per cycle: half of the DOP must be there before DOTADD can start, then a row of C per cycle
    82      the same for its sibling
    88      the pipeline is empty: both are transformed, and the first aligned node waits beside them
    100     three more aligned nodes, of four transfers each: two pairs are compared
    +10     each further pair: eight transfers, and two cycles on average for a row in the bank that was just read

A read from the bank of the read before, one in `banks`, waits for precharge and RAS to CAS; CAS is hidden behind the
data that still arrives. The equation leaves out triangles, and what begins and ends a list.

Table 1 counts an aligned node once for each tumbled node that it is compared with. So α is aligned / (2 · tumbled), the
only reading that gives the published times.
"""

from tumble.chip.design import PAIR_BYTES, Design

# What goes over the PCI bus: numbers, addresses and the delay as words; of a line's four indices, a byte each.
WORD_BYTES = 4
LINE_WORDS = 4
INDEX_BYTES = 4
# From a to b, and back: three lines each. Then the roots of two trees, and the delay of address generator 2.
POSE_LINES, POINTERS, DELAYS = 6, 2, 1
ANSWER_BYTES = 2 * WORD_BYTES  # the addresses of two triangles
# Lines of the register files that serve triangles, Section 4.1: six of the poses and three of a leaf's matrix; 27 of
# the correspondence for moving them, 15 for the IT-unit.
TRIANGLE_MATRIX_LINES, TRIANGLE_INDEX_LINES = 9, 27 + 15
LEAST_DOP_REGISTERS = 18  # vertices of a triangle before and after they are moved: d0 to d17

PAPER = Design()
# From the SDRAM into the DOP registers: one cycle on the bus, one into the file.
TO_REGISTERS = 2
# Pairs of aligned nodes that a list's constant part includes.
PAIRS_INCLUDED = 2


def list_cycles(alpha: float, design: Design = PAPER, group: float | None = None) -> float:
    """Cycles for one list of `alpha` pairs of aligned nodes, and of a whole group of tumbled nodes or of `group`."""
    return opening_cycles(design, group) + (alpha - PAIRS_INCLUDED) * pair_cycles(design)


def total_cycles(aligned: float, tumbled: float, design: Design = PAPER) -> float:
    """Cycles for a query by the counts of Table 1: comparisons of aligned nodes, and tumbled nodes visited."""
    return cycles_of_reads(aligned / design.tumbled, tumbled, tumbled / design.tumbled, design)


def cycles_of_reads(reads: float, tumbled: float, lists: float, design: Design = PAPER) -> float:
    """Cycles for a query by what the chip reads: aligned nodes, each once a list, tumbled nodes, and lists.

    Where more than two tumbled nodes are compared at once, many groups are not whole: their mean size counts.
    """
    return list_cycles(reads / 2 / lists, design, tumbled / lists) * lists if lists else 0.0


def seconds(cycles: float, design: Design = PAPER) -> float:
    """The time of `cycles` cycles."""
    return cycles * design.clock_ns * 1e-9


def opening_cycles(design: Design = PAPER, group: float | None = None) -> float:
    """The constant part of a list, 100 cycles in the paper: its tumbled nodes, and two pairs of aligned ones."""
    compared = transformed_at(design, group) + (2 * PAIRS_INCLUDED - 1) * design.node_transfers
    nodes = (design.tumbled if group is None else group) + 2 * PAIRS_INCLUDED
    fetched = idle_latency(design) + nodes * design.node_transfers + (nodes / 2 - 1) * bank_delay(design)
    # The bus limits this part of a list only where it is much narrower than the paper's.
    return max(compared, fetched)


def pair_cycles(design: Design = PAPER) -> float:
    """What each further pair of aligned nodes takes, 10 cycles in the paper."""
    return design.pair_transfers + bank_delay(design)


def transformed_at(design: Design = PAPER, group: float | None = None) -> float:
    """When all tumbled nodes of a list are transformed, cycle 88 in the paper."""
    one_node = design.k // 2 + design.k
    nodes = design.tumbled if group is None else group
    return idle_latency(design) + TO_REGISTERS + nodes * one_node + design.dotadd_stages


def idle_latency(design: Design = PAPER) -> int:
    """From a read's start to its first data, where the bank is idle."""
    return design.activate_cycles + design.cas_cycles


def bank_delay(design: Design = PAPER) -> float:
    """The mean gap between two reads, to rows in banks by chance."""
    return (design.precharge_cycles + design.activate_cycles) / design.banks


def setup_bytes(design: Design = PAPER) -> int:
    """Bytes that the host sends before a query, Section 4.1: C and c, the correspondence, both ways between the frames.

    The lines of the correspondence that serve triangles depend on no pose; they are there before the first query.
    """
    lines = design.k * (LINE_WORDS * WORD_BYTES + INDEX_BYTES) + POSE_LINES * LINE_WORDS * WORD_BYTES
    return lines + (POINTERS + DELAYS) * WORD_BYTES


def host_cycles(design: Design, size: int) -> int:
    """Cycles of the chip for so many bytes over the PCI bus, whose own addresses and waits are not counted."""
    return -(-8 * size // design.host_bits) * design.host_cycles


def setup_cycles(design: Design = PAPER) -> int:
    """Cycles before a query in which the host fills the registers; neither Equation 5 nor Table 1 has them."""
    return host_cycles(design, setup_bytes(design))


def answer_cycles(answers: float, design: Design = PAPER) -> float:
    """Cycles for the pairs of triangles that go back to the host, as if nothing else went on meanwhile."""
    return answers * host_cycles(design, ANSWER_BYTES)


def comparator_count(design: Design = PAPER) -> int:
    """Comparators of floats, Equation 2: two for each slab, of every tumbled node that is compared at once."""
    return design.k * design.tumbled


def register_words(design: Design = PAPER) -> int:
    """Words of 32 bits in all register files of Figure 5, and in the buffer of the SDRAM interface."""
    matrix = (design.k + TRIANGLE_MATRIX_LINES) * LINE_WORDS
    correspondence = (design.k + TRIANGLE_INDEX_LINES) * INDEX_BYTES // WORD_BYTES
    buffer = design.buffer_pairs * PAIR_BYTES // WORD_BYTES
    results = design.tumbled * design.k
    return max(design.k, LEAST_DOP_REGISTERS) + matrix + correspondence + design.k + results + buffer
