"""What the simulation and its parts must reach here."""

from __future__ import annotations

from functools import partial

from tumble.bench.framework.goals import Goal, Outcome
from tumble.bench.framework.statistics import geometric_mean
from tumble.bench.framework.table import Table
from tumble.bench.papers.binary_stack.claims import share
from tumble.bench.papers.binary_stack.contestants import BINARY
from tumble.bench.papers.binary_stack.fall import COLLISION, FALL, SIMULATOR
from tumble.bench.papers.binary_stack.obb_race import ALL, COAL, FIRST, OBB, OBB_RACE
from tumble.bench.papers.binary_stack.published import BODIES, STEPS
from tumble.bench.papers.binary_stack.races import COLLISIONS, TRAVERSALS
from tumble.report import count, ratio, significant

MOST_SECONDS, MINOR = 1.0, 0.5
# What falls fast is a little in the plane when it hits it; deeper than this part of its length it is going through.
IN_THE_PLANE = 0.05
# A body may be faster than the highest one would be after a free fall by so much: others push it.
PUSHED = 1.25
# Bodies that are lifted out of each other gain height: that much of the energy of the start, at most.
GAINED = 0.01


def _fact(table: Table, quantity: str) -> float:
    study = table.study(FALL)
    return study.value(study.cases()[0], "", quantity)


def _steps(table: Table, quantity: str) -> list[float]:
    study = table.study(FALL)
    return study.series(study.cases()[0], SIMULATOR, quantity).tolist()


def _is_whole(table: Table) -> bool:
    """Whether it was the paper's simulation."""
    return bool(table.study(FALL)) and _fact(table, "bodies") >= BODIES and _fact(table, "steps") > STEPS


def _seconds(table: Table) -> Outcome:
    if not _is_whole(table) or not _fact(table, "real"):
        return None
    seconds = _steps(table, "step")
    mean = sum(seconds) / len(seconds)
    return f"{significant(mean)} s, the longest {significant(max(seconds))} s", MOST_SECONDS / mean


def _collision(table: Table) -> Outcome:
    if not _is_whole(table):
        return None
    part = share(table, *COLLISION)
    return f"{part:.0%}", MINOR / part if part < MINOR else min(MINOR / part, 0.999)


def _deepest(table: Table) -> Outcome:
    if not table.study(FALL):
        return None
    depth, length = max(-min(_steps(table, "lowest")), 0.0), _fact(table, "length")
    words = f"{significant(1e3 * depth, 2)} mm at most, {depth / length:.2%} of a length"
    return words, IN_THE_PLANE * length / max(depth, 1e-9)


def _fastest(table: Table) -> Outcome:
    if not table.study(FALL):
        return None
    fastest, energy = (max(_steps(table, name)) for name in ("fastest", "energy"))
    free_fall, start = _fact(table, "free fall"), _fact(table, "start energy")
    words = f"{significant(fastest)} m/s at most, a free fall {significant(free_fall)} m/s; "
    words += f"energy at most {energy / start:.1%} of the start's"
    return words, min(PUSHED * free_fall / max(fastest, 1e-9), (1 + GAINED) * start / energy)


def _rest(table: Table) -> Outcome:
    if not table.study(FALL):
        return None
    asleep, bodies = _fact(table, "asleep"), _fact(table, "bodies")
    words = f"{count(round(asleep))} of {count(round(bodies))} sleep after "
    words += f"{count(round(_fact(table, 'steps until rest')))} steps, the lowest corner at {lowest_at_rest(table)}"
    return words, asleep / bodies * (_fact(table, "lowest at rest") >= -_fact(table, "slop"))


def lowest_at_rest(table: Table) -> str:
    """The height of the lowest corner in words."""
    tenths = round(1e4 * _fact(table, "lowest at rest"))
    return f"{'−' if tenths < 0 else ''}{abs(tenths) / 10} mm"


def _faster_than_coal(table: Table, query: str) -> Outcome:
    study = table.study(OBB_RACE)
    leads = study.ratios(COAL, OBB, [case for case in study.cases() if study.text(case, "", "query") == query])
    if not leads:
        return None
    mean, least = geometric_mean(list(leads.values())), min(leads, key=leads.__getitem__)
    slower = sum(lead < 1 for lead in leads.values())
    name = study.text(least, "", "object")
    return f"{ratio(mean)}, least {ratio(leads[least])} ({name}); slower on {slower} of {len(leads)}", mean


def _answers(table: Table) -> Outcome:
    studies = [table.study(name) for name in (COLLISIONS, TRAVERSALS)]
    ways = {name for study in studies for name in study.contestants()}
    asked = sum(
        study.count(case, name, "body pairs")
        for study in studies
        for case in study.cases()
        for name in study.contestants(case)
    )
    if not ways:
        return None
    same = asked - round(sum(study.total("wrong answers") for study in studies))
    words = f"{count(same)} of {count(asked)} pairs of bodies, {len(ways)} ways ({BINARY} among them)"
    return words, same / asked if asked else 1.0


GOALS = (
    Goal(f"{BODIES} cows, {STEPS} steps", f"at most {MOST_SECONDS:g} s per step on average", _seconds),
    Goal("collision detection", "less than half of a step", _collision),
    Goal("none tunnels", f"no corner deeper than {IN_THE_PLANE:.0%} of a length, at any step", _deepest),
    Goal(
        "none explodes", f"none faster than {PUSHED:g} × a free fall from the top, energy within {GAINED:.0%}", _fastest
    ),
    Goal("all come to rest", "all sleep, no corner deeper in the plane than the slop", _rest),
    Goal("OBB tree beside Coal's, all pairs", "faster", partial(_faster_than_coal, query=ALL)),
    Goal("OBB tree beside Coal's, first hit", "faster", partial(_faster_than_coal, query=FIRST)),
    Goal("answers", "the same from every method and device", _answers),
)
