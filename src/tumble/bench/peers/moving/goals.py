"""What a run says about times of impact, steps and common volumes, beside how much faster Tumble is."""

from math import inf

from tumble.bench.framework.goals import Outcome
from tumble.bench.framework.table import TIME, Study, Table, reads
from tumble.bench.peers.moving.judge import JUDGED
from tumble.bench.peers.moving.steps import CCD_STEP
from tumble.bench.peers.moving.sweeps import TIME_OF_IMPACT
from tumble.bench.peers.moving.volumes import ASSEMBLY, DEPTHS
from tumble.bench.peers.ours import OURS
from tumble.report import count, ratio, significant

WRONG = ("missed", "late", "early")
SAME_STEP = 0.01
"""of the time: how far IPC Toolkit's may be from ours where it stops at 0.999 of the way"""


def longest_flight(kind: str, limit: float, table: Table) -> Outcome:
    """Whether no flight of a kind takes longer than so many seconds."""
    study = table.study(TIME_OF_IMPACT)
    chosen = {case: study.value(case, OURS, TIME) for case in study.cases(OURS) if _kind(study, case) == kind}
    if not chosen:
        return None
    longest = max(chosen, key=lambda case: chosen[case])
    return f"{significant(1e3 * chosen[longest])} ms ({longest}; {len(chosen)} flights)", limit / chosen[longest]


def _kind(study: Study, case: str) -> str:
    return study.text(case, "", "motion")


def wrong_answers(study: Study, name: str) -> tuple[int, int]:
    """How many answers of a library are wrong, and of how many."""
    cases = study.cases(name)
    wrong = sum(study.count(case, name, what) for case in cases for what in WRONG)
    return wrong, sum(study.count(case, name, "flights") for case in cases)


@reads(JUDGED)
def all_right(study: Study) -> Outcome:
    """Whether the judge finds no wrong answer of Tumble's; the others are named."""
    wrong, asked = wrong_answers(study, OURS)
    rivals = [name for name in study.contestants() if not name.startswith(OURS) and " " not in name]
    words = [
        f"{name}: {count(each[0])} of {count(each[1])}" for name in rivals for each in [wrong_answers(study, name)]
    ]
    beside = f"; {', '.join(words)}" if words else ""
    return f"{count(wrong)} wrong of {count(asked)}{beside}", 0.0 if wrong else 1.0


def same_step_times(rival: str, table: Table) -> Outcome:
    """Whether a rival that goes on nearly to the contact names nearly the same times."""
    study = table.study(CCD_STEP)
    cases = [case for case in study.cases(OURS, rival) if study.has(case, rival, "first contact")]
    if not cases:
        return None
    apart = {case: _apart(study, case, rival) for case in cases}
    worst = max(apart, key=lambda case: apart[case])
    reached = SAME_STEP / apart[worst] if apart[worst] > 0.0 else inf
    return f"at most {100 * apart[worst]:.2g} % apart ({worst}; steps: {len(cases)})", reached


def _apart(study: Study, case: str, rival: str) -> float:
    ours, theirs = (min(1.0, study.value(case, name, "first contact")) for name in (OURS, rival))
    return abs(theirs - ours) / ours if ours > 0.0 else abs(theirs)


def assembly_seconds(limit: float, table: Table) -> Outcome:
    """Whether all penetrations of every assembly, with depths, take no longer than so many seconds."""
    study = table.study(ASSEMBLY)
    chosen = {case: study.value(case, DEPTHS, TIME) for case in study.cases(DEPTHS)}
    if not chosen:
        return None
    longest = max(chosen, key=lambda case: chosen[case])
    volumes = chosen[longest] / study.value(longest, OURS, TIME)
    words = f"{significant(chosen[longest])} s ({longest}; {ratio(volumes)} the time of volumes alone)"
    return words, limit / chosen[longest]
