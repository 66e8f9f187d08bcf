"""The triangle pairs of CGAL's own test data, with the answers recorded there: judge and kernel."""

import json
import os
from pathlib import Path

import numpy as np
import pytest

from oracle import triangles_touch
from tumble.narrow import triangles_touch_many

SHARED = Path(__file__).resolve().parents[2] / ".." / "shared" / "meshes"
CASES = Path(os.environ.get("TUMBLE_MESHES", SHARED)) / "cgal-data" / "tritri_cases.json"

pytestmark = pytest.mark.skipif(not CASES.exists(), reason=f"{CASES} is not there; set TUMBLE_MESHES")


@pytest.fixture(scope="module")
def cases():
    found = json.loads(CASES.read_text())
    assert len(found) == 42
    return found


def test_judge(cases):
    for case in cases:
        assert triangles_touch(case["t1"], case["t2"]) == case["intersects"], case


def test_kernel(cases):
    a, b = (np.array([case[key] for case in cases], dtype=np.float64) for key in ("t1", "t2"))
    expected = np.array([case["intersects"] for case in cases])
    for found in (triangles_touch_many(a, b), triangles_touch_many(b, a)):
        assert np.array_equal(found, expected), [cases[i]["note"] for i in np.flatnonzero(found != expected)]
