"""Signs of life where stderr is not a terminal: a line now and then, never silent for long."""

import time

import pytest

from tumble.cli import progress


@pytest.fixture
def hasty(monkeypatch):
    monkeypatch.setattr(progress, "FIRST_LINE", 0.02)
    monkeypatch.setattr(progress, "LINES_APART", 0.05)
    monkeypatch.delenv("TUMBLE_QUIET", raising=False)


def test_lines_say_what_is_going_on(hasty, capsys):
    with progress.progress_bar("reading", lines=True) as bar:
        time.sleep(0.2)
        bar.update(3, 1200, "comparing triangles")
        time.sleep(0.2)
        bar.note_kernel("some_kernel", 4)
        time.sleep(0.2)
    time.sleep(0.2)
    lines = capsys.readouterr().err.splitlines()
    assert lines[0] == "reading (0 s)"
    assert "comparing triangles 3/1,200 (0 s)" in lines
    assert any(line.startswith("compiling, 0 kernels done") for line in lines)
    time.sleep(0.2)
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("quiet", [False, True])
def test_nothing_is_said_unless_asked_for(hasty, capsys, monkeypatch, quiet):
    if quiet:
        monkeypatch.setenv("TUMBLE_QUIET", "1")
    with progress.progress_bar("reading", lines=quiet):
        time.sleep(0.15)
    assert capsys.readouterr().err == ""


def test_lines_end_with_the_work_even_if_it_fails(hasty, capsys):
    with pytest.raises(ZeroDivisionError), progress.progress_bar("reading", lines=True):
        _ = 1 / 0
    time.sleep(0.2)
    assert capsys.readouterr().err == ""


def test_two_seconds_are_never_silent():
    assert progress.FIRST_LINE < 1.0
    assert progress.LINES_APART < 2.0
