"""The live view in a browser, and the command as a process: address, Ctrl-C, what is missing."""

import json
import os
import re
import signal
import subprocess
import sys
import time
import urllib.request
from contextlib import contextmanager

import numpy as np
import pytest
from typer.testing import CliRunner

import tumble
from browser import chromium, pixels_of
from tumble import Part, shapes
from tumble.cli import app
from tumble.mesh import Assembly
from tumble.mesh.joints import Joint, Mimic
from tumble.view.stage import HANDLE

viser = pytest.importorskip("viser")
DRAWN = "document.querySelector('canvas[data-engine]')?.style.opacity === '1'"
PATIENCE = 120_000
"""milliseconds"""
# Ctrl-C must not be ignored, as it is in children of a shell's background job
COMMAND = """
import signal
signal.signal(signal.SIGINT, signal.default_int_handler)
from tumble.cli import main
main()
"""


@contextmanager
def opened(parts, findings=(), joints=()):
    """Yield a view of parts, and its address."""
    from tumble.view.server import viser_server
    from tumble.view.viewer import Viewer

    with viser_server(viser) as server:
        viewer = Viewer(viser, server, Assembly(parts, "mm", joints=list(joints)), findings)
        try:
            yield viewer, f"http://{server.get_host()}:{server.get_port()}"
        finally:
            viewer.stop()


def two_rings():
    ring = shapes.torus()
    return [Part("one", ring), Part("two/three", tumble.transformed(ring, tumble.translation(4.0, 0.0, 0.0)))]


def drag_by(viewer, shift):
    """Move the handle by a shift in millimetres, as a browser would, and wait for the answer."""
    viewer.stage.handle.position = np.array(viewer.stage.handle.position) + viewer.stage.frame.scale * np.array(shift)
    viewer.drag(viewer.chosen)
    assert viewer.answers.wait(120)


def picture_of(page):
    """Return the colours in the middle of the page, without the panel and what viser says in a corner."""
    return pixels_of(page.screenshot())[:, 320:590]


def lit(pixels):
    """Return how many pixels are red or yellow, as triangles that touch."""
    red, green, blue = np.moveaxis(pixels, 2, 0)
    return np.count_nonzero((red > 150) & (blue < 0.65 * red) & (blue < 0.75 * green + 40) & (red > green))


def test_sliders_of_joints_move_what_they_carry_and_light_up_what_touches():
    """An arm with a hand swings against a post; a third part follows it, the other way round."""
    parts = [
        Part(name, tumble.transformed(shapes.box(size), tumble.translation(*place)))
        for name, size, place in (
            ("post", (1, 1, 4), (0, 6, 0)),
            ("arm", (4, 1, 1), (3, 0, 0)),
            ("hand", (1, 1, 1), (6, 0, 0)),
            ("weight", (1, 1, 1), (-4, 0, 0)),
        )
    ]
    joints = [
        Joint("shoulder", "revolute", (0, 0, 0), (0, 0, 1), 0.5, 3.0, None, None, (1,)),
        Joint("wrist", "prismatic", (6, 0, 0), (1, 0, 0), -np.inf, np.inf, 0, None, (2,)),
        Joint("follower", "continuous", (0, 0, 0), (0, 0, 1), -np.inf, np.inf, None, Mimic(0, -1.0, 0.0), (3,)),
    ]
    with opened(parts, joints=joints) as (viewer, _):
        sliders = viewer.panel._sliders
        assert [(name, each.min, each.max, each.value) for name, each in sliders.items()] == [
            ("shoulder", 0.5, 3.0, 0.5),
            ("wrist", -1.0, 1.0, 0.0),
        ]
        # zero is beyond the limits: the view starts where the sliders are
        assert np.arctan2(*viewer.state.pose(1)[1::-1, 0]) == pytest.approx(0.5)
        assert np.arctan2(*viewer.state.pose(3)[1::-1, 0]) == pytest.approx(-0.5)
        for angle in (1.0, np.pi / 2):
            sliders["shoulder"].value = angle
            viewer.turn(0, viewer.panel.joint_values())
            assert viewer.turns.wait(120)
            found = tumble.collides(parts[0].mesh, parts[2].mesh, pose_b=viewer.state.pose(2))
            assert found == (angle > 1.5)
            assert ("**touch** hand × post" in viewer.panel._answer.content) == found
            assert all(mesh.visible == found for mesh in viewer.stage._lit.values())
        assert viewer.state.undoable == (0, 0)
        viewer.choose(2)
        assert viewer.answers.wait(120)
        sliders["wrist"].value = 1.0
        viewer.turn(1, viewer.panel.joint_values())
        assert viewer.answers.wait(120)
        assert "**touches** arm" not in viewer.panel._answer.content
        np.testing.assert_allclose(viewer.state.pose(2) @ [6, 0, 0, 1], [0, 7, 0, 1], atol=1e-12)
        viewer.panel._zero()
        assert viewer.answers.wait(120)
        assert (sliders["shoulder"].value, sliders["wrist"].value) == (0.5, 0.0)


