"""Findings as BCF files, which building software exchanges: version 2.1 or 3.0, a zip with a folder for each topic.

A topic's GUID follows from the id of its finding, so a second file updates the topics of the first. Its viewpoint has a
camera that looks at the clash and selects both parts, by their IFC GUIDs where they have one; coordinates are in
metres, as the format demands. A picture of each comes from whoever can draw: see `Snapshot`.
"""

from __future__ import annotations

import io
import re
import uuid
import zipfile
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime, timezone
from typing import NamedTuple
from xml.etree import ElementTree as xml

import numpy as np
from numpy.typing import NDArray

from tumble.clash.as_text import WORDS, size_of
from tumble.clash.check import Checked
from tumble.clash.finding import Finding, Kind, State
from tumble.core.text import printable
from tumble.errors import OptionError
from tumble.mesh import Part
from tumble.mesh.units import converted

VERSIONS = "2.1", "3.0"
NAMESPACE = uuid.UUID("6f5f2c0e-3c55-5b0b-9a4f-2c7a4a3a6d10")
AUTHOR = "tumble"
FIELD_OF_VIEW, ASPECT = 45.0, 4.0 / 3.0
"""degrees, from the top to the bottom; width by height"""
WAY = np.array([0.42, -1.0, 0.46]) / np.linalg.norm([0.42, -1.0, 0.46])
"""from what is looked at to the camera: from the front, a little above"""
ROOM = 2.5
"""what the picture shows, in sizes of the finding"""
SMALLEST = 0.02
"""what it shows at least, as a part of the larger of both parts"""
IFC_GUID = re.compile(r"[0-9A-Za-z_$]{22}")
DATE = (1980, 1, 1, 0, 0, 0)
"""of files in the zip: the same findings give the same bytes"""


