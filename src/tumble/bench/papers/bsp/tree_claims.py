"""Tests of claims about trees: their size, how they are made, and how they follow what moves."""

from tumble.bench.framework.claims import Verdict, graded, interval, over_cases
from tumble.bench.framework.table import TIME, Study, Table, reads
from tumble.bench.papers.bsp import races
from tumble.bench.papers.bsp.counts import COUNTS, EVERY, INACTIVE, LOCKSTEP, SPIKED_STEPS, tests_of
from tumble.bench.papers.bsp.published import title
from tumble.bench.papers.bsp.races import FORMS, LINKED, PADDED, TREES
from tumble.bench.papers.bsp.sequences import RULES, SEQUENCES
from tumble.bench.papers.bsp.sheet import CASE, UPDATE
from tumble.bench.papers.bsp.streams import called
from tumble.bench.papers.bsp.time_claims import CLOSE
from tumble.bench.papers.bsp.ways import CPU, DEVICES, device_of, papers_ways
from tumble.report import ratio

# So many times as much is great.
GREATLY = 2.0


@reads(TREES)
def padding(study: Study) -> Verdict:
    """A complete tree has 2^(d+1) - 1 nodes, and more than half of the room of its last level is in use."""
    nodes = {scene: [study.value(scene, form, "nodes") for form in FORMS] for scene in study.cases(*FORMS)}
    parts = {scene: padded / compressed for scene, (padded, compressed) in nodes.items()}
    return over_cases([(part <= 2, f"{title(scene)} {ratio(part)}") for scene, part in parts.items()])


@reads(TREES)
def less_memory(study: Study) -> Verdict:
    """Bytes of both forms: compressed trees take a twentieth less or more than that."""
    sizes = {scene: [study.value(scene, form, "bytes") for form in FORMS] for scene in study.cases(*FORMS)}
    shares = {scene: compressed / padded for scene, (padded, compressed) in sizes.items()}
    outcomes = [(share <= 1 - CLOSE, f"{title(scene)} {share:.0%}") for scene, share in shares.items()]
    return over_cases(outcomes, "compressed beside padded, bytes: ")


def _inactive_reads(study: Study, scene: str) -> float | None:
    """Boxes that are read if inactive nodes are tested as well, beside those that are read if not; from the roots."""
    both = [tests_of(study, scene, name) for name in (INACTIVE, EVERY)]
    at = next(((0, step) for step in SPIKED_STEPS if all((0, step) in tests for tests in both)), None)
    return None if at is None else both[0][at] / both[1][at]


def _line_reads(study: Study, scene: str, what: str) -> float:
    padded, compressed = (study.value(scene, LOCKSTEP, f"{what}, {form}") for form in FORMS)
    return padded / compressed


@reads(COUNTS)
def less_read(study: Study) -> Verdict | None:
    """Lines of memory that groups read, padded beside compressed: a twentieth more or more than that on all scenes.

    The array may begin anywhere in a line: that four siblings of a padded tree lie on two lines, if it begins with one,
    is not due to inactive nodes. In part where more is read only as it is stored, or only if inactive nodes are tested.
    """
    scenes = [scene for scene in study.cases(LOCKSTEP) if study.has(scene, LOCKSTEP, f"line reads, {PADDED}")]
    if not scenes:
        return None
    found = {
        "lines": {scene: _line_reads(study, scene, "line reads anywhere") for scene in scenes},
        "as stored": {scene: _line_reads(study, scene, "line reads") for scene in scenes},
        "boxes, if inactive nodes are tested": {
            scene: value for scene in scenes if (value := _inactive_reads(study, scene)) is not None
        },
    }
    kept = [bool(each) and all(value >= 1 + CLOSE for value in each.values()) for each in found.values()]
    texts = [
        f"{name} {', '.join(f'{title(scene)} {ratio(value)}' for scene, value in each.items())}"
        for name, each in found.items()
        if each
    ]
    return graded(kept[0], any(kept[1:]), f"padded beside compressed: {'; '.join(texts)}")


def compressed(table: Table) -> Verdict:
    """Queries over both forms of trees: padded ones take more than a twentieth longer."""
    study, outcomes = table.study(TREES), []
    for way in map(device_of, papers_ways(table)):
        padded, without = (called(way, races.QUERY, form) for form in FORMS)
        for scene in study.cases(padded, without):
            if study.has(scene, padded, f"{TIME} / {without}"):
                gain = study.interval(scene, padded, without)
                outcomes.append((gain.above(1 + CLOSE), f"{title(scene)} {interval(gain)}"))
    return over_cases(outcomes, "padded beside compressed, time of a query: ")


@reads(TREES)
def simple_construction(study: Study) -> Verdict:
    """Trees with links, built from the top down, take twice as long as implicit ones or more, both on one thread."""
    linked, implicit = (called(CPU, races.CONSTRUCTION, form) for form in (LINKED, PADDED))
    found = {scene: study.interval(scene, linked, implicit) for scene in study.cases(linked, implicit)}
    outcomes = [(value.above(GREATLY), f"{title(scene)} {interval(value)}") for scene, value in found.items()]
    return over_cases(outcomes, "time to build trees with links beside implicit ones: ")


def _followed(table: Table, case: str, name: str) -> list[tuple[bool | None, str]]:
    """Whether trees are rebuilt faster than refitted in a sequence, on the CPU and on every device."""
    study, outcomes = table.study(SEQUENCES), []
    for way in (CPU, *table.study(DEVICES).cases()):
        anew, refitted = (called(way, rule) for rule in RULES)
        if case in study.cases(anew, refitted):
            found, alone = study.interval(case, anew, refitted), study.ratio(case, anew, refitted, UPDATE)
            text = f"{name} on {way} {interval(found)}, without the query {ratio(alone)}"
            outcomes.append((found.below(1), text))
    return outcomes


def rebuilt(table: Table) -> Verdict:
    """Passes over the frames of each scene: built anew in every frame beside refitted since the first."""
    cases = [case for case in table.study(SEQUENCES).cases() if case != CASE]
    outcomes = [each for case in cases for each in _followed(table, case, title(case))]
    return over_cases(outcomes, "rebuilt beside refitted: ")


def rebuilt_on_sheet(table: Table) -> Verdict:
    """The same over a sheet that falls over a ball, triangles tested."""
    return over_cases(_followed(table, CASE, "a frame"), "rebuilt beside refitted: ")
