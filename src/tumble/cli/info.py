"""`tumble info`: what a report of a problem should begin with."""

import json as json_format
from contextlib import suppress
from typing import Any

from tumble.cli.errors import Debug
from tumble.cli.options import Json
from tumble.cli.output import amount, printable, table, write_out
from tumble.core.kernel_bundle import lookup
from tumble.core.kernel_place import cache_root
from tumble.device.opencl import driver_names

PACKAGES = ("tumble", "numpy", "numba", "llvmlite", "trimesh", "matplotlib", "pyopencl")


def info(json: Json = False, debug: Debug = False) -> None:
    """Show versions, the cache of compiled kernels, threads and devices."""
    found = collect_info()
    text = json_format.dumps(found, indent=2) + "\n" if json else table(("what", "found"), _rows(found))
    write_out(text)


def collect_info() -> dict[str, Any]:
    """Return what `tumble info` shows, as plain values."""
    from tumble.bench.framework.machine import describe_machine, package_versions

    machine = describe_machine()
    return {
        "versions": {"python": machine["python"], **package_versions(*PACKAGES)},
        "system": f"{machine['system']}, {machine['architecture']}",
        "cache": _cache(),
        "ahead of time": _ahead_of_time(),
        "threads": machine["cores"],
        "devices": {"cpu": machine["processor"], "opencl": driver_names()},
    }


def _cache() -> dict[str, Any]:
    from tumble.core.kernel_cache import cache_folder

    folder = cache_folder()
    if folder is None:
        try:
            wanted = str(cache_root())
        except RuntimeError:  # no home folder
            wanted = ""
        return {"folder": wanted, "writable": False, "kernels": 0, "bytes": 0}
    sizes = []
    for path in folder.glob("*.nbc"):
        with suppress(OSError):  # another process has just tidied up
            sizes.append(path.stat().st_size)
    return {"folder": str(folder), "writable": True, "kernels": len(sizes), "bytes": sum(sizes)}


def _ahead_of_time() -> str:
    return lookup().words


def _rows(found: dict[str, Any]) -> list[tuple[str, str]]:
    cache, devices = found["cache"], found["devices"]
    opencl = devices["opencl"]
    shown = "none (pyopencl is not installed)" if opencl is None else ", ".join(opencl) or "none (no driver found)"
    named = {"system": found["system"], "cache": _cache_text(cache), "ahead of time": found["ahead of time"]}
    named["threads"] = str(found["threads"])
    rows = {**found["versions"], **named, "cpu": devices["cpu"], "opencl": shown}
    return [(name, printable(value)) for name, value in rows.items()]


def _cache_text(cache: dict[str, Any]) -> str:
    if not cache["writable"]:
        place = cache["folder"] or "no home folder"
        return f"{place}: cannot be written, so every run compiles anew; set TUMBLE_CACHE_DIR to a folder that can"
    return f"{cache['folder']} ({amount(cache['kernels'], 'kernel')}, {cache['bytes'] / 1e6:.1f} MB)"