class Frame(NamedTuple):
    """Where coordinates of parts are in the files."""

    unit: str | None = None
    """of the parts; None: metres"""
    origin: tuple[float, float, float] = (0.0, 0.0, 0.0)
    """what was subtracted from the coordinates of the files, in `unit`"""

    def in_metres(self, point: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return a point in the coordinates of the files, in metres."""
        return converted(point + np.array(self.origin), self.unit or "m", "m")


class View(NamedTuple):
    """A camera that looks at a finding, in the unit of the parts."""

    eye: NDArray[np.float64]
    target: NDArray[np.float64]
    up: NDArray[np.float64]


Snapshot = Callable[[Finding, View], bytes]
"""draws a PNG picture of a finding, `FIELD_OF_VIEW` high and `ASPECT` wide"""


def as_bcf(
    checked: Checked, frame: Frame, version: str = "2.1", snapshot: Snapshot | None = None,
    when: datetime | None = None,
) -> bytes:  # fmt: skip
    """Return a BCF file with a topic for each finding that is a fault, or was approved.

    frame      where the parts are
    snapshot   draws pictures; None: there are none
    when       the date of the topics; None: now
    """
    if version not in VERSIONS:
        raise OptionError(f"unknown version {version!r} of BCF; use {' or '.join(VERSIONS)}")
    date = (when or datetime.now(timezone.utc)).strftime("%Y-%m-%dT%H:%M:%SZ")
    listed = topics_of(checked)
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        _write(archive, "bcf.version", _version(version))
        if version == "3.0":
            _write(archive, "extensions.xml", _extensions(listed))
        for number, finding in enumerate(listed):
            guid, view = topic_guid(finding), view_of(finding, checked.parts)
            _write(archive, f"{guid}/viewpoint.bcfv", _viewpoint(finding, checked.parts, view, frame, version))
            if snapshot is not None:
                _put(archive, f"{guid}/snapshot.png", snapshot(finding, view))
            _write(
                archive,
                f"{guid}/markup.bcf",
                _markup(finding, number, frame.unit, (version, date, snapshot is not None)),
            )
    return buffer.getvalue()


def topics_of(checked: Checked) -> list[Finding]:
    """Return the findings that become topics: faults, and what was approved."""
    return [one for one in checked.findings if one.fails or one.state is State.APPROVED]


def topic_guid(finding: Finding) -> str:
    """Return the GUID of a finding's topic, the same in every run."""
    return str(uuid.uuid5(NAMESPACE, finding.id))


def view_of(finding: Finding, parts: Sequence[Part]) -> View:
    """Return a camera that looks at a finding and shows some of the parts around it."""
    boxes = [parts[k].mesh.bounds for k in (finding.a, finding.b)]
    corners = np.concatenate([box for box in boxes if box is not None] or [np.zeros((2, 3))])
    size = float(np.ptp(corners, axis=0).max()) or 1.0
    target = corners.mean(axis=0) if finding.point is None else np.array(finding.point)
    reach = 0.0 if finding.box is None else float(np.ptp(np.array(finding.box), axis=0).max())
    shown = max(ROOM * reach, SMALLEST * size)
    distance = shown / (2.0 * np.tan(np.radians(FIELD_OF_VIEW) / 2.0))
    right = np.cross([0.0, 0.0, 1.0], WAY)
    right /= np.linalg.norm(right)
    return View(target + distance * WAY, target, np.cross(WAY, right))


def _version(version: str) -> xml.Element:
    root = xml.Element("Version", VersionId=version)
    if version == "2.1":
        xml.SubElement(root, "DetailedVersion").text = version
    return root


def _extensions(findings: Iterable[Finding]) -> xml.Element:
    """Return the words that topics of version 3.0 use."""
    root = xml.Element("Extensions")
    kinds = sorted({str(finding.kind) for finding in findings})
    words = {
        "TopicTypes": ("TopicType", ["Clash"]), "TopicStatuses": ("TopicStatus", ["Open", "Closed"]),
        "Priorities": ("Priority", ["Critical", "Normal"]), "TopicLabels": ("TopicLabel", kinds),
        "Users": ("User", [AUTHOR]), "SnippetTypes": ("SnippetType", []), "Stages": ("Stage", []),
    }  # fmt: skip
    for name, (item, values) in words.items():
        listed = xml.SubElement(root, name)
        for value in values:
            xml.SubElement(listed, item).text = value
    return root


def _markup(finding: Finding, number: int, unit: str | None, form: tuple[str, str, bool]) -> xml.Element:
    """Return the topic of a finding; the order of elements is that of the schemas."""
    version, date, has_snapshot = form
    root = xml.Element("Markup")
    status = "Closed" if finding.state is State.APPROVED else "Open"
    topic = xml.SubElement(root, "Topic", Guid=topic_guid(finding), TopicType="Clash", TopicStatus=status)
    words = WORDS.get(finding.kind, str(finding.kind))
    _text(topic, "Title", f"{finding.name_a} — {words} — {finding.name_b}")
    _text(topic, "Priority", "Critical" if finding.kind in (Kind.CROSSING, Kind.PIERCING, Kind.INSIDE) else "Normal")
    _text(topic, "Index", str(number))
    labels = xml.SubElement(topic, "Labels")
    _text(labels, "Label", str(finding.kind)) if version == "3.0" else _say(labels, str(finding.kind))
    _text(topic, "CreationDate", date)
    _text(topic, "CreationAuthor", AUTHOR)
    _text(topic, "Description", _description(finding, unit))
    parent = xml.SubElement(topic, "Viewpoints") if version == "3.0" else root
    view = xml.SubElement(parent, "ViewPoint" if version == "3.0" else "Viewpoints", Guid=_view_guid(finding))
    _text(view, "Viewpoint", "viewpoint.bcfv")
    if has_snapshot:
        _text(view, "Snapshot", "snapshot.png")
    return root


def _description(finding: Finding, unit: str | None) -> str:
    lines = [f"{finding.kind}, {size_of(finding, unit)}".rstrip(", "), f"finding {finding.id}, {finding.state}"]
    lines += [f"rule: {finding.rule}"] if finding.rule else []
    lines += [f"reason: {finding.reason}"] if finding.reason else []
    lines += [f"frames: {' '.join(map(str, finding.frames))}"] if finding.frames is not None else []
    return "\n".join(lines)


def _viewpoint(finding: Finding, parts: Sequence[Part], view: View, frame: Frame, version: str) -> xml.Element:
    root = xml.Element("VisualizationInfo", Guid=_view_guid(finding))
    guids = [guid for guid in (guid_of(parts[k]) for k in (finding.a, finding.b)) if guid is not None]
    if guids:
        components = xml.SubElement(root, "Components")
        selection = xml.SubElement(components, "Selection")
        for guid in guids:
            xml.SubElement(selection, "Component", IfcGuid=guid)
        xml.SubElement(components, "Visibility", DefaultVisibility="true")
    camera = xml.SubElement(root, "PerspectiveCamera")
    way = view.target - view.eye
    _vector(camera, "CameraViewPoint", frame.in_metres(view.eye))
    _vector(camera, "CameraDirection", way / np.linalg.norm(way))
    _vector(camera, "CameraUpVector", view.up)
    _text(camera, "FieldOfView", repr(FIELD_OF_VIEW))
    if version == "3.0":
        _text(camera, "AspectRatio", repr(ASPECT))
    return root


def guid_of(part: Part) -> str | None:
    """Return the IFC GUID of a part, where its format has one, and it is one."""
    return part.guid if part.guid is not None and IFC_GUID.fullmatch(part.guid) else None


def _view_guid(finding: Finding) -> str:
    return str(uuid.uuid5(NAMESPACE, f"{finding.id} viewpoint"))


def _vector(parent: xml.Element, name: str, values: NDArray[np.float64]) -> None:
    element = xml.SubElement(parent, name)
    for axis, value in zip("XYZ", values.tolist(), strict=True):
        _text(element, axis, repr(value))


def _text(parent: xml.Element, name: str, text: str) -> None:
    _say(xml.SubElement(parent, name), text)


def _say(element: xml.Element, text: str) -> None:
    """Put text into an element, without the characters that XML cannot hold."""
    element.text = "\n".join(printable(line) for line in text.split("\n"))


def _write(archive: zipfile.ZipFile, name: str, root: xml.Element) -> None:
    xml.indent(root)
    _put(archive, name, xml.tostring(root, "utf-8", xml_declaration=True))


def _put(archive: zipfile.ZipFile, name: str, content: bytes) -> None:
    archive.writestr(zipfile.ZipInfo(name, DATE), content, zipfile.ZIP_DEFLATED)
