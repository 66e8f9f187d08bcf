"""Programs of others, on a file that may be damaged: in a process of its own, with limits on time and memory.

The libraries that read CAD files and buildings are large, and crash on some damaged files.
"""

import subprocess
import sys
from pathlib import Path

# Real files take up to 5 seconds and 200 MB per megabyte.
SECONDS, SECONDS_PER_MEGABYTE = 60, 60
BYTES, BYTES_PER_BYTE = 2 * 2**30, 1000

_LIMITS = """
import sys
try:
    import resource
    _memory = int(sys.argv.pop(1))
    resource.setrlimit(resource.RLIMIT_AS, (_memory, _memory))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
except (ImportError, ValueError, OSError):
    pass
"""


def run_limited(program: str, source: Path, target: Path, called: str) -> None:
    """Run a Python program with the paths of a file to read and of one to write; `called` is who reads in messages.

    Limits follow from the size of the file. The program runs in the folder of the file to write, where nothing else may
    be: Python looks for modules there, and the user's folder of downloaded files could hold any.
    """
    size = source.stat().st_size
    seconds = SECONDS + SECONDS_PER_MEGABYTE * size / 1e6
    command = [sys.executable, "-c", _LIMITS + program, str(BYTES + BYTES_PER_BYTE * size), str(source), str(target)]
    try:
        done = subprocess.run(
            command, stdin=subprocess.DEVNULL, capture_output=True, timeout=seconds, check=False, cwd=target.parent
        )
    except subprocess.TimeoutExpired:
        raise ValueError(f"{called} did not finish within {seconds:.0f} seconds") from None
    if done.returncode < 0:
        raise ValueError(f"{called} crashed on it (signal {-done.returncode}): damaged?")
    if done.returncode or not target.exists():
        said = done.stderr.decode(errors="replace").strip().splitlines()
        raise ValueError(f"{called} cannot read it: {said[-1][:200] if said else 'damaged?'}")
