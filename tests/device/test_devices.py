"""Devices by name, and what is said where there is none."""

import os
import subprocess
import sys
from dataclasses import replace
from types import SimpleNamespace

import pytest
from device_cases import needs_device

import tumble
from tumble.device import opencl
from tumble.device.opencl import open_device


@pytest.mark.process
def test_import_does_not_load_pyopencl():
    code = "import sys, tumble; assert 'pyopencl' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)


@needs_device
def test_each_device_can_be_named():
    found = tumble.devices()
    assert [device.name for device in found] == [f"opencl:{k}" for k in range(len(found))]
    for device in found:
        assert device.device
        assert device.platform
        assert device.kind in ("gpu", "cpu", "accelerator", "other")
        assert device.memory > 0
        assert device.units > 0
        assert open_device(device.name).info == device
    assert open_device("opencl").info in found
    assert open_device("opencl") is open_device(open_device("opencl").info.name)


@pytest.mark.skipif("TUMBLE_EXPECTED_PLATFORM" not in os.environ, reason="no driver is named: see tests/drivers.py")
def test_the_expected_driver_is_tested():
    """Or the tests would be skipped, or run by the driver that has run them before."""
    assert os.environ["TUMBLE_EXPECTED_PLATFORM"] in open_device("opencl").info.platform


@needs_device
def test_gpus_come_first(monkeypatch):
    """Plain "opencl" takes the first GPU, wherever it stands in the list."""
    raw = opencl._raw_devices()[0]
    monkeypatch.setattr(opencl, "_raw_devices", lambda: [raw, raw])
    describe = opencl._describe
    kinds = ["cpu", "gpu"]
    monkeypatch.setattr(opencl, "_describe", lambda k, r: replace(describe(k, r), kind=kinds[k]))
    monkeypatch.setattr(opencl, "_opened", {})
    assert open_device("opencl").info.name == "opencl:1"


@pytest.mark.parametrize("name", ["cuda", "opencl:", "opencl:x", "opencl:-1", "OPENCL", 0, None])
def test_unknown_names_are_refused(name):
    with pytest.raises(tumble.DeviceError, match="unknown device"):
        open_device(name)


@needs_device
def test_a_number_too_high_names_what_there_is():
    with pytest.raises(tumble.DeviceError, match=r"no device 'opencl:99'.*Found: opencl:0 \("):
        open_device("opencl:99")


def test_without_pyopencl(monkeypatch):
    monkeypatch.setitem(sys.modules, "pyopencl", None)
    assert tumble.devices() == []
    with pytest.raises(tumble.DeviceError, match=r"needs PyOpenCL.*pip install tumble\[gpu\]"):
        open_device("opencl")


def test_without_a_driver(monkeypatch):
    monkeypatch.setattr(opencl, "_all_devices", list)
    assert tumble.devices() == []
    with pytest.raises(tumble.DeviceError, match=r"no OpenCL driver.*pip install tumble\[gpu\]"):
        open_device("opencl:0")


@needs_device
def test_a_platform_that_fails_is_no_end(monkeypatch):
    cl = pytest.importorskip("pyopencl")

    def fail():
        raise cl.LogicError("clGetPlatformIDs failed: PLATFORM_NOT_FOUND_KHR")

    monkeypatch.setattr(cl, "get_platforms", fail)
    assert tumble.devices() == []
    with pytest.raises(tumble.DeviceError, match="no OpenCL driver"):
        open_device("opencl")


NEW, KNOWN = (
    "OpenCL 3.0 PoCL HSTR: pthread-x86_64-unknown-linux-gnu-generic",
    "OpenCL 3.0 PoCL HSTR: pthread-x86_64-znver3",
)


@pytest.mark.parametrize(
    ("version", "builds", "listed"), [(NEW, False, False), (NEW, True, True), (KNOWN, False, True)]
)
def test_a_compiler_older_than_the_processor(monkeypatch, version, builds, listed):
    """PoCL lists its device and then refuses every kernel; only a device in doubt is asked for one."""
    cl = pytest.importorskip("pyopencl")
    platform = SimpleNamespace(name="Portable Computing Language")
    raw = SimpleNamespace(name="a new processor", platform=platform, version=version)

    def build(*options):
        if not builds:
            raise cl.LogicError("unknown target CPU 'generic'")

    monkeypatch.setattr(cl, "Context", lambda devices: None)
    monkeypatch.setattr(cl, "Program", lambda context, source: SimpleNamespace(build=build))
    monkeypatch.setattr(opencl, "_all_devices", lambda: [raw])
    monkeypatch.setattr(opencl, "_builds", {})
    assert opencl._raw_devices() == [raw][:listed]
    shown = "a new processor (Portable Computing Language)"
    assert opencl.driver_names() == [shown if listed else f"{shown}, cannot be used"]
    if not listed:
        with pytest.raises(tumble.DeviceError, match=r"a new processor .* is older than .*tumble\[intel\]"):
            open_device("opencl")


def test_device_errors_are_runtime_errors():
    assert issubclass(tumble.DeviceError, tumble.TumbleError)
    assert issubclass(tumble.DeviceError, RuntimeError)


AFTER_FORK = """
import os, signal, tumble
from tumble.device.engines import device_trees

box = tumble.shapes.box()
for opened in (False, True):
    trees = device_trees([box, box]) if opened else None
    assert tumble.devices()
    pid = os.fork()
    if pid == 0:
        signal.alarm(60)
        asks = [lambda: tumble.collide_all([box, box], device="opencl")]
        asks += [lambda: tumble.collide_all(trees), lambda: trees.move()] if opened else []
        for ask in asks:
            try:
                ask()
                os._exit(2)
            except tumble.DeviceError as error:
                assert "forked" in str(error) and "spawn" in str(error)
        os._exit(0 if tumble.collide_all([box, box]) and tumble.devices() == [] else 1)
    assert os.waitpid(pid, 0)[1] == 0, opened
    assert tumble.collide_all([box, box], device="opencl")
"""


@needs_device
@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork on this system")
@pytest.mark.process
def test_a_forked_child_is_told_so():
    """PoCL would wait for its threads forever."""
    subprocess.run([sys.executable, "-W", "ignore", "-c", AFTER_FORK], check=True)
