"""Tests of what the paper hopes boxtrees are good for, too: deforming objects, rays, occlusion culling."""

from tumble.bench.framework.claims import Verdict, interval, over_cases
from tumble.bench.framework.table import Study, reads
from tumble.bench.papers.boxtree.outlook import BOXES, DEFORMATION, NUMPY, OCCLUSION, RAYS, REBUILT, REFITTED
from tumble.report import count, ratio

# Bent by a tenth of its length or more, an object may cost queries twice as many node pairs as with a new tree.
BENT, WORTH = 0.1, 2.0
# A ray that is cast through sixteen times as many triangles may take four times as long: far less than linear.
SUBLINEAR = 4.0


@reads(DEFORMATION)
def deforming(study: Study) -> Verdict:
    """Refitted trees after a deformation that counts: the same hits, and at most twice the node pairs of new ones."""
    outcomes = []
    for case in study.cases(REFITTED, REBUILT):
        pairs, hits = (
            [study.value(case, way, quantity) for way in (REFITTED, REBUILT)] for quantity in ("node pairs", "hits")
        )
        value = pairs[0] / pairs[1]
        if study.value(case, "", "amount") >= BENT:
            outcomes.append((value <= WORTH and hits[0] == hits[1], f"{case} {ratio(value)}"))
        elif hits[0] != hits[1]:
            outcomes.append((False, f"{case}: other hits"))
    return over_cases(outcomes, "node pairs, new tree = 1: ")


@reads(DEFORMATION)
def refit_pays(study: Study) -> Verdict:
    """The time of a refit beside that of a build on one thread: less."""
    mean = study.mean_of_intervals(REFITTED, REBUILT)
    return over_cases([(mean.below(1.0), f"refit / build {interval(mean)}")])


@reads(RAYS)
def ray_tracing(study: Study) -> Verdict:
    """The time of a ray with sixteen times the triangles, and the packed tree's answers."""
    outcomes: list[tuple[bool | None, str]] = []
    for case in study.cases():
        if differ := study.count(case, BOXES, "differ"):
            outcomes.append((False, f"{case}: {count(differ)} rays differ"))
        growth = study.interval(case, "larger", BOXES)
        outcomes.append((growth.below(SUBLINEAR), f"{case} {interval(growth)}"))
    return over_cases(outcomes, "time with 16 times the triangles: ")


@reads(OCCLUSION)
def occlusion(study: Study) -> Verdict:
    """What is found to be hidden, checked by rays: all of it and nothing else; and some of it."""
    outcomes = []
    for case in study.cases():
        hidden, wrong = (study.count(case, "", quantity) for quantity in ("hidden", "wrong"))
        time = study.interval(case, BOXES, NUMPY)
        text = f"{case}: {count(hidden)} hidden, {count(wrong)} wrong, {interval(time)} of the time of all vertices"
        outcomes.append((hidden > 0 and wrong == 0, text))
    return over_cases(outcomes, "", "; ")
