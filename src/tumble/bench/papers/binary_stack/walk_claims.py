"""The tests of the paper's claims about the walk: its stack, its ascent, its nodes."""

from tumble.bench.framework.claims import UNKNOWN, Verdict, interval, over_cases, verdict
from tumble.bench.framework.table import Study, reads
from tumble.bench.papers.binary_stack.memory import BOUND, GIVEN, MEMORY, NODE_SIZES, PAPERS_BINARY, PAPERS_STACK
from tumble.bench.papers.binary_stack.races import BINARY, PARENTS, STACK, TRAVERSALS, by_rule
from tumble.report import count, ratio
from tumble.traversal.rules import DEFAULT_RULE

# "Greatly": a quarter at most.
GREATLY = 0.25
# Section 4: two coupled integers of 32 bits.
TWO_INTEGERS = 64
# Times closer than this are equal: "costly" is more.
EQUAL = 0.05
LINK_BYTES = 4
BASE = by_rule(BINARY, DEFAULT_RULE)


@reads(TRAVERSALS)
def same_walk(study: Study) -> Verdict:
    """All counters of every query, by descent rule."""
    ways = [(case, name) for case in study.cases() for name in study.contestants(case) if name != PARENTS]
    ways = [way for way in ways if study.has(*way, "counted alike")]
    queries = sum(study.count(case, "", "body pairs") for case, _ in ways)
    alike = sum(study.count(*way, "counted alike") for way in ways)
    rules = len({name for _, name in ways})
    return verdict(alike, queries, f"{count(alike)} of {count(queries)} queries: pairs of bodies, {rules} rules")


@reads(MEMORY)
def memory(study: Study) -> Verdict:
    """By the paper's bounds and by what is given here."""
    bounds, given = (
        [study.value(case, BINARY, what) / study.value(case, STACK, what) for case in study.cases()]
        for what in (BOUND, GIVEN)
    )
    kept = sum(bound <= GREATLY and here <= GREATLY for bound, here in zip(bounds, given, strict=True))
    numbers = f"bound (2) is {min(bounds):.1%} to {max(bounds):.1%} of bound (1); "
    return verdict(kept, len(bounds), numbers + f"here {min(given):.1%} to {max(given):.1%}")


@reads(MEMORY)
def bound_1(study: Study) -> Verdict:
    """What a stack held at most, by the bound."""
    used = {case: study.value(case, STACK, "in use") / study.value(case, STACK, BOUND) for case in study.cases()}
    worst = max(used, key=used.__getitem__)
    numbers = f"{study.text(worst, '', 'trees')}: {study.count(worst, STACK, 'in use')} bytes in use, "
    numbers += f"bound (1) says {study.value(worst, STACK, BOUND):g}"
    return verdict(sum(part <= 1 for part in used.values()), len(used), numbers)


def _bits(study: Study) -> dict[str, tuple[int, int]]:
    """Bits in use at most, and the heights of both trees together."""
    cases = [case for case in study.cases() if study.has(case, BINARY, "bits in use")]
    return {c: (study.count(c, BINARY, "bits in use"), 2 * study.count(c, "", "height")) for c in cases}


@reads(MEMORY)
def bound_2(study: Study) -> Verdict | None:
    """What a binary stack held at most: a bit for each step down, and no path has more steps than both trees levels."""
    found = _bits(study)
    if not found:
        return None
    fullest = max(found, key=lambda case: found[case][0] / max(found[case][1], 1))
    numbers = f"{study.text(fullest, '', 'trees')}: {found[fullest][0]} bits in use, bound (2) has {found[fullest][1]}"
    return verdict(sum(used <= most for used, most in found.values()), len(found), numbers)


@reads(MEMORY)
def two_integers(study: Study) -> Verdict | None:
    """Whether 64 bits are enough for every pair of trees."""
    needed = {case: most for case, (_, most) in _bits(study).items()}
    return over_cases(
        [(most <= TWO_INTEGERS, f"{study.text(case, '', 'trees')} {most}") for case, most in needed.items()],
        "bits for both trees: ",
    )


@reads(MEMORY)
def numbering(study: Study) -> Verdict | None:
    """Every node of every tree: last children stand behind their parents, with their escape indexes."""
    cases = [case for case in study.cases() if study.has(case, "", "numbered")]
    nodes, right = (sum(study.count(case, "", what) for case in cases) for what in ("nodes", "numbered"))
    return verdict(right, nodes, f"{count(right)} of {count(nodes)} nodes")


@reads(TRAVERSALS)
def same_ascent(study: Study) -> Verdict | None:
    """All counters of every query, by parents beside by numbering."""
    cases = study.cases(PARENTS)
    alike = sum(study.count(case, PARENTS, "counted alike") for case in cases)
    queries = sum(study.count(case, "", "body pairs") for case in cases)
    return verdict(alike, queries, f"{count(alike)} of {count(queries)} queries")


@reads(TRAVERSALS)
def ascent_reads(study: Study) -> Verdict | None:
    """Nodes read on ways up by parents; by numbering, none is."""
    parts = {c: study.value(c, PARENTS, "read on ways up") / max(study.value(c, PARENTS, "node pairs"), 1)
             for c in study.cases(PARENTS)}  # fmt: skip
    title = "nodes read on ways up, per pair of nodes tested: "
    return over_cases([(part > 0, f"{part:.2f} at {case}") for case, part in parts.items()], title)


@reads(TRAVERSALS)
def ascent_costly(study: Study) -> Verdict | None:
    """Time by parents / by numbering on one core; more than a twentieth is costly."""
    longer = {case: study.interval(case, PARENTS, BASE) for case in study.cases(PARENTS)}
    return over_cases([(one.above(1 + EQUAL), f"{interval(one)} at {case}") for case, one in longer.items()])


@reads(NODE_SIZES)
def node_size(study: Study) -> Verdict:
    """Links of the two kinds of nodes: one more, and how much of a node that is."""
    (what,) = study.cases()
    ours, theirs = (study.count(what, name, "link bytes") for name in (PAPERS_BINARY, PAPERS_STACK))
    whole = theirs + study.count(what, PAPERS_STACK, "box bytes")
    numbers = f"{ours} bytes of links instead of {theirs}: {(ours - theirs) / whole:.1%} of a node with an oriented box"
    return verdict(ours - theirs == LINK_BYTES, 1, numbers)


@reads(TRAVERSALS)
def stack_slow(study: Study) -> Verdict | None:
    """About GPUs; the CPU's times stand without a verdict."""
    faster = study.ratios(by_rule(STACK, DEFAULT_RULE), BASE)
    numbers = ", ".join(f"{ratio(factor)} at {case}" for case, factor in faster.items())
    return Verdict(UNKNOWN, f"on a CPU, time of an ordinary stack / of a binary one: {numbers}") if faster else None
