"""What a run measures: every question at every size, each in a process of its own."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from tumble.bench.framework.benchmark import Run, Say, Task
from tumble.bench.framework.statistics import Quantiles
from tumble.bench.framework.table import TIME, Study, Table
from tumble.bench.growth.once import Once
from tumble.bench.growth.questions import BODIES, IN_ALL, QUESTIONS, TRIANGLES, Question
from tumble.bench.peers.ours import OURS
from tumble.errors import TumbleError

SIZE, PEAK, ANSWER = "size", "peak memory", "answer"
KIND = "kind of size"
LONGEST = 600.0
"""s that one process may take before it is ended, and the question counts as not answered"""


@dataclass(frozen=True)
class Sizes:
    """Sizes of what is asked about, and seconds for each question at each of them."""

    triangles: Sequence[int] = (1_000, 4_000, 16_000, 64_000, 256_000, 1_000_000, 4_000_000)
    largest: int = 20_000_000
    """triangles of one mesh, for LARGEST alone"""
    bodies: Sequence[int] = (1_000, 4_000, 16_000, 64_000)
    crowd: int = 100_000
    """bodies of a scene, of which one in a hundred moves"""
    scene: Sequence[int] = (1_000_000, 4_000_000, 20_000_000, 100_000_000)
    """triangles of all meshes of a scene"""
    of_peers: int = 1_000_000
    """triangles up to which other libraries are asked"""
    budget: float = 0.5


LARGEST = ("build", "first hit", "all pairs")
"""the questions about the largest mesh"""
FULL = Sizes()
QUICK = Sizes(
    triangles=(1_000, 4_000, 16_000, 64_000),
    largest=256_000,
    bodies=(250, 1_000, 4_000),
    crowd=10_000,
    scene=(64_000, 256_000),
    of_peers=16_000,
    budget=0.1,
)


def tasks(run: Run[Sizes]) -> list[Task]:
    """All questions, in the order of the page."""
    return [
        Task(f"{question.name}: {contestant}", partial(_grow, run, question, contestant))
        for question in QUESTIONS
        for contestant in (OURS, *question.peers)
    ]


def sizes_of(sizes: Sizes, question: Question, contestant: str) -> list[int]:
    """The sizes at which a library is asked a question."""
    found = list({TRIANGLES: sizes.triangles, BODIES: sizes.bodies, IN_ALL: sizes.scene}[question.size])
    if contestant != OURS:
        return [size for size in found if size <= sizes.of_peers]
    found = [size for size in found if size <= question.most]
    if question.name in LARGEST:
        found.append(sizes.largest)
    if question.name == "scene, one in 100 moves":
        found.append(sizes.crowd)
    return found


def _grow(run: Run[Sizes], question: Question, contestant: str, say: Say) -> None:
    sizes = sizes_of(run.sizes, question, contestant)
    for done, size in enumerate(sizes):
        say(f"{question.name}: {contestant}, {size:,} {question.size}", done / len(sizes))
        found = ask_elsewhere(contestant, question.name, size, run.sizes.budget, run.table)
        if found is None:
            return
        write(run.study(question.name), question, contestant, size, found)


def write(study: Study, question: Question, contestant: str, size: int, found: Once) -> None:
    """Write down what one process has found."""
    case = str(size)
    study.add(case, "", SIZE, size)
    study.add(case, "", KIND, question.size)
    times = Quantiles.of(found.seconds)
    study.add_values(
        case, contestant, {TIME: times.median, f"{TIME}, low": times.low, f"{TIME}, high": times.high}, "s"
    )
    study.add(case, contestant, "rounds", len(found.seconds))
    study.add(case, contestant, ANSWER, found.answer)
    if found.peak is not None:
        study.add(case, contestant, PEAK, found.peak, "bytes")


def ask_elsewhere(contestant: str, name: str, size: int, budget: float, table: Table) -> Once | None:
    """Ask a question in a process of its own; None, and a note, where the library is missing or takes too long."""
    command = [sys.executable, "-m", "tumble.bench.growth", contestant, name, str(size), str(budget)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=LONGEST)
    except subprocess.TimeoutExpired:
        table.note(f"`{contestant}` did not answer “{name}” at {size:,} within {LONGEST:g} s.")
        return None
    if done.returncode == 0:
        return Once(**json.loads(done.stdout))
    last = (done.stderr.strip().splitlines() or [f"it ended with {done.returncode} and no message"])[-1]
    if contestant == OURS:
        raise TumbleError(f"{name!r} at {size:,} failed: {last}")
    table.note(f"`{contestant}` did not answer “{name}” from {size:,} on: {last}")
    return None
