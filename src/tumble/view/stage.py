"""What the browser draws: parts, triangles that light up, a line between what is nearest, the handle, the section.

Nothing is decided here: `viewer` says what to draw, and this puts it into viser's scene.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tumble.view.frame import SIZE, Frame, centre_of
from tumble.view.section import Plane, cut
from tumble.view.state import ViewState

Points = NDArray[np.float64]

COLOURS = (
    (151, 170, 190), (178, 190, 160), (196, 178, 155), (160, 178, 180),
    (184, 166, 178), (170, 170, 160), (150, 182, 168), (190, 172, 172),
)  # fmt: skip
CHOSEN = (70, 130, 210)
OWN, OTHERS = (235, 60, 30), (250, 185, 20)
"""of touching triangles: of the chosen part, and of the others"""
LINE, CUT = (20, 140, 60), (40, 40, 40)
GHOST, THROUGH = 0.12, 0.4
"""opacities: of what a finding is not about, and of parts that are to be seen through"""
LIFT = 4e-4 * SIZE
"""how far triangles that light up are drawn above the surface, on both sides: at the same place they would flicker"""
HANDLE = 0.14 * SIZE
"""the shortest handle"""
MOST_LIT = 20_000
"""triangles that light up, per colour; more would take longer to send than to find"""
AWAY = np.array([0.55, -0.9, 0.65])
"""from the assembly to the camera"""


class Stage:
    """The scene of one viser server."""

    def __init__(self, viser: Any, server: Any, state: ViewState) -> None:
        self._turn = viser.transforms.SO3.from_matrix
        self.server, self._state = server, state
        self.frame = Frame.of(part.mesh.bounds for part in state.parts)
        self._centres = [centre_of(part.mesh) for part in state.parts]
        self._grasped: int | None = None
        self._clicked: Callable[[int], None] = lambda number: None
        self._set_camera()
        scene = server.scene
        self._meshes = [self._add(number) for number in range(len(state.parts))]
        self._sent: list[object] = [None] * len(state.parts)
        self._segments: list[Points] = [np.empty((0, 2, 3))] * len(state.parts)
        self._lit = {colour: self._add_lit(name, colour) for name, colour in (("part", OWN), ("others", OTHERS))}
        nowhere = np.zeros((1, 2, 3))
        screen = {"thickness_units": "screen", "visible": False}
        self._line = scene.add_line_segments("/nearest", nowhere, LINE, thickness=4.0, **screen)
        self._label = scene.add_label("/nearest-distance", "", visible=False, anchor="bottom-center")
        self._outline = scene.add_line_segments("/section", nowhere, CUT, thickness=2.0, **screen)
        self.handle = scene.add_transform_controls("/handle", HANDLE, depth_test=False, visible=False)

    def _set_camera(self) -> None:
        camera = self.server.initial_camera
        self.server.scene.set_up_direction("+z")
        camera.position, camera.look_at = 1.25 * SIZE * AWAY / np.linalg.norm(AWAY), np.zeros(3)
        camera.fov, camera.near, camera.far = 0.75, 0.005 * SIZE, 100.0 * SIZE

    def _add(self, number: int) -> Any:
        part = self._state.parts[number]
        name = part.name.replace("/", "-")
        return self.server.scene.add_mesh_simple(
            f"/parts/{number} {name}",
            self._local(number),
            np.asarray(part.mesh.faces),
            color=COLOURS[number % len(COLOURS)],
            flat_shading=True,
            side="double",
            position=self.frame.place(self._state.pose(number), self._centres[number]),
        )

    def _add_lit(self, name: str, colour: tuple[int, int, int]) -> Any:
        return self.server.scene.add_mesh_simple(
            f"/touching/{name}", np.zeros((3, 3)), np.array([[0, 1, 2]]), color=colour, side="double",
            flat_shading=True, cast_shadow=False, receive_shadow=False, visible=False,
        )  # fmt: skip

    def _local(self, number: int) -> Points:
        """Return the vertices of a part around its centre, in the size of the picture."""
        vertices = self._state.parts[number].mesh.vertices
        return np.asarray(self.frame.scale * (vertices - self._centres[number]), np.float64)

    # Parts

    def on_click(self, chosen: Callable[[int], None]) -> None:
        """Call a function with the number of each part that is clicked at."""
        self._clicked = chosen
        for number in range(len(self._meshes)):
            self._catch_clicks(number)

    def _catch_clicks(self, number: int) -> None:
        self._meshes[number].on_click(lambda _: self._clicked(number))

    def place(self, number: int, pose: Points) -> None:
        """Draw a part at a pose."""
        mesh = self._meshes[number]
        mesh.position, mesh.wxyz = self.frame.place(pose, self._centres[number]), self._turn(pose[:3, :3]).wxyz

    def paint(self, chosen: int | None, focus: Iterable[int] | None, see_through: bool) -> None:
        """Colour the chosen part, and make ghosts of all parts but some, which can be seen through or not."""
        solid = None if focus is None else set(focus)
        for number, mesh in enumerate(self._meshes):
            colour = CHOSEN if number == chosen else COLOURS[number % len(COLOURS)]
            usual = THROUGH if see_through else None
            opacity = usual if solid is None or number in solid else GHOST
            if tuple(mesh.color) != colour:
                mesh.color = colour
            if mesh.opacity != opacity:
                mesh.opacity = opacity
            visible = self._state.is_shown(number)
            if mesh.visible != visible:
                mesh.visible = visible

    # The handle

    def grasp(self, number: int | None) -> None:
        """Put the handle where a part is, or away."""
        self.handle.visible = number is not None
        if number != self._grasped:
            if self._grasped is not None:
                self._catch_clicks(self._grasped)
            if number is not None:  # what catches clicks keeps the mouse from a handle inside of it
                self._meshes[number].remove_click_callback()
                self.handle.scale = self._handle_size(number)
            self._grasped = number
        if number is not None:
            pose = self._state.pose(number)
            self.handle.position = self.frame.place(pose, self._centres[number])
            self.handle.wxyz = self._turn(pose[:3, :3]).wxyz

    def _handle_size(self, number: int) -> float:
        """Return the length of a handle whose ends come out of the part, unless that is large."""
        box = self._state.box(number)
        size = 0.0 if box is None else 0.75 * self.frame.scale * float((box[1] - box[0]).max())
        return min(max(HANDLE, size), 0.4 * SIZE)

    def handle_pose(self, number: int) -> Points:
        """Return the pose of a part that is where the handle is."""
        return self.frame.pose(self.handle.wxyz, self.handle.position, self._centres[number])

    # What touches, or is nearest

    def light(self, own: Points, others: Points) -> None:
        """Light triangles up, given by their corners, (k, 3, 3); none: put the light out."""
        for colour, corners in ((OWN, own), (OTHERS, others)):
            mesh = self._lit[colour]
            if len(corners):
                vertices, faces = lifted(self.frame.shown(corners[:MOST_LIT]))
                mesh.vertices, mesh.faces = vertices.astype(np.float32), faces.astype(np.uint32)
            mesh.visible = len(corners) > 0

    def connect(self, points: Points | None, text: str) -> None:
        """Draw a line between two points, with a text; None: draw none."""
        self._line.visible = self._label.visible = points is not None
        if points is not None:
            shown = self.frame.shown(points)
            self._line.points = shown[None].astype(np.float32)
            self._label.text, self._label.position = text, shown.mean(axis=0)

    # The section

    def cut(self, plane: Plane | None) -> None:
        """Cut all parts by a plane in the picture, where they are now; None: show them whole."""
        with self.server.atomic():
            for number in range(len(self._meshes)):
                self._cut_part(number, plane)
            shown = [each for number, each in enumerate(self._segments) if self._state.is_shown(number)]
            segments = np.vstack([np.empty((0, 2, 3)), *shown])
            self._outline.visible = len(segments) > 0
            if len(segments):
                self._outline.points = segments.astype(np.float32)

    def _cut_part(self, number: int, plane: Plane | None) -> None:
        mesh, pose = self._meshes[number], self._state.pose(number)
        vertices, faces = self._local(number), np.asarray(self._state.parts[number].mesh.faces, np.int64)
        place = pose.copy()  # in the picture
        place[:3, 3] = self.frame.place(pose, self._centres[number])
        own = None if plane is None else plane.seen_from(place)
        if own is not None and not (vertices @ own.normal > own.offset).any():
            own = None  # it is whole
        key = None if own is None else (*own.normal.tolist(), own.offset, *place.ravel().tolist())
        if key == self._sent[number]:
            return
        segments = np.empty((0, 2, 3))
        if own is not None:
            vertices, faces, segments = cut(vertices, faces, own)
        if not len(faces):  # viser does not draw an empty mesh
            vertices, faces = np.zeros((3, 3)), np.array([[0, 1, 2]])
        self._segments[number] = segments @ place[:3, :3].T + place[:3, 3]
        mesh.vertices, mesh.faces = vertices.astype(np.float32), faces.astype(np.uint32)
        self._sent[number] = key


def lifted(corners: Points) -> tuple[Points, NDArray[np.int64]]:
    """Return vertices and faces of triangles, each drawn a little above itself and once more a little below."""
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    lengths = np.linalg.norm(normals, axis=1, keepdims=True)
    lift = (LIFT * normals / np.where(lengths > 0.0, lengths, 1.0))[:, None]
    vertices = np.concatenate([corners + lift, corners - lift]).reshape(-1, 3)
    return vertices, np.arange(len(vertices)).reshape(-1, 3)
