"""Run the fuzzer: `python -m tests.fuzz --seconds 60`, or `--each 20`. The exit code is 1 when a case failed."""

from __future__ import annotations

import argparse
import math
import os
import random
import secrets
import sys
import time
from collections.abc import Iterator, Mapping
from pathlib import Path

from .pool import Case, run_cases
from .report import Report
from .targets import TARGETS, Target


def parsed(arguments: list[str] | None = None) -> argparse.Namespace:
    """Return the options."""
    parser = argparse.ArgumentParser("python -m tests.fuzz", description="Ask random awkward questions, judge answers.")
    parser.add_argument("--seconds", type=float, default=60.0, help="start cases for so long (default: 60)")
    parser.add_argument("--seed", type=int, help="of the whole run; default: another one each time")
    parser.add_argument("--each", type=int, metavar="N", help="N cases for each, the same ones everywhere")
    parser.add_argument("--only", nargs="+", choices=TARGETS, metavar="NAME", help=f"some of: {', '.join(TARGETS)}")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1, help="processes (default: one per core)")
    parser.add_argument("--timeout", type=float, default=300.0, help="seconds until a case counts as hanging")
    parser.add_argument("--save", type=Path, metavar="FILE", help="append the failing cases to a file")
    parser.add_argument("--replay", metavar="ID|FILE", help="run one case, NAME:SEED, or those that --save wrote")
    return parser.parse_args(arguments)


def replayed(given: str, targets: Mapping[str, Target]) -> Iterator[Case]:
    """Yield the cases of an id, or of a file of them."""
    lines = Path(given).read_text().splitlines() if Path(given).is_file() else [given]
    for line in filter(None, lines):
        name, _, seed = line.split()[0].partition(":")
        if name not in targets or not seed.isdigit():
            raise SystemExit(f"{line!r} is not a case; write NAME:SEED with one of: {', '.join(targets)}")
        yield Case(name, targets[name], int(seed), exactly=True)


def drawn(targets: Mapping[str, Target], seed: int, seconds: float, report: Report) -> Iterator[Case]:
    """Yield cases of the target that had the least of its share of the time, until the time is over."""
    rng, until = random.Random(seed), time.monotonic() + seconds
    given = dict.fromkeys(targets, 0)
    while time.monotonic() < until:
        # what is running has not been counted yet: it is taken to cost what it did so far, a second at first
        def used(name: str) -> float:
            mean = report.seconds[name] / report.cases[name] if report.cases[name] else 1.0
            return mean * given[name] / targets[name].share

        name = min(targets, key=lambda each: (used(each), rng.random()))
        given[name] += 1
        yield Case(name, targets[name], rng.getrandbits(32))


def counted(targets: Mapping[str, Target], each: int) -> Iterator[Case]:
    """Yield the first cases of all targets, in turn, whatever the machine; fewer of those that take long."""
    most = {name: math.ceil(each * target.cases) for name, target in targets.items()}
    for seed in range(each):
        for name in targets:
            if seed < most[name]:
                yield Case(name, targets[name], seed, exactly=True)


def main(arguments: list[str] | None = None, targets: Mapping[str, Target] = TARGETS) -> int:
    """Run cases, print what happens; return the exit code."""
    options = parsed(arguments)
    report = Report(options.save)
    chosen = {name: targets[name] for name in options.only} if options.only else targets
    if options.replay:
        how, cases = f"{options.replay} again", replayed(options.replay, targets)
    elif options.each is not None:
        how, cases = f"{options.each} cases for each", counted(chosen, options.each)
    else:
        seed = secrets.randbits(32) if options.seed is None else options.seed
        how, cases = f"seed {seed}, {options.seconds:g} s", drawn(chosen, seed, options.seconds, report)
    print(f"fuzz: {how}; {options.workers} workers: {', '.join(chosen)}", flush=True)
    for news in run_cases(cases, max(options.workers, 1), options.timeout):
        if isinstance(news, str):
            report.tick(news)
        else:
            for outcome in news:
                report.add(outcome)
    print(report.summary())
    return 1 if report.failures else 0


if __name__ == "__main__":
    sys.exit(main())
