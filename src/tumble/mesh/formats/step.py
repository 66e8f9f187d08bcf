"""STEP, through OpenCASCADE (the package cascadio): tessellated into a GLB file, which is then read as such.

A surface is tessellated to a tolerance; two parts that touch along curved surfaces may touch, overlap or stay apart
in the triangles. cascadio scales lengths to metres.

OpenCASCADE crashes on some damaged files, so it runs in a process of its own, with limits on time and memory.
"""

import importlib.util
import subprocess
import sys
import tempfile
from pathlib import Path

from tumble.errors import MissingDependencyError
from tumble.mesh.formats import gltf, read_regular
from tumble.mesh.mesh import Part

# Real files take up to 5 seconds and 200 MB per megabyte.
_SECONDS, _SECONDS_PER_MEGABYTE = 60, 60
_BYTES, _BYTES_PER_BYTE = 2 * 2**30, 1000

_CONVERT = """
import sys
try:
    import resource
    resource.setrlimit(resource.RLIMIT_AS, (int(sys.argv[3]), int(sys.argv[3])))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
except (ImportError, ValueError, OSError):
    pass
import cascadio
cascadio.step_to_glb(sys.argv[1], sys.argv[2])
"""


def read(path: Path, split: bool) -> list[Part]:
    """Return the parts of a STEP file."""
    if importlib.util.find_spec("cascadio") is None:
        raise MissingDependencyError(f"{path} is a STEP file; to read it, run `pip install 'tumble[cad]'`")
    data = read_regular(path)
    if not data.lstrip().startswith(b"ISO-10303-21"):
        raise ValueError("it does not start with ISO-10303-21, as STEP files do")
    if b"END-ISO-10303-21" not in data[-1000:]:
        raise ValueError("it does not end with END-ISO-10303-21: truncated")
    with tempfile.TemporaryDirectory() as folder:
        source, target = Path(folder, "data.step"), Path(folder, "data.glb")
        source.write_bytes(data)
        _convert(source, target, len(data))
        return gltf.read(target, split)


def _convert(source: Path, target: Path, size: int) -> None:
    memory = _BYTES + _BYTES_PER_BYTE * size
    seconds = _SECONDS + _SECONDS_PER_MEGABYTE * size / 1e6
    command = [sys.executable, "-c", _CONVERT, str(source), str(target), str(memory)]
    try:
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, timeout=seconds, check=False)
    except subprocess.TimeoutExpired:
        raise ValueError(f"OpenCASCADE did not finish within {seconds:.0f} seconds") from None
    if done.returncode < 0:
        raise ValueError(f"OpenCASCADE crashed on it (signal {-done.returncode}): damaged?")
    if done.returncode or not target.exists():
        said = done.stderr.decode(errors="replace").strip().splitlines()
        raise ValueError(f"OpenCASCADE cannot read it: {said[-1][:200] if said else 'damaged?'}")
