"""How many updates per second a live view has: two parts of 100,000 triangles, one dragged through the other.

An update is the whole answer to one drag: the pose of the handle, touching triangles by broad phase and trees, or else
the nearest part; then what the browser is sent: the pose, the triangles that light up, the line, the text.
The goal is 30 per second. `--browser` opens a page and waits for it, to measure with someone looking.
"""

import os
import sys
import time

import numpy as np

import tumble
from tumble import Part, shapes
from tumble.mesh import Assembly
from tumble.view.server import require_viser, viser_server

GOAL = 30.0
SMALL = os.environ.get("TUMBLE_EXAMPLE_SIZE") == "small"
SEGMENTS, SIDES, DRAGS = (32, 16, 20) if SMALL else (320, 160, 600)


def path(count):
    """Return shifts and turns of the handle: from far away through the other part, and on."""
    for share in np.linspace(0.0, 1.0, count):
        angle = 2.0 * np.pi * share / 2.0
        yield np.array([4.0 - 5.5 * share, 0.3 * np.sin(9.0 * share), 0.2]), [np.cos(angle), np.sin(angle), 0.0, 0.0]


def main():
    """Drag and print the rates."""
    try:
        viser = require_viser("live views", "")
    except tumble.MissingDependencyError:
        sys.exit('viser is not installed: pip install "tumble[view]"')
    from tumble.view.viewer import Viewer

    ring = shapes.torus(1.0, 0.4, SEGMENTS, SIDES)
    with viser_server(viser) as server:
        viewer = Viewer(viser, server, Assembly([Part("still", ring), Part("dragged", tumble.Mesh(*_copy(ring)))]))
        viewer.prepare()
        viewer.choose(1)
        viewer.answers.wait(60.0)
        if "--browser" in sys.argv[1:]:
            print(f"http://{server.get_host()}:{server.get_port()}", flush=True)
            while not server.get_clients():
                time.sleep(0.1)
            time.sleep(5.0)  # to draw
        seconds, touching = measured(viewer)
        viewer.stop()
    print(f"2 parts of {len(ring):,} triangles, {DRAGS} drags, {touching} of them touching")
    median, worst = float(np.median(seconds)), max(seconds)
    print(f"updates per second: {1.0 / median:,.0f} (median), {1.0 / worst:,.0f} (worst), goal {GOAL:.0f}")
    print(f"an update takes {1e3 * median:.2f} ms (median), {1e3 * worst:.2f} ms (worst)")
    print(f"{np.mean(np.array(seconds) > 1.0 / GOAL):.1%} of the updates took longer than the goal allows")


def _copy(mesh):
    """Return the arrays of a mesh again: the second part gets a tree of its own."""
    return mesh.vertices.copy(), mesh.faces.copy()


def measured(viewer):
    """Return the seconds of each update, and how many of the poses touch."""
    handle, scale = viewer.stage.handle, viewer.stage.frame.scale
    seconds, touching = [], 0
    for shift, turn in path(DRAGS):
        handle.position, handle.wxyz = scale * shift, turn
        began = time.perf_counter()
        viewer.drag(1)
        viewer.answers.wait(60.0)
        seconds.append(time.perf_counter() - began)
        touching += bool(viewer.touching)
    return seconds, touching


main()
