"""A live view: what the user does in the browser, and what happens then.

    click, list      choose a part: the handle goes there
    handle           the part follows, and the newest pose is answered: triangles that touch, or the nearest part
    handle let go    a step to undo; when nothing has moved for a moment, the depth is measured
    joint            the parts that it carries follow, and their triangles that touch others
    panel            undo, visibility, section, findings

Callbacks of viser come from many threads. Drags are taken in their order, on its event loop, and only note the pose;
one thread answers, always for the newest.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Sequence
from threading import RLock
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tumble.api.prepare import prepare
from tumble.errors import TumbleError
from tumble.mesh import Assembly
from tumble.mesh.joints import joint_poses
from tumble.view.findings import ReportedFinding
from tumble.view.frame import SIZE
from tumble.view.newest import Newest
from tumble.view.panel import Panel
from tumble.view.section import Plane
from tumble.view.stage import Stage
from tumble.view.state import Depth, Touching, ViewState

REST = 0.3
"""seconds without an answer before depths are measured"""
WINDOW = 1.0
"""seconds over which updates are counted"""
FLIGHT, FRAMES = 0.6, 24
"""seconds and steps of the camera on its way to a finding"""


class Viewer:
    """The view of an assembly on a viser server."""

    def __init__(self, viser: Any, server: Any, assembly: Assembly, findings: Sequence[ReportedFinding] = ()) -> None:
        self.state, self._unit = ViewState(assembly.parts), assembly.units or ""
        self.joints = assembly.joints
        self._server = server
        self.stage = Stage(viser, server, self.state)
        self._lock = RLock()
        self.chosen: int | None = None
        self.touching: Touching | None = None
        self.depth: Depth | None = None
        self._focus: set[int] | None = None
        self._times: deque[float] = deque()
        self.answers = Newest(self._answer, failed=self._say_error)
        self.turns = Newest(self._answer_turn, failed=self._say_error)
        self.depths = Newest(self._measure, rest=REST, failed=self._say_error)
        self.sections = Newest(self._cut, failed=self._say_error)
        self.panel = Panel(self, server, findings)
        if any(self.panel.joint_values().values()):
            self._place_joints(self.panel.joint_values())  # zero is beyond the limits of some
        self.stage.on_click(self.choose)
        self.stage.handle.on_update(self._dragged)

    def prepare(self) -> None:
        """Build all trees and load the kernels, so that the first drag does not wait for them."""
        for part in self.state.parts:
            prepare(part.mesh)
        if self.state.parts:
            self.state.touching(0)
            self.state.nearest(0)

    def stop(self) -> None:
        """End the threads of this view."""
        for worker in (self.answers, self.turns, self.depths, self.sections):
            worker.stop()

    # A part, and where it is

    def choose(self, part: int | None) -> None:
        """Choose a part: the handle goes to it, and what touches it is shown."""
        with self._lock:
            self.chosen, self._focus = part, None
            self._times.clear()
            self.stage.grasp(part)
        self.panel.show_chosen()
        self.repaint()
        self.answers.put(part)

    async def _dragged(self, event: Any) -> None:
        # on the event loop, in the order of the drags, so it only notes
        part = self.chosen
        if part is None:
            return
        self.drag(part)
        if event.phase == "end":
            self.let_go()

    def drag(self, part: int) -> None:
        """Move a part to where the handle is, and answer for it as soon as possible."""
        self.state.drag(part, self.stage.handle_pose(part))
        self.answers.put(part)

    def let_go(self) -> None:
        """Make what was dragged a step that can be undone."""
        if self.state.rest():
            self.panel.show_steps()
            self.sections.put(self.panel.plane())

    def undo(self) -> None:
        """Take a step back."""
        self._show_moved(self.state.undo())

    def redo(self) -> None:
        """Take back an undo."""
        self._show_moved(self.state.redo())

    def _show_moved(self, moved: Sequence[int]) -> None:
        with self._server.atomic():
            for part in moved:
                self.stage.place(part, self.state.pose(part))
            if self.chosen in moved:
                self.stage.grasp(self.chosen)
        self.panel.show_steps()
        self.sections.put(self.panel.plane())
        self.answers.put(self.chosen)

    def turn(self, joint: int, values: dict[str, float]) -> None:
        """Put all parts where the joints have them, and answer for those that one of the joints carries."""
        self._place_joints(values)
        self.sections.put(self.panel.plane())
        if self.chosen is None:
            self.turns.put(self._carried(joint))
        else:
            self.answers.put(self.chosen)

    def _place_joints(self, values: dict[str, float]) -> None:
        poses = joint_poses(self.joints, values)
        self.state.carry(poses)
        with self._server.atomic():
            for part, pose in poses.items():
                self.stage.place(part, pose)
            if self.chosen in poses:
                self.stage.grasp(self.chosen)

    def _carried(self, joint: int) -> list[int]:
        """Return the parts that a joint moves, with those of joints that it carries and that follow it."""
        moved, before = {joint}, 0
        while before < len(moved):
            before = len(moved)
            for number, each in enumerate(self.joints):
                if each.parent in moved or (each.mimic is not None and each.mimic.joint in moved):
                    moved.add(number)
        return [part for number in sorted(moved) for part in self.joints[number].parts]

    # Answers, in threads of their own

    def _answer(self, part: int | None) -> None:
        """Find and draw what touches a part where it is now, or how far it is from others."""
        self.depth = None
        if part is None:
            with self._server.atomic():
                self.stage.light(np.empty((0, 3, 3)), np.empty((0, 3, 3)))
                self.stage.connect(None, "")
            self.touching = None
            self.panel.show_answer("")
            return
        touching = self.state.touching(part)
        own, others = self.state.lit(touching)
        with self._server.atomic():
            self.stage.place(part, touching.pose)
            self.stage.light(own, others)
            self.stage.connect(touching.points, self.length(touching.distance))
        self._note_time()
        self.touching = touching
        self.panel.show_answer(self._text(touching, None))
        self.depths.put(touching)

    def _answer_turn(self, moved: Sequence[int]) -> None:
        """Find and draw what touches between parts that a joint has moved and the others."""
        began = time.perf_counter()
        found = self.state.touching_each_other(moved)
        seconds = time.perf_counter() - began
        nothing = np.empty((0, 3, 3))
        own = np.concatenate([nothing, *(self.state.corners(part, mine) for part, _, mine, _ in found)])
        others = np.concatenate([nothing, *(self.state.corners(other, theirs) for _, other, _, theirs in found)])
        with self._server.atomic():
            self.stage.light(own, others)
            self.stage.connect(None, "")
        self._note_time()
        names = [f"{self.name(part)} × {self.name(other)}" for part, other, _, _ in found]
        more = f" and {len(names) - 5} more" if len(names) > 5 else ""
        says = f"**touch** {', '.join(names[:5])}{more}" if names else "nothing that moved **touches** anything else"
        self.panel.show_answer(f"{says}\n\n{1e3 * seconds:.1f} ms for the query")

    def _measure(self, touching: Touching) -> None:
        """Measure depths for an answer, and show them if it is still the newest."""
        found = self.state.depth(touching)
        if self.touching is touching and not self.depths.is_stale():
            self.depth = found
            self.panel.show_answer(self._text(touching, found))

    def _note_time(self) -> None:
        now = time.perf_counter()
        self._times.append(now)
        while self._times[0] < now - WINDOW:
            self._times.popleft()

    @property
    def updates_per_second(self) -> float | None:
        """Of the last second; None for a single one."""
        times = list(self._times)
        return (len(times) - 1) / (times[-1] - times[0]) if len(times) > 2 else None

    def length(self, value: float) -> str:
        """Return a length with its unit."""
        return f"{value:.4g} {self._unit}".rstrip()

    def _text(self, touching: Touching, depth: Depth | None) -> str:
        """Return what the panel says of an answer, as Markdown."""
        lines = []
        if touching:
            names = [self.name(other) for other in touching.others]
            more = f" and {len(names) - 5} more" if len(names) > 5 else ""
            lines.append(f"**touches** {', '.join(names[:5])}{more}: {touching.pairs:,} pairs of triangles")
            lines.append(f"**depth** {self._depth_text(depth)}")
        elif touching.nearest is not None:
            lines.append(f"**distance** {self.length(touching.distance)} to {self.name(touching.nearest)}")
        if depth is not None and depth.inside is not None:
            lines.append(f"one **inside** the other: {self.name(depth.inside)}")
        rate = self.updates_per_second
        each = f"{1e3 * touching.seconds:.1f} ms for the query"
        lines.append(each if rate is None else f"{each}, {rate:.0f} updates per second")
        return "\n\n".join(lines)

    def _depth_text(self, depth: Depth | None) -> str:
        if depth is None:
            return "…"
        if depth.other is None:
            return "0: surfaces only touch"
        return f"{'' if depth.is_exact else '≤ '}{self.length(depth.depth)}, with {self.name(depth.other)}"

    def name(self, part: int) -> str:
        """Return the name of a part, as Markdown that means nothing else."""
        name = self.state.parts[part].name
        return "".join(f"\\{each}" if each in r"\`*_{}[]<>()#+!|~" else each for each in name)

    def _say_error(self, error: Exception) -> None:
        if not isinstance(error, TumbleError):
            error = RuntimeError(f"this should not have happened: {error!r}")
        self.panel.show_answer(f"**error:** {error}")

    # Parts that are seen, and how

    def show(self, parts: Sequence[int], visible: bool) -> None:
        """Show or hide parts; hidden ones touch nothing."""
        for part in parts:
            self.state.show(part, visible)
        self.repaint()
        self.sections.put(self.panel.plane())
        self.answers.put(self.chosen)

    def repaint(self) -> None:
        """Draw parts in their colours, hidden or as ghosts as they are."""
        with self._server.atomic():
            self.stage.paint(self.chosen, self._focus, self.panel.see_through)

    def _cut(self, plane: Plane | None) -> None:
        self.stage.cut(plane)

    # Findings

    def look_at(self, finding: ReportedFinding, client: Any) -> None:
        """Fly to a finding, make ghosts of the parts that it is not about, and light up what touches."""
        with self._lock:
            self.chosen = None
            self._focus = {part for part in finding.parts if part is not None}
            self.stage.grasp(None)
        self.depths.forget()
        self.answers.forget()
        self.answers.wait(10.0)
        a, b = finding.parts
        with self._server.atomic():
            if a is not None and b is not None:
                own, others = self.state.between(a, b)
                self.stage.light(self.state.corners(a, own), self.state.corners(b, others))
            self.stage.connect(None, "")
        self.panel.show_chosen()
        self.panel.show_answer(f"**{finding.kind}** {' × '.join(finding.names)}{finding.size}")
        self.repaint()
        target, size = self._place_of(finding)
        if client is not None and target is not None:
            fly(client, target, size)

    def _place_of(self, finding: ReportedFinding) -> tuple[NDArray[np.float64] | None, float]:
        """Return where a finding is in the picture, and from how far to look at it."""
        size = 0.15 * SIZE
        if finding.box is not None:
            size = max(size, 2.0 * self.stage.frame.scale * float(np.linalg.norm(finding.box[1] - finding.box[0])))
            return self.stage.frame.shown(finding.box.mean(axis=0)), size
        return (None if finding.point is None else self.stage.frame.shown(finding.point)), size


def fly(client: Any, target: NDArray[np.float64], distance: float) -> None:
    """Move the camera of one browser to a point, as far from it as said, without turning it."""
    camera = client.camera
    position, look_at = np.array(camera.position), np.array(camera.look_at)
    back = position - look_at
    length = float(np.linalg.norm(back)) or 1.0
    end = target + distance / length * back
    for k in range(1, FRAMES + 1):
        share = k / FRAMES
        share *= share * (3.0 - 2.0 * share)  # slow at both ends
        with client.atomic():
            camera.position = (1.0 - share) * position + share * end
            camera.look_at = (1.0 - share) * look_at + share * target
        client.flush()
        time.sleep(FLIGHT / FRAMES)
