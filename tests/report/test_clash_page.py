"""The page of a clash check: one file, nothing outside it, meshes within a step of the lattice, names escaped."""

import base64
import json
import re
import zlib

import numpy as np
import pytest
from clash_checks import two_blocks

from tumble.clash.finding import State
from tumble.mesh import Mesh
from tumble.report.clash import Setting, as_html
from tumble.report.clash.geometry import STEPS, pack


def unpacked(page):
    """Return the data of a page: what is drawn, and the bytes of the shapes."""
    found = re.search(r'<script type="application/octet-stream" id="data">([^<]*)</script>', page)
    content = zlib.decompress(base64.b64decode(found[1]))
    size = int.from_bytes(content[:4], "little")
    return json.loads(content[4 : 4 + size]), content[4 + size :]


def triangles_of(scene, data, which):
    """Return the corners of a part's triangles, (n, 3, 3), from the bytes: written for this test alone."""
    part = scene["parts"][which]
    shape = scene["shapes"][part["shape"]]
    corners, faces, at = shape["corners"], shape["triangles"], shape["start"]
    low_bytes = np.frombuffer(data, np.uint8, 3 * corners, at).astype(int)
    high_bytes = np.frombuffer(data, np.uint8, 3 * corners, at + 3 * corners).astype(int)
    lattice = np.cumsum((low_bytes + 256 * high_bytes).reshape(3, corners), axis=1) % 65536
    planes = np.frombuffer(data, np.uint8, 12 * faces, at + 6 * corners).astype(int).reshape(4, 3 * faces)
    codes = planes[0] + 256 * planes[1] + 65536 * planes[2] + 2**24 * planes[3]
    ids = np.cumsum(np.where(codes % 2, -(codes + 1) // 2, codes // 2))
    points = np.array(part["low"]) + lattice.T / STEPS * np.array(part["size"])
    return points[ids].reshape(-1, 3, 3)


@pytest.fixture(scope="module")
def checked():
    return two_blocks()


@pytest.fixture(scope="module")
def page(checked):
    return page_of(checked)


def page_of(checked, **setting):
    return as_html(checked, Setting("A <title>", "mm", **setting))


def test_meshes_arrive_within_a_step_of_the_lattice(checked, page):
    scene, data = unpacked(page)
    middle = pack([part.mesh for part in checked.parts]).origin
    for which, part in enumerate(checked.parts):
        expected = np.asarray(part.mesh.vertices)[np.asarray(part.mesh.faces)]
        step = np.ptp(np.asarray(part.mesh.vertices), axis=0) / STEPS
        assert (abs(triangles_of(scene, data, which) + middle - expected) <= 0.51 * step + 1e-4).all()


def test_parts_that_differ_by_shift_and_size_share_a_shape(page):
    assert [part["shape"] for part in unpacked(page)[0]["parts"]] == [0, 0, 1, 1, 0]


def test_a_part_without_thickness_and_one_without_triangles_are_packed():
    flat = Mesh([[0, 0, 1], [1, 0, 1], [0, 1, 1]], [[0, 1, 2]])
    packed = pack([flat, Mesh(np.zeros((0, 3)), np.zeros((0, 3), int))])
    assert packed.parts[0]["size"] == [1.0, 1.0, 0.0]
    assert packed.shapes[1]["triangles"] == 0


def test_nothing_outside_is_asked_for(page):
    assert not re.search(r"(src|href|url)\s*[=(]\s*[\"']?\s*(https?:)?//", page)
    assert "default-src 'none'" in page
    assert not re.search(r"\b(fetch|XMLHttpRequest|import)\s*\(", page)


def test_names_are_escaped_everywhere(page):
    assert "<b>block" not in page
    assert "&lt;b&gt;block &amp; co&lt;/b&gt;" in page
    assert "<title>A &lt;title&gt;</title>" in page


def test_rows_have_sizes_in_their_unit(page):
    assert 'data-value="2.0"><small>depth</small> 2 mm</td>' in page
    assert 'data-value="200.0"><small class="headless">common volume</small> 200 mm³</td>' in page
    assert "<small>area</small> 100 mm²" in page


def test_a_direction_is_told_without_negative_zeros_and_apart_from_the_shift():
    page = page_of(two_blocks(direction=(-0.6, 0.8, -1e-9), depth=None, local_depth=2.0))
    assert "<dt>direction</dt><dd>(-0.6, 0.8, 0)</dd>" in page
    assert "parts them" not in page


def test_the_picture_gets_arrow_curve_and_triangles(checked, page):
    scene, _ = unpacked(page)
    crossing = next(shown for shown in scene["findings"] if shown["kind"] == "crossing")
    start, end = np.array(crossing["arrow"])
    assert abs(end - start) == pytest.approx([2.0, 0.0, 0.0])
    assert len(crossing["segments"]) % 6 == 0
    assert crossing["segments"]
    finding = next(finding for finding in checked.findings if str(finding.kind) == "crossing")
    assert 0 < len(crossing["triangles_a"]) <= len(checked.parts[finding.a].mesh)


def test_boxes_to_tick_for_each_kind_and_state(page):
    for name in ("crossing", "touching"):
        assert f'data-filter="{name}" checked' in page
    assert 'data-filter="new"' not in page
    mixed = two_blocks(state=State.APPROVED)
    mixed.findings[0] = two_blocks().findings[0]
    assert 'data-filter="approved" checked' in page_of(mixed)


def test_a_page_without_findings(checked):
    none = two_blocks()
    none.findings.clear()
    assert "Nothing was found." in page_of(none)


def test_a_page_lists_the_worst_and_says_how_many_are_left_out(checked, monkeypatch):
    monkeypatch.setattr("tumble.report.clash.page.MOST_ROWS", 1)
    short = page_of(checked)
    sentence = f"This page lists the 1 worst of {len(checked.findings)} findings; --json and --csv write all."
    assert short.count(sentence) == 2
    assert (short.count("<tr data-finding="), len(unpacked(short)[0]["findings"])) == (1, 1)
    monkeypatch.setattr("tumble.report.clash.page.MOST_ROWS", len(checked.findings))
    assert "worst of" not in page_of(checked)


def test_notes_are_in_the_footer(checked):
    assert "<p>It took &lt; 1 s.</p>" in page_of(checked, notes=["It took < 1 s."])
