"""The check over a track of poses."""

import json

import numpy as np
import pytest
from clash_parts import LEFT, beside, parts

from solid_forms import SMALL, moved
from tumble import FileError, InputError, translation
from tumble.clash import CheckSettings, Kind, check_parts
from tumble.clash.motion import check_motion, load_tracks, tracks_of
from tumble.clash.rules import rules_of

STEPS = [-30.0, -0.5, 0.0, 0.25, 20.0, 5.0, -30.0]
"""how far the slide goes into the block, frame by frame"""
TRACK = tracks_of({"tracks": {"slide": [translation(-step, 0, 0).tolist() for step in STEPS]}})
SLIDE = parts(block=LEFT, slide=beside(0.0), pin=moved(SMALL, 50, 30, 25))


def test_frames_of_each_clash():
    checked = check_motion(SLIDE, TRACK, CheckSettings(clearance=1.0))
    slide, pin = sorted(checked.findings, key=lambda one: one.name_a != "block")
    assert (slide.kind, slide.frames, slide.frame, checked.frames) == (Kind.CROSSING, (1, 2, 3, 4, 5), 4, 7)
    assert slide.depth == pytest.approx(20.0)
    assert (pin.kind, pin.frames, pin.frame) == (Kind.INSIDE, tuple(range(7)), 0)


def test_every_frame_is_a_check_of_its_own():
    for frame, step in enumerate(STEPS):
        track = {name: poses[frame : frame + 1] for name, poses in TRACK.items()}
        at_frame = check_motion(SLIDE, track).findings
        still = check_parts(parts(block=LEFT, slide=beside(step), pin=moved(SMALL, 50, 30, 25))).findings
        assert [(one.id, one.kind) for one in at_frame] == [(one.id, one.kind) for one in still]
        for one, other in zip(at_frame, still, strict=True):
            assert (one.depth or 0.0) == pytest.approx(other.depth or 0.0)


def test_a_part_that_has_to_touch_may_do_so_at_rest():
    rules = rules_of(
        {"must_touch": [{"a": "pin", "b": "*", "name": "held"}, {"a": "slide", "b": "block", "name": "on"}]}
    )
    checked = check_motion(SLIDE, TRACK, rules=rules)
    (found,) = [one for one in checked.findings if "slide" in (one.name_a, one.name_b)]
    assert [one.rule for one in checked.findings if "slide" not in (one.name_a, one.name_b)] == [None]
    assert found.frames == tuple(range(7))
    assert found.kind is Kind.CROSSING
    apart = check_motion(SLIDE, {"slide": TRACK["slide"][:1]}, rules=rules).findings
    assert [(one.kind, one.gap) for one in apart if one.rule == "on"] == [(Kind.APART, 30.0)]


@pytest.mark.parametrize(
    "content, words",
    [
        ([], "expected"),
        ({"tracks": {}}, "expected"),
        ({"tracks": {"slide": [[1, 2]]}}, "the track of 'slide'"),
        ({"tracks": {"slide": [np.diag([2.0, 1, 1, 1]).tolist()]}}, "slide"),
        ({"tracks": {"slide": [np.eye(4).tolist()], "pin": [np.eye(4).tolist()] * 2}}, "as many poses"),
        ({"tracks": {"slide": []}}, "slide"),
    ],
)
def test_tracks_that_make_no_sense(tmp_path, content, words):
    with pytest.raises(InputError, match=words):
        tracks_of(content)
    path = tmp_path / "poses.json"
    path.write_text(json.dumps(content))
    with pytest.raises(FileError, match=r"poses\.json"):
        load_tracks(path)


def test_unknown_parts_and_files(tmp_path):
    with pytest.raises(InputError, match="there is no part 'sled' to move"):
        check_motion(SLIDE, {"sled": TRACK["slide"]})
    with pytest.raises(FileError, match="cannot be read"):
        load_tracks(tmp_path / "missing.json")
    (tmp_path / "poses.json").write_text("{")
    with pytest.raises(FileError, match="is not JSON"):
        load_tracks(tmp_path / "poses.json")
