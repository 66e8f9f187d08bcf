"""What happened in a simulation and how long it took, as text and as JSON."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from tumble.cli.output import amount, json_object, printable, styled, table

if TYPE_CHECKING:
    from tumble.dynamics import World


@dataclass
class Outcome:
    """A world, and what was measured while it ran."""

    scene: str
    device: str
    world: World
    interrupted: bool = False
    file: Path | None = None
    file_bytes: int = 0
    steps: int = 0
    seconds: float = 0.0
    phases: dict[str, float] = field(default_factory=dict)
    """s, over all steps"""
    deepest: float = 0.0
    """m, that a body was inside another at any step"""
    energy_at_start: float = 0.0
    slowest: tuple[float, int] = (0.0, 0)
    """s and number of the slowest step"""

    def __post_init__(self) -> None:
        self.energy_at_start = self.world.energy()

    def note(self, seconds: float) -> None:
        """Record the last step, and the time it took."""
        self.steps += 1
        self.seconds += seconds
        self.slowest = max(self.slowest, (seconds, self.steps))
        for phase, spent in self.world.timings.items():
            self.phases[phase] = self.phases.get(phase, 0.0) + spent
        self.deepest = max(self.deepest, float(self.world.contacts.depths.max(initial=0.0)))

    @property
    def triangles(self) -> int:
        """Of all bodies."""
        return sum(len(entry.mesh) for entry in self.world.roster.entries)

    @property
    def awake(self) -> int:
        """How many bodies still move."""
        return int(self.world.moving.sum())

    def render(self, json: bool) -> str:
        """Return one JSON object, or text."""
        return as_json(self) if json else as_text(self)


def as_json(outcome: Outcome) -> str:
    """Return one JSON object; docs/simulate.md lists its fields."""
    world = outcome.world
    fields = {
        "scene": outcome.scene,
        "device": outcome.device,
        "bodies": len(world.names),
        "triangles": outcome.triangles,
        "steps": outcome.steps,
        "simulated_seconds": world.time,
        "seconds": outcome.seconds,
        "slowest_step": {"seconds": outcome.slowest[0], "step": outcome.slowest[1]},
        "phases": outcome.phases,
        "at_rest": outcome.awake == 0,
        "awake": outcome.awake,
        "counts": world.counts,
        "deepest": outcome.deepest,
        "energy": {"start": outcome.energy_at_start, "end": world.energy()},
        "interrupted": outcome.interrupted,
        "file": None if outcome.file is None else str(outcome.file),
        "file_bytes": outcome.file_bytes,
    }
    return json_object(fields)


def as_text(outcome: Outcome) -> str:
    """Return the phases as a table, what happened as another, and where the file is."""
    world = outcome.world
    bodies = f"{amount(len(world.names), 'body').replace('bodys', 'bodies')} of {amount(outcome.triangles, 'triangle')}"
    head = f"{outcome.scene}: {bodies}, {amount(outcome.steps, 'step')}, {world.time:.4g} s of its time"
    parts = [styled(head), _phases(outcome), table(("what", "value"), _facts(outcome)), _verdict(outcome)]
    return "\n".join(parts)


def _phases(outcome: Outcome) -> str:
    """Return the time of each phase, and that of all."""
    rest = outcome.seconds - sum(outcome.phases.values())
    spent = {**outcome.phases, "other": max(rest, 0.0), "all": outcome.seconds}
    steps, whole = max(outcome.steps, 1), outcome.seconds or 1.0
    rows = [
        (phase, f"{seconds:.3f}", f"{1000 * seconds / steps:.3f}", f"{100 * seconds / whole:.1f} %")
        for phase, seconds in spent.items()
    ]
    columns = ("phase", "seconds", "ms per step", "share")
    return table(columns, rows, numbers=columns[1:])


def _facts(outcome: Outcome) -> list[tuple[str, str]]:
    world, counts = outcome.world, outcome.world.counts
    return [
        ("bodies still moving", f"{outcome.awake:,}"),
        ("contact points", f"{counts.get('contact points', 0):,}"),
        ("deepest at any step", f"{1000 * outcome.deepest:.1f} mm"),
        ("energy at start, at end", f"{outcome.energy_at_start:.5g} J, {world.energy():.5g} J"),
        ("slowest step", f"{outcome.slowest[0]:.3f} s, number {outcome.slowest[1]:,}"),
        ("device", outcome.device),
    ]


def _verdict(outcome: Outcome) -> str:
    conclusion = "All bodies are at rest." if outcome.awake == 0 else f"Still moving: {outcome.awake:,}."
    if outcome.interrupted:
        conclusion = f"Ended early, after {amount(outcome.steps, 'step')}. {conclusion}"
    text = styled(conclusion, "bold green" if outcome.awake == 0 else "bold yellow")
    if outcome.file is not None:
        size = outcome.file_bytes
        shown = f"{size / 1e6:.1f} MB" if size >= 1e6 else f"{size / 1e3:.0f} kB"
        text += f"The recording: {printable(str(outcome.file))} ({shown})\n"
    return text
