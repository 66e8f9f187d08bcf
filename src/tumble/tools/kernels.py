"""Compile all kernels ahead of time, into a wheel of the package `tumble-kernels`.

    python -m tumble.tools.kernels dist

The wheel holds the files of the kernel cache as they are, compiled for a processor that most are at least as good as
(`tumble.core.kernel_bundle`), and a manifest of what they were made with. It fits one version of Tumble, of Python and
of the compiler: the exact ones of the process that makes it.
"""

from __future__ import annotations

import argparse
import base64
import hashlib
import json
import os
import platform
import subprocess
import sys
import sysconfig
import tempfile
import zipfile
from pathlib import Path

import tumble
from tumble.core.kernel_bundle import MANIFEST, PACKAGE, SWITCH, baseline, versions
from tumble.core.parallel import usable_cores
from tumble.tools.warm import warm
from tumble.tools.workloads import ALL, USUAL

TARGET = """
import json
from numba.core.registry import cpu_target
print(json.dumps(cpu_target.target_context.codegen().magic_tuple()))
"""
INIT = '"""Kernels of Tumble, compiled ahead of time: see `tumble info`."""\n'
DATE = (2020, 1, 1, 0, 0, 0)
"""of all files, so that the same kernels make the same wheel"""


def make_wheel(folder: Path, names: list[str], jobs: int) -> Path:
    """Compile the kernels of workloads, and return the wheel that holds them."""
    with tempfile.TemporaryDirectory() as cache:
        environment = ahead_of_time(Path(cache))
        warm(names, jobs, environment, lambda done, total, name: print(f"{done}/{total} {name}", flush=True))
        return packed(folder, Path(cache), environment)


def ahead_of_time(cache: Path) -> dict[str, str]:
    """Return the environment in which kernels are compiled for the baseline of this architecture."""
    processor, features = baseline(platform.machine())
    return {
        "NUMBA_CPU_NAME": processor,
        "NUMBA_CPU_FEATURES": ",".join(f"+{each}" for each in features),
        "TUMBLE_CACHE_DIR": str(cache),
        SWITCH: "0",
    }


def packed(folder: Path, cache: Path, environment: dict[str, str]) -> Path:
    """Return a wheel of the kernels in a cache, which were compiled in an environment."""
    command, own = [sys.executable, "-c", TARGET], {**os.environ, **environment}
    asked = subprocess.run(command, env=own, capture_output=True, text=True, check=True)
    kernels = sorted(cache.glob("*/*.nbc"))
    manifest = {
        "tumble": tumble.__version__,
        "made_with": versions(),
        "target": json.loads(asked.stdout),
        "features": baseline(platform.machine())[1],
        "kernels": len(kernels),
    }
    texts = {"__init__.py": INIT, MANIFEST: json.dumps(manifest, indent=2)}
    files = {f"{PACKAGE}/{name}": text.encode() for name, text in texts.items()}
    files |= {f"{PACKAGE}/{path.name}": path.read_bytes() for path in kernels}
    return _write_wheel(folder, files, versions())


def _write_wheel(folder: Path, files: dict[str, bytes], made_with: dict[str, str]) -> Path:
    version = tumble.__version__
    python = f"cp{sys.version_info.major}{sys.version_info.minor}"
    tag = f"{python}-none-{sysconfig.get_platform().replace('-', '_').replace('.', '_')}"
    info = f"{PACKAGE}-{version}.dist-info"
    needs = [f"tumble=={version}", *(f"{name}=={made_with[name]}" for name in ("numba", "llvmlite"))]
    metadata = ["Metadata-Version: 2.1", "Name: tumble-kernels", f"Version: {version}"]
    metadata += ["Summary: Kernels of Tumble, compiled ahead of time", *(f"Requires-Dist: {each}" for each in needs)]
    files = {
        **files,
        f"{info}/METADATA": "\n".join([*metadata, ""]).encode(),
        f"{info}/WHEEL": f"Wheel-Version: 1.0\nGenerator: tumble\nRoot-Is-Purelib: false\nTag: {tag}\n".encode(),
    }
    record = [f"{name},sha256={_hash(content)},{len(content)}" for name, content in files.items()]
    files[f"{info}/RECORD"] = "\n".join([*record, f"{info}/RECORD,,", ""]).encode()
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{PACKAGE}-{version}-{tag}.whl"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as wheel:
        for name, content in files.items():
            wheel.writestr(zipfile.ZipInfo(name, DATE), content, zipfile.ZIP_DEFLATED)
    return path


def _hash(content: bytes) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()


def main() -> None:
    """Make the wheel that the command line asks for."""
    parser = argparse.ArgumentParser(prog="python -m tumble.tools.kernels", description=__doc__.split("\n")[0])
    parser.add_argument("folder", type=Path, help="where the wheel goes")
    parser.add_argument("--jobs", type=int, default=usable_cores(), help="processes at a time (all cores)")
    parser.add_argument("--only", choices=sorted(ALL), action="append", help="kernels of these calls alone")
    parser.add_argument("--all", action="store_true", help="also those of every method over every kind of tree")
    given = parser.parse_args()
    path = make_wheel(given.folder, given.only or list(ALL if given.all else USUAL), given.jobs)
    print(f"{path}: {path.stat().st_size / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
