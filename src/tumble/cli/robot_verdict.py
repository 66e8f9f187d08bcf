"""What `tumble robot check` prints: a table of pairs of links, the conclusion and notes, or one JSON object."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tumble.cli.output import amount, json_object, printable, styled, table
from tumble.robot import PairStatistics, Robot, SelfContacts
from tumble.robot.srdf import as_srdf
from tumble.robot.statistics import NEVER

COLUMNS = "", "link", "and link", "touch in", "deepest", "may touch", "by sampling"
NUMBERS = "touch in", "deepest"


@dataclass(frozen=True)
class RobotVerdict:
    """What was checked, and what was found."""

    file: str
    robot: Robot
    found: SelfContacts
    seed: int
    seconds: float

    @property
    def faults(self) -> list[PairStatistics]:
        """Pairs that are said never to touch, and do; and those that may not, and always do."""
        return [each for each in self.found.pairs if self._fails(each)]

    def _fails(self, pair: PairStatistics) -> bool:
        return (pair.stated == NEVER and pair.hits > 0) or (not pair.stated and pair.hits == self.found.samples)

    def srdf(self) -> bytes:
        """Return an SRDF file: the pairs that may touch as stated, but for faults, and those that sampling finds."""
        wrong = {(each.a, each.b) for each in self.faults if each.stated}
        kept = {pair: reason for pair, reason in self.robot.stated.items() if pair not in wrong}
        more = {pair: reason for pair, reason in self.found.allowed.items() if pair not in self.robot.stated}
        return as_srdf(self.robot.name, {**kept, **more}, self.robot.semantics)

    def render(self, json: bool) -> str:
        """Return one JSON object, or text."""
        return self.as_json() if json else self.as_text()

    def as_json(self) -> str:
        """Return one JSON object; docs/robot.md lists its fields."""
        robot, found = self.robot, self.found
        limits = [[_finite(low), _finite(high)] for low, high in robot.limits.tolist()]
        fields: dict[str, Any] = {
            "file": self.file,
            "robot": robot.name,
            "links": list(robot.links),
            "joints": [
                {"name": name, "lower": low, "upper": high}
                for name, (low, high) in zip(robot.joints, limits, strict=True)
            ],
            "states": {name: row.tolist() for name, row in robot.states.items()},
            "samples": found.samples,
            "seed": self.seed,
            "colliding": found.colliding,
            "pairs": [
                {"a": each.a, "b": each.b, "hits": each.hits, "depth": each.depth}
                | {"may_touch": each.stated or None, "by_sampling": each.found or None, "fails": self._fails(each)}
                for each in found.pairs
            ],
            "notes": list(robot.notes),
            "seconds": round(self.seconds, 6),
        }
        return json_object(fields)

    def as_text(self) -> str:
        """Return a table of the pairs that touch, what is wrong first, then often; the conclusion, and notes."""
        touching = [each for each in self.found.pairs if each.hits]
        touching.sort(key=lambda each: (not self._fails(each), bool(each.stated), -each.hits))
        rows = [self._row(each) for each in touching]
        shown = table(COLUMNS, rows, NUMBERS) + "\n" if rows else ""
        conclusion = styled(self._conclusion(), "bold red" if self.faults else "bold green")
        return shown + conclusion + "".join(styled(printable(line)) for line in self._notes())

    def _row(self, pair: PairStatistics) -> tuple[str, ...]:
        share = f"{100 * pair.hits / self.found.samples:.4g} %"
        names = printable(pair.a), printable(pair.b)
        depth = f"{1000 * pair.depth:.3g} mm"
        return (
            "✗" if self._fails(pair) else "·",
            *names,
            share,
            depth,
            printable(pair.stated or "no"),
            pair.found or "no",
        )

    def _conclusion(self) -> str:
        found = self.found
        share = f"{100 * found.colliding / found.samples:.3g} %"
        start = f"{found.colliding:,} of {amount(found.samples, 'random configuration')} collide ({share})"
        if not self.faults:
            return f"{start}; no pair is at fault."
        return f"{start}; {amount(len(self.faults), 'pair')} at fault."

    def _notes(self) -> list[str]:
        pairs, robot = self.found.pairs, self.robot
        stated = sum(bool(each.stated) for each in pairs)
        more = sum(not each.stated and bool(each.found) for each in pairs)
        lines = [f"{each.a} and {each.b} touch, and are said never to." for each in self.faults if each.stated]
        lines += [f"{each.a} and {each.b} always touch, and may not." for each in self.faults if not each.stated]
        lines.append(
            f"{amount(len(pairs), 'pair')} of links with a shape: {stated} may touch, {len(pairs) - stated} may not."
        )
        if more:
            lines.append(f"By sampling, {amount(more, 'pair')} more may touch; --save-srdf FILE writes all that may.")
        lines += robot.notes
        lines.append(f"{amount(len(robot.links), 'link')}, {amount(len(robot.joints), 'joint')}; {self.seconds:.2f} s")
        return lines


def _finite(number: float) -> float | None:
    """Return a limit, or None for one that is not there: JSON has no infinities."""
    return number if abs(number) != float("inf") else None
