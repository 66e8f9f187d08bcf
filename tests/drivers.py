"""The device tests by another OpenCL driver than the one that PyOpenCL finds first.

    python -m tests.drivers intel             # Intel's CPU runtime: pip install ".[intel]"
    python -m tests.drivers oclgrind          # a simulator that reports data races and reads out of bounds: slow
    python -m tests.drivers oclgrind tests/device      # what follows goes to pytest

Exits with 1 if a test fails, if the driver is not the one that runs them, or if Oclgrind reports anything.
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
EXPECTED = "TUMBLE_EXPECTED_PLATFORM"
"""the variable with which `tests/device/test_devices.py` sees to it that a driver is the one that is tested"""
PLATFORMS = {"intel": "Intel", "oclgrind": "Oclgrind"}
OCLGRIND_ICD = ("/usr/lib/oclgrind/liboclgrind-rt-icd.so", "/usr/local/lib/liboclgrind-rt-icd.so")
# Every kernel on small meshes: a simulated work-item is thousands of times slower than a real one.
FEW = (
    "test_devices.py::test_each_device_can_be_named",
    "test_devices.py::test_the_expected_driver_is_tested",
    "test_device_program.py",
    "test_every_kernel.py",
)


def environment(driver: str, log: Path) -> dict[str, str]:
    """Return the variables with which the tests see one driver, and no other."""
    own = {EXPECTED: PLATFORMS[driver], "TUMBLE_QUIET": "1"}
    if driver == "intel":
        # the wheel puts its libraries here, where they find each other
        return {**own, "OCL_ICD_VENDORS": _existing(Path(sys.prefix) / "lib" / "libintelocl.so")}
    # optimised code has intrinsics that Oclgrind 21.10 does not know
    options = {"PYOPENCL_BUILD_OPTIONS": "-cl-opt-disable", "OCLGRIND_DATA_RACES": "1", "OCLGRIND_LOG": str(log)}
    return {**own, **options, "OCL_ICD_VENDORS": _existing(*map(Path, OCLGRIND_ICD))}


def _existing(*paths: Path) -> str:
    found = [path for path in paths if path.exists()]
    if not found:
        sys.exit(f"there is no {' or '.join(map(str, paths))}; docs/gpu.md says how to install the driver")
    return str(found[0])


def main(driver: str, *given: str) -> int:
    """Run tests by a driver; return the exit code."""
    whole = [str(FOLDER / "device")]
    chosen = given or (whole if driver == "intel" else [str(FOLDER / "device" / name) for name in FEW])
    with tempfile.TemporaryDirectory() as scratch:
        log = Path(scratch) / "oclgrind.log"
        variables = {**os.environ, **environment(driver, log)}
        code = subprocess.run([sys.executable, "-m", "pytest", "-q", *chosen], env=variables).returncode
        reported = log.read_text() if log.exists() else ""
    if reported:
        print(reported[:20_000], file=sys.stderr)
    return code or int(bool(reported))


if __name__ == "__main__":
    if len(sys.argv) < 2 or sys.argv[1] not in PLATFORMS:
        sys.exit(f"python -m tests.drivers {'|'.join(PLATFORMS)} [ARGUMENTS FOR PYTEST]")
    sys.exit(main(*sys.argv[1:]))
