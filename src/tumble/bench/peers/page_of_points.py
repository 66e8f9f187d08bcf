"""What fills the slots of page.md about distances and points, beside those that all queries share."""

from tumble.bench.framework.page import Flagged, Page, Rows
from tumble.bench.framework.timing import CONTEXT_ROUNDS
from tumble.bench.peers.apart import CLEARANCE
from tumble.bench.peers.apart_tasks import TRIED
from tumble.bench.peers.ours import OURS
from tumble.bench.peers.points.races import SIGNS
from tumble.report import count

__all__ = ["CLEARANCE", "CONTEXT_ROUNDS", "signs", "tried"]

SIGN_COLUMNS = ("points", "wrong", "wrong, far", "on surface", "on surface, wrong")


def signs(page: Page) -> Rows:
    """How many signs are wrong, by library, over all cases."""
    study = page.study(SIGNS)
    rows: list[list[str]] = []
    for name in study.contestants():
        sums = [sum(study.count(case, name, what) for case in study.cases(name)) for what in SIGN_COLUMNS]
        off = max(study.value(case, name, "off") for case in study.cases(name))
        row = [f"`{name}`", *map(count, sums), "–" if name == OURS else f"{off:.0e}"]
        rows.append(Flagged(row) if sums[1] or sums[4] else row)
    return rows


def tried(page: Page) -> Rows:
    """Which libraries were tried, and what came of it."""
    study = page.study(TRIED)
    return [[f"`{name}`", study.text(name, "", "question"), study.text(name, "", "outcome")] for name in study.cases()]
