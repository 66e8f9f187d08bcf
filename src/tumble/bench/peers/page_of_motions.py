"""What fills the slots of page.md about times of impact, beside those that all queries share."""

from tumble.bench.framework.page import Flagged, Page, Rows
from tumble.bench.peers.moving.edges import SEGMENT
from tumble.bench.peers.moving.fcl_moving import SAMPLES
from tumble.bench.peers.moving.goals import WRONG
from tumble.bench.peers.moving.ipc_steps import BROAD_PHASE
from tumble.bench.peers.moving.judge import COLUMNS, JUDGED, LATE, NEAR
from tumble.bench.peers.moving.steps import CCD_STEP
from tumble.report import count, significant

__all__ = ["BROAD_PHASE", "LATE", "NEAR", "SAMPLES", "SEGMENT", "impacts_judged", "step_times"]


def impacts_judged(page: Page) -> Rows:
    """What the judge says, case by case."""
    study = page.study(JUDGED)
    rows: list[list[str]] = []
    for case in study.cases():
        for name in study.contestants(case):
            row = [case, f"`{name}`", *(count(study.count(case, name, what)) for what in COLUMNS)]
            rows.append(Flagged(row) if any(study.count(case, name, what) for what in WRONG) else row)
    return rows


def step_times(page: Page) -> Rows:
    """How far each library says that a step may go."""
    study = page.study(CCD_STEP)
    return [
        [case, f"`{name}`", significant(study.value(case, name, "first contact"), 7)]
        for case in study.cases()
        for name in study.contestants(case)
        if study.has(case, name, "first contact")
    ]
