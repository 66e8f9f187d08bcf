"""The claims of the paper with their tests: on counts, which are the same on every machine, and on time, as ratios.

Each is put to the published tables as well as to ours: a test takes one of the two studies.
"""

from collections.abc import Callable
from dataclasses import replace

from tumble.bench.framework.claims import UNKNOWN, Claim, Verdict, read_claims
from tumble.bench.framework.table import PUBLISHED, Study, reads
from tumble.bench.papers.stackless import claims_counts, claims_devices, claims_scenes, claims_times
from tumble.bench.papers.stackless.devices import DEVICES
from tumble.bench.papers.stackless.measure import QUERIES

ON_DEVICES = "On OpenCL devices"
WITHOUT_DEVICES = Verdict(UNKNOWN, "no OpenCL device was measured")


def _on_both(claim: Claim) -> Claim:
    """The claim with its test put to our study, and to the published one for what the paper prints.

    What it says about devices it does not print.
    """
    test: Callable[..., Verdict | None] = claim.test
    if claim.group == ON_DEVICES:
        return replace(claim, test=lambda table: reads(DEVICES)(test)(table) or WITHOUT_DEVICES)

    def printed(study: Study) -> str:
        found = test(study)
        return found.numbers if found else "–"

    return replace(
        claim, published=lambda table: printed(table.study(PUBLISHED)), test=lambda table: test(table.study(QUERIES))
    )


TESTS = {**vars(claims_counts), **vars(claims_times), **vars(claims_scenes), **vars(claims_devices)}
CLAIMS = tuple(map(_on_both, read_claims(__package__, TESTS)))
