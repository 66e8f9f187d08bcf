"""Real meshes with known answers, where the folder with them is present (beside the checkout, or $TUMBLE_MESHES)."""

import json
import os
import re
from pathlib import Path

import numpy as np
import pytest

import tumble

MESHES = Path(os.environ.get("TUMBLE_MESHES", Path(__file__).resolve().parents[2] / "shared" / "meshes"))
REFERENCE = MESHES / "reference.json"
pytestmark = pytest.mark.skipif(not REFERENCE.exists(), reason="the folder of real meshes is not here")

answers = json.loads(REFERENCE.read_text()) if REFERENCE.exists() else {}
PAIRS = [key for key in answers if key.startswith("pair:")]
MOTIONS = [key for key in answers if key.startswith("frames:") and key.endswith(".xml")]
CONTACTS = [key for key in answers if key.startswith("frames:") and key.endswith(".txt")]
NUT_AND_BOLT = next((key for key in PAIRS if "nut_bolt" in key), None)


def pair_of(key):
    return [tumble.load(MESHES / name) for name in key.removeprefix("pair:").split("|")]


@pytest.mark.parametrize(
    "key", [pytest.param(key, marks=[pytest.mark.slow] * ("Twin" in key or "Offset" in key)) for key in PAIRS]
)
def test_pairs(key):
    assert len(tumble.collide(*pair_of(key))) == answers[key]


def test_nut_clears_the_bolt_when_shifted_along_the_thread():
    nut, bolt = pair_of(NUT_AND_BOLT)
    pitch = 0.002  # metres, as the meshes are
    for method in ("stack", "stackless", "stackless-post"):
        assert not tumble.collide(nut, bolt, tumble.translation(0, 0, pitch), method=method)


def motion(key):
    """Return the two meshes and the two poses of each frame of one of FCL's motion files."""
    text = (MESHES / key.removeprefix("frames:")).read_text()
    meshes = []
    for body in re.findall(r"<OBJECT.*?</OBJECT>", text, re.DOTALL):
        grid = re.findall(r'<GRID id="\s*\d+" x="([^"]+)" y="([^"]+)" z="([^"]+)"', body)
        faces = re.findall(r'<TRIA id="\s*\d+" g1="([^"]+)" g2="([^"]+)" g3="([^"]+)"', body)
        meshes.append(tumble.Mesh(np.array(grid, float), np.array(faces, int) - 1))
    frames = []
    for frame in re.findall(r"<FRAME.*?/>", text, re.DOTALL):
        poses = []
        for body in ("obj1", "obj2"):
            pose = np.eye(4)
            pose[:3, 3] = np.array(re.search(rf'{body}_pos\s*="([^"]+)"', frame)[1].split(), float)
            pose[:3, :3] = np.array(re.search(rf'{body}_dc\s*="([^"]+)"', frame)[1].split(), float).reshape(3, 3)
            poses.append(pose)
        frames.append(poses)
    return meshes, frames


@pytest.mark.parametrize("key", MOTIONS)
def test_motions(key):
    (a, b), frames = motion(key)
    counts = [len(tumble.collide(a, b, *poses)) for poses in frames]
    assert counts == answers[key]


@pytest.mark.parametrize("key", CONTACTS)
def test_contact_scenarios(key):
    (a, b), frames = motion(key)
    counts = [len(tumble.collide(a, b, *poses)) for poses in frames]
    assert [counts[0], counts[-1]] == answers[key]
