"""CSV and BCF: what is written can be read by others, and names do no harm."""

import csv
import io
import uuid
import zipfile
from datetime import datetime, timezone
from xml.etree import ElementTree

import numpy as np
import pytest
from clash_parts import LEFT, PLATE, beside, parts, rod

from solid_forms import SMALL, moved
from tumble import OptionError, Part
from tumble.clash import CheckSettings, check_parts
from tumble.clash.as_csv import COLUMNS, as_csv
from tumble.clash.as_text import measure
from tumble.clash.baseline import approved, compared
from tumble.clash.bcf import Frame, as_bcf, topic_guid, view_of
from tumble.report.snapshot import png, snapshots_of

ODD = "<script>alert('1')</script> & \x00\x1b[31m größe 漢\ud800"
MM = Frame("mm")
WHEN = datetime(2024, 2, 29, 12, 0, 0, tzinfo=timezone.utc)


@pytest.fixture(scope="module")
def checked():
    pierced = parts(**{ODD: rod(3.0, -10.0, 20.0), "plate": PLATE})
    return check_parts([*pierced, Part("=cmd()", moved(LEFT, 200, 0, 0)), Part("b", moved(beside(20.0), 200, 0, 0))])


def test_csv_has_a_row_for_each_finding(checked):
    rows = list(csv.DictReader(io.StringIO(as_csv(checked))))
    assert [row["kind"] for row in rows] == ["crossing", "piercing"]
    assert list(rows[0]) == list(COLUMNS)
    assert float(rows[0]["depth"]) == pytest.approx(20.0)
    assert (rows[0]["part_a"], rows[0]["depth_is_exact"], rows[0]["fault"]) == ("'=cmd()", "yes", "yes")
    assert rows[1]["part_a"].startswith("<script>alert('1')</script> & \\x00\\x1b[31m größe 漢")
    as_csv(checked).encode("utf-8")


def test_csv_lists_what_is_resolved(checked):
    findings, resolved = compared([], [_known(one) for one in checked.findings])
    (row, *_) = csv.DictReader(io.StringIO(as_csv(check_parts([]), resolved)))
    assert (findings, row["state"], row["id"]) == ([], "resolved", checked.findings[0].id)


def _known(finding):
    from tumble.clash.baseline import Known

    return Known(finding.id, finding.name_a, finding.name_b, finding.kind)


def files_of(content):
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        assert archive.testzip() is None
        return {name: archive.read(name) for name in archive.namelist()}


@pytest.mark.parametrize("version", ["2.1", "3.0"])
def test_bcf_has_a_topic_for_each_fault(checked, version):
    found = files_of(as_bcf(checked, MM, version, snapshots_of(checked.parts), WHEN))
    assert ElementTree.fromstring(found["bcf.version"]).get("VersionId") == version
    assert ("extensions.xml" in found) == (version == "3.0")
    for finding in checked.findings:
        guid = topic_guid(finding)
        assert str(uuid.UUID(guid)) == guid
        markup = ElementTree.fromstring(found[f"{guid}/markup.bcf"])
        assert markup.find("Topic").get("Guid") == guid
        assert markup.find("Topic/Title").text.endswith(finding.name_b)
        assert markup.find("Topic/CreationDate").text == "2024-02-29T12:00:00Z"
        view = ElementTree.fromstring(found[f"{guid}/viewpoint.bcfv"])
        eye, way = (_vector(view, f"PerspectiveCamera/{name}") for name in ("CameraViewPoint", "CameraDirection"))
        # the camera looks at the clash, in metres
        to_clash = np.array(finding.point) / 1000 - eye
        assert to_clash / np.linalg.norm(to_clash) == pytest.approx(way)
        assert found[f"{guid}/snapshot.png"].startswith(b"\x89PNG")
    assert as_bcf(checked, MM, version, None, WHEN) == as_bcf(checked, MM, version, None, WHEN)


def _vector(view, path):
    return np.array([float(view.find(f"{path}/{axis}").text) for axis in "XYZ"])


