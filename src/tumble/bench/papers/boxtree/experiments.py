"""What fills the slots of page.md about experiments: Sections 3.1, 3.2.3, 3.2.5, 4.1, 4.2 and 6.1."""

from tumble.bench.framework.page import Page, Rows
from tumble.bench.framework.table import PUBLISHED, TIME
from tumble.bench.papers.boxtree.box_overlap import BOX_OVERLAP
from tumble.bench.papers.boxtree.contestants import AABB, BUILDS, OVERLAPS, PACKED, PRINTED
from tumble.bench.papers.boxtree.criterion import CRITERION, EQUATION_4, EQUATION_6
from tumble.bench.papers.boxtree.dop_walk import DOP_WALK
from tumble.bench.papers.boxtree.node_claims import ORDER_BYTES
from tumble.bench.papers.boxtree.nodes import NODES
from tumble.bench.papers.boxtree.operation_claims import KINDS
from tumble.bench.papers.boxtree.outlook import BOXES, DEFORMATION, NUMPY, OCCLUSION, RAYS, REBUILT, REFITTED
from tumble.bench.papers.boxtree.published import AXIS_AHEAD, AXIS_ALIGNMENT, TABLE_1
from tumble.bench.papers.boxtree.races import BYTES
from tumble.bench.papers.boxtree.splits import SPLITS
from tumble.bench.papers.boxtree.startup import BUILT_TREES, FILES, STARTUP
from tumble.bench.papers.boxtree.tightness import DOPS, LOOSE, TIGHTNESS
from tumble.hierarchy.boxtree.layout import NODE_BYTES
from tumble.report import Column, Table, count, number_columns, ratio, significant
from tumble.traversal.boxtree.two_planes import RECORD_BYTES

TWO_PLANE_BYTES = RECORD_BYTES


def operations_by_kind(page: Page) -> Rows:
    """Multiplications, additions and comparisons of every boxtree test, alone and with node work done ahead."""
    study, paper, rows = page.study(NODES), page.study(PUBLISHED), []
    for name in study.contestants():
        if not study.has(TABLE_1, name, "additions"):
            continue
        cells = []
        for suffix, where in (("", AXIS_ALIGNMENT), (" ahead", AXIS_AHEAD)):
            cells += [f"{study.value(TABLE_1, name, f'{kind}{suffix}'):g}" for kind in KINDS]
            printed = [f"{paper.value(where, name, kind):g}" for kind in KINDS if paper.has(where, name, kind)]
            cells.append(" + ".join(printed) or "–")
        rows.append([name, *cells])
    return rows


def moves(page: Page) -> Rows:
    """Volumes of one tree that a query moves, by node pair and one level up."""
    study = page.study(NODES)
    names = [name for name in study.contestants() if study.has(TABLE_1, name, "moves ahead")]
    found = {name: [study.count(TABLE_1, name, f"moves{way}") for way in ("", " ahead")] for name in names}
    return [[name, count(alone), count(ahead), ratio(alone / ahead)] for name, (alone, ahead) in found.items()]


def printed_memory(page: Page) -> Rows:
    """Bytes of nodes beside those of AABB and sphere trees, counted with the paper's nodes."""
    study, paper, rows = page.study(BYTES), page.study(PUBLISHED), []
    for case in study.cases(AABB):
        cells = []
        for name in (PRINTED, *BUILDS):
            base = PRINTED if name == PRINTED else AABB
            if not (study.has(case, name, "nodes") and study.has(case, base, "nodes")):
                return []
            nodes = study.value(case, base, "nodes")
            parts = [
                NODE_BYTES * study.value(case, name, "nodes") / (paper.value(TABLE_1, tree, "bytes per node") * nodes)
                for tree in (AABB, "sphere tree")
            ]
            cells.append(" / ".join(f"{100 * part:.0f}" for part in parts))
        rows.append([case, count(study.count(case, "", "triangles")), *cells])
    return rows


def both_planes(page: Page) -> Rows:
    """Bytes per triangle with each node's own plane, and with the planes of both children in their parent."""
    study, rows = page.study(BYTES), []
    for case in study.cases(PRINTED):
        triangles, nodes = study.count(case, "", "triangles"), study.value(case, PRINTED, "nodes")
        own = (NODE_BYTES * nodes + ORDER_BYTES * triangles) / triangles
        # leaves have no children: their bytes hold their triangle instead of planes
        rows.append([case, count(triangles), significant(own), significant(TWO_PLANE_BYTES * nodes / triangles)])
    return rows


def looseness(page: Page) -> Rows:
    """Median surfaces of boxes by tight ones."""
    study = page.study(TIGHTNESS)
    return [
        [case, count(study.count(case, "", "triangles")), *(ratio(study.value(case, name, "median")) for name in LOOSE)]
        for case in study.cases()
    ]


