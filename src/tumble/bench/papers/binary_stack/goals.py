"""What the simulation and its parts must reach here."""

from functools import partial

from tumble.bench.framework.goals import Goal, Outcome
from tumble.bench.framework.statistics import geometric_mean
from tumble.bench.framework.table import Study, Table, reads
from tumble.bench.papers.binary_stack.claims import share
from tumble.bench.papers.binary_stack.fall import COLLISION, FALL, SIMULATOR
from tumble.bench.papers.binary_stack.obb_race import ALL, COAL, FIRST, OBB, OBB_RACE
from tumble.bench.papers.binary_stack.published import BODIES, STEPS
from tumble.bench.papers.binary_stack.races import BINARY, COLLISIONS, TRAVERSALS
from tumble.report import count, ratio, significant

MOST_SECONDS, MINOR = 1.0, 0.5
# What falls fast is a little in the plane when it hits it; deeper than this part of its length it is going through.
IN_THE_PLANE = 0.05
# A body may be faster than the highest one would be after a free fall by so much: others push it.
PUSHED = 1.25
# Bodies that are lifted out of each other gain height: that much of the energy of the start, at most.
GAINED = 0.01


def _fact(study: Study, quantity: str) -> float:
    return study.value(study.cases()[0], "", quantity)


def _steps(study: Study, quantity: str) -> list[float]:
    return study.series(study.cases()[0], SIMULATOR, quantity).tolist()


def _is_whole(fall: Study) -> bool:
    """Whether it was the paper's simulation."""
    return _fact(fall, "bodies") >= BODIES and _fact(fall, "steps") > STEPS


@reads(FALL)
def _seconds(fall: Study) -> Outcome:
    if not _is_whole(fall) or not _fact(fall, "real"):
        return None
    seconds = _steps(fall, "step")
    mean = sum(seconds) / len(seconds)
    return f"{significant(mean)} s, the longest {significant(max(seconds))} s", MOST_SECONDS / mean


@reads(FALL)
def _collision(fall: Study) -> Outcome:
    if not _is_whole(fall):
        return None
    part = share(fall, *COLLISION)
    return f"{part:.0%}", MINOR / part if part < MINOR else min(MINOR / part, 0.999)


@reads(FALL)
def _deepest(fall: Study) -> Outcome:
    depth, length = max(-min(_steps(fall, "lowest")), 0.0), _fact(fall, "length")
    words = f"{significant(1e3 * depth, 2)} mm at most, {depth / length:.2%} of a length"
    return words, IN_THE_PLANE * length / max(depth, 1e-9)


@reads(FALL)
def _fastest(fall: Study) -> Outcome:
    fastest, energy = (max(_steps(fall, name)) for name in ("fastest", "energy"))
    free_fall, start = _fact(fall, "free fall"), _fact(fall, "start energy")
    words = f"{significant(fastest)} m/s at most, a free fall {significant(free_fall)} m/s; "
    words += f"energy at most {energy / start:.1%} of the start's"
    return words, min(PUSHED * free_fall / max(fastest, 1e-9), (1 + GAINED) * start / energy)


@reads(FALL)
def _rest(fall: Study) -> Outcome:
    asleep, bodies = _fact(fall, "asleep"), _fact(fall, "bodies")
    words = f"{count(round(asleep))} of {count(round(bodies))} sleep after "
    words += f"{count(round(_fact(fall, 'steps until rest')))} steps, the lowest corner at {lowest_at_rest(fall)}"
    return words, asleep / bodies * (_fact(fall, "lowest at rest") >= -_fact(fall, "slop"))


def lowest_at_rest(fall: Study) -> str:
    """The height of the lowest corner in words."""
    tenths = round(1e4 * _fact(fall, "lowest at rest"))
    return f"{'−' if tenths < 0 else ''}{abs(tenths) / 10} mm"


def _faster_than_coal(query: str, table: Table) -> Outcome:
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
    ways = [(study, case, name) for study in studies for case in study.cases() for name in study.contestants(case)]
    if not ways:
        return None
    asked, wrong = (
        sum(study.count(case, name, what) for study, case, name in ways) for what in ("body pairs", "wrong answers")
    )
    words = f"{count(asked - wrong)} of {count(asked)} pairs of bodies, "
    words += f"{len({name for *_, name in ways})} ways ({BINARY} among them)"
    return words, (asked - wrong) / asked if asked else 1.0


GOALS = (
    Goal(f"{BODIES} cows, {STEPS} steps", f"at most {MOST_SECONDS:g} s per step on average", _seconds),
    Goal("collision detection", "less than half of a step", _collision),
    Goal("none tunnels", f"no corner deeper than {IN_THE_PLANE:.0%} of a length, at any step", _deepest),
    Goal(
        "none explodes", f"none faster than {PUSHED:g} × a free fall from the top, energy within {GAINED:.0%}", _fastest
    ),
    Goal("all come to rest", "all sleep, no corner deeper in the plane than the slop", _rest),
    Goal("OBB tree beside Coal's, all pairs", "faster", partial(_faster_than_coal, ALL)),
    Goal("OBB tree beside Coal's, first hit", "faster", partial(_faster_than_coal, FIRST)),
    Goal("answers", "the same from every method and device", _answers),
)
