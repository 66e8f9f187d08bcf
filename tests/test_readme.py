"""What the README shows is what happens."""

import re
from pathlib import Path

import numpy as np
import pytest

import tumble

README = Path(__file__).resolve().parents[1] / "README.md"


def test_at_most_a_hundred_lines():
    assert len(README.read_text(encoding="utf-8").splitlines()) <= 100


def test_the_example_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    (code,) = re.findall(r"```python\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)
    names: dict[str, object] = {}
    exec(compile(code, str(README), "exec"), names)
    assert tumble.collides(names["knot"], names["ring"], None, names["pose"]) is True
    assert names["collision"].stats.hits == len(names["collision"])
    np.testing.assert_array_equal(tumble.load_tree("knot.tree").order, names["tree"].order)