def restricted_dops(page: Page) -> Rows:
    """The sides that nodes share with their parents, and the bytes of nodes that keep the others alone."""
    study, rows = page.study(TIGHTNESS), []
    for name in DOPS:
        for case in study.cases(name):
            shared = [f"{study.value(case, name, what):.0%}" for what in ("shared", "half shared")]
            sizes = [significant(study.value(case, name, what)) for what in ("bytes", "whole bytes")]
            rows.append([name, case, *shared, *sizes])
    return rows


def dop_walks(page: Page) -> Rows:
    """What walks of restricted DOPs cost beside whole ones."""
    study, rows = page.study(DOP_WALK), []
    means = ("sides kept", "sides moved", "comparisons", "operations", "whole operations")
    for name in DOPS:
        for case in study.cases(name):
            counts = [count(study.count(case, name, what)) for what in ("node pairs", "leaf pairs", "whole", "lost")]
            rows.append([name, case, *(significant(study.value(case, name, what)) for what in means), *counts])
    return rows


def false_positives(page: Page) -> Rows:
    """Node pairs that tests let pass though their boxes are apart."""
    study, rows = page.study(BOX_OVERLAP), []
    for case in study.cases():
        for test in OVERLAPS:
            counts = ("node pairs", "passing", "false positives", "lost", "close")
            rows.append([case, test, *(count(study.count(case, test, what)) for what in counts)])
    return rows


def startup_times(page: Page) -> Rows:
    """The paper's builder beside others, and beside reading files."""
    study, rows = page.study(STARTUP), []
    others = (*BUILT_TREES, *FILES)
    for case in study.cases():
        times = [significant(1e3 * study.value(case, name, TIME)) for name in (PRINTED, *others)]
        ratios = [ratio(study.ratio(case, PRINTED, name)) for name in others]
        rows.append([case, *times, *ratios])
    return rows


def equations(page: Page) -> Rows:
    """Estimates beside what is so, and the bounds of Equation 5."""
    study, rows = page.study(CRITERION), []
    for case in study.cases():
        cells = [f"{study.value(case, '', 'overlap'):.2f}"]
        for equation in (EQUATION_4, EQUATION_6):
            cells += [f"{study.value(case, equation, what):.2f}" for what in ("estimated", "rank")]
        for where in ("space", "plane"):
            cells += [f"{study.value(case, where, bound):.0%}" for bound in ("lower bound", "upper bound")]
        cells.append(" / ".join(f"{value:.2f}" for value in study.series(case, "space", "sum / estimate")))
        rows.append([case, count(study.count(case, "", "pairs")), *cells])
    return rows


def split_counts(page: Page) -> Table:
    """Node pairs and mean levels by split rule."""
    study = page.study(SPLITS)
    cases = study.cases()
    rows = [
        [
            name,
            *(count(study.count(case, name, "node pairs")) for case in cases),
            *(f"{study.value(case, name, 'mean depth'):.1f}" for case in cases),
        ]
        for name in study.contestants()
    ]
    columns = [column for group in ("node pairs", "mean level") for column in number_columns(*cases, group=group)]
    return Table([Column("tree, rule", whole=True), *columns], rows)


def deformations(page: Page) -> Rows:
    """Refitted and rebuilt trees."""
    study, rows = page.study(DEFORMATION), []
    for case in study.cases(REFITTED, REBUILT):
        pairs = [study.value(case, way, "node pairs") for way in (REFITTED, REBUILT)]
        times = [significant(1e3 * study.value(case, way, TIME)) for way in (REFITTED, REBUILT)]
        time = ratio(study.ratio(case, REFITTED, REBUILT))
        rows.append([case, *map(count, map(round, pairs)), ratio(pairs[0] / pairs[1]), *times, time])
    return rows


def ray_times(page: Page) -> Rows:
    """Rays through boxtrees."""
    study = page.study(RAYS)
    return [
        [
            case,
            *(significant(1e6 * study.value(case, name, TIME)) for name in (BOXES, PACKED, "larger")),
            *(ratio(study.ratio(case, *pair)) for pair in ((BOXES, PACKED), ("larger", BOXES))),
        ]
        for case in study.cases()
    ]


def hidden(page: Page) -> Rows:
    """What a rectangle hides."""
    study = page.study(OCCLUSION)
    return [
        [
            case,
            *(count(study.count(case, "", what)) for what in ("triangles", "hidden", "wrong")),
            *(significant(1e6 * study.value(case, name, TIME)) for name in (BOXES, PACKED, NUMPY)),
        ]
        for case in study.cases()
    ]
