"""Where compiled kernels are kept, and whether there are any: known without the compiler, which takes long to load."""

from __future__ import annotations

import os
import sys
from pathlib import Path

KERNEL = ".nbc"
"""what the names of files end with"""


def cache_root() -> Path:
    """Return the folder of all caches: $TUMBLE_CACHE_DIR, or the user's cache folder on this system."""
    chosen = os.environ.get("TUMBLE_CACHE_DIR")
    if chosen:
        return Path(chosen).expanduser().absolute()
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", Path.home() / "AppData" / "Local")) / "tumble" / "kernels"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "tumble" / "kernels"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "tumble" / "kernels"


def none_kept_yet() -> bool:
    """Tell whether no kernel has been kept so far, of any compiler, and some can be."""
    try:
        root = cache_root()
        if next(root.glob(f"*/*{KERNEL}"), None) is not None:
            return False
        there = next(folder for folder in (root, *root.parents) if folder.is_dir())
    except (OSError, RuntimeError):  # RuntimeError: no home folder
        return False
    return os.access(there, os.W_OK)
