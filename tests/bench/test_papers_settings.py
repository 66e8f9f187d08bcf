"""Settings and calls that docs/papers.md names: they construct, and full calls run."""

import ast
import re
from pathlib import Path

import numpy as np
import pytest

import tumble
from tumble.device import devices
from tumble.errors import OptionError

PAGE = Path(__file__).resolve().parents[2] / "docs" / "papers.md"
SPANS = sorted({span for span in re.findall(r"`([^`]+)`", PAGE.read_text("utf-8")) if "Settings(" in span})


def is_call(span: str) -> bool:
    """Whether a span is a whole call, not only the settings of one."""
    return not re.match(r"(tumble\.)?\w*Settings\(", span)


def made(text: str):
    """The settings of a span; where it has … for a value, the default of that field."""
    (name,) = re.findall(r"(\w+Settings)\(", text)
    kind, call = getattr(tumble, name), ast.parse(text.replace("…", "..."), mode="eval").body
    open_fields = {
        each.arg for each in call.keywords if isinstance(each.value, ast.Constant) and each.value.value is ...
    }
    assert open_fields <= set(kind.__dataclass_fields__)
    return kind(**{each.arg: ast.literal_eval(each.value) for each in call.keywords if each.arg not in open_fields})


@pytest.mark.parametrize("span", [span for span in SPANS if not is_call(span)])
def test_settings_construct(span):
    assert type(made(span)).__name__ in span


@pytest.mark.parametrize("span", [span for span in SPANS if is_call(span)])
def test_calls_run_and_find_what_the_default_finds(span):
    if "opencl" in span and not devices():
        pytest.skip("no OpenCL device")
    a, b = (
        tumble.shapes.icosphere(1),
        tumble.Mesh(tumble.shapes.icosphere(1).vertices + 0.4, tumble.shapes.icosphere(1).faces),
    )
    found = eval(span, {**vars(tumble), "tumble": tumble}, {"a": a, "b": b, "meshes": [a, b]})
    pairs = found.pairs(0, 1) if span.startswith("collide_all") else found.pairs
    truth = tumble.collide(a, b).pairs
    assert len(truth) > 0
    assert np.array_equal(np.unique(pairs, axis=0), np.unique(truth, axis=0))


def test_a_span_that_does_not_work_is_seen():
    assert len(SPANS) > 10
    with pytest.raises(OptionError):
        made('BulkSettings(search="local")')
    with pytest.raises(AssertionError):
        made("BulkSettings(places_=…)")
