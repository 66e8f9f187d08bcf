"""The page: one file, with the recording inside, that plays in a browser without a network."""

import base64
import re
import sys
import time

import numpy as np
import pytest
from recordings import recorded

from browser import chromium, opened, pixels_of
from tumble.errors import FileError, MissingDependencyError, OptionError
from tumble.playback import check_target, save
from tumble.playback.page import KEPT_BITS, _shortened, as_html

pytest.importorskip("viser")
PATIENCE = 60.0
"""seconds"""


@pytest.fixture(scope="module")
def page():
    return as_html(recorded(steps=60)[0]).decode()


def messages(page):
    """Return what viser's client will read: the messages with their times, and the length."""
    import msgspec.msgpack
    import zstandard

    packed = base64.b64decode(re.search(r'__VISER_EMBED_DATA__="([^"]+)"', page)[1])
    content = zstandard.ZstdDecompressor().decompressobj().decompress(packed[8:])
    size = int.from_bytes(content[:8], "little")
    record = msgspec.msgpack.decode(content[8 : 8 + size])
    return record["messages"], record["durationSeconds"]


def test_the_page_has_a_title_and_no_address_to_load_from(page):
    assert page.count("<title>") == 1
    assert "<title>a title &amp; more</title>" in page
    assert "5 bodies of 368 triangles, 0.6 s" in page
    assert not re.search(r'<(script|link|img)[^>]+(src|href)="(https?:)?//', page)


def test_each_mesh_is_sent_once_and_then_only_moved(page):
    sent, duration = messages(page)
    assert duration == pytest.approx(0.6 + 1.5)
    made = [message for _, message in sent if message["type"] == "BatchedMeshesMessage"]
    assert [message["name"] for message in made] == [
        "/bodies/box 0 and 2 more", "/bodies/a <ball> - of & sorts", "/bodies/block",
    ]  # fmt: skip
    moved = [(time, message) for time, message in sent if message["type"] == "SceneNodeUpdateMessage"]
    assert {message["name"] for _, message in moved} == {message["name"] for message in made[:2]}
    assert {frozenset(message["updates"]) for _, message in moved} <= {
        frozenset({"batched_positions"}), frozenset({"batched_wxyzs"}),
    }  # fmt: skip
    np.testing.assert_allclose(np.unique([time for time, _ in moved]).round(9), 0.02 * np.arange(1, 31))
    assert any(message["type"] == "GridMessage" for _, message in sent)


def test_numbers_are_shortened_by_rounding():
    numbers = np.float32([0.0, 1.0, -1.0, 0.1, -123.456, 1e-20])
    np.testing.assert_allclose(_shortened(numbers), numbers, rtol=2.0 ** -(KEPT_BITS + 1))
    assert (_shortened(numbers).view(np.uint32) & ((1 << (23 - KEPT_BITS)) - 1) == 0).all()


def test_nothing_is_printed(capfd):
    as_html(recorded(steps=2)[0])
    assert capfd.readouterr() == ("", "")


def test_the_suffix_chooses_and_the_size_is_told(tmp_path):
    recording, _ = recorded(steps=4)
    for name in ("one.html", "two.GLB"):
        assert save(recording, tmp_path / name) == (tmp_path / name).stat().st_size > 1000
    assert (tmp_path / "two.GLB").read_bytes()[:4] == b"glTF"


def test_what_cannot_be_written_is_said_before_the_work(tmp_path, monkeypatch):
    with pytest.raises(OptionError, match=r"must end in \.html or \.glb"):
        check_target(tmp_path / "out.mp4")
    with pytest.raises(FileError, match="there is no folder"):
        check_target(tmp_path / "no" / "out.glb")
    (tmp_path / "folder.glb").mkdir()
    with pytest.raises(FileError, match="it is a folder"):
        check_target(tmp_path / "folder.glb")
    monkeypatch.setattr("os.access", lambda *_: False)
    with pytest.raises(FileError, match="no permission"):
        check_target(tmp_path / "out.glb")
    monkeypatch.setitem(sys.modules, "viser", None)
    with pytest.raises(MissingDependencyError, match=r'pip install "tumble\[view\]"'):
        check_target(tmp_path / "out.html")


@pytest.mark.process
def test_a_browser_plays_it_without_errors_and_without_a_network(page, tmp_path):
    (tmp_path / "page.html").write_text(page, encoding="utf-8")
    with chromium() as browser, opened(browser, tmp_path / "page.html", (240, 180)) as tab:
        tab.locator("canvas[data-engine][style*='opacity: 1']").wait_for(timeout=120_000)
        assert tab.title() == "a title & more"
        assert "5 bodies" in tab.locator("#tumble-caption").inner_text()
        assert tab.locator("button").count() >= 2  # play, and the list of bodies
        # viser says that the processor draws, over most of so small a window
        tab.add_style_tag(content="[class*=Notification-root] { visibility: hidden }")
        coloured, end = [], time.monotonic() + PATIENCE
        while time.monotonic() < end and not _has_moved(coloured):  # it stands still between rounds, too
            coloured.append(_coloured(tab.screenshot(timeout=120_000)))
    assert _has_moved(coloured)


def _has_moved(pictures):
    """Return whether two pictures show bodies, and not at the same places."""
    shown = [picture for picture in pictures if picture.mean() > 0.01]
    return any((shown[0] != later).any() for later in shown[1:])


def _coloured(png):
    """Return which pixels in the middle of a picture have a colour: the ground, the sky and the block are grey."""
    pixels = pixels_of(png)
    height, width, _ = pixels.shape
    middle = pixels[height // 4 : 3 * height // 4, width // 4 : 3 * width // 4]
    return np.ptp(middle, axis=2) > 60
