"""Tests of claims about the answers: that they are the same everywhere, and how many leaf pairs the scenes have."""

from tumble.bench.framework.claims import UNKNOWN, Verdict, over_cases, verdict
from tumble.bench.framework.table import Study, Table, reads
from tumble.bench.papers.bsp.published import CLOTH_BALL, FUNNEL, N_BODY, TABLE_1, title
from tumble.bench.papers.bsp.races import CLOTH_AND_FUNNEL, LOADS, ordered
from tumble.bench.papers.bsp.sheet import CASE, SHEET
from tumble.bench.papers.bsp.ways import ANSWERS
from tumble.report import count

# Counts closer than a twentieth are the same load: frames of one scene differ by more.
CLOSE = 0.05
NOT_AT_HAND = Verdict(UNKNOWN, "the paper's scenes were not at hand")


@reads(ANSWERS)
def same_answers(study: Study) -> Verdict:
    """All comparisons of all ways; the first that differ are named."""
    asked = [(case, way) for case in study.cases() for way in study.contestants(case)]
    wrong = [f"{way} on {case}" for case, way in asked if not study.value(case, way, "same")]
    same = f"in all of {count(len(asked))} comparisons"
    numbers = f"{count(len(wrong))} differ: {', '.join(wrong[:5])}" if wrong else same
    return verdict(len(asked) - len(wrong), len(asked), numbers)


@reads(SHEET)
def changing(study: Study) -> Verdict:
    """Trees that are refitted and trees that are built anew in every frame find the same pairs as any other method."""
    pairs = {rule: study.count(CASE, rule, "pairs") for rule in study.contestants(CASE)}
    found = set(pairs.values())
    text = f"{count(min(found))} pairs in {count(study.count(CASE, '', 'frames'))} frames by {len(pairs)} rules"
    return verdict(int(len(found) == 1), 1, text if len(found) == 1 else f"{text}, up to {count(max(found))}")


def _real_loads(loads: Study) -> dict[str, str]:
    """The frames that were read, with their scenes."""
    return {case: loads.text(case, "", "scene") for case in loads.cases() if loads.value(case, "", "real")}


@reads(LOADS)
def objects(loads: Study) -> Verdict:
    """The objects of the scenes that were read."""
    found = {scene: loads.count(case, "", "objects") for case, scene in _real_loads(loads).items()}
    outcomes = [(TABLE_1[scene].objects == n, f"{title(scene)} {count(n)}") for scene, n in found.items()]
    return over_cases(outcomes) if outcomes else NOT_AT_HAND


def _rounds_to(number: int, printed: str) -> bool:
    """Whether a number is what the paper prints, in thousands, to the last digit: "18.5K"."""
    thousands = printed.removesuffix("K")
    digits = len(thousands.partition(".")[2])
    return abs(number / 1e3 - float(thousands)) <= 0.5 * 10.0**-digits


@reads(LOADS)
def triangles(loads: Study) -> Verdict:
    """The triangles of the scenes that were read, rounded as in the paper."""
    found = {scene: loads.count(case, "", "triangles") for case, scene in _real_loads(loads).items()}
    outcomes = [(_rounds_to(n, TABLE_1[scene].triangles), f"{title(scene)} {count(n)}") for scene, n in found.items()]
    return over_cases(outcomes) if outcomes else NOT_AT_HAND


@reads(LOADS)
def primary_interactions(loads: Study) -> Verdict:
    """More than half of the leaf pairs between the objects of Funnel are of cloth and funnel, in each frame."""
    outcomes = []
    for case, scene in _real_loads(loads).items():
        if scene == FUNNEL and loads.has(case, "", CLOTH_AND_FUNNEL):
            both, all_pairs = (loads.count(case, "", what) for what in (CLOTH_AND_FUNNEL, "between"))
            text = f"{count(both)} of {count(all_pairs)} (frame {loads.text(case, '', 'frame')})"
            outcomes.append((2 * both > all_pairs, text))
    return over_cases(outcomes) if outcomes else NOT_AT_HAND


def _heaviest(table: Table) -> dict[str, str]:
    """The heavier frame of each scene that was read."""
    heaviest: dict[str, str] = {}
    for case, scene in _real_loads(table.study(LOADS)).items():
        if scene not in heaviest or ordered(table, case) > ordered(table, heaviest[scene]):
            heaviest[scene] = case
    return heaviest


def loads(table: Table) -> Verdict:
    """The leaf pairs of the heavier frame of each scene that was read."""
    heaviest = _heaviest(table)
    if not heaviest:
        return NOT_AT_HAND
    pairs = {scene: ordered(table, case) for scene, case in heaviest.items()}
    frames = {scene: table.study(LOADS).text(case, "", "frame") for scene, case in heaviest.items()}
    kept = sum(abs(pairs[scene] / TABLE_1[scene].leaf_pairs - 1) <= CLOSE for scene in pairs)
    text = ", ".join(f"{title(scene)} {count(pairs[scene])} (frame {frames[scene]})" for scene in pairs)
    numbers = f"both orders counted: {text}; the published dataset's other frames are not at hand"
    return verdict(kept, len(pairs), numbers)


def self_collisions(table: Table) -> Verdict:
    """Cloth-Ball has more leaf pairs than each of the other scenes, and more than half of them are within an object."""
    heaviest, study = _heaviest(table), table.study(LOADS)
    pairs = {scene: ordered(table, case) for scene, case in heaviest.items()}
    if CLOTH_BALL not in pairs or len(pairs) < 2:
        return NOT_AT_HAND
    within = 2 * study.count(heaviest[CLOTH_BALL], "", "within")
    most = pairs[CLOTH_BALL] == max(pairs.values())
    text = ", ".join(f"{title(scene)} {count(n)}" for scene, n in pairs.items())
    numbers = f"{text}; within objects of {title(CLOTH_BALL)} {within / pairs[CLOTH_BALL]:.1%}"
    return verdict(most + (2 * within > pairs[CLOTH_BALL]), 2, numbers)


def fewest_overlaps(table: Table) -> Verdict:
    """NBody has fewer leaf pairs than each of the other scenes, as Table 1 asks about them."""
    pairs = {scene: ordered(table, case) for scene, case in _heaviest(table).items()}
    if N_BODY not in pairs or len(pairs) < 2:
        return NOT_AT_HAND
    others = {scene: n for scene, n in pairs.items() if scene != N_BODY}
    text = f"{title(N_BODY)} {count(pairs[N_BODY])}"
    return over_cases([(pairs[N_BODY] < n, f"{title(scene)} {count(n)}") for scene, n in others.items()], f"{text}; ")
