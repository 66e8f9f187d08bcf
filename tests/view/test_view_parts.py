"""Sections, the frame of the picture, and reports, without a browser."""

import json

import numpy as np
import pytest
from typer.testing import CliRunner

import tumble
from tumble import shapes
from tumble.cli import app
from tumble.errors import FileError
from tumble.scenario import assembly
from tumble.view.findings import load_report
from tumble.view.frame import SIZE, Frame, centre_of
from tumble.view.section import Plane, cut


def area(vertices, faces):
    a, b, c = (vertices[faces[:, k]] for k in range(3))
    return np.linalg.norm(np.cross(b - a, c - a), axis=1).sum() / 2


@pytest.mark.parametrize("axis", range(3))
@pytest.mark.parametrize("offset", [-0.31, 0.0, 0.17])
def test_a_section_keeps_what_is_below_cut_along_the_plane(axis, offset):
    ring, normal = shapes.torus(1.0, 0.4, 24, 12), np.eye(3)[axis]
    below = cut(ring.vertices, ring.faces, Plane(normal, offset))
    above = cut(ring.vertices, ring.faces, Plane(-normal, -offset))
    for sign, (vertices, faces, segments) in ((1.0, below), (-1.0, above)):
        assert (sign * (vertices[faces] @ normal - offset)).max() <= 1e-12
        np.testing.assert_allclose(segments @ normal, offset, atol=1e-12)
        assert len(segments) > 10
    assert area(*below[:2]) + area(*above[:2]) == pytest.approx(area(ring.vertices, ring.faces))
    assert area(*below[:2]) > 0.1


def test_kept_triangles_face_as_before():
    ball = shapes.icosphere(2)
    vertices, faces, _ = cut(ball.vertices, ball.faces, Plane(np.array([0.6, 0.0, 0.8]), 0.1))
    a, b, c = (vertices[faces[:, k]] for k in range(3))
    assert ((np.cross(b - a, c - a) * (a + b + c)).sum(axis=1) > -1e-15).all()


def test_a_plane_that_misses_cuts_nothing_or_all():
    assert len(cut(*_box(), Plane(np.array([0.0, 0.0, 1.0]), 2.0))[1]) == 12
    assert len(cut(*_box(), Plane(np.array([0.0, 0.0, 1.0]), -2.0))[1]) == 0


def _box():
    return shapes.box().vertices, shapes.box().faces


def test_a_plane_seen_from_a_moved_part():
    pose = tumble.translation(1.0, 2.0, 3.0) @ tumble.rotation((1.0, 1.0, 0.2), 0.8)
    plane, point = Plane(np.array([0.0, 1.0, 0.0]), 0.7), np.array([0.3, -0.4, 0.5])
    own = plane.seen_from(pose)
    there = pose[:3, :3] @ point + pose[:3, 3]
    assert own.normal @ point - own.offset == pytest.approx(plane.normal @ there - plane.offset)


def test_the_pose_of_the_handle_is_the_pose_that_was_drawn():
    mesh = tumble.transformed(shapes.box(), tumble.translation(100.0, 50.0, 20.0))
    frame, centre = Frame.of([mesh.bounds, None]), centre_of(mesh)
    assert np.linalg.norm(np.diff(frame.shown(mesh.bounds), axis=0)) == pytest.approx(SIZE)
    angle = 0.8
    pose = tumble.translation(3.0, -1.0, 2.0) @ tumble.rotation("y", angle)
    wxyz = np.array([np.cos(angle / 2), 0.0, np.sin(angle / 2), 0.0])
    position = frame.place(pose, centre)
    np.testing.assert_allclose(position, frame.shown(tumble.transformed(mesh, pose).vertices).mean(axis=0))
    np.testing.assert_allclose(frame.pose(5.0 * wxyz, position, centre), pose, atol=1e-12)


def test_a_report_of_check_is_read_with_its_parts(tmp_path):
    path, parts = tmp_path / "report.json", assembly()
    path.write_text(CliRunner().invoke(app, ["check", "--json"]).stdout, encoding="utf-8")
    report = load_report(path)
    assert report.files == []
    findings, written = report.findings(parts), json.loads(path.read_text("utf-8"))["findings"]
    assert len(findings) == len(written) > 0
    first, expected = findings[0], written[0]
    assert [parts[number].name for number in first.parts] == [expected["name_a"], expected["name_b"]]
    assert first.title.startswith(f"{expected['kind']}: {expected['name_a']} × ")
    np.testing.assert_array_equal(first.point, expected["point"])
    assert report.findings(parts[:1])[0].parts == (None, None)


@pytest.mark.parametrize(
    "text", ["{", "[]", '{"schema_version": 1}', '{"schema_version": 2, "files": [], "unit": null, "findings": [{}]}']
)
def test_what_is_not_a_report_is_said(tmp_path, text):
    path = tmp_path / "report.json"
    path.write_text(text)
    with pytest.raises(FileError, match=r"report\.json is not"):
        load_report(path)
    assert CliRunner().invoke(app, ["view", "--findings", str(path)]).exit_code == 2
    with pytest.raises(FileError, match="cannot be read"):
        load_report(tmp_path / "missing.json")