def test_a_drag_lights_up_what_collide_finds_and_can_be_undone():
    with opened(two_rings()) as (viewer, address):
        assert address.startswith("http://127.0.0.1:")
        viewer.choose(1)
        assert viewer.answers.wait(120)
        assert "**distance** 1.2 mm to one" in viewer.panel._answer.content
        assert viewer.stage._line.visible
        drag_by(viewer, (-1.5, 0.0, 0.3))
        pairs = tumble.collide(*(part.mesh for part in viewer.state.parts), None, viewer.state.pose(1)).pairs
        assert viewer.touching.pairs == len(pairs) > 0
        assert "**touches** one" in viewer.panel._answer.content
        lit = [mesh for mesh in viewer.stage._lit.values() if mesh.visible]
        assert [len(mesh.faces) for mesh in lit] == [2 * len(np.unique(pairs[:, k])) for k in (1, 0)]
        assert not viewer.stage._line.visible
        viewer.let_go()
        assert not viewer.panel._undo.disabled
        viewer.undo()
        assert viewer.answers.wait(120)
        assert "**distance** 1.2 mm" in viewer.panel._answer.content
        assert not any(mesh.visible for mesh in viewer.stage._lit.values())
        assert (viewer.panel._undo.disabled, viewer.panel._redo.disabled) == (True, False)


def test_depths_come_after_the_drag_for_the_newest_pose_alone():
    boxes = [Part("a", shapes.box()), Part("b", tumble.transformed(shapes.box(), tumble.translation(3.0, 0.0, 0.0)))]
    with opened(boxes) as (viewer, _):
        viewer.choose(1)
        for shift in (-1.0, -1.0, -0.25):
            drag_by(viewer, (shift, 0.0, 0.0))
        assert viewer.depths.wait(120)
        assert viewer.depth.depth == pytest.approx(0.25)
        assert "**depth** 0.25 mm, with a" in viewer.panel._answer.content
        stale = viewer.touching
        drag_by(viewer, (2.0, 0.0, 0.0))
        viewer.depths.put(stale)
        assert viewer.depths.wait(120)
        assert "depth" not in viewer.panel._answer.content


def test_a_page_cannot_ask_for_a_public_address():
    with opened(two_rings()) as (viewer, _):
        assert viewer._server.request_share_url() is None
        assert viewer._server._share_tunnel is None


@contextmanager
def shown(address, width, height):
    """Yield the page of a view once it is drawn; it must not have complained, nor asked for anything elsewhere."""
    with chromium() as browser:
        page = browser.new_page(viewport={"width": width, "height": height})
        page.set_default_timeout(PATIENCE)
        complaints, requests = [], []
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("request", lambda request: requests.append(request.url))
        page.goto(address)
        page.wait_for_function(DRAWN)
        yield page
        assert complaints == []
        assert {url.split("/")[2] for url in requests if url.startswith("http")} == {address.split("/")[2]}


@pytest.mark.process
def test_a_browser_shows_the_parts_and_the_light():
    with opened(two_rings()) as (viewer, address), shown(address, 1000, 480) as page:
        page.get_by_text("tumble view").first.wait_for()
        before = picture_of(page)
        assert len(np.unique(before.reshape(-1, 3), axis=0)) > 20
        assert lit(before) == 0
        viewer.choose(1)
        drag_by(viewer, (-1.5, 0.0, 0.3))
        viewer.stage.grasp(None)  # the handle has red arrows
        page.wait_for_function("document.body.innerText.includes('touches one')")
        assert any(lit(picture_of(page)) > 50 for _ in range(40))


def on_screen(page, client, point):
    """Return where a point of the picture is in the page, in pixels."""
    camera = client.camera
    ahead = camera.look_at - camera.position
    ahead /= np.linalg.norm(ahead)
    right = np.cross(ahead, (0.0, 0.0, 1.0))
    right /= np.linalg.norm(right)
    seen = point - camera.position
    width, height = page.evaluate("innerWidth"), page.evaluate("innerHeight")
    focal = height / 2 / np.tan(camera.fov / 2) / (seen @ ahead)
    return width / 2 + focal * (seen @ right), height / 2 - focal * (seen @ np.cross(right, ahead))


