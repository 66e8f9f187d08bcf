"""What is known of findings from run to run: which are new, which persist, which are gone, and which are approved.

A JSON file with an entry for each finding of the last run, and for every approval ever given:

    {"format": "tumble baseline", "version": 1, "findings": [
        {"id": "5f0c…", "a": "bolt", "b": "plate", "kind": "crossing", "depth": 0.2, "state": "approved",
         "reason": "a press fit"}]}

An approval holds as long as the two parts are in it no worse: of the same class, and no deeper by more than a tenth.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from tumble.clash.finding import SEVERITY, Finding, Kind, State
from tumble.clash.texts import read_text
from tumble.errors import FileError, OptionError

FORMAT, VERSION = "tumble baseline", 1
WORSE = 1.1
"""a finding that is deeper by this factor than what was approved is new"""
MOST_NAMED = 5


@dataclass(frozen=True)
class Known:
    """A finding of an earlier run."""

    id: str
    a: str
    b: str
    kind: Kind
    depth: float | None = None
    state: State = State.NEW
    reason: str | None = None

    def covers(self, finding: Finding) -> bool:
        """Tell whether the approval of this one holds for what is found now."""
        if self.state is not State.APPROVED or SEVERITY[finding.kind] < SEVERITY[self.kind]:
            return False
        return self.depth is None or (_depth(finding) or 0.0) <= WORSE * self.depth


def _depth(finding: Finding) -> float | None:
    return finding.local_depth if finding.depth is None else finding.depth


def load_baseline(path: Path) -> tuple[Known, ...]:
    """Read a baseline; a file that is not there yet is an empty one."""
    if not path.exists():
        return ()
    text = read_text(path)
    try:
        content = json.loads(text)
        if content.get("format") != FORMAT or content.get("version") != VERSION:
            raise ValueError(f"it does not say that it is a {FORMAT!r} of version {VERSION}")
        return tuple(_known(entry, k) for k, entry in enumerate(content["findings"]))
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        reason = f"{error} is missing" if isinstance(error, KeyError) else str(error)
        raise FileError(f"{path} is not a baseline: {reason}") from error


def _known(entry: Any, number: int) -> Known:
    place = f"finding {number}"
    if not isinstance(entry, dict):
        raise ValueError(f"{place} is {entry!r}")
    texts = {key: entry[key] for key in ("id", "a", "b")}
    reason, depth = entry.get("reason"), entry.get("depth")
    if not all(isinstance(text, str) for text in texts.values()) or not isinstance(reason, str | None):
        raise ValueError(f"{place} has an id, a, b or reason that is not text")
    if (
        not isinstance(depth, int | float | None)
        or isinstance(depth, bool)
        or not 0.0 <= (depth or 0.0) <= sys.float_info.max
    ):
        raise ValueError(f"{place} has the depth {depth!r}")
    return Known(**texts, kind=Kind(entry["kind"]), depth=depth, state=State(entry["state"]), reason=reason)


def compared(findings: Iterable[Finding], baseline: Sequence[Known]) -> tuple[list[Finding], list[Known]]:
    """Return findings with their states, and what is resolved: in the baseline and no longer found."""
    known = {one.id: one for one in baseline}
    found = [_with_state(finding, known.get(finding.id)) for finding in findings]
    here = {finding.id for finding in found}
    return found, [replace(one, state=State.RESOLVED) for one in baseline if one.id not in here]


def _with_state(finding: Finding, known: Known | None) -> Finding:
    if known is None:
        return replace(finding, state=State.NEW)
    if known.state is not State.APPROVED:
        return replace(finding, state=State.PERSISTENT)
    if known.covers(finding):
        return replace(finding, state=State.APPROVED, reason=known.reason, fails=False)
    return replace(finding, state=State.NEW, reason=f"worse than approved: {known.reason or 'no reason given'}")


def approved(findings: Sequence[Finding], ids: Sequence[str], reason: str | None) -> list[Finding]:
    """Return findings, some of them approved by their ids, or by a beginning of the id that no other has."""
    chosen = set()
    for given in ids:
        matching = [finding.id for finding in findings if finding.id.startswith(given)] if given else []
        if len(matching) != 1:
            some = ", ".join(matching[:MOST_NAMED]) or "none"
            raise OptionError(f"--approve {given!r} must begin the id of one finding, and begins: {some}")
        chosen.add(matching[0])
    return [
        replace(one, state=State.APPROVED, reason=reason, fails=False) if one.id in chosen else one for one in findings
    ]


def as_baseline(findings: Iterable[Finding], before: Sequence[Known]) -> bytes:
    """Return a file with the findings of this run, and approvals of earlier runs for what is not found now."""
    approvals = {one.id: one for one in before if one.state is State.APPROVED}
    rows = [_entry(finding, approvals.get(finding.id)) for finding in findings]
    here = {row["id"] for row in rows}
    rows += [vars(one) for one in approvals.values() if one.id not in here]
    rows.sort(key=lambda row: (row["a"], row["b"], row["id"]))
    content = {"format": FORMAT, "version": VERSION, "findings": rows}
    return (json.dumps(content, indent=2) + "\n").encode()


def _entry(finding: Finding, approval: Known | None) -> dict[str, Any]:
    """Return a row of the file; for what is approved, what it was then, so that it cannot grow worse bit by bit."""
    if approval is not None and finding.state is State.APPROVED and approval.covers(finding):
        return vars(approval)
    is_approved = finding.state is State.APPROVED
    state, reason = (State.APPROVED, finding.reason) if is_approved else (State.PERSISTENT, None)
    return vars(Known(finding.id, finding.name_a, finding.name_b, finding.kind, _depth(finding), state, reason))
