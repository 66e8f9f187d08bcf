"""The panel beside the picture: the chosen part, undo, joints, section, the list of parts, findings."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from tumble.mesh.joints import SLIDES, Joint
from tumble.view.findings import ReportedFinding
from tumble.view.frame import SIZE
from tumble.view.section import Plane
from tumble.view.stage import AWAY

if TYPE_CHECKING:
    from tumble.view.viewer import Viewer

MOST_LISTED = 200
"""parts, and findings"""
NONE = "—"
AXES = ("x", "y", "z")


def shown_limits(joint: Joint) -> tuple[float, float]:
    """Return the ends of the slider of a joint; one without limits turns once, or slides a unit each way."""
    free = 1.0 if joint.kind in SLIDES else float(np.pi)
    low = joint.low if np.isfinite(joint.low) else -free
    high = joint.high if np.isfinite(joint.high) else free
    return (low, high) if low < high else (low, low + 1e-9)


class Panel:
    """The controls of a view, and what they set off."""

    def __init__(self, viewer: Viewer, server: Any, findings: Sequence[ReportedFinding]) -> None:
        self._viewer, self._gui = viewer, server.gui
        self._names = [part.name for part in viewer.state.parts]
        self._gui.set_panel_label("tumble view")
        # sharing would send everything through a server elsewhere
        self._gui.configure_theme(show_logo=False, show_share_button=False, control_width="large")
        self._boxes: dict[int, Any] = {}
        self._sliders: dict[str, Any] = {}
        self._add_chosen()
        if viewer.joints:
            self._add_joints()
        self._add_section()
        if findings:
            self._add_findings(findings)
        self._add_parts()

    def _add_chosen(self) -> None:
        gui, viewer = self._gui, self._viewer
        with gui.add_folder("Part"):
            self._choice = gui.add_dropdown("part", (NONE, *self._names[:MOST_LISTED]), initial_value=NONE)
            self._answer = gui.add_markdown("Click at a part, or choose it here; then drag its handle.")
            self._through = gui.add_checkbox("see through parts", initial_value=False)
            self._undo, self._redo = gui.add_button("Undo", disabled=True), gui.add_button("Redo", disabled=True)
        self._choice.on_update(self._choose)
        self._through.on_update(lambda _: viewer.repaint())
        self._undo.on_click(lambda _: viewer.undo())
        self._redo.on_click(lambda _: viewer.redo())

    def _choose(self, event: Any) -> None:
        if event.client is None:  # set by us
            return
        name = self._choice.value
        self._viewer.choose(None if name == NONE else self._names.index(name))

    def _add_joints(self) -> None:
        """Add a slider for each joint that follows no other one."""
        gui = self._gui
        with gui.add_folder(f"Joints: {len(self._viewer.joints):,}"):
            for number, joint in enumerate(self._viewer.joints[:MOST_LISTED]):
                if joint.mimic is None:
                    low, high = shown_limits(joint)
                    start = min(max(0.0, low), high)
                    slider = gui.add_slider(
                        joint.name, min=low, max=high, step=(high - low) / 1000, initial_value=start
                    )
                    slider.on_update(lambda event, number=number: self._turn(event, number))
                    self._sliders[joint.name] = slider
            gui.add_button("All to zero").on_click(lambda _: self._zero())

    def _turn(self, event: Any, number: int) -> None:
        if event.client is not None:
            self._viewer.turn(number, self.joint_values())

    def _zero(self) -> None:
        for slider in self._sliders.values():
            slider.value = min(max(0.0, slider.min), slider.max)
        for number, joint in enumerate(self._viewer.joints):
            if joint.parent is None and joint.mimic is None:
                self._viewer.turn(number, self.joint_values())

    def joint_values(self) -> dict[str, float]:
        """Return what the sliders say, by the names of joints."""
        return {name: float(slider.value) for name, slider in self._sliders.items()}

    def _add_section(self) -> None:
        with self._gui.add_folder("Section", expand_by_default=False):
            self._axis = self._gui.add_dropdown("across", (NONE, *AXES), initial_value=NONE)
            self._at = self._gui.add_slider("at", min=-1.0, max=1.0, step=0.005, initial_value=0.0)
            self._flip = self._gui.add_checkbox("other side", initial_value=False)
        for control in (self._axis, self._at, self._flip):
            control.on_update(lambda _: self._viewer.sections.put(self.plane()))

    def plane(self) -> Plane | None:
        """Return the plane of the section in the picture, or None."""
        if self._axis.value == NONE:
            return None
        axis = AXES.index(self._axis.value)
        sign = float(np.sign(AWAY[axis])) * (-1.0 if self._flip.value else 1.0)  # cut away what is nearer to the camera
        return Plane(sign * np.eye(3)[axis], sign * self._at.value * SIZE / 2)

    def _add_parts(self) -> None:
        gui = self._gui
        with gui.add_folder(f"Parts: {len(self._names):,}", expand_by_default=len(self._names) <= MOST_LISTED // 10):
            self._filter = gui.add_text("name contains", initial_value="")
            self._count = gui.add_markdown("")
            every = gui.add_button_group("these", ("Show", "Hide"))
            self._list = gui.add_folder("Visible")
        self._filter.on_update(lambda _: self._list_parts())
        every.on_click(lambda _: self._show_listed(every.value == "Show"))
        self._list_parts()

    def _list_parts(self) -> None:
        """List the parts whose names contain the filter, in the list to choose from as well."""
        numbers, count = self._viewer.state.listed(self._filter.value, MOST_LISTED)
        for box in self._boxes.values():
            box.remove()
        self._boxes = {}
        with self._list:
            for number in numbers:
                box = self._gui.add_checkbox(self._names[number], self._viewer.state.is_shown(number))
                box.on_update(lambda event, number=number: self._show(event, number))
                self._boxes[number] = box
        self._count.content = "" if count <= MOST_LISTED else f"the first {MOST_LISTED} of {count:,}"
        self._offer([self._names[number] for number in numbers])

    def _offer(self, names: Sequence[str]) -> None:
        chosen = self._viewer.chosen
        own = [] if chosen is None or self._names[chosen] in names else [self._names[chosen]]
        options = (NONE, *own, *names)
        if self._choice.options != options:
            self._choice.options = options

    def _show(self, event: Any, number: int) -> None:
        if event.client is not None:
            self._viewer.show([number], bool(event.target.value))

    def _show_listed(self, visible: bool) -> None:
        numbers = list(self._boxes)
        for number in numbers:
            self._boxes[number].value = visible
        self._viewer.show(numbers, visible)

    def _add_findings(self, findings: Sequence[ReportedFinding]) -> None:
        gui, viewer = self._gui, self._viewer
        with gui.add_folder(f"Findings: {len(findings):,}"):
            gui.add_button("Leave findings").on_click(lambda _: viewer.choose(None))
            if len(findings) > MOST_LISTED:
                gui.add_markdown(f"the first {MOST_LISTED} of {len(findings):,}")
            for number, finding in enumerate(findings[:MOST_LISTED], 1):
                button = gui.add_button(f"{number} {finding.title}", color="gray")
                button.on_click(lambda event, finding=finding: viewer.look_at(finding, event.client))

    @property
    def see_through(self) -> bool:
        """Whether parts are to be seen through, so that what touches inside is visible."""
        return bool(self._through.value)

    # What the view says

    def show_chosen(self) -> None:
        """Show which part is chosen."""
        chosen = self._viewer.chosen
        self._offer(list(self._choice.options[1:]))
        name = NONE if chosen is None else self._names[chosen]
        if self._choice.value != name:
            self._choice.value = name

    def show_steps(self) -> None:
        """Show whether there is something to undo and to redo."""
        done, undone = self._viewer.state.undoable
        self._undo.disabled, self._redo.disabled = done == 0, undone == 0

    def show_answer(self, text: str) -> None:
        """Show what touches, as Markdown."""
        self._answer.content = text
