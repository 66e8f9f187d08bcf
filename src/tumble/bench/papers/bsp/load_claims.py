"""Tests of claims about the answers: that they are the same everywhere, and how many leaf pairs the scenes have."""

from tumble.bench.framework.claims import UNKNOWN, Verdict, over_cases, verdict
from tumble.bench.framework.table import Study, Table, reads
from tumble.bench.papers.bsp.published import N_BODY, TABLE_1, title
from tumble.bench.papers.bsp.races import LOADS, ordered
from tumble.bench.papers.bsp.sheet import CASE, SHEET
from tumble.bench.papers.bsp.ways import ANSWERS
from tumble.report import count

# Counts closer than a twentieth are the same load: frames of one scene differ by more.
CLOSE = 0.05


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
    return over_cases([(TABLE_1[scene].objects == n, f"{title(scene)} {count(n)}") for scene, n in found.items()])


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
        return Verdict(UNKNOWN, "the paper's scenes were not at hand")
    pairs = {scene: ordered(table, case) for scene, case in heaviest.items()}
    frames = {scene: table.study(LOADS).text(case, "", "frame") for scene, case in heaviest.items()}
    kept = sum(abs(pairs[scene] / TABLE_1[scene].leaf_pairs - 1) <= CLOSE for scene in pairs)
    text = ", ".join(f"{title(scene)} {count(pairs[scene])} (frame {frames[scene]})" for scene in pairs)
    numbers = f"both orders counted: {text}; the published dataset's other frames are not at hand"
    return verdict(kept, len(pairs), numbers)


def fewest_overlaps(table: Table) -> Verdict | None:
    """NBody has fewer leaf pairs than each of the other scenes, as Table 1 asks about them."""
    pairs = {scene: ordered(table, case) for scene, case in _heaviest(table).items()}
    if N_BODY not in pairs or len(pairs) < 2:
        return None
    others = {scene: n for scene, n in pairs.items() if scene != N_BODY}
    text = f"{title(N_BODY)} {count(pairs[N_BODY])}"
    return over_cases([(pairs[N_BODY] < n, f"{title(scene)} {count(n)}") for scene, n in others.items()], f"{text}; ")
