"""A CPU as a device, in a process with little memory left: an answer or an error, never a crash."""

import subprocess
import sys

import pytest
from device_cases import needs_device

pytest.importorskip("resource")
LINUX = pytest.mark.skipif(sys.platform != "linux", reason="memory is counted by Linux")
pytestmark = [needs_device, LINUX, pytest.mark.process]
CODE = """
import resource, numpy as np, tumble
from tumble.errors import DeviceError

def soup(seed, count, size):
    rng = np.random.default_rng(seed)
    corners = rng.random((count, 1, 3)) + size * rng.normal(size=(count, 3, 3))
    return tumble.Mesh(corners.reshape(-1, 3), np.arange(3 * count).reshape(-1, 3))

few = soup(1, 100, 0.3), soup(2, 100, 0.3)
for method, extra in {asked}:
    expected = len(tumble.collide(*few, device="opencl", method=method))  # compiles, starts threads
    many = soup(3, 4000, 0.5), soup(4, 4000, 0.5)
    used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (used + (extra << 20), resource.RLIM_INFINITY))
    try:
        print(method, extra, len(tumble.collide(*many, device="opencl", method=method)) > 0, flush=True)
    except (DeviceError, MemoryError) as error:
        print(method, extra, type(error).__name__, flush=True)
    resource.setrlimit(resource.RLIMIT_AS, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    assert len(tumble.collide(*few, device="opencl", method=method)) == expected
"""
EACH = [(method, extra) for extra in (5, 60, 200) for method in ("auto", "bulk", "front")]


@pytest.mark.parametrize(
    "asked",
    [[("front", 5), ("auto", 60)], *(pytest.param([each], marks=pytest.mark.slow) for each in EACH)],
    ids=str,
)
def test_little_memory_is_an_error_and_no_crash(asked):
    code = CODE.format(asked=asked)
    process = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=300, check=False)
    assert process.returncode == 0, (process.returncode, process.stdout, process.stderr)
    outcomes = [line.split() for line in process.stdout.splitlines()]
    assert [(method, int(extra)) for method, extra, _ in outcomes] == asked
    assert {outcome for _, _, outcome in outcomes} <= {"True", "DeviceError", "MemoryError"}
