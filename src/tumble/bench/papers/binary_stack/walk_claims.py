"""The tests of the paper's claims about the walk: its stack, its ascent, its nodes."""

from tumble.bench.framework.claims import Verdict, graded, interval, over_cases, verdict
from tumble.bench.framework.table import Study, reads
from tumble.bench.papers.binary_stack.memory import BOUND, GIVEN, MEMORY, NODE_SIZES, PAPERS_BINARY, PAPERS_STACK
from tumble.bench.papers.binary_stack.races import BINARY, NUMBERED, PARENTS, STACK, TRAVERSALS, by_rule
from tumble.report import count
from tumble.traversal.rules import DEFAULT_RULE

# "Greatly": a quarter at most.
GREATLY = 0.25
# Section 4: two coupled integers of 32 bits.
TWO_INTEGERS = 64
# Section 4: one of them, which is enough for two trees of 16 levels.
ONE_INTEGER = 32
# "In the same manner": bytes per bit within a quarter.
SAME_MANNER = 1.25
# "All the ascended nodes", but for the roots, at which walks end.
ALL = 0.95
# Times closer than this are equal: "costly" is more.
EQUAL = 0.05
LINK_BYTES = 4
BASE = by_rule(BINARY, DEFAULT_RULE)


@reads(TRAVERSALS)
def same_walk(study: Study) -> Verdict:
    """All counters of every query, by descent rule."""
    ways = [
        (case, name) for case in study.cases() for name in study.contestants(case) if name not in (PARENTS, NUMBERED)
    ]
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
def one_integer(study: Study) -> Verdict | None:
    """Whether 32 bits are enough for trees of 16 levels and too few for deeper ones, by bits in use."""
    outcomes = []
    for case, (used, levels) in _bits(study).items():
        deep = levels > ONE_INTEGER
        words = f"{study.text(case, '', 'trees')} ({levels // 2} levels) {used}"
        outcomes.append((deep == (used > ONE_INTEGER), words))
    if not any(levels > ONE_INTEGER for _, levels in _bits(study).values()):
        return None
    return over_cases(outcomes, "bits in use: ")


@reads(MEMORY)
def scales(study: Study) -> Verdict | None:
    """Bytes of an ordinary stack per bit of a binary one, over binary trees of all sizes."""
    found = {c: study.value(c, STACK, "in use") / max(used, 1) for c, (used, _) in _bits(study).items()
             if study.count(c, "", "children") == 2}  # fmt: skip
    if len(found) < 2:
        return None
    apart = max(found.values()) / min(found.values())
    numbers = ", ".join(f"{study.text(case, '', 'trees')} {part:.2f}" for case, part in found.items())
    return verdict(apart <= SAME_MANNER, 1, f"bytes of an ordinary stack per bit: {numbers}")


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
    """Nodes read on ways up, counted in both ascents, the pair with which a way begins left out."""
    outcomes = []
    for case in study.cases(PARENTS, NUMBERED):
        up, read = (study.count(case, PARENTS, what) for what in ("steps up", "read on ways up"))
        none = study.count(case, NUMBERED, "read on ways up")
        links = [count(study.count(case, name, "links read")) for name in (PARENTS, NUMBERED)]
        words = f"{read / max(up, 1):.0%} of the nodes that {count(up)} steps up lead to, by numbering {count(none)} "
        words += f"(numbers read: {links[0]} and {links[1]}) at {case}"
        outcomes.append((none == 0 and read >= ALL * up > 0, none == 0 and read > 0, words))
    if not outcomes:
        return None
    holds, partly = (all(outcome[k] for outcome in outcomes) for k in (0, 1))
    return graded(holds, partly, "by parents, " + "; ".join(words for *_, words in outcomes))


@reads(TRAVERSALS)
def ascent_costly(study: Study) -> Verdict | None:
    """Time by parents / by numbering on one core; more than a twentieth is costly."""
    longer = {case: study.interval(case, PARENTS, BASE) for case in study.cases(PARENTS)}
    return over_cases([(one.above(1 + EQUAL), f"{interval(one)} at {case}") for case, one in longer.items()])


@reads(NODE_SIZES)
def node_size(study: Study) -> Verdict | None:
    """Links with which the two walks get along: one more, and how much of a node that is."""
    (what,) = study.cases()
    if not study.has(what, "", "walks"):
        return None
    walks, alike, visited = (study.count(what, "", name) for name in ("walks", "walks alike", "visited"))
    ours, theirs = (study.count(what, name, "link bytes") for name in (PAPERS_BINARY, PAPERS_STACK))
    whole = theirs + study.count(what, PAPERS_STACK, "box bytes")
    numbers = (
        f"{ours} bytes of links instead of {theirs}: {(ours - theirs) / whole:.1%} of a node with an oriented box; "
    )
    numbers += f"{alike} of {walks} pairs of walks visit the same {count(visited)} pairs of nodes"
    return graded(alike == walks and ours - theirs == LINK_BYTES, False, numbers)