def wait_for(condition):
    end = time.monotonic() + 60.0
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.05)


@pytest.mark.slow
def test_the_mouse_chooses_a_part_and_drags_its_handle():
    """The handle stands inside the part, which must not keep the mouse from it."""
    ball, middle = shapes.icosphere(3), np.array([-3.0, 0.0, 0.0])
    parts = [Part("left", tumble.transformed(ball, tumble.translation(*middle))), Part("right", ball)]
    with opened(parts) as (viewer, address), shown(address, 1000, 600) as page:
        (client,) = viewer._server.get_clients().values()
        centre, up = viewer.stage.frame.shown(middle), np.array([0.0, 0.0, 1.0])
        page.mouse.click(*on_screen(page, client, centre))
        wait_for(lambda: viewer.chosen == 0)
        page.wait_for_function("document.body.innerText.includes('distance 1 mm to right')")
        viewer.stage.handle.scale = HANDLE  # its ends are inside the ball, too
        for _ in range(3):  # until the handle is drawn
            page.screenshot()
        tip = centre + 0.9 * HANDLE * up
        here, there = (np.array(on_screen(page, client, place)) for place in (tip, tip + 1.5 * up))
        page.mouse.move(*here)
        page.screenshot()
        page.mouse.down()
        page.screenshot()
        for share in (0.1, 0.5, 1.0):
            page.mouse.move(*((1.0 - share) * here + share * there))
            page.screenshot()
        page.mouse.up()
        wait_for(lambda: viewer.state.undoable == (1, 0))
        shift = viewer.stage.frame.scale * viewer.state.pose(0)[:3, 3]
        np.testing.assert_allclose(shift[:2], 0.0, atol=1e-6)
        assert shift[2] == pytest.approx(1.5, rel=0.2)


@pytest.mark.slow
def test_a_finding_is_flown_to_and_the_rest_are_ghosts():
    from tumble.view.findings import ReportedFinding

    place = np.array([2.0, 0.0, 0.0])
    finding = ReportedFinding("crossing", ("one", "two"), (0, 1), "", place, np.array([place - 0.1, place + 0.1]))
    parts = [*two_rings(), Part("far", tumble.transformed(shapes.box(), tumble.translation(-5.0, 0.0, 0.0)))]
    with opened(parts, [finding]) as (viewer, address), shown(address, 900, 600) as page:
        (client,) = viewer._server.get_clients().values()
        page.get_by_role("button", name="1 crossing: one × two").click()
        page.wait_for_function("document.body.innerText.includes('crossing one × two')")
        for _ in range(100):
            if np.allclose(client.camera.look_at, viewer.stage.frame.shown(place)):
                break
            page.screenshot()
        np.testing.assert_allclose(client.camera.look_at, viewer.stage.frame.shown(place), atol=1e-6)
        assert [mesh.opacity is None for mesh in viewer.stage._meshes] == [True, True, False]


@pytest.mark.skipif(sys.platform == "win32", reason="signals are sent differently there")
@pytest.mark.process
def test_the_command_says_its_address_and_ctrl_c_ends_it():
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path), "TUMBLE_QUIET": "1"}
    command = [sys.executable, "-c", COMMAND, "view", "--port", "0"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment)
    try:
        address = re.match(r"(http://127\.0\.0\.1:\d+) ", process.stdout.readline())[1]
        with urllib.request.urlopen(address, timeout=60) as page:
            assert page.status == 200
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=120)
    finally:
        process.kill()
    assert (process.returncode, out) == (130, "")
    assert err.endswith("interrupted\n")
    assert "Traceback" not in err


def test_what_to_install_is_said(monkeypatch):
    monkeypatch.setitem(sys.modules, "viser", None)
    done = CliRunner().invoke(app, ["view"])
    assert done.exit_code == 2
    assert 'pip install "tumble[view]"' in done.stderr


def test_options_that_cannot_work_are_refused_before_a_server_starts(tmp_path):
    done = CliRunner().invoke(app, ["view", "--unit", "miles"])
    assert (done.exit_code, done.stdout) == (2, "")
    report = tmp_path / "report.json"
    report.write_text(json.dumps({"schema_version": 1}))
    assert CliRunner().invoke(app, ["view", "--findings", str(report)]).stdout == ""
