"""What the simulation and its parts must reach here, and whether this run reached it."""

from __future__ import annotations

from tumble.bench.binary_stack.contestants import BINARY
from tumble.bench.binary_stack.obb_race import ALL, COAL, OBB
from tumble.bench.binary_stack.published import BODIES, STEPS
from tumble.bench.binary_stack.records import COLLISION, Findings, Simulation
from tumble.bench.boxtree.records import FIRST, mean_ratio
from tumble.bench.goals import Judged, Outcome, judged
from tumble.report import count, ratio, significant

MOST_SECONDS, MINOR = 1.0, 0.5
# What falls fast is a little in the plane when it hits it; deeper than this part of its length it is going through.
IN_THE_PLANE = 0.05
# A body may be faster than the highest one would be after a free fall by so much: others push it.
PUSHED = 1.25
# Bodies that are lifted out of each other gain height: that much of the energy of the start, at most.
GAINED = 0.01


def judge_goals(findings: Findings) -> list[Judged]:
    """Every goal with its verdict; those about the paper's simulation only where it was run."""
    fall = findings.simulation
    whole = fall if fall is not None and fall.bodies >= BODIES and len(fall.steps) > STEPS else None
    return [
        judged(
            f"{BODIES} cows, {STEPS} steps",
            f"at most {MOST_SECONDS:g} s a step on average",
            _seconds(whole if whole is not None and whole.real else None),
        ),
        judged("collision detection", "less than half of a step", _collision(whole)),
        judged("none tunnels", f"no corner deeper than {IN_THE_PLANE:.0%} of a length, at any step", _deepest(fall)),
        judged(
            "none explodes",
            f"none faster than {PUSHED:g} × a free fall from the top, energy within {GAINED:.0%}",
            _fastest(fall),
        ),
        judged("all come to rest", "all sleep, no corner deeper in the plane than the slop", _rest(fall)),
        judged("OBB tree beside Coal's, all pairs", "faster", _faster_than_coal(findings, ALL)),
        judged("OBB tree beside Coal's, first hit", "faster", _faster_than_coal(findings, FIRST + ALL)),
        judged("answers", "the same from every method and device", _answers(findings)),
    ]


def _seconds(fall: Simulation | None) -> Outcome:
    if fall is None:
        return None
    mean, longest = fall.mean_seconds, max(step.seconds for step in fall.steps)
    return f"{significant(mean)} s, the longest {significant(longest)} s", MOST_SECONDS / mean


def _collision(fall: Simulation | None) -> Outcome:
    if fall is None:
        return None
    share = fall.share(*COLLISION)
    return f"{share:.0%}", MINOR / share if share < MINOR else min(MINOR / share, 0.999)


def _deepest(fall: Simulation | None) -> Outcome:
    if fall is None:
        return None
    depth, allowed = max(-min(step.lowest for step in fall.steps), 0.0), IN_THE_PLANE * fall.length
    return f"{significant(1e3 * depth, 2)} mm at most, {depth / fall.length:.2%} of a length", allowed / max(
        depth, 1e-9
    )


def _fastest(fall: Simulation | None) -> Outcome:
    if fall is None:
        return None
    fastest, energy = (max(getattr(step, name) for step in fall.steps) for name in ("fastest", "energy"))
    told = f"{significant(fastest)} m/s at most, a free fall {significant(fall.free_fall)} m/s; "
    told += f"energy at most {energy / fall.start_energy:.1%} of the start's"
    reached = PUSHED * fall.free_fall / max(fastest, 1e-9), (1 + GAINED) * fall.start_energy / energy
    return told, min(reached)


def _rest(fall: Simulation | None) -> Outcome:
    if fall is None:
        return None
    rest = fall.rest
    told = f"{count(rest.asleep)} of {count(fall.bodies)} sleep after {count(rest.steps)} steps, "
    told += f"the lowest corner at {rest.lowest_text}"
    return told, rest.asleep / fall.bodies * (rest.lowest >= -fall.slop)


def _faster_than_coal(findings: Findings, query: str) -> Outcome:
    cases = [one for one in findings.obb if one.case.query == query]
    if not cases:
        return None
    mean = mean_ratio(cases, COAL, OBB)
    leads = [(one.ratio(COAL, OBB).median, one.case.name) for one in cases]
    slower = sum(lead < 1 for lead, _ in leads)
    least, name = min(leads)
    return f"{ratio(mean)}, least {ratio(least)} ({name}); slower on {slower} of {len(leads)}", mean


def _answers(findings: Findings) -> Outcome:
    if not findings.answers:
        return None
    asked, differ = (sum(getattr(one, name) for one in findings.answers) for name in ("asked", "differ"))
    names = len({one.contestant for one in findings.answers})
    told = f"{count(asked - differ)} of {count(asked)} pairs of bodies, {names} ways ({BINARY} among them)"
    return told, (asked - differ) / asked if asked else 1.0
