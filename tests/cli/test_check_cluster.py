"""`tumble check --workers`, `--cluster`: the same findings; errors in one line."""

import json
import signal
import subprocess
import sys
import time

import pytest
from typer.testing import CliRunner

from tumble.cli import app

COMMAND = [sys.executable, "-m", "tumble", "check"]


def checked(*options):
    return CliRunner().invoke(app, ["check", *options])


def test_one_of_both_options():
    found = checked("--workers", "2", "--cluster", "tcp://127.0.0.1:1")
    assert found.exit_code == 2
    assert "give one of them" in found.stderr


def test_a_missing_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    for options in (("--workers", "2"), ("--cluster", "tcp://127.0.0.1:1")):
        found = checked(*options)
        assert found.exit_code == 2
        assert 'pip install "tumble[cluster]"' in found.stderr


def test_no_scheduler():
    pytest.importorskip("distributed")
    found = checked("--cluster", "/nowhere/scheduler.json")
    assert found.exit_code == 2
    assert "no scheduler answers at '/nowhere/scheduler.json'" in found.stderr


@pytest.mark.process
def test_workers_find_the_same():
    pytest.importorskip("distributed")
    texts = [
        subprocess.run([*COMMAND, "--json", *options], capture_output=True, text=True, check=False).stdout
        for options in ((), ("--workers", "2"))
    ]
    here, there = map(json.loads, texts)
    for changing in ("seconds", "reading_seconds", "compiled"):
        here.pop(changing, None)
        there.pop(changing, None)
    assert here == there
    assert here["findings"]


@pytest.mark.process
def test_ctrl_c_ends_the_workers_too():
    pytest.importorskip("distributed")
    psutil = pytest.importorskip("psutil")
    process = subprocess.Popen([*COMMAND, "--workers", "2"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    started, end = [], time.monotonic() + 30
    while len(started) < 3 and time.monotonic() < end:  # two workers and what tracks their resources
        started = psutil.Process(process.pid).children(recursive=True)
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=30)
    assert process.returncode == 130, said
    assert "Traceback" not in said
    assert "interrupted" in said
    psutil.wait_procs(started, timeout=10)
    assert not [each for each in started if each.is_running() and each.status() != psutil.STATUS_ZOMBIE]
