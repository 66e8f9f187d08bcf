"""One HTML file that plays a recording: viser's client with the scene inside, opened from disk, without a network."""

from html import escape
from importlib.resources import files
from math import log10
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tumble.playback.creases import split_creases
from tumble.playback.recording import Recording
from tumble.playback.view import FIELD_OF_VIEW, View, view_of
from tumble.view.server import require_viser, viser_server

PAUSE = 1.5
"""s; how long the last frame stays before the page begins again"""
DEPTH = 19.0
"""from the camera to the farthest body; everything is scaled to this, as viser draws shadows up to 20 only"""
GROUND = (236, 238, 240)
LINES = (216, 221, 226)
STRONG_LINES = (190, 197, 204)
KEPT_BITS = 15
"""of a number's 23 in the file, the rest is zero: a hundredth of a millimetre in a metre, and packs better"""
FADE = 55.0
"""from the camera, where the ground has become one with the background"""
MANY = 100
"""bodies; more than this are drawn with fewer triangles where they are far away"""


def as_html(recording: Recording) -> bytes:
    """Return the page."""
    with viser_server(require_viser()) as server:
        view = view_of(recording)
        _set_stage(server, view)
        scale = DEPTH / view.depth
        drawn = [which for which, mesh in enumerate(recording.meshes) if len(mesh)]
        batches = [_Batch(server, recording, which, scale) for which in drawn]
        tape = server.get_scene_serializer()
        pauses = np.append(np.diff(recording.times), PAUSE)
        for frame, pause in enumerate(pauses):
            for batch in batches:
                batch.show(frame)
            tape.insert_sleep(float(pause))
        return _titled(tape.as_html(), recording).encode()


def _set_stage(server: Any, view: View) -> None:
    """Camera and ground. The light stays viser's own: the page goes back to it whenever it begins again."""
    scene, camera, scale = server.scene, server.initial_camera, DEPTH / view.depth
    scene.set_up_direction("+z")
    camera.position, camera.look_at, camera.fov = scale * view.eye, scale * view.target, float(FIELD_OF_VIEW)
    if view.ground is not None:
        cell = scale * 10.0 ** round(log10(view.size / 5.0))
        scene.add_grid(
            "/ground",
            infinite_grid=True,
            cell_size=cell,
            section_size=5.0 * cell,
            cell_color=LINES,
            section_color=STRONG_LINES,
            plane_color=GROUND,
            plane_opacity=1.0,
            shadow_opacity=0.4,
            fade_distance=FADE,
            fade_strength=1.5,
            position=(0.0, 0.0, scale * view.ground),
        )


class _Batch:
    """All bodies of one mesh: a single object for the browser, whatever their number."""

    def __init__(self, server: Any, recording: Recording, which: int, scale: float) -> None:
        bodies = np.flatnonzero(recording.mesh_of == which)
        self._positions = _shortened(np.float32(scale) * recording.positions[:, bodies])
        self._turns = _shortened(recording.turns[:, bodies])
        self._shown = 0
        vertices, faces = split_creases(recording.meshes[which])
        first = recording.names[bodies[0]].replace("/", "-")
        # viser takes the colours of batches for amounts of light
        light = np.round(255.0 * (recording.colours[bodies] / 255.0) ** 2.2).astype(np.uint8)
        self._handle = server.scene.add_batched_meshes_simple(
            f"/bodies/{first}" if len(bodies) == 1 else f"/bodies/{first} and {len(bodies) - 1} more",
            np.float32(scale) * vertices,
            faces,
            batched_wxyzs=self._turns[0],
            batched_positions=self._positions[0],
            batched_colors=light,
            lod="auto" if len(recording.names) > MANY else "off",
        )

    def show(self, frame: int) -> None:
        """Move the bodies, if they moved since the last frame shown."""
        before, self._shown = self._shown, frame
        if not np.array_equal(self._positions[frame], self._positions[before]):
            self._handle.batched_positions = self._positions[frame]
        if not np.array_equal(self._turns[frame], self._turns[before]):
            self._handle.batched_wxyzs = self._turns[frame]


def _shortened(numbers: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return numbers rounded to KEPT_BITS after the first."""
    dropped = 23 - KEPT_BITS
    bits = numbers.view(np.uint32) if numbers.flags.c_contiguous else np.ascontiguousarray(numbers).view(np.uint32)
    half = np.uint32(1 << (dropped - 1))
    return ((bits + half) & np.uint32(0xFFFFFFFF << dropped & 0xFFFFFFFF)).view(np.float32)


def _titled(page: str, recording: Recording) -> str:
    """Return viser's page with our title in the tab and in a corner."""
    bodies, triangles = len(recording.names), sum(len(recording.meshes[k]) for k in recording.mesh_of)
    facts = f"{bodies:,} bodies of {triangles:,} triangles, {recording.duration:.4g} s"
    title = escape(recording.title)
    start = page.index("<title>")
    page = page[:start] + f"<title>{title}</title>" + page[page.index("</title>", start) + len("</title>") :]
    end = page.rindex("</body>")
    caption = files(__package__).joinpath("caption.html").read_text(encoding="utf-8")
    return page[:end] + caption.format(title=title, facts=facts) + page[end:]
