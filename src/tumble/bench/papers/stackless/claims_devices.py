"""The tests of what the paper says about GPUs, on the OpenCL devices of the machine."""

from tumble.bench.framework.claims import UNKNOWN, Verdict, exceptions, interval, over_cases
from tumble.bench.framework.table import Study
from tumble.bench.papers.stackless.devices import IN_TURNS, SETTINGS, by_way

WITHOUT_GPU = "no GPU here: the devices that were measured have the caches of a CPU"


def device_same_answer(study: Study) -> Verdict:
    """The pairs of every walk and way beside those of the CPU."""

    def broken(case: str) -> str:
        return ", ".join(name for name in study.contestants(case) if study.count(case, name, "wrong answers"))

    return exceptions(study.cases(), broken)


def device_same_walk(study: Study) -> Verdict:
    """Iterations and overlaps of the three, in both ways."""

    def broken(case: str) -> str | None:
        names = [by_way(method, way) for method in IN_TURNS for way in SETTINGS]
        found = {tuple(study.count(case, name, what) for what in ("iterations", "overlaps")) for name in names}
        return None if len(found) == 1 else f"(iterations, overlaps) {sorted(found)}"

    return exceptions(study.cases(), broken)


def device_post_faster(study: Study) -> Verdict:
    """On GPUs only: the paper says so of processors with little or no cache."""
    found = [
        study.interval(case, by_way("stackless-post", way), by_way("stackless", way))
        for case in study.cases()
        if study.text(case, "", "kind") == "gpu"
        for way in SETTINGS
    ]
    if not found:
        return Verdict(UNKNOWN, WITHOUT_GPU)
    return over_cases([(each.below(1), interval(each)) for each in found], "stackless-post / stackless: ")