def test_bcf_names_ifc_elements_and_is_where_the_file_is():
    """Coordinates were moved to a local origin; building software wants those of the file."""
    guids = "2O2Fr$t4X7Zf8NOew3FLOH", "not a GlobalId"
    found = check_parts([Part(f"p{k}", mesh, guid=guids[k]) for k, mesh in enumerate((LEFT, beside(20.0)))])
    (finding,) = found.findings
    files = files_of(as_bcf(found, Frame("mm", (5e8, -2e8, 1e6))))
    view = ElementTree.fromstring(files[f"{topic_guid(finding)}/viewpoint.bcfv"])
    assert [one.get("IfcGuid") for one in view.iter("Component")] == [guids[0]]
    eye = _vector(view, "PerspectiveCamera/CameraViewPoint")
    expected = (view_of(finding, found.parts).eye + np.array([5e8, -2e8, 1e6])) / 1000
    assert eye == pytest.approx(expected, abs=1e-9)


def test_bcf_leaves_out_what_is_fine_and_closes_what_is_approved(checked):
    flush = check_parts(parts(left=LEFT, right=beside(0.0)))
    assert list(files_of(as_bcf(flush, MM))) == ["bcf.version"]
    one = checked.findings[0]
    passed = type(checked)(checked.parts, approved(checked.findings, [one.id], "fine"))
    markup = files_of(as_bcf(passed, MM))[f"{topic_guid(one)}/markup.bcf"]
    assert ElementTree.fromstring(markup).find("Topic").get("TopicStatus") == "Closed"
    assert b"reason: fine" in markup
    with pytest.raises(OptionError, match=r"version '2\.0'"):
        as_bcf(checked, MM, "2.0")


@pytest.mark.parametrize("version", ["2.1", "3.0"])
def test_bcf_is_read_back_by_another_library(tmp_path, checked, version):
    bcf = pytest.importorskip("bcf.bcfxml", reason="bcf-client is not installed")
    path = tmp_path / "clashes.bcf"
    path.write_bytes(as_bcf(checked, MM, version, snapshots_of(checked.parts), WHEN))
    with bcf.load(path) as project:
        assert project.version.version_id == version
        assert set(project.topics) == {topic_guid(one) for one in checked.findings}
        for finding in checked.findings:
            topic = project.topics[topic_guid(finding)]
            assert topic.topic.title.endswith(finding.name_b)
            (view,) = topic.viewpoints.values()
            assert view.snapshot.startswith(b"\x89PNG")
            eye = view.visualization_info.perspective_camera.camera_view_point
            assert [eye.x, eye.y, eye.z] == pytest.approx(list(view_of(finding, checked.parts).eye / 1000))


def test_a_picture_shows_both_parts():
    pin = parts(block=LEFT, pin=moved(SMALL, 50, 30, 25))
    (finding,) = check_parts(pin, CheckSettings()).findings
    picture = pytest.importorskip("PIL.Image").open(io.BytesIO(snapshots_of(pin)(finding, view_of(finding, pin))))
    assert picture.size == (320, 240)
    colours = np.asarray(picture)[..., :3].astype(int)
    middle, corner = colours[120, 160], colours[5, 5]
    # the pin, red, shines through the block, blue, which fills the picture
    assert middle[0] - middle[2] > corner[0] - corner[2] + 20


def test_png_holds_every_pixel():
    image = np.random.default_rng(3).random((5, 7, 3))
    read = np.asarray(pytest.importorskip("PIL.Image").open(io.BytesIO(png(image))))
    assert (read == np.round(255 * image)).all()


@pytest.mark.parametrize(
    ("number", "words"),
    [
        (75.9912, "75.99 mm³"),
        (126000.4, "126,000 mm³"),
        (9.99996e3, "10,000 mm³"),
        (3e-7, "3e-07 mm³"),
        (2e15, "2e+15 mm³"),
    ],
)
def test_sizes_are_written_as_people_read_them(number, words):
    assert measure(number, "mm", "³") == words
